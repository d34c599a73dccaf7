// The walker of the fire hose, whole: statuses, poses and commands of any content, size and time.
// What is sent is finite, and no step is longer than the walking task allows.
#include "tests/fuzz/hubo2/daemon.h"

#include "walk/steps/footsteps.h"

int walker_main(int argc, char **argv);
#define main walker_main
#include "targets/firehose/walker.c"
#undef main

static struct walker pristine, walker;
static struct clk *clock_of_it;
static struct balance_status_message balance_says;
static uint64_t poses;

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    fuzz_check(capacity_B >= sizeof balance_says);
    if (strcmp(channel, "balance-status") == 0) {
        balance_says.time = daemon_now;
        if (balance_says.phase == BALANCE_PHASE_EXECUTING && balance_says.sample < 100000)
            balance_says.sample += fuzz_u8(&daemon_input) % 16;
        memcpy(message, &balance_says, sizeof balance_says);
        return sizeof balance_says;
    }
    if (strcmp(channel, "mocap") == 0) {
        *(struct mocap_message *)message =
            (struct mocap_message){.taken = daemon_now, .told = daemon_now, .sequence = ++poses};
        return sizeof(struct mocap_message);
    }
    if (strcmp(channel, "task-command") == 0) {
        const uint8_t what = fuzz_u8(&daemon_input);
        *(struct task_command_message *)message =
            (struct task_command_message){.id = 1 + (what >> 4),
                                          .kind = what & 3,
                                          .compensate = 1,
                                          .goal_x_m = 4,
                                          .step_m = 0.1,
                                          .steps = 20,
                                          .gain = 1};
        return sizeof(struct task_command_message);
    }
    if (strcmp(channel, "whole-body-status") != 0) // another one has nothing of note to say
        return sizeof(uint64_t);
    *(struct whole_body_status_message *)message = (struct whole_body_status_message){
        .time_ns = daemon_now.ns, .lean_x_m = 0.04, .lean_behind_m = 0.01, .knows_force = 1};
    return sizeof(struct whole_body_status_message);
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    if (strcmp(channel, "task-status") == 0) {
        const struct task_status_message *said = frame;
        fuzz_check(size_B == sizeof *said);
        fuzz_check(fabs(said->reference_m_s) <= walking_task_default.limit[TASK_X] / STEP_S + 1e-9);
        return;
    }
    const struct segment_message *sent = frame;
    fuzz_check(strcmp(channel, "segment") == 0 && size_B <= sizeof *sent);
    for (uint32_t i = 0; i < sent->count; i++) {
        const struct segment_sample *sample = &sent->sample[i];
        for (unsigned k = 0; k < 3; k++)
            fuzz_check(isfinite(sample->pelvis_m[k]) && isfinite(sample->com_m[k]) &&
                       isfinite(sample->foot_m[SIDE_RIGHT][k] + sample->foot_m[SIDE_LEFT][k]));
    }
    balance_says.phase = BALANCE_PHASE_EXECUTING; // a whole body that takes every plan
    balance_says.plan_id = sent->plan_id;
    balance_says.segment_number = sent->segment_number;
    balance_says.sample = sent->segment_number == 1 ? 0 : balance_says.sample;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (pristine.segment == NULL) {
        fuzz_check(setenv("UKEMI_TARGET", "targets/firehose", 1) == 0);
        fuzz_check(start(&pristine, &clock_of_it) == STATUS_OK);
    }
    daemon_begin(data, size);
    walker = pristine;
    const struct stance stance = footsteps_stance((struct pose2d){0, 0, 0});
    balance_says = (struct balance_status_message){.phase = BALANCE_PHASE_STANDING, .epoch = 1};
    memcpy(balance_says.foot, stance.foot, sizeof stance.foot);
    poses = 0;
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            clk_sleep_until(clock_of_it, instant_add(daemon_now, duration_ms(PERIOD_MS)));
            listen(&walker, daemon_now);
            const struct walker_wish wanted = wish(&walker);
            if (walker.balanced &&
                walker_plan_look(&walker.plan, &walker.balance, &wanted, daemon_now))
                publish(walker.segment, &walker.plan.segment,
                        walker_plan_segment_size_B(&walker.plan), daemon_now);
            report(&walker, daemon_now);
            daemon_pass();
        }
    return 0;
}
