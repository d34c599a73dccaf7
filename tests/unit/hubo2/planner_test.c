// planner: when it plans and when it does not; the way around obstacles.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "targets/hubo2/planner/planner_core.h"
#include "walk/steps/route.h"

static struct planner planner;
static struct planner_input input;

static void at(double time_s, enum balance_phase phase)
{
    input.now = instant_s(time_s);
    input.status_known = true;
    input.status.time = input.now;
    input.status.phase = phase;
    input.status.epoch = 1;
}

static void see_goal(double image_time_s)
{
    input.perception_known = true;
    input.perception.goal_valid = 1;
    input.perception.image_time = instant_s(image_time_s);
}

static void command(uint64_t id, enum planner_command_kind kind)
{
    input.command_known = true;
    input.command = (struct planner_command_message){.id = id, .kind = kind, .gait = GAIT_DYNAMIC};
}

static void fresh_start(void)
{
    input = (struct planner_input){0};
    planner_init(&planner, NULL);
}

// A goal plan that balance executes.
static void walking(void)
{
    fresh_start();
    command(1, PLANNER_GO_TO_GOAL);
    at(1.0, BALANCE_PHASE_STANDING);
    see_goal(0.95);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    planner_sent_first(&planner, &input, false);
    at(1.05, BALANCE_PHASE_EXECUTING);
    input.status.plan_id = planner.offer.plan_id;
    input.status.segment_number = planner.segments;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_EXTEND);
}

START_TEST(steps_that_balance_refused_are_not_gone_on_from)
{
    walking();
    planner_sent_next(&planner, false);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    input.status.segment_number = planner.segments;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_EXTEND);
}
END_TEST

START_TEST(it_rests_without_a_goal_and_plans_with_one)
{
    fresh_start();
    at(1.0, BALANCE_PHASE_STANDING);
    see_goal(0.9);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    command(1, PLANNER_GO_TO_GOAL);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    ck_assert_int_eq(planner.plan_gait, GAIT_DYNAMIC);
    planner_arrived(&planner);
    ck_assert_uint_eq(planner.reached_id, 1);
    ck_assert_int_eq(planner_decide(&planner, &input),
                     PLANNER_REST); // the same command is not obeyed twice
}
END_TEST

START_TEST(it_gives_nothing_without_fresh_perception)
{
    fresh_start();
    command(1, PLANNER_GO_TO_GOAL);
    at(1.0, BALANCE_PHASE_STANDING);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    see_goal(0.49);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    walking();
    at(1.6, BALANCE_PHASE_EXECUTING);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    see_goal(1.5);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_EXTEND);
    input.perception.goal_valid = 0;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
}
END_TEST

START_TEST(it_waits_while_balance_runs_a_plan_it_does_not_know)
{
    fresh_start();
    command(1, PLANNER_GO_TO_GOAL);
    see_goal(1.0);
    at(1.0, BALANCE_PHASE_EXECUTING);
    input.status.plan_id = 7;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    at(1.2, BALANCE_PHASE_STANDING);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
}
END_TEST

START_TEST(a_new_epoch_voids_the_plan_until_the_robot_stands)
{
    walking();
    at(1.1, BALANCE_PHASE_RECOVERING);
    input.status.epoch = 2;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    ck_assert_int_eq(planner.life, PLAN_NONE);
    see_goal(3.0);
    at(3.0, BALANCE_PHASE_STANDING);
    input.status.epoch = 2;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
}
END_TEST

START_TEST(a_plan_balance_did_not_take_is_made_again)
{
    fresh_start();
    command(1, PLANNER_GO_TO_GOAL);
    at(1.0, BALANCE_PHASE_STANDING);
    see_goal(1.0);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    planner_sent_first(&planner, &input, false);
    uint64_t first = planner.offer.plan_id;
    at(1.1, BALANCE_PHASE_STANDING);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    at(1.45, BALANCE_PHASE_STANDING);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    planner_sent_first(&planner, &input, false);
    ck_assert_uint_gt(planner.offer.plan_id, first);
}
END_TEST

START_TEST(a_request_of_balance_needs_no_perception_and_goes_first)
{
    fresh_start();
    command(1, PLANNER_GO_TO_GOAL);
    at(1.0, BALANCE_PHASE_STANDING);
    input.status.request_id = 9;
    input.status.request_kind = BALANCE_WALK_LEFT;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    ck_assert_uint_eq(planner.request_id, 9);
}
END_TEST

START_TEST(a_stop_of_balance_and_a_halt_end_the_pursuit_of_the_goal)
{
    walking();
    input.status.request_id = 5;
    input.status.request_kind = BALANCE_STOP;
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    input.status.plan_id = 0;
    at(2.0, BALANCE_PHASE_STANDING);
    see_goal(2.0);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    command(2, PLANNER_GO_TO_GOAL); // the operator wants to go on
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    command(3, PLANNER_HALT);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    ck_assert_uint_eq(planner.reached_id, 0);
}
END_TEST

START_TEST(a_restarted_planner_goes_on_counting_and_remembers_what_was_reached)
{
    struct planner_status_message last = {.plan_id = 12, .reached_id = 1};
    fresh_start();
    planner_init(&planner, &last);
    command(1, PLANNER_GO_TO_GOAL);
    at(1.0, BALANCE_PHASE_STANDING);
    see_goal(1.0);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_REST);
    command(2, PLANNER_GO_TO_GOAL);
    ck_assert_int_eq(planner_decide(&planner, &input), PLANNER_BEGIN);
    planner_sent_first(&planner, &input, false);
    ck_assert_uint_eq(planner.offer.plan_id, 13);
}
END_TEST

START_TEST(the_way_is_straight_or_passes_an_obstacle_with_clearance)
{
    struct pose2d from = {0, 0, 0}, goal = {3, 0, 0.5};
    struct obstacle beside = {1.5, 1.0, 0.2}, ahead = {1.5, 0.1, 0.2};
    struct pose2d next = route_next(from, goal, &beside, 1, 0.35);
    ck_assert_double_eq(next.x_m, goal.x_m);
    ck_assert_double_eq(next.yaw_rad, goal.yaw_rad);
    next = route_next(from, goal, &ahead, 1, 0.35);
    ck_assert_double_lt(next.y_m, 0.1 - 0.55); // on the right, the shorter side
    // Walk the whole way in small steps: never nearer to the obstacle than the clearance, nearly.
    struct pose2d robot = from;
    double nearest = 10;
    for (int i = 0; i < 1000 && pose2d_distance_m(robot, goal) > 0.02; i++) {
        next = route_next(robot, goal, &ahead, 1, 0.35);
        double heading = atan2(next.y_m - robot.y_m, next.x_m - robot.x_m);
        robot.x_m += 0.01 * cos(heading);
        robot.y_m += 0.01 * sin(heading);
        nearest = fmin(nearest, hypot(robot.x_m - ahead.x_m, robot.y_m - ahead.y_m));
    }
    ck_assert_double_lt(pose2d_distance_m(robot, goal), 0.03);
    ck_assert_double_gt(nearest, 0.2 + 0.9 * 0.35);
}
END_TEST

UNIT_MAIN("planner", it_rests_without_a_goal_and_plans_with_one,
          it_gives_nothing_without_fresh_perception,
          it_waits_while_balance_runs_a_plan_it_does_not_know,
          a_new_epoch_voids_the_plan_until_the_robot_stands,
          a_plan_balance_did_not_take_is_made_again,
          steps_that_balance_refused_are_not_gone_on_from,
          a_request_of_balance_needs_no_perception_and_goes_first,
          a_stop_of_balance_and_a_halt_end_the_pursuit_of_the_goal,
          a_restarted_planner_goes_on_counting_and_remembers_what_was_reached,
          the_way_is_straight_or_passes_an_obstacle_with_clearance)
