// A fault in one process must stay in it: its peers neither die, nor stay stopped, nor hang.
#include "harness/judge/oracles.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/fault/fault_request.h"
#include "harness/files/target/target.h"

// Whether a proven fault that halts a process so struck this process at or before the event, and
// after `since_s`.
static bool is_explained(const struct analysis *a, const struct process_event *event,
                         enum fault_halts by, double since_s)
{
    const double time_s = instant_to_s(event->time);
    for (unsigned i = 0; i < a->in_force_count; i++) {
        const struct in_force *fault = &a->in_force[i];
        if (fault->request->halts == by && names_process(fault->event->component, event) &&
            fault->from_s >= since_s && fault->from_s <= time_s)
            return true;
    }
    return false;
}

// When this generation of the process was started.
static double started_s(const struct analysis *a, const struct process_event *event)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *start = a->process.event[i]->data;
        if (start->kind == PROCESS_STARTED && start->generation == event->generation &&
            strcmp(start->process, event->process) == 0)
            return instant_to_s(start->time);
    }
    return 0;
}

// The lab ended it, because it had left the clock.
static bool had_left(const struct analysis *a, const struct process_event *event)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *hung = a->process.event[i]->data;
        if (hung->kind == PROCESS_HUNG && hung->value != HUNG_KEPT_TURN &&
            hung->generation == event->generation && strcmp(hung->process, event->process) == 0)
            return true;
    }
    return false;
}

// Whether the target's file lets this process end so.
static bool may_end_so(const struct analysis *a, const struct process_event *event)
{
    bool may = false;
    for (unsigned i = 0; a->target != NULL && i < a->target->process_count; i++) {
        const struct process_config *process = &a->target->process[i];
        for (unsigned j = 0; j < process->may_exit_count; j++)
            may |= strcmp(process->name, event->process) == 0 &&
                   (int)process->may_exit[j] == event->value;
    }
    return may && event->kind == PROCESS_EXITED;
}

// An operator's program that has done its work may leave. The simulated world is the lab's affair,
// unless it was sent a signal: nobody in the cell but the target can have.
static bool is_bad_end(const struct analysis *a, const struct process_event *event)
{
    const bool killed = event->kind == PROCESS_KILLED;
    const bool has_succeeded = event->kind == PROCESS_EXITED && event->value == 0;
    if ((!killed && event->kind != PROCESS_EXITED) || had_left(a, event) ||
        is_explained(a, event, HALTS_ENDED, started_s(a, event)) || may_end_so(a, event))
        return false;
    if (of_the_world(a, event))
        return killed && !signal_is_crash(event->value);
    return event->component[0] != '\0' || !has_succeeded;
}

// Stopped, and never continued or ended, by nothing that the scenario asked for.
static bool is_left_stopped(const struct analysis *a, size_t index)
{
    const struct process_event *event = a->process.event[index]->data;
    if (event->kind != PROCESS_STOPPED)
        return false;
    for (size_t i = index + 1; i < a->process.count; i++) {
        const struct process_event *later = a->process.event[i]->data;
        if (strcmp(later->process, event->process) == 0)
            return false;
    }
    return !is_explained(a, event, HALTS_STOPPED, 0);
}

bool had_ended_by_itself(const struct analysis *a, const struct fault_event *fault)
{
    bool ended = false;
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        if (event->time.ns > fault->time.ns || !names_process(fault->component, event))
            continue;
        if (event->kind == PROCESS_EXITED || event->kind == PROCESS_KILLED)
            ended = is_bad_end(a, event);
        else if (event->kind == PROCESS_STARTED)
            ended = false;
    }
    return ended;
}

bool world_was_ended(const struct analysis *a)
{
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        if (of_the_world(a, event) &&
            (is_bad_end(a, event) || is_left_stopped(a, i) ||
             (event->kind == PROCESS_HUNG && event->value != HUNG_KEPT_TURN)))
            return true;
    }
    return false;
}

void oracle_peers_survive(const struct analysis *a, struct oracle_verdict *verdict)
{
    unsigned deaths = 0;
    double first_s = NAN;
    char words[256] = "no process died that was not killed";
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        const bool stopped = is_left_stopped(a, i);
        if ((!stopped && !is_bad_end(a, event)) || deaths++ > 0)
            continue;
        first_s = instant_to_s(event->time);
        snprintf(words, sizeof words, "%s %s %d at %.2f s%s%.90s", event->process,
                 stopped                         ? "was left stopped by signal"
                 : event->kind == PROCESS_EXITED ? "exited with status"
                                                 : "was ended by signal",
                 event->value, instant_to_s(event->time), event->last_words[0] == '\0' ? "" : ": ",
                 event->last_words);
    }
    verdict_count(verdict, deaths, VERDICT_FAIL, "deaths", "%s", words);
    verdict_broken_at(verdict, first_s);
}

// One that lives outside of the clock is out of the lab's hands, by its own doing. What the lab's
// own clock page says without its owner's doing, the target wrote.
void oracle_turns_returned(const struct analysis *a, struct oracle_verdict *verdict)
{
    static const char *const how[] = {[HUNG_KEPT_TURN] = "kept its turn",
                                      [HUNG_LEFT_CLOCK] = "left the clock and lived on",
                                      [HUNG_PAGE_SPOILED] =
                                          "was cut off: somebody wrote over its part of the clock"};
    unsigned hung = 0;
    double first_s = NAN;
    char words[256] = "no process hung";
    for (size_t i = 0; i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        const unsigned why =
            (unsigned)event->value <= HUNG_PAGE_SPOILED ? (unsigned)event->value : HUNG_KEPT_TURN;
        if (event->kind != PROCESS_HUNG || (of_the_world(a, event) && why == HUNG_KEPT_TURN))
            continue;
        if (hung++ > 0)
            continue;
        first_s = instant_to_s(event->time);
        snprintf(words, sizeof words, "%s %s at %.2f s%s%.90s", event->process, how[why],
                 instant_to_s(event->time), event->last_words[0] == '\0' ? "" : ": ",
                 event->last_words);
    }
    verdict_count(verdict, hung, VERDICT_FAIL, "processes", "%s", words);
    verdict_broken_at(verdict, first_s);
}

// The lab has ended the trial then, so there is one at most.
void oracle_limits_kept(const struct analysis *a, struct oracle_verdict *verdict)
{
    const struct limit_event *event = a->limit.count == 0 ? NULL : a->limit.event[0]->data;
    verdict_count(verdict, event != NULL, VERDICT_FAIL, "processes", "%.160s",
                  event == NULL ? "no process exceeded a limit" : event->words);
    if (event != NULL)
        verdict_broken_at(verdict, instant_to_s(event->time));
}
