// The whole body of the fire hose, whole: states, plans, tasks, and what wrist, walker and its twin
// say, of any content, size and time. References of all joints are finite, and it goes on saying
// how it is.
#include "tests/fuzz/hubo2/daemon.h"

#define FIREHOSE "targets/firehose"
#define SAMPLES 30

int whole_body_main(int argc, char **argv);
#define main whole_body_main
#include "targets/firehose/whole_body.c"
#undef main

static struct whole_body body;
static struct clk *clock_of_it;
static struct state_message sound;
static struct balance_status_message said;
static uint64_t silent_cycles, segments;

// A robot that follows every command exactly.
static void follow(const struct command_message *command)
{
    for (unsigned j = 0; command != NULL && j < sound.joint_count; j++) {
        struct joint_reading *joint = &sound.joint[j];
        if (command->joint[j].mode == JOINT_MODE_VELOCITY)
            joint->reference_rad += command->joint[j].value * BALANCE_PERIOD_S;
    }
    const struct state_message before = sound;
    daemon_state(&sound, sound.joint_count, NULL);
    for (unsigned j = 0; j < sound.joint_count; j++) {
        sound.joint[j].reference_active = 1;
        sound.joint[j].position_rad = sound.joint[j].reference_rad = before.joint[j].reference_rad;
    }
    sound.imu.valid = 1;
    sound.force_torque[FT_LEFT_HAND].valid = 1;
    sound.force_torque[FT_LEFT_HAND].moment_y_Nm = 0.1 * (int8_t)fuzz_u8(&daemon_input);
}

// A plan on the spot: each sample is how the robot stands.
static size_t plan(struct segment_message *segment)
{
    *segment = (struct segment_message){.plan_id = ++segments,
                                        .segment_number = 1,
                                        .epoch = body.legs.balance.epoch,
                                        .time = daemon_now,
                                        .gait = GAIT_DYNAMIC,
                                        .count = SAMPLES,
                                        .final = 1};
    for (unsigned i = 0; i < SAMPLES; i++)
        segment->sample[i] = body.legs.balance.stand;
    return offsetof(struct segment_message, sample) + SAMPLES * sizeof segment->sample[0];
}

static size_t hand_command(struct manipulation_command_message *command)
{
    const bool holds = (fuzz_u8(&daemon_input) & 3) != 0;
    *command = (struct manipulation_command_message){.id = 1, .time = daemon_now};
    command->arm[SIDE_LEFT] = (struct arm_goal){.kind = holds ? ARM_GOAL_POSE : ARM_GOAL_NONE,
                                                .position_m = {0.3, 0.2, 0},
                                                .quaternion = {1, 0, 0, 0}};
    return sizeof *command;
}

static size_t task(struct task_command_message *task)
{
    const uint8_t what = fuzz_u8(&daemon_input);
    *task = (struct task_command_message){
        .id = 1, .kind = 1, .compensate = what % 3, .comply = 1, .grasped = 1};
    task->expect_n = what & 0x80 ? 25 : 0;
    return sizeof *task;
}

static size_t wrist(struct wrist_status_message *wrist)
{
    const double pull_N = (int8_t)fuzz_u8(&daemon_input);
    *wrist = (struct wrist_status_message){.time_ns = daemon_now.ns,
                                           .force_n = {-pull_N, 0, -30},
                                           .slow_x_n = -pull_N,
                                           .slow_z_n = -30,
                                           .hand_x_m = 0.3,
                                           .hand_y_m = 0.2,
                                           .complying = 1,
                                           .valid = 1};
    return sizeof *wrist;
}

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    fuzz_check(capacity_B >= sizeof(struct segment_message));
    if (strcmp(channel, "state") == 0) {
        follow(silent_cycles == 0 ? &body.legs.leg_command : NULL);
        memcpy(message, &sound, sizeof sound);
        return sizeof sound;
    }
    if (strcmp(channel, "segment") == 0)
        return plan(message);
    if (strcmp(channel, "manipulation-command") == 0)
        return hand_command(message);
    if (strcmp(channel, "task-command") == 0)
        return task(message);
    if (strcmp(channel, "wrist-status") == 0)
        return wrist(message);
    if (strcmp(channel, "balance-status") == 0) { // its own, or its twin's
        said.time = fuzz_u8(&daemon_input) & 8 ? daemon_now : said.time;
        memcpy(message, &said, sizeof said);
        return sizeof said;
    }
    if (strcmp(channel, "balance-command") == 0) {
        *(struct balance_command_message *)message = (struct balance_command_message){
            .id = 1, .time = daemon_now, .kind = fuzz_u8(&daemon_input) % (BALANCE_STOP + 1)};
        return sizeof(struct balance_command_message);
    }
    fuzz_check(strcmp(channel, "task-status") == 0);
    *(struct task_status_message *)message =
        (struct task_status_message){.time_ns = daemon_now.ns, .walking = 1, .lean_x_m = 0.02};
    return sizeof(struct task_status_message);
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    if (strcmp(channel, "balance-status") == 0) {
        fuzz_check(size_B == sizeof said);
        memcpy(&said, frame, sizeof said);
        silent_cycles++;
        return;
    }
    if (strcmp(channel, "whole-body-status") == 0) {
        const struct whole_body_status_message *status = frame;
        fuzz_check(size_B == sizeof *status && isfinite(status->lean_x_m + status->lean_y_m) &&
                   isfinite(status->balance_m + status->hand_m));
        return;
    }
    const struct command_message *command = frame;
    fuzz_check(size_B == sizeof *command &&
               (strcmp(channel, "leg-command") == 0 || strcmp(channel, "arm-command") == 0));
    silent_cycles = 0;
    for (unsigned j = 0; j < sound.joint_count; j++)
        fuzz_check(isfinite(command->joint[j].value));
}

// As it is after its start; the memory of its stack of tasks is new each time.
static void begin_anew(bool spare)
{
    struct balance_daemon *legs = &body.legs;
    task_stack_free(body.limbs.stack);
    fuzz_check(limbs_create(&body.limbs, legs->model, legs->description) == STATUS_OK);
    fuzz_check(balance_init(&legs->balance, legs->description, legs->model, NULL, NULL) ==
               STATUS_OK);
    legs->balance.limbs = &body.limbs.called;
    legs->state = (struct state_message){0};
    legs->turn = turn;
    legs->silent = spare;
    body.look = (struct grip_look){.arm = &body.arm};
    body.grip = (struct grip){0};
    body.knows = false;
    turns_begin(&body.turns, duration_ms(spare ? SPARE_PATIENCE_MS : PATIENCE_MS), true, spare);
}

// Sound states until it stands.
static void stand(void)
{
    const struct fuzz_input held = daemon_input;
    daemon_input = (struct fuzz_input){0};
    sound = (struct state_message){.joint_count = body.legs.description->joint_count};
    bool commanded = false;
    for (unsigned cycle = 0; body.legs.balance.phase != BALANCE_PHASE_STANDING; cycle++) {
        fuzz_check(cycle < 1000);
        follow(commanded ? &body.legs.leg_command : NULL);
        commanded = balance_cycle(&body.legs.balance, &sound, &body.legs.leg_command);
    }
    balance_report(&body.legs.balance, daemon_now, &said);
    body.turns.spoken = said.time; // unless its twin speaks first
    daemon_input = held;
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (body.legs.model == NULL) {
        fuzz_check(setenv("UKEMI_TARGET", FIREHOSE, 1) == 0);
        fuzz_check(start(&body, &clock_of_it) == STATUS_OK);
    }
    daemon_begin(data, size);
    begin_anew(fuzz_u8(&daemon_input) & 1);
    stand();
    segments = 0;
    silent_cycles = 1;
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            const bool answered = balance_daemon_cycle(&body.legs, clock_of_it);
            if (body.legs.silent)
                be_silent(&body);
            else
                speak(&body, answered, daemon_now);
        }
    return 0;
}
