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

void latency_put_missed(struct bench_result *result, const struct latency_pipeline *pipeline,
                        const struct latency_figures *figures, const char *window)
{
    const struct latency_count *states = figures->deadline[LATENCY_STATE_DUE];
    const struct latency_count never = {.due = figures->deadline[LATENCY_COMMAND_DUE]->due,
                                        .missed = figures->unanswered};
    bench_figure(result, "", BETTER_NEITHER, (double)states[LATENCY_CLEAN].due, "%sstates due",
                 window);
    bench_figure(result, "", BETTER_NEITHER, (double)states[LATENCY_STALLED].due,
                 "%sstates in stalls of the machine", window);
    for (int d = 0; d < LATENCY_DEADLINES; d++) {
        const char *process = latency_deadline_process(pipeline, d);
        bench_figure(result, "%", BETTER_LESS, latency_missed_percent(figures->deadline[d]),
                     "%s%s %s missed", window, process, latency_deadline_name(d));
        if (figures->deadline[d][LATENCY_STALLED].missed > 0)
            bench_figure(result, "", BETTER_NEITHER,
                         (double)figures->deadline[d][LATENCY_STALLED].missed,
                         "%s%s %s missed in stalls", window, process, latency_deadline_name(d));
    }
    bench_figure(result, "%", BETTER_LESS, latency_missed_percent(&never), "%sloops never closed",
                 window);
}

// ---- beside the machine -----------------------------------------------------------------------

// The loop begins and ends when a timer wakes a process: what it takes beyond its plan is the
// lateness of these two wake-ups.
static void put_ratio(struct bench_result *result, const char *stage, unsigned number,
                      double planned_us, const struct latency_figures *figures,
                      enum floor_part part)
{
    char name[96];
    snprintf(name, sizeof name, "%s / %s", stage, floor_names[part]);
    bench_ratios(result, BETTER_LESS, name, &figures->stage[number], planned_us,
                 &figures->floor[part]);
}

static void put_machine(struct bench_result *result, const struct latency_figures *figures)
{
    for (int part = 0; part < FLOOR_PARTS; part++) // a slower machine is no worse target
        bench_distribution(result, &figures->floor[part], floor_names[part], false,
                           floor_names[part], BETTER_NEITHER);
    bench_figure(result, "", BETTER_NEITHER, (double)figures->stalls, "machine stalls");
    bench_figure(result, "ms", BETTER_NEITHER, MS_PER_NS * (double)figures->stalled_ns,
                 "machine stalled");
    bench_figure(result, "ms", BETTER_NEITHER, MS_PER_NS * (double)figures->held_ns,
                 "machine held by its kernel");
    bench_figure(result, "", BETTER_NEITHER, (double)figures->floor_missed,
                 "machine misses of its own loop");
}

// ---- all --------------------------------------------------------------------------------------

void latency_put_stages(struct bench_result *result, const struct latency_pipeline *pipeline,
                        const struct latency_figures *figures, double loop_planned_us)
{
    char name[LATENCY_STAGES][64];
    for (unsigned s = 0; s < LATENCY_STAGES; s++) {
        latency_stage_name(pipeline, s, name[s], sizeof name[s]);
        bench_distribution(result, &figures->stage[s], name[s], false, name[s], BETTER_LESS);
    }
    bench_distribution(result, &figures->corrected, LATENCY_LOOP, true, "corrected loop",
                       BETTER_LESS);
    bench_distribution(result, &figures->corrected_all, LATENCY_LOOP_ALL, true, LATENCY_LOOP_ALL,
                       BETTER_LESS);
    put_ratio(result, name[LATENCY_STAGE_WAKES], LATENCY_STAGE_WAKES, 0, figures, FLOOR_HOP);
    put_ratio(result, name[LATENCY_STAGE_COMPUTES], LATENCY_STAGE_COMPUTES, 0, figures, FLOOR_WORK);
    put_ratio(result, "loop over schedule", LATENCY_STAGE_LOOP, loop_planned_us, figures,
              FLOOR_WAKE);
    if (histogram_count(&figures->floor[FLOOR_WAKE]) > 0)
        put_machine(result, figures);
}

void latency_put_samples(struct bench_result *result, const struct latency_record *record,
                         const struct latency_figures *figures, const enum latency_sort *sorted)
{
    const double middle_us =
        US_PER_NS * (double)histogram_quantile(&figures->stage[LATENCY_STAGE_LOOP], 0.5);
    size_t near = 0;
    for (size_t i = 0; i < record->chain_count; i++) {
        duration took;
        if (sorted[i] == LATENCY_SORTS)
            continue;
        const struct latency_chain *chain = &record->chain[i];
        const bool closed = latency_stage_of(chain, &latency_stages[LATENCY_STAGE_LOOP], &took);
        const double us = closed ? US_PER_NS * (double)took.ns : NAN;
        const bool is_near =
            closed && sorted[i] == LATENCY_CLEAN && fabs(us - middle_us) <= NEAR * middle_us;
        if (!is_near || near++ % (record->chain_count / SAMPLES_NEAR + 1) == 0)
            bench_sample(result, LATENCY_LOOP, instant_to_s(chain->at[LATENCY_STATE_PUBLISHED]), us,
                         sorted[i] == LATENCY_STALLED);
    }
}
