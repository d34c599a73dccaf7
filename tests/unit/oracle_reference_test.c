// The oracles of references on the bus: a joint's position, velocity and acceleration stay within its limits.
#include "synthetic.h"

START_TEST(every_verdict_of_a_limit_has_a_positive_margin_when_it_holds)
{
    struct made_up *m = make_up();
    swing_until(m, 3, true, true);
    static const char *const name[] = {"position-limit", "velocity-limit", "acceleration-limit"};
    for (int i = 0; i < 3; i++)
        ck_assert_double_gt(oracle_of(judged(m), name[i])->margin, 0);
    forget(m);
}
END_TEST

START_TEST(a_reference_past_a_joint_limit_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->speed_rad_s[joint_named(m, "RHR")] = 0.6; // to 0.52 rad and further
    until(m, 2);
    expect_verdict(m, "position-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_reference_faster_than_the_joint_may_be_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->speed_rad_s[joint_named(m, "RSP")] = 6.2; // maximum 6
    until(m, 1.1);
    expect_verdict(m, "velocity-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_joint_at_its_maximum_velocity_passes)
{
    struct made_up *m = make_up();
    m->commanded = false;
    int joint = joint_named(m, "RSP");
    until(m, 1);
    for (int i = 1; i <= 80; i++) { // 15 rad/s2 up to 6 rad/s, and down again
        m->speed_rad_s[joint] = i <= 40 ? 0.15 * i : 0.15 * (80 - i);
        one_tick(m);
    }
    expect_verdict(m, "velocity-limit", VERDICT_PASS);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_control_daemon_that_ignores_acceleration_limits_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->speed_rad_s[joint_named(m, "RHP")] =
        1.3; // from rest within a cycle: 130 rad/s2, maximum 120
    until(m, 1.5);
    expect_verdict(m, "acceleration-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(a_motion_that_goes_on_at_speed_after_a_gap_fails)
{
    struct made_up *m = make_up();
    int joint = joint_named(m, "RHP");
    m->speed_rad_s[joint] = 1.1;
    until(m, 0.5);
    m->references = false; // the boards hold
    m->speed_rad_s[joint] = 0;
    until(m, 1);
    m->references = true;
    m->speed_rad_s[joint] = 1.3;
    until(m, 1.5);
    expect_verdict(m, "acceleration-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(references_may_resume_from_the_measured_position)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->references = false;
    m->truth.setpoint_rad[joint_named(m, "RHP")] -= 0.05; // sags: 5 rad/s if it counted as a motion
    until(m, 2);
    m->references = true;
    until(m, 3);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of references", every_verdict_of_a_limit_has_a_positive_margin_when_it_holds,
          a_reference_past_a_joint_limit_fails, a_reference_faster_than_the_joint_may_be_fails,
          a_joint_at_its_maximum_velocity_passes,
          a_control_daemon_that_ignores_acceleration_limits_fails,
          a_motion_that_goes_on_at_speed_after_a_gap_fails,
          references_may_resume_from_the_measured_position)
