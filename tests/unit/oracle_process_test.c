// The oracles of processes: peers survive, give their turns back, and keep their limits.
#include "synthetic.h"

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

UNIT_MAIN("oracles of processes", a_peer_that_dies_of_a_fault_fails,
          a_killed_component_that_dies_again_by_itself_fails, a_process_that_hangs_fails,
          a_process_that_exceeds_a_limit_fails)
