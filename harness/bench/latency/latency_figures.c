#include "harness/bench/latency/latency_figures.h"

#include <math.h>
#include <stdlib.h>

#define MISSING_MAX 10000 // states missing before one that are made up for; more is a hung trial

struct latency_figures *latency_figures_create(void)
{
    struct latency_figures *new = calloc(1, sizeof *new);
    if (new == NULL)
        return NULL;
    for (int stage = 0; stage < LATENCY_STAGES; stage++)
        histogram_reset(&new->stage[stage]);
    histogram_reset(&new->corrected);
    histogram_reset(&new->corrected_all);
    for (int part = 0; part < FLOOR_PARTS; part++)
        histogram_reset(&new->floor[part]);
    return new;
}

// ---- states -----------------------------------------------------------------------------------

struct adding {
    struct latency_figures *figures;
    const struct latency_record *record;
    int64_t epoch_ns;
    const struct floor_record *floor;
    struct latency_window window; // of what is counted
};

static bool is_set(instant t)
{
    return t.ns != INSTANT_NEVER.ns;
}

// How many states should have been published between that of chain i and the one before.
static int64_t missing_before(const struct latency_record *record, size_t i)
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

static void count(struct latency_count *counted, bool missed)
{
    counted->due++;
    counted->missed += missed;
}

// Counts a state that was due at some instant, published or not. `answered`: the first answer to it
// or to a later one. LATENCY_SORTS: it is not counted.
static enum latency_sort add_due(const struct adding *adding, instant due, instant answered,
                                 bool missing)
{
    struct latency_figures *figures = adding->figures;
    if (instant_before(due, adding->window.from) || !instant_before(due, adding->window.to))
        return LATENCY_SORTS;
    const instant end = is_set(answered) ? answered : due;
    const bool stalled = adding->floor != NULL &&
                         machine_floor_stalled(adding->floor, time_sum_ns(due.ns, adding->epoch_ns),
                                               time_sum_ns(end.ns, adding->epoch_ns));
    const enum latency_sort sort = stalled ? LATENCY_STALLED : LATENCY_CLEAN;
    count(&figures->deadline[LATENCY_STATE_DUE][sort], missing);
    if (!is_set(answered))
        return sort;
    histogram_record(&figures->corrected_all, instant_sub(answered, due).ns);
    if (!stalled)
        histogram_record(&figures->corrected, instant_sub(answered, due).ns);
    return sort;
}

// HdrHistogram's rule for coordinated omission, where it is known what was omitted: a sample for
// each state that was due. (Its own rule would add samples to every loop longer than a period, and
// a loop of two periods is as it should be.)
static enum latency_sort add_chain(const struct adding *adding, size_t i, instant answered)
{
    struct latency_figures *figures = adding->figures;
    const struct latency_chain *chain = &adding->record->chain[i];
    const instant published = chain->at[LATENCY_STATE_PUBLISHED];
    duration took;
    for (int64_t m = missing_before(adding->record, i); m > 0; m--)
        (void)add_due(adding, instant_add(published, duration_ns(-m * adding->record->period.ns)),
                      answered, true);
    const enum latency_sort sort = add_due(adding, published, answered, false);
    if (sort == LATENCY_SORTS)
        return sort;
    for (int d = LATENCY_STATE_DUE + 1; d < LATENCY_DEADLINES; d++)
        count(&figures->deadline[d][sort], (chain->missed & 1u << d) != 0);
    if (sort == LATENCY_STALLED)
        return sort;
    figures->unanswered += !is_set(chain->at[LATENCY_STATE_ACQUIRED]);
    for (int s = 0; s < LATENCY_STAGES; s++)
        if (latency_stage_of(chain, &latency_stages[s], &took))
            histogram_record(&figures->stage[s], took.ns);
    return sort;
}

// The part of the window in which the stack has started and answers can still be seen.
static struct latency_window counted_part(const struct latency_record *record,
                                          struct latency_window window)
{
    const instant last = record->chain[record->chain_count - 1].at[LATENCY_STATE_PUBLISHED];
    const instant end = instant_add(last, duration_ns(-LATENCY_TAIL_PERIODS * record->period.ns));
    const instant start = instant_s(LATENCY_WARM_UP_S);
    return (struct latency_window){.from = instant_before(window.from, start) ? start : window.from,
                                   .to = instant_min(window.to, end)};
}

// ---- the machine ------------------------------------------------------------------------------

static void add_floor(struct latency_figures *figures, const struct floor_record *floor)
{
    const uint64_t first =
        floor->samples > FLOOR_SAMPLES_MAX ? floor->samples - FLOOR_SAMPLES_MAX : 0;
    for (uint64_t i = first; i < floor->samples; i++) {
        const struct floor_sample *sample = &floor->sample[i % FLOOR_SAMPLES_MAX];
        int64_t length_ns = 0;
        for (int part = 0; part < FLOOR_PARTS; part++)
            length_ns += sample->part_ns[part] > 0 ? sample->part_ns[part] : 0;
        if (machine_floor_stalled(floor, sample->due_ns, sample->due_ns + length_ns))
            continue;
        for (int part = 0; part < FLOOR_PARTS; part++)
            if (sample->part_ns[part] >= 0)
                histogram_record(&figures->floor[part], sample->part_ns[part]);
    }
    figures->floor_missed += floor->missed;
    for (unsigned core = 0; core < floor->cores; core++) {
        figures->stalls += floor->core[core].stalls.count;
        figures->stalled_ns += floor->core[core].stalls.total_ns;
        figures->held_ns += floor->core[core].held.total_ns;
    }
}

// ---- all --------------------------------------------------------------------------------------

void latency_figures_add(struct latency_figures *figures, const struct latency_record *record,
                         int64_t epoch_ns, const struct floor_record *floor,
                         struct latency_window window, enum latency_sort *sorted)
{
    struct adding adding = {
        .figures = figures, .record = record, .epoch_ns = epoch_ns, .floor = floor};
    if (record->chain_count > 0)
        adding.window = counted_part(record, window);
    instant answered = INSTANT_NEVER; // the first answer to state i or a later one
    for (size_t i = record->chain_count; i-- > 0;) {
        answered = instant_min(answered, record->chain[i].at[LATENCY_STATE_ACQUIRED]);
        const enum latency_sort sort = add_chain(&adding, i, answered);
        if (sorted != NULL)
            sorted[i] = sort;
    }
    if (floor != NULL)
        add_floor(figures, floor);
}

double latency_missed_percent(const struct latency_count *count)
{
    return count->due == 0 ? NAN : 100 * (double)count->missed / (double)count->due;
}

bool latency_is_met(const struct histogram *corrected, double period_us)
{
    return histogram_count(corrected) > 0 &&
           1e-3 * (double)histogram_quantile(corrected, LATENCY_BOUND_QUANTILE) <=
               LATENCY_BOUND_PERIODS * period_us;
}
