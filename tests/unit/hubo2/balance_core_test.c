// balance, whole: prepares, stands, carries out a plan, breaks it off when the chain is
// interrupted, recovers; on a robot whose joints follow every reference exactly.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "targets/firehose/turns.h"
#include "targets/hubo2/balance/balance_steps.h"
#include "targets/hubo2/planner/planner_walk.h"
#include "tests/unit/hubo2/segment_ahead.h"
#include "walk/steps/route.h"

static struct description *description;
static struct robot_model *model;
static struct balance balance;
static struct state_message state;
static struct command_message command;
static struct balance_status_message status;
static bool published; // a leg command in the last cycle
static double fastest_rad_s;

static void robot_start(void)
{
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(balance_init(&balance, description, model, NULL, NULL), STATUS_OK);
    memset(&state, 0, sizeof state);
    state.joint_count = description->joint_count;
    state.imu.valid = 1;
    fastest_rad_s = 0;
}

// One cycle; the joints are moved as commanded unless the chain behind balance is dead.
static void cycle(bool chain_alive)
{
    state.cycle++;
    state.time = instant_ns((int64_t)state.cycle * 10000000 - 4000000);
    published = balance_cycle(&balance, &state, &command);
    balance_report(&balance, state.time, &status);
    for (unsigned j = 0; j < state.joint_count; j++) {
        struct joint_reading *joint = &state.joint[j];
        bool driven = chain_alive && published && command.joint[j].mode == JOINT_MODE_VELOCITY;
        double velocity = driven ? command.joint[j].value : 0;
        joint->reference_active = driven;
        joint->reference_rad += velocity * BALANCE_PERIOD_S;
        joint->position_rad = joint->reference_rad;
        joint->velocity_rad_s = velocity;
        joint->velocity_valid = 1;
        fastest_rad_s = fmax(fastest_rad_s, fabs(velocity));
    }
}

static unsigned cycles_until(enum balance_phase phase, unsigned most)
{
    unsigned n = 0;
    for (; n < most && status.phase != phase; n++)
        cycle(true);
    return n;
}

static void stand_up(void)
{
    robot_start();
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_PREPARING);
    ck_assert_uint_lt(cycles_until(BALANCE_PHASE_STANDING, 800), 800);
}

static const struct segment_message *plan(void)
{
    static struct segment_message segment;
    ck_assert_int_eq(segment_ahead(model, &status, &segment), STATUS_OK);
    return &segment;
}

// What a planner says that sees a goal so far ahead of the robot.
static struct planner_input sees(double ahead_m)
{
    struct planner_input input = {.now = state.time,
                                  .status_known = true,
                                  .status = status,
                                  .perception_known = true,
                                  .command_known = true};
    input.command =
        (struct planner_command_message){.id = 1, .kind = PLANNER_GO_TO_GOAL, .gait = GAIT_DYNAMIC};
    input.perception.image_time = state.time;
    input.perception.goal_valid = 1;
    input.perception.goal.x_m = ahead_m;
    return input;
}

// A planner walks balance, until `end` cycles are over, to a goal that stays ahead.
static unsigned walk_by_steps(unsigned end)
{
    static struct planner_walk walk;
    struct planner planner;
    unsigned provided = 0;
    ck_assert_int_eq(planner_walk_init(&walk, model), STATUS_OK);
    planner_init(&planner, NULL);
    for (unsigned n = 0; n < end; n++) {
        if (n % 5 == 0) {
            const struct planner_input input = sees(2);
            const enum planner_action action = planner_decide(&planner, &input);
            const bool made = action == PLANNER_BEGIN
                                  ? planner_walk_begin(&walk, &planner, &input) == MADE_STEPS
                                  : action == PLANNER_EXTEND &&
                                        planner_walk_extend(&walk, &planner, &input) == MADE_STEPS;
            if (made && action == PLANNER_BEGIN)
                planner_sent_first(&planner, &input, false);
            else if (made)
                planner_sent_next(&planner, false);
            if (made)
                ck_assert(balance_receive_steps(&balance, &walk.steps));
        }
        const struct segment_message *segment = balance_steps_cycle(&balance);
        if (segment != NULL) {
            ck_assert_uint_eq(segment->segment_number, ++provided);
            planner_walk_hear(&walk, segment);
        }
        cycle(true);
        balance_steps_work(&balance);
    }
    return provided;
}

START_TEST(it_walks_on_while_steps_come_and_to_a_stable_end_when_none_do)
{
    stand_up();
    ck_assert_int_eq(step_stack_create(model, &balance.steps), STATUS_OK);
    ck_assert_uint_ge(walk_by_steps(400), 3);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_EXECUTING);
    ck_assert_uint_eq(status.plan_id, 1);
    for (unsigned n = 0; n < 600 && status.phase == BALANCE_PHASE_EXECUTING; n++) {
        ck_assert_ptr_null(balance_steps_cycle(&balance));
        cycle(true);
        balance_steps_work(&balance);
    }
    ck_assert_int_eq(status.phase, BALANCE_PHASE_STANDING);
    ck_assert_uint_eq(status.epoch, 1);
    ck_assert_double_lt(fastest_rad_s, 7);
    ck_assert_double_ge(status.foot[SIDE_LEFT].x_m, 0.74);
    const struct pose2d left = pose2d_relative(status.foot[SIDE_RIGHT], status.foot[SIDE_LEFT]);
    ck_assert_double_eq_tol(left.x_m, 0, 2e-3);
    step_stack_free(balance.steps);
}
END_TEST

START_TEST(steps_that_fit_nothing_are_not_tried)
{
    stand_up();
    ck_assert_int_eq(step_stack_create(model, &balance.steps), STATUS_OK);
    const struct footsteps_message sound = {
        .plan_id = 1,
        .number = 1,
        .epoch = status.epoch,
        .gait = GAIT_DYNAMIC,
        .count = 1,
        .step = {{.side = SIDE_RIGHT, .pose = {0.2, status.foot[SIDE_RIGHT].y_m, 0}}}};
    struct footsteps_message bad[] = {sound, sound, sound, sound, sound, sound, sound, sound};
    bad[0].plan_id = 0;
    bad[1].epoch++;
    bad[2].gait = GAIT_COUNT;
    bad[3].count = FOOTSTEPS_MAX + 1;
    bad[4].step[0].side = SIDE_COUNT;
    bad[5].step[0].pose.x_m = NAN;
    bad[6].step[0].pose.x_m = 0.8;
    bad[7].first = 1;
    for (size_t i = 0; i < sizeof bad / sizeof bad[0]; i++)
        ck_assert_msg(!balance_receive_steps(&balance, &bad[i]), "case %zu", i);
    ck_assert(balance_receive_steps(&balance, &sound));
    ck_assert(!balance_receive_steps(&balance, &sound)); // others are being tried
    step_stack_free(balance.steps);
}
END_TEST

START_TEST(it_moves_smoothly_from_straight_legs_to_the_standing_pose)
{
    stand_up();
    ck_assert_double_lt(fastest_rad_s, 1.5);
    ck_assert_double_gt(state.joint[description_joint(description, "RKN")].position_rad, 0.8);
    cycle(true);
    double highest = 0;
    for (int i = 0; i < 100; i++) {
        cycle(true);
        for (unsigned j = 0; j < state.joint_count; j++)
            highest = fmax(highest, fabs(state.joint[j].velocity_rad_s));
    }
    ck_assert_double_lt(highest, 0.02);
}
END_TEST

START_TEST(it_carries_a_plan_out_to_its_end_and_stands_there)
{
    stand_up();
    ck_assert_int_eq(balance_receive_segment(&balance, plan()), SPLICE_TAKEN);
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_EXECUTING);
    ck_assert_uint_eq(status.plan_id, 1);
    ck_assert_uint_lt(cycles_until(BALANCE_PHASE_STANDING, 1000), 1000);
    ck_assert_double_eq_tol(status.foot[SIDE_RIGHT].x_m, 0.25, 1e-3);
    ck_assert_double_eq_tol(status.foot[SIDE_LEFT].x_m, 0.25, 1e-3);
    ck_assert_uint_eq(status.epoch, 1);
}
END_TEST

START_TEST(a_gap_in_the_states_voids_the_plan_and_the_robot_recovers_where_it_is)
{
    stand_up();
    const struct segment_message *segment = plan();
    ck_assert_int_eq(balance_receive_segment(&balance, segment), SPLICE_TAKEN);
    for (int i = 0; i < 120; i++)
        cycle(true);
    state.cycle += 100; // a second without states; the boards held the joints
    for (unsigned j = 0; j < state.joint_count; j++)
        state.joint[j].velocity_rad_s = 0;
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_RECOVERING);
    ck_assert_uint_eq(status.epoch, 2);
    ck_assert_int_eq(balance.interruption, INTERRUPTION_GAP);
    ck_assert_int_ne(balance_receive_segment(&balance, segment), SPLICE_TAKEN);
    fastest_rad_s = 0;
    ck_assert_uint_lt(cycles_until(BALANCE_PHASE_STANDING, 1500), 1500);
    ck_assert_double_lt(fastest_rad_s, 1.5);
    ck_assert_int_eq(balance_receive_segment(&balance, segment), SPLICE_EPOCH);
    ck_assert_int_eq(balance_receive_segment(&balance, plan()), SPLICE_TAKEN);
    ck_assert_uint_eq(balance.splices[SPLICE_TAKEN], 2);
    ck_assert_uint_eq(balance.splices[SPLICE_EPOCH], 1);
}
END_TEST

START_TEST(while_its_references_do_not_reach_the_boards_it_waits_at_rest)
{
    stand_up();
    ck_assert_int_eq(balance_receive_segment(&balance, plan()), SPLICE_TAKEN);
    for (int i = 0; i < 100; i++)
        cycle(true);
    for (int i = 0; i < 300; i++)
        cycle(false);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_RECOVERING);
    ck_assert_int_eq(balance.interruption, INTERRUPTION_HELD);
    ck_assert(published);
    for (unsigned j = 0; j < state.joint_count; j++)
        ck_assert_double_eq(command.joint[j].value, 0);
    ck_assert_uint_lt(cycles_until(BALANCE_PHASE_STANDING, 1500), 1500);
}
END_TEST

START_TEST(a_fallen_robot_is_commanded_nothing)
{
    stand_up();
    state.imu.roll_rad = 0.9;
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_FALLEN);
    ck_assert(!published);
    state.imu.roll_rad = 0;
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_FALLEN);
}
END_TEST

START_TEST(a_restarted_balance_recovers_in_a_new_epoch_and_keeps_its_odometry)
{
    stand_up();
    ck_assert_int_eq(balance_receive_segment(&balance, plan()), SPLICE_TAKEN);
    cycle(true);
    cycles_until(BALANCE_PHASE_STANDING, 1000);
    struct balance_status_message last = status;
    ck_assert_int_eq(balance_init(&balance, description, model, &last, NULL), STATUS_OK);
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_RECOVERING);
    ck_assert_uint_eq(status.epoch, 2);
    ck_assert_uint_lt(cycles_until(BALANCE_PHASE_STANDING, 800), 800);
    ck_assert_double_eq_tol(status.foot[SIDE_RIGHT].x_m, 0.25, 2e-3);
}
END_TEST

// A cycle of the robot, with a twin that goes along.
static void cycle_of_two(struct turns *turns, struct balance *twin)
{
    struct command_message unsaid;
    const struct state_message answered = state;
    cycle(true);
    struct state_message now = answered;
    now.cycle = state.cycle;
    now.time = state.time;
    if (turns_take(turns, twin, &status, &now, now.time)) {
        ck_assert(balance_cycle(twin, &now, &unsaid));
        turns_compare(turns, twin, &status);
    }
    ck_assert(!turns->speaks);
}

START_TEST(a_twin_joins_in_mid_step_and_carries_the_plan_out_when_the_other_one_is_silent)
{
    static struct balance twin;
    struct turns turns;
    stand_up();
    ck_assert_int_eq(balance_init(&twin, description, model, &status, NULL), STATUS_OK);
    turns_begin(&turns, duration_ms(25), false, true);
    const struct segment_message *segment = plan();
    ck_assert_int_eq(balance_receive_segment(&balance, segment), SPLICE_TAKEN);
    for (int i = 0; i < 60; i++)
        cycle_of_two(&turns, &twin);
    ck_assert(!turns.along); // it never heard of the plan
    ck_assert_int_eq(balance_receive_segment(&twin, segment), SPLICE_TAKEN);
    for (int i = 0; i < 60; i++)
        cycle_of_two(&turns, &twin);
    ck_assert(turns.along);
    ck_assert_uint_eq(twin.epoch, balance.epoch);
    ck_assert_int_eq(twin.executing, balance.executing);

    const struct balance_status_message last = status;
    const instant silent_since = state.time;
    balance = twin; // what answers from here on
    fastest_rad_s = 0;
    for (unsigned n = 0; n < 1000 && status.phase != BALANCE_PHASE_STANDING; n++) {
        struct state_message next = state;
        next.cycle++;
        next.time = instant_add(state.time, duration_ms(10));
        const struct balance_status_message *newest = n < 3 ? &last : &status;
        ck_assert(turns_take(&turns, &balance, newest, &next, next.time));
        ck_assert_int_eq(turns.speaks, instant_sub(next.time, silent_since).ns >= 25000000);
        cycle(true);
        if (turns.speaks)
            turns.spoken = status.time;
    }
    ck_assert_int_eq(status.phase, BALANCE_PHASE_STANDING);
    ck_assert_uint_eq(status.epoch, 1);
    ck_assert_double_lt(fastest_rad_s, 7);
    ck_assert_double_eq_tol(status.foot[SIDE_LEFT].x_m, 0.25, 1e-3);
}
END_TEST

START_TEST(a_twin_that_knows_no_plan_takes_over_in_a_new_epoch_and_recovers)
{
    struct turns turns;
    stand_up();
    ck_assert_int_eq(balance_receive_segment(&balance, plan()), SPLICE_TAKEN);
    for (int i = 0; i < 60; i++)
        cycle(true);
    const struct balance_status_message last = status;
    ck_assert_int_eq(balance_init(&balance, description, model, NULL, NULL), STATUS_OK);
    turns_begin(&turns, duration_ms(25), false, true);
    ck_assert(!turns_take(&turns, &balance, &last, &state, state.time));
    const instant later = instant_add(state.time, duration_ms(30));
    ck_assert(turns_take(&turns, &balance, &last, &state, later));
    ck_assert(turns.speaks);
    cycle(true);
    ck_assert_int_eq(status.phase, BALANCE_PHASE_RECOVERING);
    ck_assert_uint_eq(status.epoch, last.epoch + 1);
}
END_TEST

START_TEST(where_nobody_has_spoken_the_first_does_and_the_spare_waits)
{
    struct turns first, spare;
    robot_start();
    turns_begin(&first, duration_ms(45), true, false);
    turns_begin(&spare, duration_ms(25), true, true);
    for (int ms = 0; ms < 30; ms += 10) {
        const instant now = instant_add(state.time, duration_ms(ms));
        ck_assert(turns_take(&first, &balance, NULL, &state, now) && first.speaks);
        ck_assert(turns_take(&spare, &balance, NULL, &state, now));
        ck_assert_int_eq(spare.speaks, ms >= 25);
    }
}
END_TEST

UNIT_MAIN("balance core", it_walks_on_while_steps_come_and_to_a_stable_end_when_none_do,
          steps_that_fit_nothing_are_not_tried,
          it_moves_smoothly_from_straight_legs_to_the_standing_pose,
          it_carries_a_plan_out_to_its_end_and_stands_there,
          a_gap_in_the_states_voids_the_plan_and_the_robot_recovers_where_it_is,
          while_its_references_do_not_reach_the_boards_it_waits_at_rest,
          a_fallen_robot_is_commanded_nothing,
          a_restarted_balance_recovers_in_a_new_epoch_and_keeps_its_odometry,
          a_twin_joins_in_mid_step_and_carries_the_plan_out_when_the_other_one_is_silent,
          a_twin_that_knows_no_plan_takes_over_in_a_new_epoch_and_recovers,
          where_nobody_has_spoken_the_first_does_and_the_spare_waits)
