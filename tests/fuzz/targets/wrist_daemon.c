// The wrist of the fire hose, whole: states, task commands and statuses of any content, size and
// time. Where the hand is to be is finite and within the wrist's reach, and so is what it says.
#include "tests/fuzz/hubo2/daemon.h"

#include "model/robot_model.h"

int wrist_main(int argc, char **argv);
#define main wrist_main
#include "targets/firehose/wrist.c"
#undef main

static struct wrist_daemon pristine, used;
static struct clk *clock_of_it;
static struct robot_model *model;
static struct state_message sound;

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    (void)capacity_B;
    if (strcmp(channel, "state") == 0) {
        daemon_state(&sound, model->joint_count, NULL);
        sound.force_torque[FT_LEFT_HAND].valid = 1;
        sound.force_torque[FT_LEFT_HAND].moment_y_Nm = 0.1 * (int8_t)fuzz_u8(&daemon_input);
        memcpy(message, &sound, sizeof sound);
        return sizeof sound;
    }
    if (strcmp(channel, "task-command") == 0) {
        *(struct task_command_message *)message =
            (struct task_command_message){.id = 1, .kind = 2, .comply = 1, .grasped = 1};
        return sizeof(struct task_command_message);
    }
    if (strcmp(channel, "hand-wrench") == 0) {
        const double pull_N = (int8_t)fuzz_u8(&daemon_input);
        *(struct hand_wrench_message *)message =
            (struct hand_wrench_message){.time_ns = daemon_now.ns,
                                         .force_n = {pull_N, 0, -30},
                                         .moment_nm = {0, -GRIP_M * pull_N, 0}};
        return sizeof(struct hand_wrench_message);
    }
    if (strcmp(channel, "task-status") != 0) // another one has nothing of note to say
        return sizeof(uint64_t);
    *(struct task_status_message *)message = (struct task_status_message){
        .command_id = 1, .walking = 1, .both_feet = 1, .reference_m_s = 0.125};
    return sizeof(struct task_status_message);
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    const double reach_m = wrist_parameters_default.reach_m + 1e-9;
    if (strcmp(channel, "wrist-status") == 0) {
        const struct wrist_status_message *said = frame;
        fuzz_check(size_B == sizeof *said && isfinite(said->pull_n));
        fuzz_check(fabs(said->shift_x_m) <= reach_m && fabs(said->shift_z_m) <= reach_m);
        for (int i = 0; i < 3; i++)
            fuzz_check(isfinite(said->force_n[i]) && isfinite(said->desired_n[i]));
        return;
    }
    const struct manipulation_command_message *command = frame;
    fuzz_check(strcmp(channel, "manipulation-command") == 0 && size_B == sizeof *command);
    const struct arm_goal *goal = &command->arm[SIDE_LEFT];
    for (int i = 0; i < 3; i++)
        fuzz_check(fabs(goal->position_m[i] - pristine.hand_m[i]) <= reach_m);
    for (int i = 0; i < 4; i++)
        fuzz_check(goal->quaternion[i] == pristine.quaternion[i]);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (model == NULL) {
        fuzz_check(setenv("UKEMI_TARGET", "targets/firehose", 1) == 0);
        fuzz_check(files_robot(&model) == STATUS_OK);
        fuzz_check(wrist_words(&(char *){NULL}, &pristine.parameters, &pristine.told_N));
        fuzz_check(start(&pristine, &clock_of_it) == STATUS_OK);
    }
    daemon_begin(data, size);
    used = pristine;
    sound = (struct state_message){0};
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            clk_sleep_until(clock_of_it, instant_add(daemon_now, duration_ms(10)));
            if (take(used.state_channel, &used.state, sizeof used.state, CHANNEL_NEWEST))
                cycle(&used, daemon_now);
            daemon_pass();
        }
    return 0;
}
