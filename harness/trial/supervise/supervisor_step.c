#include "harness/trial/supervise/supervisor_step.h"

#include <stddef.h>

#include "base/invariant.h"

typedef void change(struct process_life *life, const struct happening *happening);

static void count_restart(struct process_life *life, const struct happening *happening)
{
    (void)happening;
    life->generation++;
}

static void remember_end(struct process_life *life, const struct happening *happening)
{
    life->killed = happening->kind == HAPPENING_KILLED;
    life->exit_status = happening->value;
}

// The policy counts from the instant at which the end is recorded, not from when it was noticed.
static void schedule_restart(struct process_life *life, const struct happening *happening)
{
    if (life->restart_after_s > 0 && !life->held)
        life->restart_due = instant_add(happening->time, duration_s(life->restart_after_s));
}

static void hold(struct process_life *life, const struct happening *happening)
{
    (void)happening;
    life->held = true;
    life->restart_due = INSTANT_NEVER;
}

static void release(struct process_life *life, const struct happening *happening)
{
    (void)happening;
    life->held = false;
    life->restart_due = INSTANT_NEVER;
}

struct transition {
    enum process_state next;
    unsigned actions;
    change *change; // of the rest of the life; NULL: none
};

#define STARTS PROCESS_STATE_STARTING, ACTION_NOTE
#define ENDS                                                                                       \
    {                                                                                              \
        PROCESS_STATE_ENDED, ACTION_CLOSE | ACTION_NOTE | ACTION_SAY_LEFT, remember_end            \
    }
#define HANGS (ACTION_NOTE | ACTION_KILL)

// Empty cells: it cannot happen, or says nothing new.
static const struct transition table[PROCESS_STATE_COUNT][HAPPENING_COUNT] = {
    [PROCESS_STATE_ABSENT] = {[HAPPENING_START_ASKED] = {PROCESS_STATE_ABSENT, 0, release},
                              [HAPPENING_STARTED] = {STARTS, NULL}},
    [PROCESS_STATE_STARTING] = {[HAPPENING_JOINED] = {PROCESS_STATE_RUNNING, ACTION_NOTE, NULL},
                                [HAPPENING_EXITED] = ENDS,
                                [HAPPENING_KILLED] = ENDS,
                                [HAPPENING_HUNG] = {PROCESS_STATE_STARTING, HANGS, NULL}},
    [PROCESS_STATE_RUNNING] = {[HAPPENING_EXITED] = ENDS,
                               [HAPPENING_KILLED] = ENDS,
                               [HAPPENING_STOPPED] = {PROCESS_STATE_SUSPENDED,
                                                      ACTION_NOTE | ACTION_SAY_STOPPED, NULL},
                               [HAPPENING_HUNG] = {PROCESS_STATE_RUNNING, HANGS, NULL},
                               [HAPPENING_HELD] = {PROCESS_STATE_RUNNING, 0, hold}},
    [PROCESS_STATE_SUSPENDED] = {[HAPPENING_EXITED] = ENDS,
                                 [HAPPENING_KILLED] = ENDS,
                                 [HAPPENING_CONTINUED] = {PROCESS_STATE_RUNNING,
                                                          ACTION_NOTE | ACTION_SAY_CONTINUED, NULL},
                                 [HAPPENING_HELD] = {PROCESS_STATE_SUSPENDED, 0, hold}},
    [PROCESS_STATE_ENDED] = {[HAPPENING_END_RECORDED] = {PROCESS_STATE_ENDED, 0, schedule_restart},
                             [HAPPENING_HELD] = {PROCESS_STATE_ENDED, 0, hold},
                             [HAPPENING_START_ASKED] = {PROCESS_STATE_ENDED, 0, release},
                             [HAPPENING_STARTED] = {STARTS, count_restart}},
};

struct process_life process_life_begin(double restart_after_s)
{
    return (struct process_life){.restart_after_s = restart_after_s, .restart_due = INSTANT_NEVER};
}

unsigned process_life_step(struct process_life *life, const struct happening *happening)
{
    expects(life->state < PROCESS_STATE_COUNT && happening->kind < HAPPENING_COUNT);
    const struct transition *transition = &table[life->state][happening->kind];
    if (transition->actions == 0 && transition->change == NULL)
        return 0;
    life->state = transition->next;
    if (transition->change != NULL)
        transition->change(life, happening);
    // A restart is due to what has ended, and is not held down, only.
    ensures(life->restart_due.ns == INSTANT_NEVER.ns ||
            (life->state == PROCESS_STATE_ENDED && !life->held));
    ensures(!(transition->actions & ACTION_SAY_LEFT) || life->state == PROCESS_STATE_ENDED);
    return transition->actions;
}
