// Channel contents, as the Balance daemon reads them. Whatever Hardware, planner and operator
// publish to a standing robot: velocities are finite, and what is held of a plan ends stable.
#include "tests/fuzz/fuzz.h"

#include <stddef.h>

#include "targets/hubo2/balance/balance_steps.h"
#include "tests/fuzz/hubo2/walk.h"
#include "tests/unit/hubo2/segment_ahead.h"

#define CYCLES_MAX 150 // per input: 1.5 s, about a step

static struct description *description;
static struct robot_model *model;
static struct balance standing, balance;
static struct state_message state_standing, state;
static struct segment_message plan, segment;
static struct step_stack *stack;
static struct command_message command;
static unsigned cycles;
static struct balance_status_message status;

// One cycle of a robot that follows every command exactly.
static void follow(bool published)
{
    state.cycle++;
    state.time = instant_add(state.time, duration_ms(10));
    state.cycle_start = state.time;
    for (unsigned j = 0; j < state.joint_count; j++) {
        struct joint_reading *joint = &state.joint[j];
        const bool driven = published && command.joint[j].mode == JOINT_MODE_VELOCITY;
        joint->reference_active = driven;
        joint->velocity_rad_s = driven ? command.joint[j].value : 0;
        joint->reference_rad += joint->velocity_rad_s * BALANCE_PERIOD_S;
        joint->position_rad = joint->reference_rad;
    }
}

// Balance, after it has stood up; every input begins there.
static void start(void)
{
    fuzz_check(description_load(FUZZ_DESCRIPTION, &description) == STATUS_OK);
    fuzz_check(robot_model_load(FUZZ_MODEL, &model) == STATUS_OK);
    fuzz_check(balance_init(&balance, description, model, NULL, NULL) == STATUS_OK);
    state.joint_count = description->joint_count;
    state.imu.valid = 1;
    for (unsigned cycle = 0; status.phase != BALANCE_PHASE_STANDING; cycle++) {
        fuzz_check(cycle < 1000);
        follow(cycle > 0 && balance_cycle(&balance, &state, &command));
        balance_report(&balance, state.time, &status);
    }
    standing = balance;
    state_standing = state;
    fuzz_check(segment_ahead(model, &status, &plan) == STATUS_OK);
    fuzz_check(step_stack_create(model, &stack) == STATUS_OK);
}

static size_t plan_size_B(void)
{
    return offsetof(struct segment_message, sample) + plan.count * sizeof plan.sample[0];
}

static void receive_segment(struct fuzz_input *input)
{
    const uint8_t what = fuzz_u8(input);
    memcpy(&segment, &plan, plan_size_B());
    segment.epoch = balance.epoch;
    if (balance.buffer.plan_id != 0 && what & 1) { // a further one of the plan under way
        segment.plan_id = balance.buffer.plan_id;
        segment.segment_number = balance.buffer.segment_number + 1;
        segment.first = balance.buffer.first;
    }
    fuzz_disturb(input, &segment,
                 what & 2 ? offsetof(struct segment_message, sample) : plan_size_B());
    if (segment.count <= SEGMENT_SAMPLES_MAX) // more would be longer than a frame
        (void)balance_receive_segment(&balance, &segment);
}

static void receive_steps(struct fuzz_input *input)
{
    const bool goes_on = balance.buffer.plan_id != 0;
    const double y_m = balance.foot[SIDE_RIGHT].y_m;
    struct footsteps_message steps = {.plan_id = goes_on ? balance.buffer.plan_id : 1,
                                      .number = balance.buffer.segment_number + 1,
                                      .epoch = balance.epoch,
                                      .gait = GAIT_DYNAMIC,
                                      .first = goes_on,
                                      .count = 1,
                                      .step = {{.side = SIDE_RIGHT, .pose = {0.2, y_m, 0}}}};
    fuzz_disturb(input, &steps, sizeof steps);
    (void)balance_receive_steps(&balance, &steps);
}

static void receive_command(struct fuzz_input *input, uint64_t id)
{
    struct balance_command_message message = {.id = id,
                                              .time = state.time,
                                              .kind = fuzz_u8(input) % (BALANCE_STOP + 1),
                                              .gait = GAIT_DYNAMIC,
                                              .steps = 2,
                                              .angle_rad = 0.1};
    fuzz_disturb(input, &message, sizeof message);
    balance_receive_command(&balance, &message);
}

static void check_plan(void)
{
    const struct segment_buffer *buffer = &balance.buffer;
    if (balance.phase != BALANCE_PHASE_EXECUTING)
        return;
    const struct segment_sample *last = segment_buffer_at(buffer, buffer->end - 1);
    const struct segment_sample *before = segment_buffer_at(buffer, buffer->end - 2);
    fuzz_check(last != NULL && segment_sample_finite(last));
    fuzz_check(before == NULL || segment_ends_stable(before, last));
}

static void cycle(struct fuzz_input *input, bool disturbed)
{
    cycles++;
    struct state_message seen = state;
    if (disturbed)
        fuzz_disturb(input, &seen, sizeof seen);
    (void)balance_steps_cycle(&balance);
    const bool published = balance_cycle(&balance, &seen, &command);
    balance_steps_work(&balance);
    for (unsigned j = 0; published && j < description->joint_count; j++)
        fuzz_check(isfinite(command.joint[j].value));
    check_plan();
    balance_report(&balance, state.time, &status);
    follow(published);
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (model == NULL)
        start();
    fuzz_balance_reset(&balance, &standing);
    memset(&segment, 0, offsetof(struct segment_message, sample));
    state = state_standing;
    cycles = 0;
    struct fuzz_input input = {.data = data, .size = size};
    if (fuzz_u8(&input) & 1) { // started again, after whatever its predecessor said
        struct balance_status_message last = status;
        fuzz_disturb(&input, &last, sizeof last);
        fuzz_check(balance_init(&balance, description, model, &last, NULL) == STATUS_OK);
    }
    balance.steps = stack; // what it held is of no plan that is under way
    stack->trying = false;
    for (unsigned n = 0; fuzz_more(&input) && cycles < CYCLES_MAX; n++) {
        const uint8_t what = fuzz_u8(&input);
        if (what & 1)
            receive_segment(&input);
        if (what & 8)
            receive_steps(&input);
        if (what & 2)
            receive_command(&input, n + 1);
        for (unsigned i = 0; i <= (what >> 4 & 7u); i++)
            cycle(&input, (what & 4) != 0 && i == 0);
    }
    return 0;
}
