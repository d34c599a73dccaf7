#include "harness/chain/chain_figures.h"

#include <math.h>
#include <stdlib.h>

#define MISSING_MAX 10000 // instants missing before one that are made up for; more is a hung trial

struct chain_figures *chain_figures_create(const struct chain_config *chain)
{
    struct chain_stages stages;
    chain_stages_of(chain, &stages);
    struct chain_figures *new = calloc(1, sizeof *new + stages.count * sizeof new->stage[0]);
    if (new == NULL)
        return NULL;
    new->stages = stages;
    for (unsigned stage = 0; stage < stages.count; stage++)
        histogram_reset(&new->stage[stage]);
    histogram_reset(&new->corrected);
    histogram_reset(&new->corrected_all);
    return new;
}

struct adding {
    struct chain_figures *figures;
    const struct chain_config *chain;
    const struct chain_record *record;
    const struct chain_stalls *stalls;
    struct chain_window window; // of what is counted
};

static bool is_set(instant t)
{
    return t.ns != INSTANT_NEVER.ns;
}

static instant begun(const struct chain_record *record, size_t i)
{
    return record->instant[i].at[CHAIN_REACHED(0)];
}

// How many instants should have been published between that one and the one before.
static int64_t missing_before(const struct chain_record *record, size_t i)
{
    if (i == 0 || record->period.ns <= 0 || (record->instant[i].missed & 1u << 0) == 0)
        return 0;
    const int64_t gap_ns = instant_sub(begun(record, i), begun(record, i - 1)).ns;
    const int64_t missing = (gap_ns + record->period.ns / 2) / record->period.ns - 1;
    return missing < 0 ? 0 : missing > MISSING_MAX ? MISSING_MAX : missing;
}

static void count(struct chain_count *counted, bool missed)
{
    counted->due++;
    counted->missed += missed;
}

// Counts an instant that was due, published or not. `answered`: the first answer to it or to a
// later one. CHAIN_SORTS: it is not counted.
static enum chain_sort add_due(const struct adding *adding, instant due, instant answered,
                               bool missing)
{
    struct chain_figures *figures = adding->figures;
    if (instant_before(due, adding->window.from) || !instant_before(due, adding->window.to))
        return CHAIN_SORTS;
    const instant end = is_set(answered) ? answered : due;
    const bool stalled = adding->stalls != NULL && adding->stalls->touch != NULL &&
                         adding->stalls->touch(adding->stalls->machine, due, end);
    const enum chain_sort sort = stalled ? CHAIN_STALLED : CHAIN_CLEAN;
    count(&figures->owed[0][sort], missing);
    if (!is_set(answered))
        return sort;
    histogram_record(&figures->corrected_all, instant_sub(answered, due).ns);
    if (!stalled)
        histogram_record(&figures->corrected, instant_sub(answered, due).ns);
    return sort;
}

static bool takes_each(const struct adding *adding, const struct chain_stage *stage)
{
    return adding->chain->link[stage->to / 2].take == TAKE_EACH;
}

// HdrHistogram's rule for coordinated omission, where it is known what was omitted: a sample for
// each instant that was due. (Its own rule would add samples to every chain longer than a period,
// and a loop of two periods is as it should be.)
static enum chain_sort add_instant(const struct adding *adding, size_t i, instant answered)
{
    struct chain_figures *figures = adding->figures;
    const struct chain_instant *of = &adding->record->instant[i];
    duration took;
    for (int64_t m = missing_before(adding->record, i); m > 0; m--)
        (void)add_due(
            adding,
            instant_add(begun(adding->record, i), duration_ns(-m * adding->record->period.ns)),
            answered, true);
    const enum chain_sort sort = add_due(adding, begun(adding->record, i), answered, false);
    if (sort == CHAIN_SORTS)
        return sort;
    for (unsigned k = 1; k < adding->chain->link_count; k++)
        if (chain_is_owed(adding->chain, k))
            count(&figures->owed[k][sort], (of->missed & 1u << k) != 0);
    if (sort == CHAIN_STALLED)
        return sort;
    figures->unanswered += !is_set(of->at[CHAIN_REACHED(adding->chain->last)]);
    for (unsigned s = 0; s < figures->stages.count; s++)
        if (!takes_each(adding, &figures->stages.stage[s]) &&
            chain_stage_took(of, &figures->stages.stage[s], &took))
            histogram_record(&figures->stage[s], took.ns);
    return sort;
}

// Of a link that takes each, a sample for each.
static void add_each(const struct adding *adding, const enum chain_sort *sorted)
{
    for (size_t i = 0; i < adding->record->each_count; i++) {
        const struct chain_each *each = &adding->record->each[i];
        if (sorted[each->instant] != CHAIN_CLEAN)
            continue;
        for (unsigned s = 0; s < adding->figures->stages.count; s++) {
            const struct chain_stage *stage = &adding->figures->stages.stage[s];
            if (stage->to / 2 != each->link)
                continue;
            const instant to = stage->to % 2 == 0 ? each->taken : each->reached;
            const unsigned before = CHAIN_REACHED(adding->chain->link[each->link].parent);
            const instant from = stage->from == CHAIN_TAKEN(each->link) ? each->taken
                                 : stage->from == before
                                     ? each->from
                                     : adding->record->instant[each->instant].at[stage->from];
            if (is_set(from) && is_set(to))
                histogram_record(&adding->figures->stage[s], instant_sub(to, from).ns);
        }
    }
}

// The part of the window in which the stack has started and answers can still be seen.
static struct chain_window counted_part(const struct chain_record *record,
                                        struct chain_window window)
{
    const instant end = instant_add(begun(record, record->count - 1),
                                    duration_ns(-CHAIN_TAIL_PERIODS * record->period.ns));
    const instant start = instant_s(CHAIN_WARM_UP_S);
    return (struct chain_window){.from = instant_before(window.from, start) ? start : window.from,
                                 .to = instant_min(window.to, end)};
}

void chain_figures_add(struct chain_figures *figures, const struct chain_config *chain,
                       const struct chain_record *record, const struct chain_stalls *stalls,
                       struct chain_window window, enum chain_sort *sorted)
{
    struct adding adding = {.figures = figures, .chain = chain, .record = record, .stalls = stalls};
    enum chain_sort *own = sorted != NULL ? sorted : calloc(record->count + 1, sizeof *own);
    if (record->count > 0)
        adding.window = counted_part(record, window);
    instant answered = INSTANT_NEVER; // the first answer to instant i or a later one
    for (size_t i = record->count; own != NULL && i-- > 0;) {
        answered = instant_min(answered, record->instant[i].at[CHAIN_REACHED(chain->last)]);
        own[i] = add_instant(&adding, i, answered);
    }
    if (own != NULL)
        add_each(&adding, own);
    if (own != sorted)
        free(own);
}

double chain_missed_percent(const struct chain_count *count)
{
    return count->due == 0 ? NAN : 100 * (double)count->missed / (double)count->due;
}

double chain_bound_us(const struct chain_bound *bound, double period_us)
{
    return bound->p == 0        ? 0
           : bound->below_s > 0 ? 1e6 * bound->below_s
                                : bound->periods * period_us;
}

bool chain_bound_is_met(const struct histogram *corrected, const struct chain_bound *bound,
                        double period_us)
{
    return histogram_count(corrected) > 0 &&
           1e-3 * (double)histogram_quantile(corrected, bound->p / 100) <=
               chain_bound_us(bound, period_us);
}
