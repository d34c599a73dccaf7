// The oracles of processes: peers survive, give their turns back, and keep their limits.
#include "tests/unit/common/synthetic.h"

START_TEST(a_peer_that_dies_of_a_fault_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    process_happens(m, "balance", "Balance", PROCESS_KILLED, 11, 0);
    expect_verdict(m, "peers-survive", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_killed_component_that_dies_again_by_itself_fails)
{
    struct made_up *m = standing_robot_whose_planner_is_killed(true);
    process_happens(m, "planner", "Planner", PROCESS_EXITED, 3, 1);
    expect_verdict(m, "peers-survive", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_process_that_hangs_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "balance", "Balance", PROCESS_HUNG, 0, 0);
    expect_verdict(m, "turns-returned", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_process_that_exceeds_a_limit_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    expect_verdict(m, "limits-kept", VERDICT_PASS);
    exceeds_a_limit(m);
    expect_verdict(m, "limits-kept", VERDICT_FAIL);
    ck_assert_str_eq(oracle_of(judged(m), "limits-kept")->detail,
                     "processes: operator (pid 9): 61 processes, at most 32");
    forget(m);
}
END_TEST

START_TEST(only_a_proven_fault_that_struck_before_excuses_a_death)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 1);
    process_happens(m, "planner", "Planner", PROCESS_KILLED, 15, 0);
    until(m, 2);
    fault_happens(m, 0, FAULT_APPLIED, true);
    expect_verdict(m, "peers-survive", VERDICT_FAIL); // it died before
    forget(m);
    m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 1);
    fault_happens(m, 0, FAULT_APPLIED, false);
    process_happens(m, "planner", "Planner", PROCESS_KILLED, 15, 0);
    expect_verdict(m, "peers-survive", VERDICT_FAIL); // not of that
    forget(m);
    m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 1);
    fault_happens(m, 0, FAULT_APPLIED, true);
    process_happens(m, "planner", "Planner", PROCESS_KILLED, 15, 0);
    expect_verdict(m, "peers-survive", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_process_left_stopped_fails_and_one_continued_does_not)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "control", "Control", PROCESS_STOPPED, 19, 0);
    expect_verdict(m, "peers-survive", VERDICT_FAIL);
    until(m, 2);
    process_happens(m, "control", "Control", PROCESS_CONTINUED, 18, 0);
    expect_verdict(m, "peers-survive", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(an_operator_that_fails_fails_the_trial)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "operator", "", PROCESS_EXITED, 0, 0);
    expect_verdict(m, "peers-survive", VERDICT_PASS);
    process_happens(m, "operator", "", PROCESS_EXITED, 7, 0);
    expect_verdict(m, "peers-survive", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(one_that_left_the_clock_fails_by_that_and_is_no_death)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "balance", "Balance", PROCESS_HUNG, HUNG_LEFT_CLOCK, 0);
    process_happens(m, "balance", "Balance", PROCESS_KILLED, 9, 0);
    expect_verdict(m, "turns-returned", VERDICT_FAIL);
    expect_verdict(m, "peers-survive", VERDICT_PASS);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of processes", a_peer_that_dies_of_a_fault_fails,
          a_killed_component_that_dies_again_by_itself_fails, a_process_that_hangs_fails,
          a_process_that_exceeds_a_limit_fails,
          only_a_proven_fault_that_struck_before_excuses_a_death,
          a_process_left_stopped_fails_and_one_continued_does_not,
          an_operator_that_fails_fails_the_trial,
          one_that_left_the_clock_fails_by_that_and_is_no_death)
