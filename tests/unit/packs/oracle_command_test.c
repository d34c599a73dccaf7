// The oracles of what Control makes of commands: nominal acceleration and velocity in position
// mode, winding down in velocity mode.
#include "tests/unit/common/synthetic.h"

static void command(struct made_up *m, const char *channel, const char *joint, uint32_t mode,
                    double value, double acceleration)
{
    struct command_message message = {.time = instant_s(made_up_time_s(m)),
                                      .joint_count = m->description->joint_count};
    message.joint[joint_named(m, joint)] = (struct joint_command){
        .mode = mode, .value = value, .acceleration_nominal_rad_s2 = acceleration};
    publish(m, channel, &message, sizeof message);
}

START_TEST(position_mode_within_the_nominal_acceleration_passes)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0); // nominal 0.4 rad/s2, 0.75 rad/s
    for (int i = 1; i <= 100; i++) {
        m->speed_rad_s[joint_named(m, "RSP")] = 0.004 * i;
        one_tick(m);
    }
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    expect_verdict(m, "nominal-velocity", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_bus_held_in_the_middle_of_a_cycle_takes_no_reference_from_the_boards)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0);
    for (int i = 1; i <= 100; i++) {
        m->speed_rad_s[joint_named(m, "RSP")] = 0.004 * i;
        m->bus_pause_s = i == 50 ? 0.0055 : 0;
        one_tick(m);
    }
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(an_answer_that_is_late_after_one_that_was_early_continues_the_motion)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0);
    for (int i = 1; i <= 100; i++) {
        m->speed_rad_s[joint_named(m, "RSP")] = 0.004 * i;
        m->late_s = i == 49 ? -0.004 : i == 50 ? 0.0015 : 0;
        one_tick(m);
    }
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(position_mode_beyond_the_nominal_acceleration_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0);
    m->speed_rad_s[joint_named(m, "RSP")] =
        0.05; // 5 rad/s2: below the maximum, above the nominal 0.4
    until(m, 2);
    expect_verdict(m, "acceleration-limit", VERDICT_PASS);
    expect_verdict(m, "nominal-acceleration", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(position_mode_beyond_the_nominal_velocity_fails)
{
    struct made_up *m = make_up();
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 2, 15);
    for (int i = 1; i <= 10; i++) {
        m->speed_rad_s[joint_named(m, "RSP")] = 0.08 * i; // to 0.8 rad/s, nominal 0.75
        one_tick(m);
    }
    one_tick(m); // the last reference goes out on the bus in the next cycle
    expect_verdict(m, "nominal-velocity", VERDICT_FAIL);
    forget(m);
}
END_TEST

// A leg moves at 0.5 rad/s by one velocity command; after hold_s it slows down with `down` rad/s2.
static void velocity_command_lapses(struct made_up *m, double hold_s, double down)
{
    int joint = joint_named(m, "RHP");
    until(m, 1);
    command(m, "leg-command", "RHP", JOINT_MODE_VELOCITY, 0.5, 60);
    m->speed_rad_s[joint] = 0.5;
    until(m, 1 + hold_s);
    while (m->speed_rad_s[joint] > 0 && made_up_time_s(m) < 2.2) {
        m->speed_rad_s[joint] = fmax(0, m->speed_rad_s[joint] - down * TICK_S);
        one_tick(m);
    }
    until(m, 2.5);
}

START_TEST(velocity_mode_that_winds_down_after_its_time_out_passes)
{
    struct made_up *m = make_up();
    velocity_command_lapses(m, 0.5, 10);
    expect_verdict(m, "velocity-wind-down", VERDICT_PASS);
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(velocity_mode_that_never_times_out_fails)
{
    struct made_up *m = make_up();
    velocity_command_lapses(m, 1.0, 10);
    expect_verdict(m, "velocity-wind-down", VERDICT_FAIL);
    forget(m);
}
END_TEST

START_TEST(velocity_mode_that_stops_dead_at_its_time_out_fails)
{
    struct made_up *m = make_up();
    velocity_command_lapses(m, 0.6, 50);
    expect_verdict(m, "nominal-acceleration", VERDICT_FAIL);
    forget(m);
}
END_TEST

UNIT_MAIN("oracles of commands", position_mode_within_the_nominal_acceleration_passes,
          a_bus_held_in_the_middle_of_a_cycle_takes_no_reference_from_the_boards,
          an_answer_that_is_late_after_one_that_was_early_continues_the_motion,
          position_mode_beyond_the_nominal_acceleration_fails,
          position_mode_beyond_the_nominal_velocity_fails,
          velocity_mode_that_winds_down_after_its_time_out_passes,
          velocity_mode_that_never_times_out_fails,
          velocity_mode_that_stops_dead_at_its_time_out_fails)
