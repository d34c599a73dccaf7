// The table of lookers, and those that need nothing but the supervisor and the kernel.
#include "harness/trial/look/look.h"

#include <sched.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "harness/files/scenario.h"

#define SLACK_MS 50

static const struct looker *const lookers[LOOK_COUNT] = {
#define LOOKER_ENTRY(name) [LOOK_##name] = &look_##name,
    FAULT_LOOKS(LOOKER_ENTRY)
#undef LOOKER_ENTRY
};

const struct looker *look_with(enum fault_look look)
{
    expects(look < LOOK_COUNT && lookers[look] != NULL);
    return lookers[look];
}

duration look_proves(const struct fault_call *call)
{
    const struct fault_parameter *parameter = catalogue_proves(call->kind);
    return parameter == NULL
               ? DURATION_ZERO
               : duration_s(strtod(catalogue_parameter(parameter, call->request), NULL));
}

bool look_begins(const struct look *look)
{
    const enum fault_action action = look->call->action;
    if (action == FAULT_ACTION_APPLY)
        look->memory->applied = look->began;
    else if (action == FAULT_ACTION_UNDO)
        look->memory->undone = look->now;
    return action == FAULT_ACTION_APPLY || action == FAULT_ACTION_UNDO;
}

duration look_slack(const struct look *look)
{
    return duration_ms(look->mode == CLK_WALL ? SLACK_MS : 0);
}

instant look_effect_till(const struct look *look)
{
    const struct looker *looker = look_with(look->call->kind->look);
    const duration late = looker->late != NULL ? looker->late(look->call) : DURATION_ZERO;
    return look->memory->undone.ns == INSTANT_NEVER.ns
               ? look->now
               : instant_min(look->now, instant_add(instant_add(look->memory->undone, late),
                                                    look_slack(look)));
}

static bool is_same_place(const struct look *look, const char *other)
{
    const char *own = look->call->request->component;
    const struct target *target = look->call->target;
    for (unsigned i = 0; look->process >= 0 && i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        if (strcmp(process->name, look->call->process) == 0)
            return strcmp(process->name, other) == 0 || strcmp(process->component, other) == 0;
    }
    return strcmp(own, other) == 0;
}

static const struct fault_kind *kind_of(const struct look *look, const struct fault_event *fault)
{
    const struct scenario *scenario = look->call->scenario;
    return scenario == NULL ? NULL : catalogue_find(scenario->catalogue, fault->fault);
}

// The event, if it is of another fault that strikes the same place; NULL.
static const struct fault_event *of_other(const struct look *look, const struct event *event)
{
    expects(look->call->tag > 0);
    const struct fault_event *fault = event->data;
    return event->topic == history_topic(look->history, TOPIC_FAULT) &&
                   event->size_B == sizeof *fault && fault->index != look->call->tag - 1 &&
                   is_same_place(look, fault->component)
               ? fault
               : NULL;
}

// A fault of a channel meets others of the channel, one of a clock others of clocks.
static bool meets(const struct look *look, const struct fault_event *other)
{
    const struct fault_kind *kind = kind_of(look, other);
    return kind == NULL || kind->look == look->call->kind->look;
}

instant look_untouched_till(const struct look *look, instant since, instant till)
{
    uint32_t acting = 0; // those that act at `since`, a bit each
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct fault_event *fault = of_other(look, history_event(look->history, i));
        if (fault == NULL || !meets(look, fault))
            continue;
        const uint32_t bit = UINT32_C(1) << fault->index % 32;
        if (fault->kind == FAULT_APPLIED && fault->proven && instant_before(fault->time, since))
            acting |= bit;
        else if (fault->kind == FAULT_APPLIED && fault->proven)
            till = instant_min(till, fault->time);
        else if (fault->kind == FAULT_UNDONE && !instant_before(since, fault->time))
            acting &= ~bit;
    }
    return acting != 0 ? since : till;
}

bool look_other_struck(const struct look *look, instant since, instant till)
{
    bool struck = false;
    for (size_t i = 0; i < history_length(look->history) && !struck; i++) {
        const struct fault_event *fault = of_other(look, history_event(look->history, i));
        struck = fault != NULL && (fault->kind == FAULT_APPLIED || fault->kind == FAULT_UNDONE) &&
                 !instant_before(fault->time, since) && !instant_before(till, fault->time);
    }
    return struck;
}

// How late what it struck may be; none, if that has no bound.
static duration bounded_late(const struct fault_call *call)
{
    const duration late = look_with(call->kind->look)->late(call);
    return late.ns < INSTANT_NEVER.ns ? late : DURATION_ZERO;
}

duration look_met_late(const struct look *look)
{
    const duration own = bounded_late(look->call);
    duration longest = DURATION_ZERO;
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct fault_event *fault = of_other(look, history_event(look->history, i));
        const struct fault_kind *kind = fault == NULL ? NULL : kind_of(look, fault);
        if (kind == NULL || kind->look != look->call->kind->look || fault->kind != FAULT_UNDONE)
            continue;
        const struct fault_call call = {.kind = kind,
                                        .request = &look->call->scenario->fault[fault->index]};
        const duration late = bounded_late(&call), most = late.ns > own.ns ? late : own;
        if (!instant_before(instant_add(fault->time, most), look->memory->undone) &&
            most.ns > longest.ns)
            longest = most;
    }
    return longest;
}

// ---- none ---------------------------------------------------------------------------------------

static const char *believe(const struct look *look)
{
    (void)look;
    return NULL;
}

const struct looker look_none = {.doubt = believe};

// ---- process ------------------------------------------------------------------------------------

// One that was asked to end while it was stopped ends as it goes on.
static bool is_ended_by_other(const struct look *look)
{
    const struct fault_event *last = NULL;
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct fault_event *fault = of_other(look, history_event(look->history, i));
        last = fault != NULL ? fault : last;
    }
    const struct fault_kind *kind = last == NULL ? NULL : kind_of(look, last);
    return kind != NULL && kind->halts == HALTS_ENDED && last->kind == FAULT_APPLIED &&
           supervisor_await(look->supervisor, (unsigned)look->process, PROCESS_STATE_ENDED) ==
               STATUS_OK;
}

static const char *doubt_state(const struct look *look)
{
    const bool applied = look->call->action ==
                         (look->call->kind->proof_later ? FAULT_ACTION_EFFECT : FAULT_ACTION_APPLY);
    if (!look->proof->proven || look->process < 0 ||
        (!applied && look->call->action != FAULT_ACTION_UNDO))
        return NULL;
    const enum process_state wanted = !applied ? PROCESS_STATE_RUNNING
                                      : look->call->kind->halts == HALTS_ENDED
                                          ? PROCESS_STATE_ENDED
                                          : PROCESS_STATE_SUSPENDED;
    if (supervisor_await(look->supervisor, (unsigned)look->process, wanted) == STATUS_OK ||
        (!applied && is_ended_by_other(look)))
        return NULL;
    return applied ? "but the supervisor sees the process run on"
                   : "but the supervisor does not see the process run";
}

const struct looker look_process = {.doubt = doubt_state};

// ---- priority -----------------------------------------------------------------------------------

static const char *doubt_priority(const struct look *look)
{
    const int pid = look->call->pid;
    if (pid == 0)
        return NULL;
    const bool real_time = (sched_getscheduler(pid) & ~SCHED_RESET_ON_FORK) == SCHED_FIFO;
    if (look->call->action == FAULT_ACTION_APPLY)
        return real_time ? "but the process has its real-time priority" : NULL;
    return real_time ? NULL : "but the process has no real-time priority";
}

const struct looker look_priority = {.doubt = doubt_priority};
