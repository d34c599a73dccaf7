#include "harness/bench/latency/latency_floor.h"

#include <stddef.h>

static void add_samples(struct latency_floor *floor, const struct floor_record *record)
{
    const uint64_t first =
        record->samples > FLOOR_SAMPLES_MAX ? record->samples - FLOOR_SAMPLES_MAX : 0;
    for (uint64_t i = first; i < record->samples; i++) {
        const struct floor_sample *sample = &record->sample[i % FLOOR_SAMPLES_MAX];
        int64_t length_ns = 0;
        for (int part = 0; part < FLOOR_PARTS; part++)
            length_ns += sample->part_ns[part] > 0 ? sample->part_ns[part] : 0;
        if (machine_floor_stalled(record, sample->due_ns, sample->due_ns + length_ns))
            continue;
        for (int part = 0; part < FLOOR_PARTS; part++)
            if (sample->part_ns[part] >= 0)
                histogram_record(&floor->part[part], sample->part_ns[part]);
    }
}

void latency_floor_fill(struct latency_floor *floor, const struct floor_record *record)
{
    for (int part = 0; part < FLOOR_PARTS; part++)
        histogram_reset(&floor->part[part]);
    floor->missed = floor->stalls = 0;
    floor->stalled_ns = floor->held_ns = 0;
    if (record == NULL)
        return;
    add_samples(floor, record);
    floor->missed = record->missed;
    for (unsigned core = 0; core < record->cores; core++) {
        floor->stalls += record->core[core].stalls.count;
        floor->stalled_ns += record->core[core].stalls.total_ns;
        floor->held_ns += record->core[core].held.total_ns;
    }
}
