#include "harness/bench/latency/latency_results.h"

#include <math.h>
#include <stdio.h>

#define US_PER_NS 1e-3
#define MS_PER_NS 1e-6
#define SAMPLES_NEAR 300 // of the states near the median about so many are kept
#define NEAR 0.1         // a share of the median

static const char *const floor_names[FLOOR_PARTS] = {[FLOOR_WAKE] = "machine wakes",
                                                     [FLOOR_WORK] = "machine computes",
                                                     [FLOOR_HOP] = "machine hops"};

void latency_put_missed(struct bench_result *result, const struct chain_config *chain,
                        const struct chain_figures *figures, const char *window)
{
    const struct chain_count *first = figures->owed[0];
    const char *const what = chain->link[0].name;
    const struct chain_count never = {.due = first[CHAIN_CLEAN].due - first[CHAIN_CLEAN].missed,
                                      .missed = figures->unanswered};
    bench_figure(result, "", BETTER_NEITHER, (double)first[CHAIN_CLEAN].due, "%s%ss due", window,
                 what);
    bench_figure(result, "", BETTER_NEITHER, (double)first[CHAIN_STALLED].due,
                 "%s%ss in stalls of the machine", window, what);
    for (unsigned k = 0; k < chain->link_count; k++) {
        const char *owner = chain_owner(chain, k), *name = chain->link[k].name;
        if (!chain_is_owed(chain, k))
            continue;
        bench_figure(result, "%", BETTER_LESS, chain_missed_percent(figures->owed[k]),
                     "%s%s %s missed", window, owner, name);
        if (figures->owed[k][CHAIN_STALLED].missed > 0)
            bench_figure(result, "", BETTER_NEITHER, (double)figures->owed[k][CHAIN_STALLED].missed,
                         "%s%s %s missed in stalls", window, owner, name);
    }
    bench_figure(result, "%", BETTER_LESS, chain_missed_percent(&never), "%s%ss never closed",
                 window, chain->name);
}

// ---- beside the machine -----------------------------------------------------------------------

// The chain begins and ends when a timer wakes a process: what it takes beyond its plan is the
// lateness of these two wake-ups.
static void put_ratio(struct bench_result *result, const char *stage, const struct histogram *took,
                      double planned_us, const struct latency_floor *floor, enum floor_part part)
{
    char name[2 * CHAIN_STAGE_NAME_MAX];
    snprintf(name, sizeof name, "%s / %s", stage, floor_names[part]);
    bench_ratios(result, BETTER_LESS, name, took, planned_us, &floor->part[part]);
}

static void put_ratios(struct bench_result *result, const struct chain_figures *figures,
                       const struct latency_floor *floor, double planned_us)
{
    const struct chain_stages *stages = &figures->stages;
    if (stages->wakes >= 0)
        put_ratio(result, stages->stage[stages->wakes].name, &figures->stage[stages->wakes], 0,
                  floor, FLOOR_HOP);
    if (stages->computes >= 0)
        put_ratio(result, stages->stage[stages->computes].name, &figures->stage[stages->computes],
                  0, floor, FLOOR_WORK);
    put_ratio(result, "loop over schedule", &figures->stage[stages->whole], planned_us, floor,
              FLOOR_WAKE);
}

static void put_machine(struct bench_result *result, const struct latency_floor *floor)
{
    for (int part = 0; part < FLOOR_PARTS; part++) // a slower machine is no worse target
        bench_distribution(result, &floor->part[part], floor_names[part], false, floor_names[part],
                           BETTER_NEITHER);
    bench_figure(result, "", BETTER_NEITHER, (double)floor->stalls, "machine stalls");
    bench_figure(result, "ms", BETTER_NEITHER, MS_PER_NS * (double)floor->stalled_ns,
                 "machine stalled");
    bench_figure(result, "ms", BETTER_NEITHER, MS_PER_NS * (double)floor->held_ns,
                 "machine held by its kernel");
    bench_figure(result, "", BETTER_NEITHER, (double)floor->missed,
                 "machine misses of its own loop");
}

// ---- all --------------------------------------------------------------------------------------

void latency_put_stages(struct bench_result *result, const struct chain_figures *figures,
                        const struct latency_floor *floor, double planned_us)
{
    const struct chain_stages *stages = &figures->stages;
    for (unsigned s = 0; s < stages->count; s++)
        bench_distribution(result, &figures->stage[s], stages->stage[s].name, false,
                           stages->stage[s].name, BETTER_LESS);
    bench_distribution(result, &figures->corrected, stages->stage[stages->whole].name, true,
                       "corrected loop", BETTER_LESS);
    bench_distribution(result, &figures->corrected_all, LATENCY_ALL, true, LATENCY_ALL,
                       BETTER_LESS);
    put_ratios(result, figures, floor, planned_us);
    if (histogram_count(&floor->part[FLOOR_WAKE]) > 0)
        put_machine(result, floor);
}

void latency_put_samples(struct bench_result *result, const char *metric,
                         const struct chain_record *record, const struct chain_figures *figures,
                         const enum chain_sort *sorted)
{
    const struct chain_stage *whole = &figures->stages.stage[figures->stages.whole];
    const double middle_us =
        US_PER_NS * (double)histogram_quantile(&figures->stage[figures->stages.whole], 0.5);
    size_t near = 0;
    for (size_t i = 0; i < record->count; i++) {
        duration took;
        if (sorted[i] == CHAIN_SORTS)
            continue;
        const struct chain_instant *of = &record->instant[i];
        const bool closed = chain_stage_took(of, whole, &took);
        const double us = closed ? US_PER_NS * (double)took.ns : NAN;
        const bool is_near =
            closed && sorted[i] == CHAIN_CLEAN && fabs(us - middle_us) <= NEAR * middle_us;
        if (!is_near || near++ % (record->count / SAMPLES_NEAR + 1) == 0)
            bench_sample(result, metric, instant_to_s(of->at[CHAIN_REACHED(0)]), us,
                         sorted[i] == CHAIN_STALLED);
    }
}
