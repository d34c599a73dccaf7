// joint bank: whose command counts, and where joints start from after restarts, gaps and losses.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "motion/joint_bank.h"

enum { LEG, ARM, JOINTS };
#define LEGS (1u << GROUP_LEFT_LEG)
#define ARMS (1u << GROUP_LEFT_ARM)
#define PERIOD_NS 10000000

static struct joint_bank bank;
static struct state_message state;
static struct reference_message reference;

static void start_bank(void)
{
    static struct description description = {.joint_count = JOINTS};
    for (unsigned j = 0; j < JOINTS; j++)
        description.joint[j] = (struct joint_description){
            .board = j,
            .group = j == LEG ? GROUP_LEFT_LEG : GROUP_LEFT_ARM,
            .position_min_rad = -2,
            .position_max_rad = 2,
            .velocity_nominal_rad_s = 0.8,
            .acceleration_nominal_rad_s2 = 0.6,
            .velocity_max_rad_s = 6,
            .acceleration_max_rad_s2 = 50,
            .acceleration_wind_down_rad_s2 = 10,
            .velocity_timeout = duration_ms(500),
        };
    joint_bank_start(&bank, &description, duration_ns(PERIOD_NS));
}

static void start_robot(double position)
{
    start_bank();
    reference = (struct reference_message){0};
    state = (struct state_message){.joint_count = JOINTS};
    for (unsigned j = 0; j < JOINTS; j++)
        state.joint[j] =
            (struct joint_reading){.position_rad = position, .reference_rad = position, .valid = 1};
}

static instant now(void)
{
    return instant_add(state.cycle_start, duration_ms(8));
}

// The next cycle of a Hardware daemon that sends what it was given (if `sends`).
static void hardware(bool sends)
{
    state.cycle++;
    state.cycle_start.ns += PERIOD_NS;
    for (unsigned j = 0; j < JOINTS; j++) {
        const bool sent = sends && reference.active >> j & 1;
        state.joint[j].reference_active = sent;
        if (sent)
            state.joint[j].reference_rad = state.joint[j].position_rad = reference.reference_rad[j];
    }
}

static bool step(void)
{
    return joint_bank_step(&bank, &state, now(), &reference);
}

static void command(unsigned j, enum joint_mode mode, double value, uint32_t groups)
{
    struct command_message message = {
        .state_cycle = state.cycle, .time = now(), .joint_count = JOINTS};
    message.joint[j] =
        (struct joint_command){.mode = mode, .value = value, .acceleration_nominal_rad_s2 = 50};
    joint_bank_command(&bank, &message, groups, now());
}

static void run(unsigned cycles)
{
    for (unsigned i = 0; i < cycles; i++) {
        hardware(true);
        (void)step();
    }
}

START_TEST(nothing_is_sent_before_a_command)
{
    start_robot(0.2);
    hardware(true);
    ck_assert(!step());
    command(ARM, JOINT_MODE_POSITION, 1, ARMS);
    hardware(true);
    ck_assert(step());
    ck_assert_uint_eq(reference.active, 1u << ARM);
    ck_assert_uint_eq(reference.state_cycle, state.cycle);
}
END_TEST

START_TEST(a_sender_commands_its_own_groups_only)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 1, ARMS);
    hardware(true);
    ck_assert(!step());
}
END_TEST

START_TEST(the_first_reference_is_the_measured_position)
{
    start_robot(0.7);
    command(LEG, JOINT_MODE_POSITION, -1, LEGS);
    hardware(true);
    ck_assert(step());
    ck_assert_double_eq(reference.reference_rad[LEG], 0.7);
}
END_TEST

START_TEST(without_a_valid_reading_a_joint_does_not_start)
{
    start_robot(0.7);
    state.joint[LEG].valid = 0;
    command(LEG, JOINT_MODE_POSITION, -1, LEGS);
    hardware(true);
    ck_assert(!step());
    state.joint[LEG].valid = 1;
    state.joint[LEG].position_rad = NAN;
    hardware(true);
    ck_assert(!step());
    state.joint[LEG].position_rad = 0.7;
    hardware(true);
    ck_assert(step());
}
END_TEST

START_TEST(an_older_command_is_refused)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 1, LEGS);
    struct command_message old = {.joint_count = JOINTS, .time = instant_ns(0)};
    old.joint[LEG] = (struct joint_command){.mode = JOINT_MODE_POSITION, .value = -1};
    joint_bank_command(&bank, &old, LEGS, now());
    ck_assert_uint_eq(bank.refused_commands, 1);
    ck_assert_double_eq(bank.filter[LEG].target, 1);
}
END_TEST

START_TEST(commands_from_the_future_or_of_the_wrong_size_are_refused)
{
    start_robot(0);
    struct command_message message = {.joint_count = JOINTS + 1};
    joint_bank_command(&bank, &message, LEGS, now());
    message =
        (struct command_message){.joint_count = JOINTS, .time = instant_add(now(), duration_ms(1))};
    joint_bank_command(&bank, &message, LEGS, now());
    ck_assert_uint_eq(bank.refused_commands, 2);
}
END_TEST

START_TEST(a_velocity_that_answers_a_state_of_long_ago_is_refused)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 0, LEGS);
    run(JOINT_BANK_STALE_CYCLES + 5);
    struct command_message message = {.state_cycle = state.cycle - JOINT_BANK_STALE_CYCLES - 1,
                                      .time = now(),
                                      .joint_count = JOINTS};
    message.joint[LEG] = (struct joint_command){.mode = JOINT_MODE_VELOCITY, .value = 1};
    joint_bank_command(&bank, &message, LEGS, now());
    ck_assert_uint_eq(bank.refused_commands, 1);
    message.state_cycle++;
    joint_bank_command(&bank, &message, LEGS, now());
    ck_assert_uint_eq(bank.refused_commands, 1);
}
END_TEST

START_TEST(a_velocity_expires_by_its_own_time_even_if_it_is_read_late)
{
    start_robot(0);
    struct command_message message = {.joint_count = JOINTS, .time = now()};
    message.joint[LEG] = (struct joint_command){
        .mode = JOINT_MODE_VELOCITY, .value = 1, .acceleration_nominal_rad_s2 = 50};
    state.cycle_start.ns += 600000000; // a new Control daemon reads it 0.6 s later
    joint_bank_command(&bank, &message, LEGS, now());
    run(10);
    ck_assert_double_eq(reference.reference_rad[LEG], 0);
}
END_TEST

START_TEST(the_same_state_is_answered_once)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 1, LEGS);
    hardware(true);
    ck_assert(step());
    ck_assert(!step());
}
END_TEST

START_TEST(after_a_gap_joints_start_from_rest_where_the_board_holds_them)
{
    start_robot(0);
    command(LEG, JOINT_MODE_VELOCITY, 1, LEGS);
    run(20);
    ck_assert_double_gt(bank.filter[LEG].velocity_rad_s, 0.9);
    hardware(true);
    state.cycle_start.ns += 3 * PERIOD_NS;
    const double held = state.joint[LEG].reference_rad;
    ck_assert(step());
    ck_assert_double_eq(reference.reference_rad[LEG], held);
    hardware(true);
    ck_assert(step());
    ck_assert_double_eq_tol(reference.reference_rad[LEG], held + 50 * 1e-4,
                            1e-12); // from rest again
}
END_TEST

START_TEST(a_restarted_hardware_daemon_makes_joints_start_at_the_measured_position)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 1, LEGS);
    run(200);
    hardware(true);
    state.cycle = 1;
    state.joint[LEG].reference_active = 0;
    state.joint[LEG].position_rad -= 0.004; // what the load makes of the set point
    state.joint[LEG].reference_rad = state.joint[LEG].position_rad;
    const double measured = state.joint[LEG].position_rad;
    ck_assert(step());
    ck_assert_double_eq(reference.reference_rad[LEG], measured);
    run(500);
    ck_assert_double_eq(reference.reference_rad[LEG], 1); // and the goal is still pursued
}
END_TEST

START_TEST(a_limp_joint_starts_where_it_is_and_not_where_it_should_be)
{
    start_robot(0);
    state.joint[LEG].reference_rad = 1.0; // the board was told so, but the encoder says 0
    command(LEG, JOINT_MODE_POSITION, 1, LEGS);
    hardware(true);
    ck_assert(step());
    ck_assert_double_eq(reference.reference_rad[LEG], 0);
}
END_TEST

START_TEST(an_angle_that_was_not_read_does_not_say_where_a_joint_is_held)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 1, LEGS);
    run(20);
    const double held = state.joint[LEG].reference_rad;
    for (unsigned i = 0; i < JOINT_BANK_LOST_CYCLES_MAX + 2; i++) {
        hardware(false);
        state.joint[LEG].position_rad = held - 0.2; // of long ago
        state.joint[LEG].valid = 0;
        ck_assert(step());
    }
    ck_assert_double_eq(reference.reference_rad[LEG], held);
}
END_TEST

START_TEST(after_a_lost_reference_a_joint_starts_from_rest)
{
    start_robot(0);
    command(LEG, JOINT_MODE_VELOCITY, 1, LEGS);
    run(20);
    const double sent = state.joint[LEG].reference_rad;
    const double acceleration_rad_s2 = bank.filter[LEG].acceleration_rad_s2_bound;
    hardware(false); // the board holds what it was sent last
    ck_assert(step());
    ck_assert_double_eq_tol(reference.reference_rad[LEG], sent + acceleration_rad_s2 * 1e-4, 1e-9);
}
END_TEST

START_TEST(a_cycle_that_began_late_makes_no_joint_faster)
{
    start_robot(0);
    command(LEG, JOINT_MODE_VELOCITY, 0.5, LEGS);
    run(20);
    hardware(true);
    state.cycle_start.ns -= PERIOD_NS * 9 / 10; // the cycle before began late, this one in time
    state.joint[LEG].reference_rad -= 1e-4;     // another reference went out than the last
    ck_assert(step());
    const double moved_rad = reference.reference_rad[LEG] - state.joint[LEG].reference_rad;
    ck_assert_double_ge(moved_rad, 0.004);
    ck_assert_double_le(moved_rad, 0.006);
}
END_TEST

// A board that was deaf holds what nobody knows; one that was mute has come to rest where its last
// reference was.
START_TEST(a_dead_board_gets_no_references_and_goes_on_from_where_it_is_found)
{
    start_robot(0);
    command(LEG, JOINT_MODE_POSITION, 1.5, LEGS);
    command(ARM, JOINT_MODE_POSITION, 1.5, ARMS);
    run(20);
    state.dead_boards = 1u << 1; // the arm's
    const double left_at = state.joint[ARM].position_rad;
    for (unsigned i = 0; i < 100; i++) {
        hardware(true);
        state.joint[ARM].valid = 0;
        ck_assert(step());
        ck_assert_uint_eq(reference.active, 1u << LEG);
    }
    state.dead_boards = 0;
    hardware(true);
    state.joint[ARM].valid = 1;
    state.joint[ARM].position_rad = left_at - 0.05; // not where the last reference would have it
    ck_assert(step());
    ck_assert_double_eq(reference.reference_rad[ARM], left_at - 0.05);
    double last = reference.reference_rad[ARM];
    for (unsigned i = 0; i < 400; i++) {
        hardware(true);
        ck_assert(step());
        ck_assert_double_le(fabs(reference.reference_rad[ARM] - last), 0.8 * 0.01 + 1e-9);
        last = reference.reference_rad[ARM];
    }
    ck_assert_double_eq_tol(last, 1.5, 1e-9); // and carries its command through
}
END_TEST

UNIT_MAIN("joint bank", nothing_is_sent_before_a_command, a_sender_commands_its_own_groups_only,
          the_first_reference_is_the_measured_position,
          without_a_valid_reading_a_joint_does_not_start, an_older_command_is_refused,
          commands_from_the_future_or_of_the_wrong_size_are_refused,
          a_velocity_that_answers_a_state_of_long_ago_is_refused,
          a_velocity_expires_by_its_own_time_even_if_it_is_read_late,
          the_same_state_is_answered_once,
          after_a_gap_joints_start_from_rest_where_the_board_holds_them,
          a_restarted_hardware_daemon_makes_joints_start_at_the_measured_position,
          a_limp_joint_starts_where_it_is_and_not_where_it_should_be,
          an_angle_that_was_not_read_does_not_say_where_a_joint_is_held,
          after_a_lost_reference_a_joint_starts_from_rest,
          a_cycle_that_began_late_makes_no_joint_faster,
          a_dead_board_gets_no_references_and_goes_on_from_where_it_is_found)
