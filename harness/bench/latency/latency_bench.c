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
#include "harness/files/target/chain_file.h"
#include "harness/packs/robot/chain_robot.h"

#define PERIOD_DEFAULT_NS 10000000
#define FAST_PERIOD_NS 5000000 // shorter ones are recorded more often
#define FAST_GRID_MS 4
#define COARSE_GRID_MS 40
#define LIMIT_MARGIN_NS 60000000000 // the floor's processes outlive a trial by so much at most
#define REFUSED "real-time refused"
#define BOUND "bound"
#define QUANTILE_WITHOUT_BOUND 99.9
#define PRIORITY_LEAST 2 // of the floor's

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
    const struct chain_config *chain;
    struct chain_stages stages;
    duration period;                     // 0: not known, as the virtual clock skips the scenario
    double planned_us[CHAIN_STAGES_MAX]; // NAN: not known, or not reached
};

// ---- what is planned --------------------------------------------------------------------------

static enum status take_plan(struct plan *plan, const struct chain_record *record)
{
    struct chain_figures *figures = chain_figures_create(plan->chain);
    if (figures == NULL)
        return STATUS_NO_MEMORY;
    chain_figures_add(figures, plan->chain, record, NULL, CHAIN_WHOLE, NULL);
    for (unsigned s = 0; s < plan->stages.count; s++)
        if (histogram_count(&figures->stage[s]) > 0)
            plan->planned_us[s] = 1e-3 * (double)histogram_quantile(&figures->stage[s], 0.5);
    plan->period = record->period;
    free(figures);
    return STATUS_OK;
}

// INVALID, reported: the target has no such chain, or none that can be followed.
static enum status choose_chain(const struct bench_session *session, const struct target *target,
                                struct plan *plan)
{
    plan->chain = chain_find(target, session->chain);
    if (plan->chain == NULL) {
        log_error("%s: chains: there is no %s%s; add it (doc/reference/chains.md)%s", target->file,
                  session->chain == NULL ? "chain" : "chain ",
                  session->chain == NULL ? "" : session->chain,
                  target->chain_count == 0 ? "" : ", or name another with --chain");
        return STATUS_INVALID;
    }
    chain_stages_of(plan->chain, &plan->stages);
    for (unsigned s = 0; s < CHAIN_STAGES_MAX; s++)
        plan->planned_us[s] = NAN;
    return chain_can_follow(target, plan->chain, &robot_of_chains);
}

// Errors of the lab are reported; what the virtual clock skips leaves no plan.
static enum status make_plan(struct bench_session *session, unsigned place)
{
    struct bench_square *square = &session->square[place];
    static struct trial_record record;
    struct plan *plan = calloc(1, sizeof *plan);
    struct chain_record measured = {0};
    struct history *history = NULL;
    char trouble[256];
    square->own = plan;
    if (plan == NULL)
        return STATUS_NO_MEMORY;
    enum status status = choose_chain(session, square->target, plan);
    if (status != STATUS_OK)
        return status;
    const struct job job = bench_job(session, place, CLK_VIRTUAL);
    job_run(&job, &record, &history);
    job_trouble(&record, history, trouble, sizeof trouble);
    const bool skipped = record.judgement.verdict == VERDICT_SKIP;
    if (record.result.outcome == TRIAL_RAN && history != NULL && !skipped)
        status =
            chain_measure(plan->chain, history, &robot_of_chains, square->description, &measured);
    else if (!skipped) {
        log_error("%s: the trial did not run: %s", square->label, trouble);
        status = STATUS_SYSTEM;
    }
    if (status == STATUS_OK && !skipped)
        status = take_plan(plan, &measured);
    chain_free(&measured);
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

// Of who begins the chain; where that is not known, of the first who has one.
static int priority_of(const struct target *target, const struct chain_config *chain)
{
    int first = PRIORITY_LEAST;
    for (unsigned i = target->process_count; i-- > 0;) {
        const int own = target->process[i].priority;
        if (strcmp(target->process[i].name, chain->link[0].writer) == 0)
            return own < PRIORITY_LEAST ? PRIORITY_LEAST : own;
        first = own > PRIORITY_LEAST ? own : first;
    }
    return first;
}

static enum status start_floor(const struct bench_session *session,
                               const struct bench_square *square, struct machine_floor **floor)
{
    *floor = NULL;
    if (square->alone || session->virtual_clock)
        return STATUS_OK;
    const struct plan *plan = square->own;
    const struct machine_floor_request request = {
        .priority = priority_of(square->target, plan->chain),
        .period = duration_ns(plan->period.ns > 0 ? plan->period.ns : PERIOD_DEFAULT_NS),
        .core = -1,
        .held_too = square->scenario->fault_count == 0,
        .limit_ns = duration_s(square->scenario->duration_s).ns + LIMIT_MARGIN_NS};
    return machine_floor_start(&request, floor);
}

static void put_plan(const struct plan *plan, double period_us, struct bench_result *result)
{
    const struct chain_stages *stages = &plan->stages;
    for (unsigned s = 0; s < stages->count; s++)
        bench_figure(result, "us", BETTER_NEITHER, plan->planned_us[s], "%s planned",
                     stages->stage[s].name);
    bench_figure(result, "us", BETTER_NEITHER, period_us, "period");
    bench_figure(result, "", BETTER_NEITHER, stages->stacked, "stages in a row");
    bench_figure(result, "", BETTER_NEITHER, stages->before, "stages before the start");
    bench_figure(result, "", BETTER_NEITHER, stages->count, "stages in all");
    if (plan->chain->bound.p > 0) {
        bench_figure(result, "us", BETTER_NEITHER, chain_bound_us(&plan->chain->bound, period_us),
                     BOUND);
        bench_figure(result, "%", BETTER_NEITHER, plan->chain->bound.p, "bound's quantile");
    }
}

// What one run needs; large.
struct measuring {
    struct chain_record record;
    struct latency_floor floor;
    struct chain_figures *figures;
    enum chain_sort *sorted;
};

static void put_all(const struct bench_session *session, unsigned place, const struct measuring *m,
                    struct bench_result *result)
{
    const struct plan *plan = session->square[place].own;
    latency_put_missed(result, plan->chain, m->figures, "");
    latency_put_stages(result, m->figures, &m->floor, plan->planned_us[plan->stages.whole]);
    put_plan(plan, 1e-3 * (double)m->record.period.ns, result);
    if (place >= session->shown)
        bench_figure(result, "", BETTER_NEITHER, 1, "watched less");
    if (session->rounds == 0)
        latency_put_samples(result, plan->stages.stage[plan->stages.whole].name, &m->record,
                            m->figures, m->sorted);
    if (histogram_count(&m->figures->corrected_all) == 0)
        snprintf(result->trouble, sizeof result->trouble, "no %s was answered",
                 plan->chain->link[0].name);
}

static enum status measure(struct bench_session *session, unsigned place,
                           const struct history *history, const struct floor_record *floor,
                           int64_t epoch_ns, struct bench_result *result)
{
    const struct plan *plan = session->square[place].own;
    const struct machine_trial machine = {floor, epoch_ns};
    const struct chain_stalls stalls = {machine_trial_stalled, &machine};
    struct measuring *m = calloc(1, sizeof *m);
    if (m == NULL)
        return STATUS_NO_MEMORY;
    enum status status = chain_measure(plan->chain, history, &robot_of_chains,
                                       session->square[place].description, &m->record);
    m->figures = chain_figures_create(plan->chain);
    m->sorted = calloc(m->record.count + 1, sizeof *m->sorted);
    if (m->figures == NULL || m->sorted == NULL)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK) {
        latency_floor_fill(&m->floor, floor);
        chain_figures_add(m->figures, plan->chain, &m->record, &stalls, CHAIN_WHOLE, m->sorted);
        put_all(session, place, m, result);
    }
    chain_free(&m->record);
    free(m->sorted);
    free(m->figures);
    free(m);
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

// Whether a configuration meets the bound, or has none. False, too, where nothing was measured.
static bool print_bound(const struct bench_session *session, const struct bench_square *square)
{
    const struct plan *plan = square->own;
    const char *whole = plan->stages.stage[plan->stages.whole].name;
    const struct histogram *loop = bench_pooled(session, square->label, whole, true);
    const struct histogram *all = bench_pooled(session, square->label, LATENCY_ALL, true);
    const double period_us = bench_spread(session, square->label, "period").median;
    const struct chain_bound *bound = &plan->chain->bound;
    const double p = bound->p > 0 ? bound->p : QUANTILE_WITHOUT_BOUND;
    if (loop == NULL || all == NULL) {
        printf("%s: nothing was measured\n", square->label);
        return false;
    }
    const bool met = bound->p == 0 || chain_bound_is_met(loop, bound, period_us);
    printf("%s: p%g of the %s is %.3f ms: ", square->label, p, plan->chain->name,
           1e-6 * (double)histogram_quantile(loop, p / 100));
    if (bound->p == 0)
        printf("it has no bound (");
    else if (bound->periods > 0)
        printf("%s (%g periods are %.3f ms; ", met ? "met" : "NOT MET", bound->periods,
               1e-3 * chain_bound_us(bound, period_us));
    else
        printf("%s (the bound is %.3f ms; ", met ? "met" : "NOT MET", 1e3 * bound->below_s);
    printf("stalls included %.3f ms)\n", 1e-6 * (double)histogram_quantile(all, p / 100));
    return met;
}

static enum bench_outcome conclude(const struct bench_session *session)
{
    bool met = true, refused = false;
    for (unsigned i = 0; i < session->shown; i++)
        met &= print_bound(session, &session->square[i]);
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
    .summary = "a target's chains, stage by stage, beside what the machine can do",
    .about =
        "Runs trials in real time and prints how long a chain of the target takes, stage by stage, "
        "as target.yaml\ndescribes it (chains). Beside it are the times of this machine itself in "
        "the same minute. Without\n--scenario and --target it measures a walking robot: 100 Hz in "
        "two "
        "periods and in one, 200 Hz, 500 Hz\nand 1 kHz (the last two on buses that cost nothing). "
        "The exit status is 1 if the chain does not keep\nits bound. doc/reference/latency.md "
        "explains the figures, doc/reference/chains.md the description.\n",
    .takes =
        BENCH_SCENARIOS | BENCH_CHAINS | BENCH_DURATION | BENCH_VIRTUAL | BENCH_COST | BENCH_PAGE,
    .subject = "003-walk-dynamic=100 Hz two-period\n032-one-period-walk=100 Hz one-period\n"
               "030-rate-200-hz=200 Hz two-period\n034-rate-500-hz=500 Hz\n035-rate-1-khz=1 kHz",
    .runs = 5,
    .duration_s = 8,
    .duration_min_s = 2, // the first second is not counted
    .most = 1,
    .prepare = prepare,
    .run = run,
    .conclude = conclude};
