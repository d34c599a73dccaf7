#include "harness/files/fault/fault_watch.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/scenario.h"
#include "harness/files/target/promise_file.h"

// After which the process is started again, by the scenario or by the target; INFINITY: it is not.
static double restart_after_s(const struct fault_request *fault, const struct target *target)
{
    if (fault->restarts)
        return fault->duration_s;
    if (fault->restart_after_s >= 0)
        return fault->restart_after_s;
    for (unsigned i = 0; fault->halts == HALTS_ENDED && i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        if (process->restart_after_s > 0 && (strcmp(process->name, fault->component) == 0 ||
                                             strcmp(process->component, fault->component) == 0))
            return process->restart_after_s;
    }
    return INFINITY;
}

// After which it is over; INFINITY: it never is.
static double over_after_s(const struct scenario *scenario, const struct fault_request *fault,
                           const struct target *target)
{
    const struct fault_kind *kind = catalogue_find(scenario->catalogue, fault->kind);
    if (kind != NULL && kind->undo == UNDO_PROGRAM)
        return fault->duration_s;
    return restart_after_s(fault, target);
}

bool fault_watched(const struct scenario *scenario, unsigned number, char *why, size_t size)
{
    const struct fault_request *fault = &scenario->fault[number];
    const double latest_s = fault->at.time_max_s, end_s = scenario->duration_s,
                 again_s = fault->restarts ? fault->duration_s : fault->restart_after_s;
    // A nanosecond is less than a decimal number of seconds is exact to.
    if (end_s - latest_s < WATCHED_MIN_S - 1e-9)
        snprintf(why, size,
                 "%.15g s: the trial ends at %.15g s, so what it does is not watched for %g s; let "
                 "it strike earlier, or the trial last longer",
                 latest_s, end_s, WATCHED_MIN_S);
    else if (again_s >= 0 && (fault->restarts || fault->halts == HALTS_ENDED) &&
             end_s - latest_s - again_s < WATCHED_MIN_S - 1e-9)
        snprintf(why, size,
                 "the process is started again at %.15g s, and the trial ends at %.15g s, so what "
                 "it does is not watched for %g s; start it earlier, or let the trial last longer",
                 latest_s + again_s, end_s, WATCHED_MIN_S);
    else
        return true;
    return false;
}

// When the last of its faults is over at the latest, as far as that is known beforehand; one that
// nothing undoes is when it has struck.
static double calm_s(const struct scenario *scenario, const struct target *target)
{
    double calm_s = 0;
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const double after_s = over_after_s(scenario, &scenario->fault[i], target);
        calm_s = fmax(calm_s, scenario->fault[i].at.time_max_s + (isfinite(after_s) ? after_s : 0));
    }
    return calm_s;
}

// The least that any of its faults allows.
static double least_after_s(const struct scenario *scenario, const struct target *target,
                            enum promise_from from)
{
    double least_s = INFINITY;
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_request *fault = &scenario->fault[i];
        least_s = fmin(least_s, from == FROM_FAULT     ? 0
                                : from == FROM_RESTART ? restart_after_s(fault, target)
                                                       : over_after_s(scenario, fault, target));
    }
    return least_s;
}

bool promise_anchored(const struct scenario *scenario, const struct target *target,
                      const struct promise *promise, char *why, size_t size)
{
    const char *from = promise_anchors[promise->from];
    const bool calm = promise->from == FROM_CALM;
    const double after_s = calm ? 0 : least_after_s(scenario, target, promise->from);
    const double latest_s = calm                         ? calm_s(scenario, target)
                            : scenario->fault_count == 1 ? scenario->fault[0].at.time_max_s
                                                         : 0;
    const double until_s =
        latest_s + after_s + promise->after_s + promise->for_s + promise->looks_s;
    if (promise->from == FROM_START || promise->program[0] != '\0')
        return true;
    if (scenario->fault_count == 0)
        snprintf(why, size,
                 "%s counts from a %s, and there is no fault; give it one, or from: start",
                 promise->name, from);
    else if (isinf(after_s))
        snprintf(why, size,
                 "%s counts from a %s, which no fault here brings; give the fault a duration_s or "
                 "restart_after_s, or from: fault",
                 promise->name, from);
    else if (until_s > scenario->duration_s ||
             (until_s == scenario->duration_s && promise->for_s + promise->looks_s == 0))
        snprintf(
            why, size,
            "%s looks until %.15g s, if the fault strikes late, and the trial ends at %.15g s; "
            "let the trial last longer, or the fault strike earlier",
            promise->name, until_s, scenario->duration_s);
    else
        return true;
    return false;
}
