// Channel contents, as the planner reads them. Whatever Balance, Perception and operator publish:
// what is sent is finite.
#include "tests/fuzz/fuzz.h"

#include "targets/hubo2/planner/planner_core.h"
#include "targets/hubo2/planner/planner_walk.h"
#include "tests/fuzz/hubo2/walk.h"
#include "walk/steps/footsteps.h"

#define TURNS_MAX 12

static struct planner_walk pristine, walk;
static struct planner planner;
static struct robot_model *model;
static struct planner_input input;

static void start(void)
{
    fuzz_check(robot_model_load(FUZZ_MODEL, &model) == STATUS_OK);
    fuzz_check(planner_walk_init(&pristine, model) == STATUS_OK);
}

// One turn of the daemon, with a balance that takes every plan.
static void turn(void)
{
    struct balance_status_message *status = &input.status;
    const enum planner_action action = planner_decide(&planner, &input);
    enum made made = MADE_NOTHING;
    if (action == PLANNER_BEGIN)
        made = planner_walk_begin(&walk, &planner, &input);
    else if (action == PLANNER_EXTEND)
        made = planner_walk_extend(&walk, &planner, &input);
    if (made == MADE_ARRIVED)
        planner_arrived(&planner);
    if (made != MADE_STEPS)
        return;
    fuzz_check_steps(&walk.steps);
    if (action == PLANNER_BEGIN) {
        planner_sent_first(&planner, &input, walk.steps.final != 0);
        status->phase = BALANCE_PHASE_EXECUTING;
        status->plan_id = planner.offer.plan_id;
        status->sample = 0;
    } else {
        planner_sent_next(&planner, walk.steps.final != 0);
    }
    status->segment_number = planner.segments;
}

// Time passes: balance executes, perception looks.
static void pass(unsigned samples)
{
    input.now = instant_add(input.now, duration_ms(10 * samples));
    input.status.time = input.perception.time = input.perception.image_time = input.now;
    if (input.status.phase == BALANCE_PHASE_EXECUTING && input.status.sample < 1000000)
        input.status.sample += samples;
}

static void begin(uint8_t what)
{
    const struct stance stance = footsteps_stance((struct pose2d){0, 0, 0});
    fuzz_walk_reset(&walk, &pristine);
    planner_init(&planner, NULL);
    input = (struct planner_input){
        .status_known = true, .perception_known = true, .command_known = true};
    input.status = (struct balance_status_message){.phase = BALANCE_PHASE_STANDING, .epoch = 1};
    memcpy(input.status.foot, stance.foot, sizeof stance.foot);
    if (what & 1) {
        input.status.request_id = 1;
        input.status.request_kind = 1 + (what >> 2) % BALANCE_STOP;
        input.status.request_steps = 4;
        input.status.request_angle_rad = 0.5;
    }
    input.command = (struct planner_command_message){
        .id = 1, .kind = PLANNER_GO_TO_GOAL, .gait = what >> 1 & 1};
    input.perception.goal_valid = 1;
    input.perception.goal = (struct pose2d){1, 0.2, 0.1};
    input.perception.obstacle_count = what >> 5;
    input.perception.obstacle[0] = (struct obstacle){0.5, 0, 0.1};
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (model == NULL)
        start();
    struct fuzz_input bytes = {.data = data, .size = size};
    begin(fuzz_u8(&bytes));
    for (unsigned n = 0; fuzz_more(&bytes) && n < TURNS_MAX; n++) {
        const uint8_t what = fuzz_u8(&bytes);
        pass(1 + (what >> 3));
        if (what & 1)
            fuzz_disturb(&bytes, &input.status, sizeof input.status);
        if (what & 2)
            fuzz_disturb(&bytes, &input.perception, sizeof input.perception);
        if (what & 4)
            fuzz_disturb(&bytes, &input.command, sizeof input.command);
        turn();
    }
    return 0;
}
