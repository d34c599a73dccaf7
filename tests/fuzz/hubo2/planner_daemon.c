// The whole planner: statuses, perceptions, segments and commands of any content, size and time.
// What is sent is finite.
#include "daemon.h"

int planner_main(int argc, char **argv);
#define main planner_main
#include "targets/hubo2/planner/planner.c"
#undef main

#include "tests/fuzz/hubo2/walk.h"
#include "walk/steps/footsteps.h"

static struct channels channels;
static struct clk *clock_of_it;
static struct planner_walk pristine;
static struct balance_status_message balance_says;
static struct stance stance;
static struct robot_model *model;

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    (void)capacity_B;
    if (strcmp(channel, "balance-status") == 0) {
        const bool executing = balance_says.phase == BALANCE_PHASE_EXECUTING;
        balance_says.time = daemon_now;
        if (executing && balance_says.sample < 100000)
            balance_says.sample += 1 + fuzz_u8(&daemon_input);
        memcpy(message, &balance_says, sizeof balance_says);
        return sizeof balance_says;
    }
    if (strcmp(channel, "perception") == 0) {
        *(struct perception_message *)message =
            (struct perception_message){.time = daemon_now,
                                        .image_time = daemon_now,
                                        .goal_valid = 1,
                                        .goal = {0.3, 0.1, 0.1},
                                        .obstacle_count = 1,
                                        .obstacle = {{0.5, 0, 0.1}}};
        return sizeof(struct perception_message);
    }
    if (strcmp(channel, "planner-command") == 0) {
        const uint8_t what = fuzz_u8(&daemon_input);
        *(struct planner_command_message *)message =
            (struct planner_command_message){.id = 1 + (what >> 4),
                                             .time = daemon_now,
                                             .kind = PLANNER_GO_TO_GOAL,
                                             .gait = what & 1 ? GAIT_DYNAMIC : GAIT_QUASI_STATIC};
        return sizeof(struct planner_command_message);
    }
    if (strcmp(channel, "segment") == 0) {
        const uint8_t what = fuzz_u8(&daemon_input);
        struct segment_message *held = message;
        memset(held, 0, sizeof *held);
        held->plan_id = balance_says.plan_id;
        held->segment_number = balance_says.segment_number;
        held->count = what;
        return offsetof(struct segment_message, sample) + what * sizeof held->sample[0];
    }
    fuzz_check(strcmp(channel, "planner-status") == 0); // a predecessor's
    *(struct planner_status_message *)message =
        (struct planner_status_message){.time = daemon_now, .plan_id = 3};
    return sizeof(struct planner_status_message);
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    const struct footsteps_message *sent = frame;
    if (strcmp(channel, "planner-status") == 0) {
        fuzz_check(size_B == sizeof(struct planner_status_message));
        return;
    }
    fuzz_check(strcmp(channel, "footsteps") == 0 && size_B <= sizeof *sent);
    fuzz_check_steps(sent);
    balance_says.phase = BALANCE_PHASE_EXECUTING; // a balance that takes every plan
    balance_says.plan_id = sent->plan_id;
    balance_says.segment_number = sent->number;
    balance_says.sample = sent->number == 1 ? 0 : balance_says.sample;
}

static void start_once(void)
{
    fuzz_check(setenv("UKEMI_TARGET", FUZZ_FOLDER, 1) == 0);
    fuzz_check(open_channels(&channels) == STATUS_OK);
    fuzz_check(target_files_load(NULL, &model) == STATUS_OK);
    fuzz_check(planner_walk_init(&pristine, model) == STATUS_OK);
    fuzz_check(participant_join(&clock_of_it) == STATUS_OK);
    stance = footsteps_stance((struct pose2d){0, 0, 0});
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (model == NULL)
        start_once();
    daemon_begin(data, size);
    fuzz_walk_reset(&walk, &pristine);
    input = (struct planner_input){0};
    balance_says = (struct balance_status_message){.phase = BALANCE_PHASE_STANDING, .epoch = 1};
    memcpy(balance_says.foot, stance.foot, sizeof stance.foot);
    const uint8_t what = fuzz_u8(&daemon_input);
    if (what & 1) {
        balance_says.request_id = 1;
        balance_says.request_kind = 1 + (what >> 2) % BALANCE_STOP;
        balance_says.request_steps = 2;
        balance_says.request_angle_rad = 0.3;
    }
    struct planner_status_message last;
    planner_init(&planner, newest(channels.last_status, &last, sizeof last) ? &last : NULL);
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            clk_sleep_until(clock_of_it, instant_add(daemon_now, duration_ms(PERIOD_MS)));
            look(clock_of_it, &channels);
            act(&channels);
            report(&channels);
            daemon_pass();
        }
    return 0;
}
