// Which process misses which deadlines under which load: trials in real time, with a sampler of
// stalls on each core beside them.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/bench/benches.h"
#include "harness/bench/interference/interference.h"
#include "harness/bench/latency/latency_results.h"
#include "harness/files/scenario.h"
#include "harness/packs/robot/chain_robot.h"

#define LIMIT_MARGIN_S 60 // the samplers outlive a trial by so much at most

// A row compares what was before, during and after its fault.
static enum status prepare(struct bench_session *session)
{
    const struct target *target = session->square[0].target;
    for (unsigned i = 0; i < session->square_count; i++) {
        const struct scenario *scenario = session->square[i].scenario;
        bool undone = false;
        for (unsigned f = 0; f < scenario->fault_count; f++)
            undone |= scenario->fault[f].duration_s > 0 || scenario->fault[f].restart_after_s >= 0;
        if (undone)
            continue;
        log_error(
            "row '%s': none of its faults is undone, so there is nothing after it to compare; "
            "name a campaign of loads, or choose others with --row",
            session->square[i].label);
        return STATUS_INVALID;
    }
    if (target->chain_count > 0)
        return chain_can_follow(target, &target->chain[0], &robot_of_chains);
    log_error("%s: chains: there is none, so nobody owes anything; add one "
              "(doc/reference/chains.md)",
              target->file);
    return STATUS_INVALID;
}

static void put_figures(const struct bench_square *square, const struct chain_config *chain,
                        const struct interference *measured, struct bench_result *result)
{
    struct interference_hog hog;
    const bool is_hog = interference_hog_of(square->scenario, square->target, &hog);
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        const char *window = interference_window_names[w];
        char loop[32];
        latency_put_missed(result, chain, measured->window[w], window);
        snprintf(loop, sizeof loop, "%sloop", window);
        bench_distribution(result, &measured->window[w]->corrected, loop, true, loop, BETTER_LESS);
    }
    for (unsigned k = 0; is_hog && k < chain->link_count; k++)
        if (chain_is_owed(chain, k))
            bench_figure(result, "%", BETTER_NEITHER,
                         100 * interference_expected(&hog, square->target, chain, measured, k),
                         "during %s %s expected", chain_owner(chain, k), chain->link[k].name);
}

static enum status measure(const struct bench_square *square, const struct history *history,
                           const struct floor_record *floor, int64_t epoch_ns,
                           struct bench_result *result)
{
    const struct chain_config *chain = &square->target->chain[0];
    const struct machine_trial machine = {floor, epoch_ns};
    const struct chain_stalls stalls = {machine_trial_stalled, &machine};
    struct interference measured;
    struct interference_times times;
    struct chain_record record = {0};
    enum status status = interference_create(chain, &measured);
    if (status == STATUS_OK)
        status = chain_measure(chain, history, &robot_of_chains, square->description, &record);
    if (status == STATUS_OK && interference_times_of(history, &times)) {
        interference_add(&measured, chain, &record, &times, &stalls);
        put_figures(square, chain, &measured, result);
    } else if (status == STATUS_OK)
        text_copy(result->trouble, sizeof result->trouble,
                  "the fault was not both applied and undone");
    chain_free(&record);
    interference_free(&measured);
    return status;
}

static enum status run(struct bench_session *session, unsigned place)
{
    const struct bench_square *square = &session->square[place];
    // That the kernel held a core may be the load's doing, so it is no excuse here.
    const struct machine_floor_request request = {
        .stalls_only = true,
        .limit_ns = duration_s(square->scenario->duration_s + LIMIT_MARGIN_S).ns};
    struct machine_floor *samplers;
    struct bench_result *result;
    struct history *history;
    int64_t epoch_ns;
    enum status status = machine_floor_start(&request, &samplers);
    if (status != STATUS_OK)
        return status;
    status = bench_trial(session, place, &result, &history, &epoch_ns);
    machine_floor_stop(samplers);
    if (status == STATUS_OK && result->trouble[0] == '\0')
        status = measure(square, history, machine_floor_record(samplers), epoch_ns, result);
    machine_floor_free(samplers);
    history_free(history);
    return status;
}

const struct bench bench_interference = {
    .name = "interference",
    .summary = "which daemon misses which deadlines under which load",
    .about =
        "Runs the rows of a campaign of load faults (default interference) in real time. Prints "
        "which\ndaemon missed how many deadlines before, during and after each fault, and how "
        "long the loop\ntook. doc/reference/interference.md explains the figures.\n",
    .takes = BENCH_ROWS | BENCH_DURATION | BENCH_PAGE,
    .subject = "interference",
    .runs = 3,
    .duration_s = 7,
    .duration_min_s = 2, // the first second is not counted
    .most = 1,
    .prepare = prepare,
    .run = run};
