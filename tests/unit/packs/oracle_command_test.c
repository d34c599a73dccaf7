// The oracles of what Control makes of commands: nominal acceleration and velocity in position
// mode, winding down in velocity mode.
#include "tests/unit/common/synthetic.h"

// Of a command: which state it answers, and how long it holds; 0: as the description says.
static void command_for(struct made_up *m, const char *channel, const char *joint, uint32_t mode,
                        double value, double acceleration, int cycle, double timeout_s)
{
    struct command_message message = {.time = instant_s(made_up_time_s(m)),
                                      .state_cycle = (uint64_t)cycle,
                                      .joint_count = m->description->joint_count};
    message.joint[joint_named(m, joint)] =
        (struct joint_command){.mode = mode,
                               .value = value,
                               .acceleration_nominal_rad_s2 = acceleration,
                               .timeout = duration_s(timeout_s)};
    publish(m, channel, &message, sizeof message);
}

static void command(struct made_up *m, const char *channel, const char *joint, uint32_t mode,
                    double value, double acceleration)
{
    command_for(m, channel, joint, mode, value, acceleration, m->tick, 0);
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
static void velocity_command_holds(struct made_up *m, double timeout_s, double hold_s, double down)
{
    int joint = joint_named(m, "RHP");
    until(m, 1);
    command_for(m, "leg-command", "RHP", JOINT_MODE_VELOCITY, 0.5, 60, m->tick, timeout_s);
    m->speed_rad_s[joint] = 0.5;
    until(m, 1 + hold_s);
    while (m->speed_rad_s[joint] > 0 && made_up_time_s(m) < 2.2) {
        m->speed_rad_s[joint] = fmax(0, m->speed_rad_s[joint] - down * TICK_S);
        one_tick(m);
    }
    until(m, 2.5);
}

static void velocity_command_lapses(struct made_up *m, double hold_s, double down)
{
    velocity_command_holds(m, 0, hold_s, down);
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

START_TEST(the_time_out_of_a_velocity_is_its_senders)
{
    static const struct {
        double timeout_s, hold_s;
        enum verdict verdict;
    } cases[] = {{1, 1, VERDICT_PASS}, {0.2, 0.2, VERDICT_PASS}, {0.2, 0.5, VERDICT_FAIL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made_up *m = make_up();
        velocity_command_holds(m, cases[i].timeout_s, cases[i].hold_s, 10);
        expect_verdict(m, "velocity-wind-down", cases[i].verdict);
        expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
        forget(m);
    }
}
END_TEST

START_TEST(the_nominal_acceleration_of_a_position_is_its_senders)
{
    static const struct {
        double named, done; // rad/s2; 0: nominal, 0.4
        enum verdict verdict;
    } cases[] = {{0, 0.4, VERDICT_PASS},
                 {5, 5, VERDICT_PASS},
                 {5, 6, VERDICT_FAIL},
                 {0.1, 0.1, VERDICT_PASS},
                 {0.1, 0.2, VERDICT_FAIL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made_up *m = make_up();
        until(m, 1);
        command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, cases[i].named);
        for (int step = 1; step <= 10; step++) {
            m->speed_rad_s[joint_named(m, "RSP")] = cases[i].done * TICK_S * step;
            one_tick(m);
        }
        one_tick(m);
        expect_verdict(m, "nominal-acceleration", cases[i].verdict);
        forget(m);
    }
}
END_TEST

// Half a second after a velocity, another one comes: by a sender that hung, or in time.
START_TEST(a_velocity_that_answers_a_state_of_long_ago_moves_nothing)
{
    for (int hung = 0; hung <= 1; hung++) {
        struct made_up *m = make_up();
        until(m, 1);
        command_for(m, "leg-command", "RHP", JOINT_MODE_VELOCITY, 0.5, 60, m->tick, 0.5);
        m->speed_rad_s[joint_named(m, "RHP")] = 0.5;
        until(m, 1.6); // on and on
        command_for(m, "leg-command", "RHP", JOINT_MODE_VELOCITY, 0.5, 60,
                    hung ? m->tick - 60 : m->tick, 0.5);
        until(m, 1.9);
        m->speed_rad_s[joint_named(m, "RHP")] = 0;
        until(m, 2);
        expect_verdict(m, "velocity-wind-down", VERDICT_FAIL);
        expect_verdict(m, "nominal-acceleration", hung ? VERDICT_FAIL : VERDICT_PASS);
        forget(m);
    }
}
END_TEST

START_TEST(a_command_that_control_does_not_get_or_may_not_take_says_nothing)
{
    static const char *const channels[] = {"arm-command", "leg-command"};
    for (int lost = 0; lost <= 1; lost++) {
        struct made_up *m = make_up();
        if (lost)
            (void)made_up_topic(m, "leg-command@readers"); // to which nothing comes
        until(m, 1);
        command(m, channels[lost], "RHP", JOINT_MODE_VELOCITY, 0.5, 60);
        m->speed_rad_s[joint_named(m, "RHP")] = 0.5;
        until(m, 2);
        expect_verdict(m, "velocity-wind-down", VERDICT_SKIP);
        forget(m);
    }
}
END_TEST

// The whole stack is killed while an arm moves, and started again. Its first reference is a step
// from rest ahead of where the joint was measured; then it goes on, at `then` times the nominal
// acceleration's steps.
static void stack_is_restarted(struct made_up *m, double then)
{
    const int joint = joint_named(m, "RSP");
    until(m, 1);
    command(m, "arm-command", "RSP", JOINT_MODE_POSITION, 1, 0);
    for (int i = 1; i <= 50; i++) {
        m->speed_rad_s[joint] = 0.004 * i;
        one_tick(m);
    }
    m->speed_rad_s[joint] = 0;
    m->commanded = m->references = false;
    until(m, 1.8);
    m->commanded = m->references = true;
    m->cycles_before = m->tick;
    m->speed_rad_s[joint] = -0.05; // the joint hung below its set point
    one_tick(m);
    for (int i = 2; i <= 20; i++) {
        m->speed_rad_s[joint] = 0.004 * i * then;
        one_tick(m);
    }
}

START_TEST(a_stack_that_starts_again_begins_from_rest_wherever_that_is)
{
    struct made_up *m = make_up();
    stack_is_restarted(m, 1);
    expect_verdict(m, "nominal-acceleration", VERDICT_PASS);
    expect_verdict(m, "nominal-velocity", VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(one_that_goes_on_with_its_old_speed_fails)
{
    struct made_up *m = make_up();
    stack_is_restarted(m, 5);
    expect_verdict(m, "nominal-acceleration", VERDICT_FAIL);
    forget(m);
}
END_TEST

// ---- what is answered, and carried out ---------------------------------------------------------

// The state of this tick, whose readings are as they should be.
static struct state_message state_of(const struct made_up *m)
{
    struct state_message state = {.cycle = (uint64_t)m->tick,
                                  .time = instant_s(made_up_time_s(m) - 0.004),
                                  .cycle_start = instant_s(made_up_time_s(m) - 0.008),
                                  .joint_count = m->description->joint_count,
                                  .period_us = 10000};
    for (unsigned j = 0; j < state.joint_count; j++)
        state.joint[j].valid = 1;
    return state;
}

// One tick in which the stack answers a state that is so many ticks old, for so many joints.
static void answered_tick(struct made_up *m, int old, unsigned joints)
{
    m->commanded = false;
    one_tick(m);
    const struct state_message state = state_of(m);
    publish_at(m, "state", instant_to_s(state.time), &state, sizeof state);
    m->tick -= old;
    struct command_message command = {.state_cycle = (uint64_t)m->tick, .joint_count = joints};
    m->tick += old;
    command.time = instant_s(made_up_time_s(m));
    command.joint[joint_named(m, "RHP")].mode = JOINT_MODE_POSITION;
    publish(m, "leg-command", &command, sizeof command);
}

static void reference_of(struct made_up *m, int old, unsigned joints, uint64_t active)
{
    const struct reference_message reference = {.time = instant_s(made_up_time_s(m)),
                                                .state_cycle = (uint64_t)(m->tick - old),
                                                .active = active,
                                                .joint_count = joints};
    publish(m, "reference", &reference, sizeof reference);
}

START_TEST(an_answer_is_of_a_recent_state_and_for_all_joints)
{
    static const struct {
        int old[2];         // of command and reference, ticks
        int joints_left[2]; // out
        enum verdict verdict;
    } cases[] = {{{0, 0}, {0, 0}, VERDICT_PASS},    {{2, 2}, {0, 0}, VERDICT_PASS},
                 {{8, 0}, {0, 0}, VERDICT_FAIL},    {{0, 8}, {0, 0}, VERDICT_FAIL},
                 {{-500, 0}, {0, 0}, VERDICT_FAIL}, {{0, 0}, {1, 0}, VERDICT_FAIL},
                 {{0, 0}, {0, 28}, VERDICT_FAIL}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct made_up *m = make_up();
        const unsigned joints = m->description->joint_count;
        for (int tick = 0; tick < 100; tick++) {
            const bool late = tick == 50;
            answered_tick(m, late ? cases[i].old[0] : 0,
                          joints - (unsigned)(late ? cases[i].joints_left[0] : 0));
            reference_of(m, late ? cases[i].old[1] : 0,
                         joints - (unsigned)(late ? cases[i].joints_left[1] : 0), UINT64_MAX);
        }
        expect_verdict(m, "answers-current", cases[i].verdict);
        forget(m);
    }
}
END_TEST

START_TEST(a_reference_is_for_all_joints_that_were_commanded)
{
    for (int left_out = 0; left_out <= 1; left_out++)
        for (int dead = 0; dead <= 1; dead++) {
            struct made_up *m = make_up();
            const int joint = joint_named(m, "RHP");
            for (int tick = 0; tick < 100; tick++) {
                answered_tick(m, 0, m->description->joint_count);
                struct state_message state = state_of(m);
                state.dead_boards = dead ? UINT64_MAX : 0;
                publish_at(m, "state", made_up_time_s(m) - 0.001, &state, sizeof state);
                reference_of(m, 0, m->description->joint_count,
                             left_out && tick == 50 ? ~(UINT64_C(1) << joint) : UINT64_MAX);
            }
            expect_verdict(m, "commands-carried", left_out && !dead ? VERDICT_FAIL : VERDICT_PASS);
            forget(m);
        }
}
END_TEST

UNIT_MAIN("oracles of commands", an_answer_is_of_a_recent_state_and_for_all_joints,
          a_reference_is_for_all_joints_that_were_commanded,
          the_time_out_of_a_velocity_is_its_senders,
          the_nominal_acceleration_of_a_position_is_its_senders,
          a_velocity_that_answers_a_state_of_long_ago_moves_nothing,
          a_command_that_control_does_not_get_or_may_not_take_says_nothing,
          a_stack_that_starts_again_begins_from_rest_wherever_that_is,
          one_that_goes_on_with_its_old_speed_fails,
          position_mode_within_the_nominal_acceleration_passes,
          a_bus_held_in_the_middle_of_a_cycle_takes_no_reference_from_the_boards,
          an_answer_that_is_late_after_one_that_was_early_continues_the_motion,
          position_mode_beyond_the_nominal_acceleration_fails,
          position_mode_beyond_the_nominal_velocity_fails,
          velocity_mode_that_winds_down_after_its_time_out_passes,
          velocity_mode_that_never_times_out_fails,
          velocity_mode_that_stops_dead_at_its_time_out_fails)
