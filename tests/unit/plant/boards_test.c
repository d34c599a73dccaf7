// boards: what the motor boards of the simulated HUBO2 do with references and commands.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "protocol/hubo_frames.h"
#include "plant/motors/boards.h"
#include "plant/motors/drive.h"

struct bench {
    struct description *description;
    struct motor motor[ROBOT_JOINTS_MAX];
    struct boards *boards;
};

static struct bench *new_bench(void)
{
    static struct bench bench;
    memset(&bench, 0, sizeof bench);
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &bench.description), STATUS_OK);
    for (unsigned j = 0; j < bench.description->joint_count; j++) {
        bench.motor[j].enabled = true;
        bench.motor[j].gain = 1;
        bench.motor[j].torque_max_Nm = 200;
        bench.motor[j].kinematic =
            bench.description->board[bench.description->joint[j].board].finger;
    }
    ck_assert_int_eq(boards_create(bench.description, bench.motor, &bench.boards), STATUS_OK);
    return &bench;
}

static void end_bench(struct bench *bench)
{
    boards_free(bench->boards);
    description_free(bench->description);
}

static void send_reference(struct bench *bench, const char *name, double angle_rad, instant t)
{
    const struct joint_description *joint =
        &bench->description->joint[description_joint(bench->description, name)];
    const struct board_description *board = &bench->description->board[joint->board];
    int32_t ticks[3] = {0};
    ticks[joint->channel] = hubo_ticks(angle_rad, joint->ticks_per_rad);
    struct can_stamped frame = {.time = t};
    struct can_frame reply;
    hubo_reference(&frame.frame, board->reference_can_id, board->channel_count, ticks);
    const int addressee = boards_addressee(bench->boards, board->bus, &frame.frame);
    ck_assert_int_eq(addressee, joint->board);
    ck_assert(!boards_receive(bench->boards, (unsigned)addressee, &frame, &reply));
}

START_TEST(a_reference_is_approached_in_a_line_and_held_for_ever)
{
    struct bench *bench = new_bench();
    const double *knee = &bench->motor[description_joint(bench->description, "LKN")].setpoint_rad;
    send_reference(bench, "LKN", 0.1, instant_ns(1000000));
    boards_update(bench->boards, instant_ns(6000000));
    ck_assert_double_eq_tol(*knee, 0.05, 1e-5);
    send_reference(bench, "LKN", 0.0, instant_ns(6000000)); // from where it is, in another 10 ms
    boards_update(bench->boards, instant_ns(11000000));
    ck_assert_double_eq_tol(*knee, 0.025, 1e-5);
    send_reference(bench, "LKN", 0.3, instant_ns(16000000));
    boards_update(bench->boards, instant_s(1000));
    ck_assert_double_eq_tol(*knee, 0.3, 1e-5);
    end_bench(bench);
}
END_TEST

START_TEST(a_board_of_a_faster_stack_is_at_rest_after_its_period)
{
    struct bench *bench = new_bench();
    const double *knee = &bench->motor[description_joint(bench->description, "LKN")].setpoint_rad;
    boards_interpolate(bench->boards, duration_ns(1000000));
    send_reference(bench, "LKN", 0.1, instant_ns(1000000));
    boards_update(bench->boards, instant_ns(1500000));
    ck_assert_double_eq_tol(*knee, 0.05, 1e-5);
    boards_update(bench->boards, instant_ns(2000000));
    ck_assert_double_eq_tol(*knee, 0.1, 1e-5);
    end_bench(bench);
}
END_TEST

START_TEST(a_reference_on_the_wrong_bus_or_of_the_wrong_length_moves_nothing)
{
    struct bench *bench = new_bench();
    const double *knee = &bench->motor[description_joint(bench->description, "LKN")].setpoint_rad;
    const int32_t ticks[2] = {50000, 50000};
    struct can_stamped frame = {0};
    struct can_frame reply;
    hubo_reference(&frame.frame, 0x16, 1, ticks);
    ck_assert_int_eq(boards_addressee(bench->boards, 1, &frame.frame), -1);
    const int addressee = boards_addressee(bench->boards, 0, &frame.frame);
    ck_assert_int_ge(addressee, 0);
    frame.frame.can_dlc = 5;
    ck_assert(!boards_receive(bench->boards, (unsigned)addressee, &frame, &reply));
    frame.frame.can_dlc = 6;
    frame.frame.can_id |= CAN_EFF_FLAG;
    ck_assert_int_eq(boards_addressee(bench->boards, 0, &frame.frame), -1);
    boards_update(bench->boards, instant_s(1));
    ck_assert_double_eq(*knee, 0);
    end_bench(bench);
}
END_TEST

// Sends a command to a board and returns the length of its reply, or -1.
static int command(struct bench *bench, const char *board_name, unsigned code, unsigned argument,
                   struct can_frame *reply)
{
    for (unsigned b = 0; b < bench->description->board_count; b++) {
        const struct board_description *board = &bench->description->board[b];
        if (strcmp(board->name, board_name) != 0)
            continue;
        struct can_stamped frame = {0};
        hubo_board_command(&frame.frame, board->id, (enum hubo_command)code, argument);
        ck_assert_int_eq(boards_addressee(bench->boards, board->bus, &frame.frame), (int)b);
        return boards_receive(bench->boards, b, &frame, reply) ? reply->can_dlc : -1;
    }
    ck_abort_msg("no board %s", board_name);
}

START_TEST(boards_answer_with_their_identifiers_and_lengths)
{
    struct bench *bench = new_bench();
    struct can_frame reply;
    ck_assert_int_eq(command(bench, "JMC0", HUBO_GET_ENCODER, 0, &reply), 8);
    ck_assert_uint_eq(reply.can_id, 0x60);
    ck_assert_int_eq(command(bench, "JMC1", HUBO_GET_ENCODER, 0, &reply), 8);
    ck_assert_int_eq(command(bench, "EJMC2", HUBO_GET_ENCODER, 0, &reply), 6);
    ck_assert_uint_eq(reply.can_id, 0x82);
    ck_assert_int_eq(command(bench, "EJMC4", HUBO_GET_ENCODER, 0, &reply), 6);
    ck_assert_int_eq(command(bench, "EJMC4", HUBO_GET_ENCODER, 1, &reply), 4);
    ck_assert_int_eq(command(bench, "JMC0", HUBO_GET_STATUS, 0, &reply), 8);
    ck_assert_uint_eq(reply.can_id, 0x150);
    ck_assert_int_eq(command(bench, "JMC0", HUBO_GET_CURRENT, 0, &reply), 4);
    ck_assert_uint_eq(reply.can_id, 0x1C0);
    ck_assert_int_eq(command(bench, "EJMC2", HUBO_GET_STATUS, 0, &reply), 3);
    ck_assert_uint_eq(reply.data[0], 0x03);
    ck_assert_int_eq(command(bench, "EJMC4", HUBO_GET_STATUS, 0, &reply), 5);
    ck_assert_uint_eq(reply.data[4], 0x03);
    ck_assert_int_eq(command(bench, "EJMC2", HUBO_GET_BOARD_INFO, 0, &reply), 3);
    ck_assert_uint_eq(reply.can_id, 0x190 + 0x22);
    ck_assert_int_eq(command(bench, "JMC0", HUBO_HOME, 0, &reply), -1);
    ck_assert_int_eq(command(bench, "JMC0", HUBO_INITIALISE, 0, &reply), -1);
    end_bench(bench);
}
END_TEST

START_TEST(a_board_switched_on_again_holds_where_the_joint_is)
{
    struct bench *bench = new_bench();
    struct can_frame reply;
    struct hubo_status status[2];
    struct motor *pitch = &bench->motor[description_joint(bench->description, "LHP")];
    send_reference(bench, "LHP", 0.2, instant_ns(0));
    command(bench, "JMC5", HUBO_CONTROL_OFF, 0, &reply);
    ck_assert(!pitch->enabled);
    ck_assert_int_eq(command(bench, "JMC5", HUBO_GET_STATUS, 0, &reply), 4);
    ck_assert(hubo_decode_status(&reply, 1, status) && !status[0].control_on &&
              status[0].home == HUBO_HOMED);
    pitch->position_rad = -0.4;
    command(bench, "JMC5", HUBO_CONTROL_ON, 0, &reply);
    boards_update(bench->boards, instant_s(1));
    ck_assert(pitch->enabled);
    ck_assert_double_eq(pitch->setpoint_rad, -0.4);
    end_bench(bench);
}
END_TEST

START_TEST(fingers_lag_towards_their_pwm)
{
    struct bench *bench = new_bench();
    const struct motor *finger = &bench->motor[description_joint(bench->description, "RF2")];
    const int percent[5] = {0, 50, 0, 0, 0};
    struct can_stamped frame = {0};
    struct can_frame reply;
    hubo_finger_reference(&frame.frame, 0x24, percent);
    const int addressee = boards_addressee(bench->boards, 1, &frame.frame);
    ck_assert(!boards_receive(bench->boards, (unsigned)addressee, &frame, &reply));
    boards_update(bench->boards, instant_s(FINGER_TIME_CONSTANT_S));
    ck_assert_double_eq_tol(finger->position_rad, 0.5 * (1 - exp(-1)), 1e-9);
    boards_update(bench->boards, instant_s(5));
    ck_assert_double_eq_tol(finger->position_rad, 0.5, 1e-6);
    ck_assert_double_eq(bench->motor[description_joint(bench->description, "LF2")].position_rad, 0);
    end_bench(bench);
}
END_TEST

// A command with these bytes behind its number.
static void tell(struct bench *bench, unsigned board_id, unsigned code, instant t, unsigned length,
                 const uint8_t *bytes)
{
    struct can_stamped frame = {.frame = {.can_id = HUBO_ID_COMMAND,
                                          .can_dlc = (uint8_t)(2 + length),
                                          .data = {(uint8_t)board_id, (uint8_t)code}},
                                .time = t};
    struct can_frame reply;
    memcpy(frame.frame.data + 2, bytes, length);
    const int addressee = boards_addressee(bench->boards, 0, &frame.frame);
    ck_assert_int_ge(addressee, 0);
    ck_assert(!boards_receive(bench->boards, (unsigned)addressee, &frame, &reply));
}
#define TELL(bench, board_id, code, t, ...)                                                        \
    tell(bench, board_id, code, t, sizeof((const uint8_t[]){__VA_ARGS__}),                         \
         (const uint8_t[]){__VA_ARGS__})

static struct motor *knee_of(struct bench *bench)
{
    return &bench->motor[description_joint(bench->description, "LKN")];
}

static struct hubo_status knee_status(struct bench *bench)
{
    struct can_frame reply;
    struct hubo_status status;
    ck_assert_int_eq(command(bench, "JMC6", HUBO_GET_STATUS, 0, &reply), 4);
    ck_assert(hubo_decode_status(&reply, 1, &status));
    return status;
}

static int32_t knee_ticks(struct bench *bench)
{
    struct can_frame reply;
    int32_t ticks[2];
    unsigned first, count;
    ck_assert_int_gt(command(bench, "JMC6", HUBO_GET_ENCODER, 0, &reply), 0);
    ck_assert(hubo_decode_encoder(&reply, 1, ticks, &first, &count));
    return ticks[0];
}

START_TEST(a_driver_that_is_off_frees_the_joint)
{
    struct bench *bench = new_bench();
    TELL(bench, 0x06, HUBO_DRIVER, instant_ns(0), 0);
    ck_assert(!knee_of(bench)->enabled);
    boards_update(bench->boards, instant_s(1));
    ck_assert_double_eq(knee_of(bench)->open_loop_Nm, 0);
    ck_assert(!knee_status(bench).driver_on && knee_status(bench).control_on);
    TELL(bench, 0x06, HUBO_DRIVER, instant_s(1), 1);
    ck_assert(knee_of(bench)->enabled && knee_status(bench).driver_on);
    end_bench(bench);
}
END_TEST

START_TEST(an_unhomed_joint_counts_from_power_on_until_it_has_been_at_its_index)
{
    struct bench *bench = new_bench();
    struct motor *knee = knee_of(bench);
    struct can_frame reply;
    knee->position_rad = 0.4;
    send_reference(bench, "LKN", 0.4, instant_ns(0));
    boards_unhome(bench->boards);
    ck_assert_uint_eq(knee_status(bench).home, 0);
    ck_assert_int_eq(knee_ticks(bench), 0);
    boards_update(bench->boards, instant_s(1));
    TELL(bench, 0x06, HUBO_HOME, instant_s(1), 2 << 4 | 2); // of a channel that it does not have
    ck_assert_uint_eq(knee_status(bench).home, 0);
    TELL(bench, 0x06, HUBO_HOME, instant_s(1), 1 << 4 | 2, 0, 0, 0, 0, 0);
    ck_assert_uint_eq(knee_status(bench).home, HUBO_HOMING);
    send_reference(bench, "LKN", 1, instant_s(1.1)); // does not disturb the search
    boards_update(bench->boards, instant_s(1.4));
    ck_assert_double_eq_tol(knee->setpoint_rad, 0.4 - 0.4 * HOMING_VELOCITY_RAD_S, 1e-5);
    boards_update(bench->boards, instant_s(1.9));
    ck_assert_double_eq(knee->setpoint_rad, 0);
    ck_assert_uint_eq(knee_status(bench).home, HUBO_HOMED);
    knee->position_rad = 0.25;
    ck_assert_int_eq(command(bench, "JMC6", HUBO_GET_ENCODER, 0, &reply), 8);
    ck_assert_int_eq(knee_ticks(bench), hubo_ticks(0.25, 101859.1636));
    end_bench(bench);
}
END_TEST

START_TEST(pulses_move_a_joint_whose_loop_is_off)
{
    struct bench *bench = new_bench();
    struct motor *knee = knee_of(bench);
    TELL(bench, 0x06, HUBO_CONTROL_MODE, instant_ns(0), HUBO_MODE_PWM);
    TELL(bench, 0x06, HUBO_PWM, instant_ns(0), 1, 1, 50, 0, 0, 0); // clockwise, 50 %
    boards_update(bench->boards, instant_s(1));
    ck_assert(!knee->enabled && knee_status(bench).mode == HUBO_MODE_PWM);
    ck_assert_double_eq_tol(knee->open_loop_Nm, -100, 1e-9);
    knee->velocity_rad_s = 7; // the fastest that it turns
    TELL(bench, 0x06, HUBO_PWM, instant_s(1), 1, 0, 100, 0, 0, 0);
    boards_update(bench->boards, instant_s(2));
    ck_assert_double_eq_tol(knee->open_loop_Nm, 0, 1e-9);
    TELL(bench, 0x06, HUBO_PWM, instant_s(2), 0, 0, 0, 0, 0, 0);
    boards_update(bench->boards, instant_s(3));
    ck_assert_double_eq(knee->open_loop_Nm, 0); // coasts
    TELL(bench, 0x06, HUBO_COMPLEMENTARY, instant_s(3), 1);
    boards_update(bench->boards, instant_s(4));
    ck_assert_double_eq_tol(knee->open_loop_Nm, -200, 1e-9); // brakes
    end_bench(bench);
}
END_TEST

START_TEST(limits_and_gains_that_the_host_sets_hold)
{
    struct bench *bench = new_bench();
    struct motor *knee = knee_of(bench);
    TELL(bench, 0x06, HUBO_UPPER_LIMIT, instant_ns(0), 3, 0xE8, 3, 0, 0); // 1000 counts, enabled
    send_reference(bench, "LKN", 1, instant_ns(0));
    boards_update(bench->boards, instant_s(1));
    ck_assert_double_eq_tol(knee->setpoint_rad, 1000 / 101859.1636, 1e-9);
    TELL(bench, 0x06, HUBO_UPPER_LIMIT, instant_s(1), 0, 0xE8, 3, 0, 0);
    TELL(bench, 0x06, HUBO_VELOCITY_LIMITS, instant_s(1), 0, 0, 102, 0); // 1.0014 rad/s
    send_reference(bench, "LKN", 1, instant_s(1));
    boards_update(bench->boards, instant_s(1.5));
    ck_assert_double_eq_tol(knee->setpoint_rad, 0.51, 0.01);
    TELL(bench, 0x06, HUBO_POSITION_GAINS, instant_s(2), 50, 0, 0, 0, 0, 0);
    TELL(bench, 0x06, HUBO_GAIN_OVERRIDE, instant_s(2), 20, 0, 0xE8, 3); // 20 % for 1 s
    boards_update(bench->boards, instant_s(2.5));
    ck_assert_double_eq_tol(knee->gain, 0.1, 1e-12);
    boards_update(bench->boards, instant_s(3));
    ck_assert_double_eq_tol(knee->gain, 0.5, 1e-12);
    end_bench(bench);
}
END_TEST

START_TEST(boards_tell_the_parameters_that_were_set)
{
    struct bench *bench = new_bench();
    struct can_frame reply;
    static const uint8_t low[] = {0, 0, 0x18, 0xFC, 0xFF, 0xFF, 0, 0}; // -1000 counts
    TELL(bench, 0x06, HUBO_LOWER_LIMIT, instant_ns(0), 3, 0x18, 0xFC, 0xFF, 0xFF);
    TELL(bench, 0x06, HUBO_POSITION_GAINS, instant_ns(0), 0x34, 0x12, 0, 0, 0, 0);
    ck_assert_int_eq(command(bench, "JMC6", HUBO_GET_PARAMETERS, HUBO_PARAMETERS_A, &reply), 8);
    ck_assert_uint_eq(reply.can_id, 0x1C6);
    ck_assert_uint_eq(reply.data[0] | reply.data[1] << 8, 0x1234);
    ck_assert_int_eq(command(bench, "JMC6", HUBO_GET_PARAMETERS, HUBO_PARAMETERS_C, &reply), 8);
    ck_assert_mem_eq(reply.data, low, sizeof low);
    ck_assert_int_eq(command(bench, "JMC6", HUBO_GET_PARAMETERS, HUBO_PARAMETERS_A + 6, &reply),
                     -1);
    ck_assert_int_eq(command(bench, "JMC4", HUBO_GET_PARAMETERS, HUBO_PARAMETERS_A + 6, &reply), 8);
    ck_assert_int_eq(command(bench, "EJMC4", HUBO_GET_PARAMETERS, 4 * 6 + 5 + 1, &reply), 8);
    ck_assert_int_eq(command(bench, "EJMC4", HUBO_GET_PARAMETERS, 19, &reply), -1);
    ck_assert_int_eq(command(bench, "EJMC2", HUBO_GET_PARAMETERS, HUBO_PARAMETERS_G, &reply), 8);
    ck_assert_uint_eq(reply.data[4], 3); // kind of board
    end_bench(bench);
}
END_TEST

// Counts of the two joints of board JMC5: hip roll and hip pitch.
static void hip_ticks(struct bench *bench, int32_t ticks[2])
{
    struct can_frame reply;
    unsigned first, count;
    ck_assert_int_eq(command(bench, "JMC5", HUBO_GET_ENCODER, 0, &reply), 8);
    ck_assert(hubo_decode_encoder(&reply, 2, ticks, &first, &count));
}

START_TEST(a_count_is_zero_where_the_host_says)
{
    struct bench *bench = new_bench();
    int32_t ticks[2];
    struct motor *pitch = &bench->motor[description_joint(bench->description, "LHP")];
    pitch->position_rad = -0.4;
    knee_of(bench)->position_rad = 0.4;
    TELL(bench, 0x06, HUBO_ZERO_ENCODER, instant_ns(0), 1); // a channel that it does not have
    ck_assert_int_ne(knee_ticks(bench), 0);
    TELL(bench, 0x06, HUBO_ZERO_ENCODER, instant_ns(0), 0);
    ck_assert_int_eq(knee_ticks(bench), 0);
    knee_of(bench)->position_rad = 0.5;
    ck_assert_int_eq(knee_ticks(bench),
                     hubo_ticks(0.5, 101859.1636) - hubo_ticks(0.4, 101859.1636));
    TELL(bench, 0x05, HUBO_ZERO_ENCODER, instant_ns(0), 0xF); // all of its channels
    hip_ticks(bench, ticks);
    ck_assert(ticks[0] == 0 && ticks[1] == 0);
    end_bench(bench);
}
END_TEST

START_TEST(boards_of_one_channel_can_reply_with_four_bytes)
{
    struct bench *bench = new_bench();
    struct can_frame reply;
    boards_brief_encoders(bench->boards);
    ck_assert_int_eq(command(bench, "JMC1", HUBO_GET_ENCODER, 0, &reply), 4);
    ck_assert_int_eq(command(bench, "JMC0", HUBO_GET_ENCODER, 0, &reply), 8);
    end_bench(bench);
}
END_TEST

UNIT_MAIN("boards", a_reference_is_approached_in_a_line_and_held_for_ever,
          a_board_of_a_faster_stack_is_at_rest_after_its_period,
          a_reference_on_the_wrong_bus_or_of_the_wrong_length_moves_nothing,
          boards_answer_with_their_identifiers_and_lengths,
          a_board_switched_on_again_holds_where_the_joint_is, fingers_lag_towards_their_pwm,
          a_driver_that_is_off_frees_the_joint,
          an_unhomed_joint_counts_from_power_on_until_it_has_been_at_its_index,
          pulses_move_a_joint_whose_loop_is_off, limits_and_gains_that_the_host_sets_hold,
          boards_tell_the_parameters_that_were_set, a_count_is_zero_where_the_host_says,
          boards_of_one_channel_can_reply_with_four_bytes)
