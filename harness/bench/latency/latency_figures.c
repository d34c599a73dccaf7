#include "harness/bench/latency/latency_figures.h"

#include <stdlib.h>

#define MISSING_MAX                                                                                \
    10000 // states missing before one that are made up for; more is a trial that hung

struct latency_figures *latency_figures_create(void)
{
    struct latency_figures *new = calloc(1, sizeof *new);
    if (new == NULL)
        return NULL;
    for (int stage = 0; stage < LATENCY_STAGES; stage++)
        for (int sort = 0; sort < LATENCY_SORTS; sort++)
            histogram_reset(&new->stage[stage][sort]);
    histogram_reset(&new->corrected);
    histogram_reset(&new->corrected_all);
    for (int part = 0; part < FLOOR_PARTS; part++)
        histogram_reset(&new->floor[part]);
    return new;
}

// ---- one trial ------------------------------------------------------------------------------------

struct adding {
    struct latency_figures *figures;
    const struct latency_record *record;
    int64_t epoch_ns;
    const struct floor_record *floor;
};

static instant published(const struct adding *adding, size_t i)
{
    return adding->record->chain[i].at[LATENCY_STATE_PUBLISHED];
}

int64_t latency_missing_before(const struct latency_record *record, size_t i)
{
    if (i == 0 || record->period.ns <= 0 ||
        (record->chain[i].missed & 1u << LATENCY_STATE_DUE) == 0)
        return 0;
    const int64_t gap_ns = instant_sub(record->chain[i].at[LATENCY_STATE_PUBLISHED],
                                       record->chain[i - 1].at[LATENCY_STATE_PUBLISHED])
                               .ns;
    const int64_t missing = (gap_ns + record->period.ns / 2) / record->period.ns - 1;
    return missing < 0 ? 0 : missing > MISSING_MAX ? MISSING_MAX : missing;
}

static bool is_counted(const struct adding *adding, size_t i)
{
    const instant last = published(adding, adding->record->chain_count - 1);
    const instant end =
        instant_add(last, duration_ns(-LATENCY_TAIL_PERIODS * adding->record->period.ns));
    return !instant_before(published(adding, i), instant_s(LATENCY_WARM_UP_S)) &&
           instant_before(published(adding, i), end);
}

enum latency_sort latency_sort_of(const struct floor_record *floor, int64_t epoch_ns, instant from,
                                  instant to)
{
    return floor != NULL && machine_floor_stalled(floor, time_sum_ns(from.ns, epoch_ns),
                                                  time_sum_ns(to.ns, epoch_ns))
               ? LATENCY_STALLED
               : LATENCY_CLEAN;
}

// A chain that never closed is looked at for as long as the first answer after it took.
static enum latency_sort sort_of(const struct adding *adding, size_t i, int64_t missing,
                                 instant answered)
{
    const instant due =
        instant_add(published(adding, i), duration_ns(-missing * adding->record->period.ns));
    return latency_sort_of(adding->floor, adding->epoch_ns, due,
                           answered.ns == INSTANT_NEVER.ns ? published(adding, i) : answered);
}

static void count_deadlines(const struct adding *adding, size_t i, int64_t missing,
                            enum latency_sort sort)
{
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        struct latency_count *count = &adding->figures->deadline[d][sort];
        const bool missed = (adding->record->chain[i].missed & 1u << d) != 0;
        count->due++;
        if (d == LATENCY_STATE_DUE) {
            count->due += (uint64_t)missing;
            count->missed += (uint64_t)missing;
        } else
            count->missed += missed;
    }
}

// HdrHistogram's rule for coordinated omission, where it is known what was omitted: a sample for each
// state that was due. (Its own rule would add samples to every loop longer than a period, and a loop
// of two periods is as it should be.)
static void correct(struct histogram *corrected, duration took, int64_t missing, duration period)
{
    for (int64_t m = 0; m <= missing; m++)
        histogram_record(corrected, took.ns + m * period.ns);
}

static void add_chain(const struct adding *adding, size_t i, instant answered,
                      enum latency_sort *sorted)
{
    struct latency_figures *figures = adding->figures;
    const struct latency_chain *chain = &adding->record->chain[i];
    const int64_t missing = latency_missing_before(adding->record, i);
    const enum latency_sort sort = sort_of(adding, i, missing, answered);
    duration took;
    figures->states[sort]++;
    figures->unanswered[sort] += chain->at[LATENCY_STATE_ACQUIRED].ns == INSTANT_NEVER.ns;
    count_deadlines(adding, i, missing, sort);
    for (int s = 0; s < LATENCY_STAGES; s++)
        if (latency_stage_of(chain, &latency_stages[s], &took))
            histogram_record(&figures->stage[s][sort], took.ns);
    if (answered.ns != INSTANT_NEVER.ns) {
        took = instant_sub(answered, published(adding, i));
        correct(&figures->corrected_all, took, missing, adding->record->period);
        if (sort == LATENCY_CLEAN)
            correct(&figures->corrected, took, missing, adding->record->period);
    }
    if (sorted != NULL)
        *sorted = sort;
}

static void add_floor(struct latency_figures *figures, const struct floor_record *floor)
{
    const uint64_t first =
        floor->samples > FLOOR_SAMPLES_MAX ? floor->samples - FLOOR_SAMPLES_MAX : 0;
    for (uint64_t i = first; i < floor->samples; i++) {
        const struct floor_sample *sample = &floor->sample[i % FLOOR_SAMPLES_MAX];
        int64_t length_ns = 0;
        for (int part = 0; part < FLOOR_PARTS; part++)
            length_ns += sample->part_ns[part] > 0 ? sample->part_ns[part] : 0;
        const bool stalled =
            machine_floor_stalled(floor, sample->due_ns, sample->due_ns + length_ns);
        figures->floor_samples[stalled ? LATENCY_STALLED : LATENCY_CLEAN]++;
        for (int part = 0; part < FLOOR_PARTS && !stalled; part++)
            if (sample->part_ns[part] >= 0)
                histogram_record(&figures->floor[part], sample->part_ns[part]);
    }
    figures->floor_missed += floor->missed;
    for (unsigned core = 0; core < floor->cores; core++) {
        figures->stalls += floor->core[core].stalls.count;
        figures->stalled_ns += floor->core[core].stalls.total_ns;
        figures->held += floor->core[core].held.count;
        figures->held_ns += floor->core[core].held.total_ns;
        figures->steal_ns += floor->core[core].steal_ns;
    }
}

void latency_figures_add(struct latency_figures *figures, const struct latency_record *record,
                         int64_t epoch_ns, const struct floor_record *floor,
                         enum latency_sort *sorted)
{
    const struct adding adding = {
        .figures = figures, .record = record, .epoch_ns = epoch_ns, .floor = floor};
    if (record->period.ns > 0)
        figures->period = record->period;
    instant answered = INSTANT_NEVER; // the first answer to state i or a later one
    for (size_t i = record->chain_count; i-- > 0;) {
        answered = instant_min(answered, record->chain[i].at[LATENCY_STATE_ACQUIRED]);
        if (sorted != NULL)
            sorted[i] = LATENCY_SORTS;
        if (is_counted(&adding, i))
            add_chain(&adding, i, answered, sorted == NULL ? NULL : &sorted[i]);
    }
    if (floor != NULL)
        add_floor(figures, floor);
}

// ---- several --------------------------------------------------------------------------------------

void latency_figures_merge(struct latency_figures *into, const struct latency_figures *from)
{
    if (from->period.ns > 0)
        into->period = from->period;
    for (int sort = 0; sort < LATENCY_SORTS; sort++) {
        into->states[sort] += from->states[sort];
        into->unanswered[sort] += from->unanswered[sort];
        into->floor_samples[sort] += from->floor_samples[sort];
        for (int d = 0; d < LATENCY_DEADLINES; d++) {
            into->deadline[d][sort].due += from->deadline[d][sort].due;
            into->deadline[d][sort].missed += from->deadline[d][sort].missed;
        }
        for (int s = 0; s < LATENCY_STAGES; s++)
            histogram_add(&into->stage[s][sort], &from->stage[s][sort]);
    }
    histogram_add(&into->corrected, &from->corrected);
    histogram_add(&into->corrected_all, &from->corrected_all);
    for (int part = 0; part < FLOOR_PARTS; part++)
        histogram_add(&into->floor[part], &from->floor[part]);
    into->floor_missed += from->floor_missed;
    into->stalls += from->stalls;
    into->stalled_ns += from->stalled_ns;
    into->held += from->held;
    into->held_ns += from->held_ns;
    into->steal_ns += from->steal_ns;
}

struct latency_verdict latency_judge(const struct latency_figures *figures)
{
    struct latency_verdict verdict = {
        .bound = duration_ns(LATENCY_BOUND_PERIODS * figures->period.ns),
        .reached = duration_ns(histogram_quantile(&figures->corrected, LATENCY_BOUND_QUANTILE)),
        .reached_all =
            duration_ns(histogram_quantile(&figures->corrected_all, LATENCY_BOUND_QUANTILE)),
        .measured = histogram_count(&figures->corrected) > 0};
    verdict.met = verdict.measured && verdict.reached.ns <= verdict.bound.ns;
    return verdict;
}
