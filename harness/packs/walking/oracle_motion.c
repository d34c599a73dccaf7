// What must hold of the whole motion: upright and complete without a fault, and with one as far as
// the scenario promises; complete again after a restart.
#include "harness/packs/walking/oracles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>
#include "harness/files/scenario.h"
#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

static double uprightness_at(const struct analysis *a, size_t index)
{
    return uprightness(truth_at(a, index), facts(a)->standing_height_m);
}

// Upright in all samples before `end`, of which there is at least one.
static void judge_upright(const struct analysis *a, size_t end, struct oracle_verdict *verdict)
{
    size_t worst = 0;
    double broken_s = NAN;
    for (size_t i = 0; i < end; i++) {
        note_broken(&broken_s, uprightness_at(a, i), truth_time_s(a, i));
        if (uprightness_at(a, i) < uprightness_at(a, worst))
            worst = i;
    }
    const struct truth_message *truth = truth_at(a, worst);
    verdict_margin(verdict, uprightness_at(a, worst), "1",
                   "at %.2f s pelvis at %.2f of its height, tilted %.1f degrees",
                   truth_time_s(a, worst), truth->pelvis_m[2] / facts(a)->standing_height_m,
                   tilt_rad(truth->pelvis_quaternion) * 180 / M_PI);
    verdict_broken_at(verdict, broken_s);
}

void oracle_upright_without_fault(const struct analysis *a, struct oracle_verdict *verdict)
{
    const size_t end = a->struck ? truth_index(a, a->fault_s) : facts(a)->truth.count;
    if (end == 0)
        verdict_nothing(verdict, "no ground truth before the fault");
    else
        judge_upright(a, end, verdict);
}

void oracle_stays_upright(const struct analysis *a, struct oracle_verdict *verdict)
{
    if (!a->scenario->must_stand || facts(a)->truth.count == 0)
        verdict_nothing(verdict, facts(a)->truth.count == 0 ? "no ground truth"
                                                            : "the scenario does not promise it");
    else
        judge_upright(a, facts(a)->truth.count, verdict);
}

void oracle_completes_without_fault(const struct analysis *a, struct oracle_verdict *verdict)
{
    if (a->struck || !scenario_asks(a->scenario)) {
        verdict_nothing(verdict,
                        a->struck ? "a fault struck" : "the scenario asks for no completion");
        return;
    }
    struct completion completion;
    assess_completion(a, &completion);
    verdict_margin(verdict, completion.margin, completion.unit, "%s", completion.words);
}

// When the first generation after the fault was ready, INFINITY if none was.
static double ready_again_s(const struct analysis *a)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        if (event->kind == PROCESS_READY && event->generation > 0 &&
            instant_to_s(event->time) >= a->fault_s &&
            names_process(a->fault_request->component, event))
            return instant_to_s(event->time);
    }
    return INFINITY;
}

static bool is_stall(const struct fault_request *fault)
{
    return fault->halts == HALTS_STOPPED;
}

static bool is_restart(const struct fault_request *fault)
{
    return fault->halts == HALTS_ENDED && (fault->restarts || fault->restart_after_s >= 0);
}

void oracle_completes_after_fault(const struct analysis *a, struct oracle_verdict *verdict)
{
    const char *why = !a->struck                    ? "no fault struck"
                      : !a->scenario->must_complete ? "the scenario asks for no completion"
                      : is_stall(a->fault_request) || is_restart(a->fault_request)
                          ? "restart-and-resume judges it"
                      : !isfinite(a->fault_over_s)             ? "the fault did not end"
                      : facts(a)->fall < facts(a)->truth.count ? "the robot fell"
                                                               : NULL;
    if (why != NULL) {
        verdict_nothing(verdict, why);
        return;
    }
    struct completion completion;
    assess_completion(a, &completion);
    verdict_margin(verdict, completion.margin, completion.unit, "%s", completion.words);
}

void oracle_restart_and_resume(const struct analysis *a, struct oracle_verdict *verdict)
{
    if (!a->struck) {
        verdict_nothing(verdict, "no fault struck");
        return;
    }
    const bool stalled = is_stall(a->fault_request);
    if (!stalled && !is_restart(a->fault_request)) {
        verdict_nothing(verdict, "the scenario does not restart it");
        return;
    }
    if (facts(a)->fall < facts(a)->truth.count &&
        truth_time_s(a, facts(a)->fall) <= a->watch_end_s) {
        verdict_nothing(verdict, "the robot fell: there is nothing to resume");
        return;
    }
    if (facts(a)->truth.count == 0) {
        verdict_nothing(verdict, "no ground truth");
        return;
    }
    double ready_s = stalled ? a->fault_over_s : ready_again_s(a);
    if (!isfinite(ready_s)) {
        verdict_margin(verdict, -1, "restarts", "%s did not become ready again",
                       a->fault_request->component);
        return;
    }
    struct completion completion;
    assess_completion(a, &completion);
    if (!a->scenario->must_complete && facts(a)->fall >= facts(a)->truth.count)
        verdict_margin(verdict, 1, "1", "runs again at %.2f s, robot upright at the end", ready_s);
    else
        verdict_margin(verdict, completion.margin, completion.unit, "runs again at %.2f s; %s",
                       ready_s, completion.words);
}
