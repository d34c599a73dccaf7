// The oracles of the lab itself: what makes a trial an error, whatever the target did.
#include "synthetic.h"

START_TEST(a_fault_requested_and_not_applied_is_an_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 5);
    expect_verdict(m, "fault-effective", VERDICT_ERROR);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_fault_without_proof_is_an_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 5);
    fault_happens(m, 0, FAULT_APPLIED, false);
    until(m, 6);
    expect_verdict(m, "fault-effective", VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_fault_that_a_limit_has_forestalled_is_no_error)
{
    struct made_up *m = make_up();
    request_kill(m, "Planner", -1);
    until(m, 1);
    exceeds_a_limit(m);
    expect_verdict(m, "fault-effective", VERDICT_PASS);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_fault_that_is_not_undone_is_an_error)
{
    struct made_up *m = make_up();
    m->scenario.fault_count = 1;
    m->scenario.fault[0] = (struct fault_request){
        .kind = "stall", .component = "Control", .duration_s = 1, .restart_after_s = -1};
    until(m, 2);
    fault_happens(m, 0, FAULT_APPLIED, true);
    until(m, 6);
    expect_verdict(m, "fault-undone", VERDICT_ERROR);
    fault_happens(m, 0, FAULT_UNDONE, true);
    expect_verdict(m, "fault-undone", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_physics_warning_is_an_error)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->truth.physics_warning = 1;
    one_tick(m);
    expect_verdict(m, "lab-physics", VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_simulated_robot_that_dies_is_an_error)
{
    struct made_up *m = make_up();
    until(m, 1);
    process_happens(m, "simulator", "", PROCESS_KILLED, 11, 0);
    expect_verdict(m, "lab-physics", VERDICT_ERROR);
    expect_verdict(m, "peers-survive", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_history_with_missing_frames_is_an_error)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->number[made_up_topic(m, "truth")] += 3;
    until(m, 2);
    expect_verdict(m, "lab-history", VERDICT_ERROR);
    forget(m);
    m = make_up();
    until(m, 1);
    m->log.dropped = 2;
    one_tick(m);
    expect_verdict(m, "lab-history", VERDICT_ERROR);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of the lab", a_fault_requested_and_not_applied_is_an_error,
          a_fault_without_proof_is_an_error, a_fault_that_a_limit_has_forestalled_is_no_error,
          a_fault_that_is_not_undone_is_an_error, a_physics_warning_is_an_error,
          a_simulated_robot_that_dies_is_an_error, a_history_with_missing_frames_is_an_error)
