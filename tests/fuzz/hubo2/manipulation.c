// Channel contents, as the Manipulation daemon reads them. Whatever an operator publishes: commands
// are finite and within the joints' ranges.
#include "tests/fuzz/fuzz.h"

#include "targets/hubo2/manipulation/manipulation_arms.h"

static struct description *description;
static struct robot_model *model;
static struct arms arms;

static void start(void)
{
    fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    fuzz_check(robot_model_load(FUZZ_MODEL, &model) == STATUS_OK);
}

static void check_commands(const struct command_message *message)
{
    for (unsigned j = 0; j < description->joint_count; j++) {
        const struct joint_command *joint = &message->joint[j];
        if (joint->mode == JOINT_MODE_NONE)
            continue;
        fuzz_check(joint->mode == JOINT_MODE_POSITION && isfinite(joint->value));
        fuzz_check(joint->value >= description->joint[j].position_min_rad - 1e-6);
        fuzz_check(joint->value <= description->joint[j].position_max_rad + 1e-6);
        fuzz_check(joint->velocity_nominal_rad_s >= 0 && joint->acceleration_nominal_rad_s2 >= 0);
    }
}

static void read_command(struct fuzz_input *input, struct manipulation_command_message *command)
{
    command->id++;
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        struct arm_goal *goal = &command->arm[side];
        *goal = (struct arm_goal){.kind = fuzz_u8(input) % 3, .quaternion = {1}};
        for (unsigned i = 0; i < 6; i++)
            goal->angle_rad[i] = ((int)fuzz_u8(input) - 128) * 0.01;
        for (unsigned i = 0; i < 3; i++)
            goal->position_m[i] = ((int)fuzz_u8(input) - 128) * 0.005;
    }
    fuzz_disturb(input, command, sizeof *command);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (model == NULL)
        start();
    fuzz_check(arms_start(&arms, description, model) == STATUS_OK);
    struct fuzz_input input = {.data = data, .size = size};
    struct manipulation_command_message command = {0};
    for (int64_t cycle = 1; fuzz_more(&input) && cycle < 100; cycle++) {
        const uint8_t what = fuzz_u8(&input);
        struct state_message state = {.cycle = (uint64_t)cycle,
                                      .joint_count = description->joint_count};
        const struct state_message *seen = what & 1 ? &state : NULL;
        if (what & 2)
            fuzz_disturb(&input, &state, sizeof state);
        if (what & 4) {
            read_command(&input, &command);
            arms_accept(&arms, &command, seen);
        }
        struct command_message joints;
        if (arms_command(&arms, seen, instant_ns(cycle * 10000000), &joints))
            check_commands(&joints);
        if (seen != NULL)
            arms_report(&arms, seen, instant_ns(cycle * 10000000));
    }
    return 0;
}
