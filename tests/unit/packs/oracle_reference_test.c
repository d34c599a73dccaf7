// The oracles of references on the bus: a joint's position, velocity and acceleration stay within
// its limits.
#include "tests/unit/common/synthetic.h"

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

// The request for the encoders of a joint's board that a cycle sends, as if that began so late
// after this tick's.
static void log_request(struct made_up *m, int joint, double late_s)
{
    const struct board_description *board =
        &m->description->board[m->description->joint[joint].board];
    struct can_frame frame;
    hubo_request_encoder(&frame, board->id, 0);
    struct bus_log_frame *logged = &m->log.frame[m->log.count++];
    *logged = (struct bus_log_frame){.time = instant_s(made_up_time_s(m) + 0.0025 + late_s),
                                     .bus = board->bus,
                                     .can_id = frame.can_id,
                                     .length = frame.can_dlc,
                                     .sender = BUS_LOG_HOST};
    memcpy(logged->data, frame.data, sizeof logged->data);
}

// References of one cycle are late by more than half a period, the next cycle has none, and those
// after it, 1.45 periods after the last, move the other way. Within the limit if the joint has come
// to rest.
static void turn_round_after_a_late_cycle(struct made_up *m, bool next_cycle_asks)
{
    const int joint = joint_named(m, "RHP");
    until(m, 0.5);
    m->bus_late_s = 0.0055;
    m->speed_rad_s[joint] = 0.8;
    one_tick(m);
    log_request(m, joint, -0.0045);
    m->bus_late_s = m->speed_rad_s[joint] = 0;
    m->references = false;
    one_tick(m);
    if (next_cycle_asks)
        log_request(m, joint, -0.01);
    m->references = true;
    m->speed_rad_s[joint] = -0.8; // 80 rad/s2 from rest, 160 from the velocity before; maximum 120
    one_tick(m);
    m->speed_rad_s[joint] = 0;
    until(m, 1);
}

START_TEST(a_joint_may_start_from_rest_where_a_cycle_had_no_references_however_soon)
{
    struct made_up *m = make_up();
    turn_round_after_a_late_cycle(m, true);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(references_that_are_near_and_of_successive_cycles_are_one_motion)
{
    struct made_up *m = make_up();
    turn_round_after_a_late_cycle(m, false);
    expect_verdict(m, "acceleration-limit", VERDICT_FAIL);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of references", every_verdict_of_a_limit_has_a_positive_margin_when_it_holds,
          a_reference_past_a_joint_limit_fails, a_reference_faster_than_the_joint_may_be_fails,
          a_joint_at_its_maximum_velocity_passes,
          a_control_daemon_that_ignores_acceleration_limits_fails,
          a_motion_that_goes_on_at_speed_after_a_gap_fails,
          a_joint_may_start_from_rest_where_a_cycle_had_no_references_however_soon,
          references_that_are_near_and_of_successive_cycles_are_one_motion,
          references_may_resume_from_the_measured_position)
