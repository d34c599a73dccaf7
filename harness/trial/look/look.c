// The table of lookers, and those that need nothing but the supervisor and the kernel.
#include "harness/trial/look/look.h"

#include <sched.h>
#include <stdlib.h>

#define SLACK_MS 50

static const struct looker *const lookers[LOOK_COUNT] = {
#define LOOKER_ENTRY(name) [LOOK_##name] = &look_##name,
    FAULT_LOOKS(LOOKER_ENTRY)
#undef LOOKER_ENTRY
};

const struct looker *look_with(enum fault_look look)
{
    return lookers[look];
}

duration look_first_parameter(const struct fault_call *call)
{
    if (call->kind->parameter_count == 0)
        return DURATION_ZERO;
    const char *value_s = catalogue_parameter(&call->kind->parameter[0], call->request);
    return duration_s(strtod(value_s, NULL));
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

// ---- none ---------------------------------------------------------------------------------------

static const char *believe(const struct look *look)
{
    (void)look;
    return NULL;
}

const struct looker look_none = {.doubt = believe};

// ---- process ------------------------------------------------------------------------------------

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
    if (supervisor_await(look->supervisor, (unsigned)look->process, wanted) == STATUS_OK)
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
