// The latency benchmark: trials in real time with the machine's floor beside them, configuration by
// configuration in turn, so that the noise of a minute hits all of them alike.
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/bench/benches.h"
#include "harness/bench/latency/latency_results.h"
#include "harness/files/scenario.h"

#define PERIOD_DEFAULT_NS 10000000
#define FAST_PERIOD_NS 5000000 // shorter ones are recorded more often
#define FAST_GRID_MS 4
#define COARSE_GRID_MS 40
#define LIMIT_MARGIN_NS 60000000000 // the floor's processes outlive a trial by so much at most
#define REFUSED "real-time refused"

// The first configuration again, watched less.
static const struct {
    const char *label;
    struct observer observer;
    bool alone;
} watched_less[] = {
    {"without probes", {.probes_off = true}, false},
    {"recorder every 40 ms", {.grid_ms = COARSE_GRID_MS}, false},
    {"without the floor beside it", {0}, true},
};

// What is planned: the stages by the virtual clock, on which computing takes no time. What is left
// is waiting for a slot of the cycle, and the bits on the bus.
struct plan {
    struct latency_pipeline pipeline;
    duration period;                   // 0: not known, as the virtual clock skips the scenario
    double planned_us[LATENCY_STAGES]; // NAN: not known, or not reached
};

// ---- what is planned --------------------------------------------------------------------------

static void take_plan(struct plan *plan, const struct latency_record *record)
{
    struct latency_figures *figures = latency_figures_create();
    if (figures == NULL)
        return;
    latency_figures_add(figures, record, 0, NULL, LATENCY_WHOLE, NULL);
    for (int s = 0; s < LATENCY_STAGES; s++)
        if (histogram_count(&figures->stage[s]) > 0)
            plan->planned_us[s] = 1e-3 * (double)histogram_quantile(&figures->stage[s], 0.5);
    plan->period = record->period;
    free(figures);
}

// Errors of the lab are reported; a fault of load, which the virtual clock skips, leaves no plan.
static enum status make_plan(struct bench_session *session, unsigned place)
{
    struct bench_square *square = &session->square[place];
    static struct trial_record record;
    struct plan *plan = calloc(1, sizeof *plan);
    struct latency_record measured = {0};
    struct history *history = NULL;
    char trouble[256];
    square->own = plan;
    if (plan == NULL)
        return STATUS_NO_MEMORY;
    for (int s = 0; s < LATENCY_STAGES; s++)
        plan->planned_us[s] = NAN;
    enum status status = latency_pipeline_of(square->target, &plan->pipeline);
    if (status != STATUS_OK)
        return status;
    const struct job job = bench_job(session, place, CLK_VIRTUAL);
    job_run(&job, &record, &history);
    job_trouble(&record, history, trouble, sizeof trouble);
    const bool skipped = record.judgement.verdict == VERDICT_SKIP;
    if (record.result.outcome == TRIAL_RAN && history != NULL && !skipped)
        status = latency_measure(history, &plan->pipeline, square->description, &measured);
    else if (!skipped) {
        log_error("%s: the trial did not run: %s", square->label, trouble);
        status = STATUS_SYSTEM;
    }
    if (status == STATUS_OK && !skipped)
        take_plan(plan, &measured);
    latency_free(&measured);
    history_free(history);
    return status;
}

static enum status add_watched_less(struct bench_session *session)
{
    for (size_t i = 0; i < sizeof watched_less / sizeof watched_less[0]; i++) {
        if (session->square_count == BENCH_SQUARES_MAX)
            return STATUS_FULL;
        struct bench_square *new = &session->square[session->square_count];
        struct plan *plan = malloc(sizeof *plan);
        if (plan == NULL)
            return STATUS_NO_MEMORY;
        *new = session->square[0];
        *plan = *(const struct plan *)session->square[0].own;
        new->own = plan;
        new->observer = watched_less[i].observer;
        new->alone = watched_less[i].alone;
        text_copy(new->label, sizeof new->label, watched_less[i].label);
        session->square_count++;
    }
    return STATUS_OK;
}

static enum status prepare(struct bench_session *session)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < session->square_count && status == STATUS_OK; i++) {
        struct bench_square *square = &session->square[i];
        status = make_plan(session, i);
        const struct plan *plan = square->own;
        if (status == STATUS_OK && plan->period.ns > 0 && plan->period.ns < FAST_PERIOD_NS)
            square->observer.grid_ms = FAST_GRID_MS; // or channels run over
    }
    if (status == STATUS_OK && !session->no_cost && !session->virtual_clock)
        status = add_watched_less(session);
    return status;
}

// ---- a run ------------------------------------------------------------------------------------

static int priority_of(const struct target *target, const char *process)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(target->process[i].name, process) == 0)
            return target->process[i].priority;
    return 0;
}

static enum status start_floor(const struct bench_session *session,
                               const struct bench_square *square, struct machine_floor **floor)
{
    *floor = NULL;
    if (square->alone || session->virtual_clock)
        return STATUS_OK;
    const struct plan *plan = square->own;
    const struct machine_floor_request request = {
        .priority = priority_of(square->target, plan->pipeline.channel[LATENCY_SENSES]->writer),
        .period = duration_ns(plan->period.ns > 0 ? plan->period.ns : PERIOD_DEFAULT_NS),
        .core = -1,
        .held_too = square->scenario->fault_count == 0,
        .limit_ns = duration_s(square->scenario->duration_s).ns + LIMIT_MARGIN_NS};
    return machine_floor_start(&request, floor);
}

static void put_figures(const struct plan *plan, const struct latency_figures *figures,
                        struct bench_result *result)
{
    latency_put_missed(result, &plan->pipeline, figures, "");
    latency_put_stages(result, &plan->pipeline, figures, plan->planned_us[LATENCY_STAGE_LOOP]);
    for (unsigned s = 0; s < LATENCY_STAGES; s++) {
        char name[48];
        latency_stage_name(&plan->pipeline, s, name, sizeof name);
        bench_figure(result, "us", BETTER_NEITHER, plan->planned_us[s], "%s planned", name);
    }
}

static enum status measure(struct bench_session *session, unsigned place,
                           const struct history *history, const struct floor_record *floor,
                           int64_t epoch_ns, struct bench_result *result)
{
    const struct plan *plan = session->square[place].own;
    struct latency_record record = {0};
    struct latency_figures *figures = latency_figures_create();
    enum latency_sort *sorted = NULL;
    enum status status =
        latency_measure(history, &plan->pipeline, session->square[place].description, &record);
    if (status == STATUS_OK)
        sorted = calloc(record.chain_count + 1, sizeof *sorted);
    if (figures == NULL || sorted == NULL)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        latency_figures_add(figures, &record, epoch_ns, floor, LATENCY_WHOLE, sorted);
        put_figures(plan, figures, result);
        bench_figure(result, "us", BETTER_NEITHER, 1e-3 * (double)record.period.ns, "period");
        if (place >= session->shown)
            bench_figure(result, "", BETTER_NEITHER, 1, "watched less");
        if (session->rounds == 0)
            latency_put_samples(result, &record, figures, sorted);
        if (histogram_count(&figures->corrected_all) == 0)
            text_copy(result->trouble, sizeof result->trouble, "no state was answered");
    }
    latency_free(&record);
    free(sorted);
    free(figures);
    return status;
}

static enum status run(struct bench_session *session, unsigned place)
{
    struct bench_result *result;
    struct machine_floor *floor;
    struct history *history = NULL;
    int64_t epoch_ns;
    enum status status = start_floor(session, &session->square[place], &floor);
    if (status == STATUS_OK) {
        status = bench_trial(session, place, &result, &history, &epoch_ns);
        if (floor != NULL)
            machine_floor_stop(floor);
        const struct floor_record *record = floor == NULL ? NULL : machine_floor_record(floor);
        if (status == STATUS_OK && record != NULL && !record->real_time)
            bench_figure(result, "", BETTER_NEITHER, 1, REFUSED);
        if (status == STATUS_OK && result->trouble[0] == '\0')
            status = measure(session, place, history, record, epoch_ns, result);
    }
    machine_floor_free(floor);
    history_free(history);
    return status;
}

// ---- what there is to say ---------------------------------------------------------------------

// Whether a configuration meets the bound. False, too, where nothing was measured.
static bool print_bound(const struct bench_session *session, const char *square)
{
    const struct histogram *loop = bench_pooled(session, square, LATENCY_LOOP, true);
    const struct histogram *all = bench_pooled(session, square, LATENCY_LOOP_ALL, true);
    const double period_us = bench_spread(session, square, "period").median;
    if (loop == NULL || all == NULL) {
        printf("%s: nothing was measured\n", square);
        return false;
    }
    const bool met = latency_is_met(loop, period_us);
    printf("%s: p99.9 of the loop is %.3f ms: %s (two periods are %.3f ms; stalls included "
           "%.3f ms)\n",
           square, 1e-6 * (double)histogram_quantile(loop, LATENCY_BOUND_QUANTILE),
           met ? "met" : "NOT MET", 1e-3 * LATENCY_BOUND_PERIODS * period_us,
           1e-6 * (double)histogram_quantile(all, LATENCY_BOUND_QUANTILE));
    return met;
}

static enum bench_outcome conclude(const struct bench_session *session)
{
    bool met = true, refused = false;
    for (unsigned i = 0; i < session->shown; i++)
        met &= print_bound(session, session->square[i].label);
    for (unsigned i = 0; i < session->result_count; i++)
        refused |= bench_value(session->result[i], REFUSED) > 0;
    for (unsigned i = session->shown; i < session->square_count; i++)
        printf("what watching costs: ukemi diff latency --squares '%s,%s'\n",
               session->square[0].label, session->square[i].label);
    if (refused) // so that a bound which is not met is not the target's fault
        log_error("SCHED_FIFO or locked memory was refused: these are the times of ordinary "
                  "processes, and say little about the target; be root, or raise the limits "
                  "rtprio and memlock (`ukemi doctor` tells)");
    return met ? BENCH_MEASURED : refused ? BENCH_FAILED : BENCH_BOUND_MISSED;
}

const struct bench bench_latency = {
    .name = "latency",
    .summary = "the target's loop, stage by stage, beside what the machine can do",
    .about =
        "Runs trials in real time and prints how long the target's loop takes, stage by stage: "
        "from a\npublished state to the first state that shows its answer. Beside it are the "
        "times of this machine\nitself in the same minute. Without --scenario it measures "
        "walking: 100 Hz in two periods and in\none, 200 Hz, 500 Hz and 1 kHz (the last two "
        "on buses that cost nothing). The exit status is 1 if\nthe loop takes more than two "
        "periods at p99.9. doc/reference/latency.md explains the figures.\n",
    .takes = BENCH_SCENARIOS | BENCH_DURATION | BENCH_VIRTUAL | BENCH_COST | BENCH_PAGE,
    .subject = "003-walk-dynamic=100 Hz two-period\n032-one-period-walk=100 Hz one-period\n"
               "030-rate-200-hz=200 Hz two-period\n034-rate-500-hz=500 Hz\n035-rate-1-khz=1 kHz",
    .runs = 5,
    .duration_s = 8,
    .duration_min_s = 2, // the first second is not counted
    .most = 1,
    .prepare = prepare,
    .run = run,
    .conclude = conclude};
