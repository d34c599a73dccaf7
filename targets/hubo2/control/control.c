// The Control daemon: the only writer of references. Every joint command passes through a filter
// that keeps the nominal velocity and acceleration and the joint limits (motion/joint_filter.h).
//
// It is phase-locked to the Hardware daemon, whose period the states tell: after 80 % of a cycle of
// 100 Hz (8 ms), when Balance and Manipulation have answered the cycle's state, it takes the newest
// state and commands and publishes the references for the next cycle. At higher rates it answers as
// soon as Balance has, or without it at its latest instant (cycle_plan.h). So with --triggered at
// 100 Hz, and in time for Hardware to send in the same cycle. Without a new state it publishes
// nothing, and the boards hold.
//
// leg-command moves legs and waist, arm-command arms, hands and neck, whoever writes there. Each
// joint carries its last command through: a position needs to be sent only once, and after a
// restart of this daemon what was said last still counts; a velocity expires by its own time stamp.
#include <string.h>

#include "base/log.h"
#include "motion/joint_bank.h"
#include "robot/participant.h"
#include "targets/hubo2/cycle_plan.h"
#include "targets/hubo2/target_files.h"

#define PERIOD_DEFAULT_NS 10000000 // until the first state tells
#define PERIOD_MIN_US 1000
#define PERIOD_MAX_US 100000
#define ARM_COMMANDS_MAX 16        // taken up in one cycle
#define STATE_WAIT_NS 100000000    // then look round and wait again
#define UNREADABLE_WAIT_NS 1000000 // before a look at a channel that holds what is no state

struct control {
    struct clk *clk;
    enum cycle_mode mode;
    struct channel *state_channel;
    struct channel *reference_channel;
    struct channel *leg_channel;
    struct channel *arm_channel;
    struct joint_bank bank;
    struct state_message state;    // newest
    instant due;                   // when its cycle should have begun; it may have begun late
    uint64_t leg_cycle, arm_cycle; // that the newest commands answer, 0: none yet
    uint64_t unpublished;          // references the channel did not take
};

static enum status start(struct control *control)
{
    struct description *description;
    enum status status = target_files_load(&description, NULL);
    if (status != STATUS_OK)
        return status;
    joint_bank_start(&control->bank, description, duration_ns(PERIOD_DEFAULT_NS));
    description_free(description);
    status = participant_channel("state", CHANNEL_READ, sizeof(struct state_message),
                                 &control->state_channel);
    if (status == STATUS_OK)
        status = participant_channel("reference", CHANNEL_WRITE, sizeof(struct reference_message),
                                     &control->reference_channel);
    if (status == STATUS_OK)
        status = participant_channel("leg-command", CHANNEL_READ, sizeof(struct command_message),
                                     &control->leg_channel);
    if (status == STATUS_OK)
        status = participant_channel("arm-command", CHANNEL_READ, sizeof(struct command_message),
                                     &control->arm_channel);
    if (status == STATUS_OK)
        status = participant_join(&control->clk);
    return status;
}

// Takes up a command of one channel, and notes which state it answers. A fresh reader gets the last
// ones, however old. OK; EMPTY: no new one; INVALID: of another size, or unreadable.
static enum status take_command(struct control *control, struct channel *channel,
                                enum channel_which which, uint32_t groups, uint64_t *answered_cycle)
{
    struct command_message command;
    struct channel_frame frame;
    const enum status status = channel_get(channel, &command, sizeof command, which, &frame);
    if (status == STATUS_EMPTY)
        return STATUS_EMPTY;
    if ((status != STATUS_OK && status != STATUS_MISSED) || frame.size_B != sizeof command)
        return STATUS_INVALID;
    joint_bank_command(&control->bank, &command, groups, clk_now(control->clk));
    *answered_cycle = command.state_cycle;
    return STATUS_OK;
}

// Each joint's newest command counts, and several senders speak: Manipulation of arms, a client of
// src/robot of neck, hands and single joints.
static void take_arm_commands(struct control *control)
{
    for (unsigned i = 0; i < ARM_COMMANDS_MAX; i++)
        if (take_command(control, control->arm_channel, CHANNEL_NEXT, ARM_COMMAND_GROUPS,
                         &control->arm_cycle) == STATUS_EMPTY)
            return;
}

// When the state's cycle was due. Hardware's cycles are due a period apart, and none begins early:
// one that began late does not make the next one late.
static instant due_of(const struct control *control, const struct state_message *state)
{
    const int64_t period_ns = duration_us(state->period_us).ns;
    const int64_t periods = instant_sub(state->cycle_start, control->due).ns / period_ns;
    if (state->cycle <= control->state.cycle || periods < 1) // another Hardware; the last was late
        return state->cycle_start;
    return instant_add(control->due, duration_ns(periods * period_ns));
}

// OK; EMPTY; INVALID if what is there is no state: of another size, unreadable, or from the future,
// which would have this daemon sleep until then.
static enum status take_state(struct control *control)
{
    struct state_message state;
    struct channel_frame frame;
    const enum status status =
        channel_get(control->state_channel, &state, sizeof state, CHANNEL_NEWEST, &frame);
    if (status == STATUS_EMPTY)
        return STATUS_EMPTY;
    if ((status != STATUS_OK && status != STATUS_MISSED) || frame.size_B != sizeof state ||
        instant_before(clk_now(control->clk), state.cycle_start) ||
        state.period_us < PERIOD_MIN_US || state.period_us > PERIOD_MAX_US)
        return STATUS_INVALID;
    control->due = due_of(control, &state);
    control->state = state;
    control->bank.period = duration_us(state.period_us);
    return STATUS_OK;
}

static const struct cycle_plan *plan_of(const struct control *control)
{
    return cycle_plan_of(control->bank.period, control->mode);
}

static duration answer_time(const struct control *control)
{
    return cycle_share(control->bank.period, plan_of(control)->answer_percent);
}

// When to answer the state in control->state, at the latest.
static instant phase(const struct control *control)
{
    return instant_add(control->state.cycle_start, answer_time(control));
}

static void await_state(struct control *control)
{
    for (enum status status; (status = take_state(control)) != STATUS_OK;) {
        const instant now = clk_now(control->clk);
        if (status == STATUS_INVALID) { // a wait might end at once, again and again
            clk_sleep_until(control->clk, instant_add(now, duration_ns(UNREADABLE_WAIT_NS)));
            continue;
        }
        const struct clk_watch watch = channel_watch(control->state_channel);
        const instant deadline = instant_add(now, duration_ns(STATE_WAIT_NS));
        if (clk_wait(control->clk, &watch, 1, deadline) == STATUS_SYSTEM)
            clk_sleep_until(control->clk, deadline);
    }
}

// Sleeps until the phase of the cycle, and answers the newest state then.
static void await_phase(struct control *control)
{
    // The next state is expected to be there at the phase of the next cycle: one turn, no more.
    const instant next_due = instant_add(control->due, control->bank.period);
    clk_sleep_until(control->clk, instant_add(next_due, answer_time(control)));
    await_state(control);
    while (instant_before(clk_now(control->clk), phase(control))) {
        clk_sleep_until(control->clk, phase(control));
        (void)take_state(control); // a newer one, if this was late
    }
}

// Sleeps until Balance has answered a new state, or the phase of its cycle.
static void await_trigger(struct control *control)
{
    await_state(control);
    for (instant now; control->leg_cycle != control->state.cycle &&
                      instant_before(now = clk_now(control->clk), phase(control));) {
        const enum status status = take_command(control, control->leg_channel, CHANNEL_NEWEST,
                                                LEG_COMMAND_GROUPS, &control->leg_cycle);
        if (status == STATUS_OK)
            continue;
        const struct clk_watch watch = channel_watch(control->leg_channel);
        const instant again = instant_add(now, duration_ns(UNREADABLE_WAIT_NS));
        if (status == STATUS_INVALID) // a wait might end at once, again and again
            clk_sleep_until(control->clk, instant_min(again, phase(control)));
        else if (clk_wait(control->clk, &watch, 1, phase(control)) == STATUS_SYSTEM)
            clk_sleep_until(control->clk, phase(control));
    }
}

// Sleeps until it is time to answer the newest state; that one then lies in control->state.
static void await_cycle(struct control *control)
{
    if (plan_of(control)->answer_at_once)
        await_trigger(control);
    else
        await_phase(control);
}

static void answer(struct control *control)
{
    // Without a new command the last one goes on.
    (void)take_command(control, control->leg_channel, CHANNEL_NEWEST, LEG_COMMAND_GROUPS,
                       &control->leg_cycle);
    take_arm_commands(control);
    const instant now = clk_now(control->clk);
    // A state that is a whole period old says nothing about now: boards hold until there is a new
    // one.
    if (instant_sub(now, phase(control)).ns > control->bank.period.ns)
        return;
    const instant taken = participant_stamp(control->clk);
    struct reference_message reference;
    if (!joint_bank_step(&control->bank, &control->state, now, &reference))
        return;
    reference.taken = taken;
    reference.leg_cycle = control->leg_cycle;
    reference.arm_cycle = control->arm_cycle;
    if (channel_put(control->reference_channel, &reference, sizeof reference,
                    clk_now(control->clk)) != STATUS_OK)
        control->unpublished++;
}

int main(int argc, char **argv)
{
    log_program(argv[0]);
    static struct control control;
    if (argc > 2 || (argc == 2 && strcmp(argv[1], "--triggered") != 0)) {
        log_error("%s: no such argument; the only one is --triggered", argv[argc - 1]);
        return 2;
    }
    control.mode = argc == 2 ? CYCLE_ONE_PERIOD : CYCLE_TWO_PERIODS;
    control.due = instant_ns(-PERIOD_DEFAULT_NS); // expects the first state at once
    if (start(&control) != STATUS_OK)
        return 2;
    for (;;) {
        await_cycle(&control);
        answer(&control);
    }
}
