// The whole Manipulation daemon: states and commands of any content, size and time. Commands to the
// arms are finite and within the joints' ranges.
#include "daemon.h"

int manipulation_main(int argc, char **argv);
#define main manipulation_main
#include "targets/hubo2/manipulation/manipulation.c"
#undef main

static struct manipulation pristine, manipulation;
static struct state_message sound;
static uint64_t commands;

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    const struct description *description = pristine.arms.description;
    (void)capacity_B;
    if (strcmp(channel, "state") == 0) {
        daemon_state(&sound, description->joint_count, NULL);
        memcpy(message, &sound, sizeof sound);
        return sizeof sound;
    }
    fuzz_check(strcmp(channel, "manipulation-command") == 0);
    struct manipulation_command_message *command = message;
    *command = (struct manipulation_command_message){.id = ++commands, .time = daemon_now};
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        struct arm_goal *goal = &command->arm[side];
        *goal = (struct arm_goal){.kind = fuzz_u8(&daemon_input) % 3, .quaternion = {1}};
        for (unsigned i = 0; i < 6; i++)
            goal->angle_rad[i] = ((int)fuzz_u8(&daemon_input) - 128) * 0.01;
        for (unsigned i = 0; i < 3; i++)
            goal->position_m[i] = ((int)fuzz_u8(&daemon_input) - 128) * 0.005;
    }
    return sizeof *command;
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    const struct description *description = pristine.arms.description;
    if (strcmp(channel, "manipulation-status") == 0) {
        const struct manipulation_status_message *status = frame;
        fuzz_check(size_B == sizeof *status);
        return;
    }
    const struct command_message *command = frame;
    fuzz_check(strcmp(channel, "arm-command") == 0 && size_B == sizeof *command);
    for (unsigned j = 0; j < description->joint_count; j++) {
        const struct joint_command *joint = &command->joint[j];
        if (joint->mode == JOINT_MODE_NONE)
            continue;
        fuzz_check(joint->mode == JOINT_MODE_POSITION && isfinite(joint->value));
        fuzz_check(joint->value >= description->joint[j].position_min_rad - 1e-6);
        fuzz_check(joint->value <= description->joint[j].position_max_rad + 1e-6);
    }
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (pristine.clk == NULL) {
        fuzz_check(setenv("UKEMI_TARGET", FUZZ_FOLDER, 1) == 0);
        fuzz_check(start(&pristine) == STATUS_OK);
    }
    daemon_begin(data, size);
    manipulation = pristine;
    sound = (struct state_message){0};
    commands = 0;
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            run_once(&manipulation);
            await_command(&manipulation);
            daemon_pass();
        }
    return 0;
}
