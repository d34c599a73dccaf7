// The oracles of the whole motion: the robot stands, arrives, and goes on after a restart.
#include "tests/unit/common/synthetic.h"
#include "harness/files/scenario.h"

START_TEST(a_fall_without_a_fault_fails)
{
    struct made_up *m = make_up();
    until(m, 2);
    m->truth.pelvis_quaternion[0] = cos(0.5); // tilted by 1 rad
    m->truth.pelvis_quaternion[2] = sin(0.5);
    until(m, 3);
    expect_verdict(m, "upright-without-fault", VERDICT_FAIL);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL);
    forget(m);
}
END_TEST

// A bus fault strikes at 2 s and ends at 3 s, and the robot lies from 4 s on if it is to.
static struct made_up *after_a_bus_fault(bool falls)
{
    struct made_up *m = make_up();
    m->scenario.fault[m->scenario.fault_count++] = (struct fault_request){
        .kind = "bus-cut", .component = "can0", .duration_s = 1, .restart_after_s = -1};
    m->truth.goal_m[0] = 2;
    const struct planner_command_message go = {.id = 3, .kind = PLANNER_GO_TO_GOAL};
    publish(m, "planner-command", &go, sizeof go);
    until(m, 2);
    fault_happens(m, 0, FAULT_APPLIED, true);
    until(m, 3);
    fault_happens(m, 0, FAULT_UNDONE, true);
    until(m, 4);
    if (falls)
        lie_down(m);
    until(m, 5);
    return m;
}

START_TEST(a_fall_after_a_fault_fails_where_the_scenario_promises_none)
{
    struct made_up *m = after_a_bus_fault(true);
    expect_verdict(m, "stays-upright", VERDICT_SKIP);
    m->scenario.must_stand = true;
    expect_verdict(m, "stays-upright", VERDICT_FAIL);
    expect_verdict(m, "completes-after-fault", VERDICT_SKIP); // there is nothing to complete
    forget(m);
    m = after_a_bus_fault(false);
    m->scenario.must_stand = true;
    expect_verdict(m, "stays-upright", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_robot_that_stands_after_a_fault_and_goes_no_further_fails)
{
    struct made_up *m = after_a_bus_fault(false);
    expect_verdict(m, "completes-after-fault", VERDICT_FAIL);
    m->scenario.must_complete = false;
    expect_verdict(m, "completes-after-fault", VERDICT_SKIP);
    m->scenario.must_complete = true;
    const struct planner_status_message status = {.reached_id = 3};
    m->truth.pelvis_m[0] = 1.95;
    publish(m, "planner-status", &status, sizeof status);
    until(m, 6);
    expect_verdict(m, "completes-after-fault", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_walk_that_does_not_reach_its_goal_fails)
{
    struct made_up *m = make_up();
    m->truth.goal_m[0] = 2;
    struct planner_command_message go = {.id = 3, .kind = PLANNER_GO_TO_GOAL};
    publish(m, "planner-command", &go, sizeof go);
    until(m, 2);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL);
    struct planner_status_message status = {.reached_id = 3};
    m->truth.pelvis_m[0] = 1.95;
    publish(m, "planner-status", &status, sizeof status);
    until(m, 3);
    expect_verdict(m, "completes-without-fault", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_planner_that_says_it_arrived_and_is_not_there_fails)
{
    struct made_up *m = make_up();
    m->truth.goal_m[0] = 2;
    struct planner_command_message go = {.id = 3, .kind = PLANNER_GO_TO_GOAL};
    struct planner_status_message status = {.reached_id = 3};
    publish(m, "planner-command", &go, sizeof go);
    publish(m, "planner-status", &status, sizeof status);
    until(m, 2);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL);
    forget(m);
}
END_TEST

// Of a robot that stands all the time.
static void expect_of_standing(enum asked asked, const char *operator, enum verdict verdict)
{
    struct made_up *m = make_up();
    m->scenario.asked = asked;
    strcpy(m->scenario.operator_program, operator);
    m->truth.goal_m[0] = 2;
    until(m, 2);
    expect_verdict(m, "completes-without-fault", verdict);
    forget(m);
}

START_TEST(what_is_asked_is_due_also_if_nobody_came_to_ask_for_it)
{
    expect_of_standing(ASKED_GOAL, "op", VERDICT_FAIL);
    expect_of_standing(ASKED_WALK, "op", VERDICT_FAIL);
    expect_of_standing(ASKED_STANCE, "op", VERDICT_PASS);
    expect_of_standing(ASKED_AS_RECORDED, "op", VERDICT_FAIL);
    expect_of_standing(ASKED_AS_RECORDED, "", VERDICT_PASS);
}
END_TEST

START_TEST(steps_that_are_said_to_be_done_must_have_been_taken)
{
    struct made_up *m = make_up();
    const struct balance_command_message walk = {.id = 1, .kind = BALANCE_WALK_FORWARD, .steps = 1};
    const struct balance_status_message status = {.done_id = 1};
    const struct process_event end = {.kind = PROCESS_EXITED, .process = OPERATOR_NAME};
    m->scenario.asked = ASKED_WALK;
    publish(m, "balance-command", &walk, sizeof walk);
    until(m, 1);
    publish(m, "balance-status", &status, sizeof status);
    until(m, 2);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL); // its operator has not ended
    publish(m, TOPIC_PROCESS, &end, sizeof end);
    until(m, 3);
    expect_verdict(m, "completes-without-fault", VERDICT_FAIL); // no foot was lifted
    m->truth.foot_m[SIDE_LEFT][2] += 0.03;
    until(m, 4);
    m->truth.foot_m[SIDE_LEFT][2] -= 0.03;
    until(m, 5);
    expect_verdict(m, "completes-without-fault", VERDICT_PASS);
    expect_verdict(m, "claim-judged", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_promise_that_judged_nothing_is_no_pass_of_the_claim)
{
    struct made_up *m = make_up();
    m->scenario.must_complete = false;
    until(m, 2);
    expect_verdict(m, "claim-judged", VERDICT_SKIP);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_PASS); // it promises nothing
    struct promise *promise = &m->scenario.promise[m->scenario.promise_count++];
    *promise = (struct promise){.name = "p", .operator= FORMULA_ALWAYS, .from = FROM_FAULT};
    strcpy(promise->formula[FORMULA_ALWAYS], "1 > 0");
    expect_verdict(m, "p", VERDICT_SKIP);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_SKIP);
    forget(m);
}
END_TEST

START_TEST(a_component_that_comes_back_passes)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    expect_all_pass(m);
    ck_assert_double_eq_tol(observed(m, "restart_s")->value, 4, 1e-9);
    forget(m);
}
END_TEST

START_TEST(a_component_that_does_not_come_back_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(false);
    expect_verdict(m, "restart-and-resume", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_robot_that_falls_after_the_restart_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    lie_down(m);
    until(m, 15);
    expect_verdict(m, "restart-and-resume", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_robot_that_falls_before_its_fault_is_a_broken_target)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 2);
    lie_down(m);
    until(m, 3);
    expect_verdict(m, "upright-without-fault", VERDICT_FAIL);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of motion", a_fall_without_a_fault_fails,
          what_is_asked_is_due_also_if_nobody_came_to_ask_for_it,
          steps_that_are_said_to_be_done_must_have_been_taken,
          a_promise_that_judged_nothing_is_no_pass_of_the_claim,
          a_fall_after_a_fault_fails_where_the_scenario_promises_none,
          a_robot_that_stands_after_a_fault_and_goes_no_further_fails,
          a_walk_that_does_not_reach_its_goal_fails,
          a_planner_that_says_it_arrived_and_is_not_there_fails, a_component_that_comes_back_passes,
          a_component_that_does_not_come_back_fails, a_robot_that_falls_after_the_restart_fails,
          a_robot_that_falls_before_its_fault_is_a_broken_target)
