// The daemons' own arithmetic: replies to readings, goals to joint commands, images to maps.
#include "tests/unit/common/unit.h"

#include <linux/can/error.h>
#include <math.h>

#include "model/spatial.h"
#include "targets/hubo2/hardware/hardware_readings.h"
#include "targets/hubo2/manipulation/manipulation_arms.h"
#include "targets/hubo2/perception/perception_scene.h"

// ---- hardware: readings ------------------------------------------------------------------------

#define TICKS_PER_RAD 100000.0
#define CYCLE_NS 10000000

static struct description one_board;
static struct readings readings;

static void begin(void)
{
    const instant start = instant_add(readings.state.cycle_start, duration_ns(CYCLE_NS));
    readings_begin(&readings, start);
    senders_expect(&readings.senders, 0, one_board.board[0].encoder_can_id);
}

static void start_readings(void)
{
    one_board = (struct description){.joint_count = 2, .board_count = 1};
    one_board.board[0] = (struct board_description){.id = 4,
                                                    .channel_count = 2,
                                                    .joint = {0, 1, -1, -1, -1},
                                                    .reference_can_id = 0x14,
                                                    .encoder_can_id = 0x64,
                                                    .status_can_id = 0x154,
                                                    .current_can_id = 0x1C4};
    for (unsigned j = 0; j < 2; j++) {
        one_board.joint[j].ticks_per_rad = TICKS_PER_RAD;
        one_board.joint[j].position_min_rad = -3;
        one_board.joint[j].position_max_rad = 3;
    }
    ck_assert_int_eq(readings_start(&readings, &one_board), STATUS_OK);
    begin();
}

static struct can_stamped encoder_reply(double position_rad, int64_t after_start_ns)
{
    const int32_t ticks[2] = {hubo_ticks(position_rad, TICKS_PER_RAD), 0};
    struct can_stamped reply = {
        .time = instant_add(readings.state.cycle_start, duration_ns(after_start_ns))};
    hubo_encoder_reply(&reply.frame, one_board.board[0].encoder_can_id, 2, 0, ticks);
    return reply;
}

static enum reply_class take(double position_rad, int64_t after_start_ns)
{
    const struct can_stamped reply = encoder_reply(position_rad, after_start_ns);
    return readings_take(&readings, 0, &reply);
}

static void finish(void)
{
    readings_finish(&readings, instant_add(readings.state.cycle_start, duration_ms(6)));
}

START_TEST(velocity_comes_from_the_replies_own_time_stamps)
{
    start_readings();
    ck_assert_int_eq(take(0.1, 2000000), REPLY_TAKEN);
    finish();
    ck_assert_uint_eq(readings.state.joint[0].valid, 1);
    ck_assert_uint_eq(readings.state.joint[0].velocity_valid, 0);
    readings_begin(&readings, instant_add(readings.state.cycle_start, duration_ns(CYCLE_NS)));
    finish(); // a cycle without a reply
    ck_assert_uint_eq(readings.state.joint[0].missed, 1);
    ck_assert_uint_eq(readings.state.joint[0].velocity_valid, 0);
    begin();
    ck_assert_int_eq(take(0.121, 3000000), REPLY_TAKEN); // 21 ms later, not 10
    finish();
    ck_assert_double_eq_tol(readings.state.joint[0].velocity_rad_s, 1.0, 1e-3);
    ck_assert_uint_eq(readings.state.joint[0].missed, 0);
}
END_TEST

START_TEST(a_reply_of_an_earlier_cycle_is_late_and_changes_nothing)
{
    start_readings();
    ck_assert_int_eq(take(0.1, -1000), REPLY_LATE);
    ck_assert_uint_eq(readings.state.joint[0].valid, 0);
    ck_assert_uint_eq(readings.state.late_frames, 1);
    finish();
    ck_assert_uint_eq(readings.state.joint[0].missed, 1);
}
END_TEST

START_TEST(of_two_replies_to_one_request_the_second_counts)
{
    start_readings();
    ck_assert_int_eq(take(0.100, 2000000), REPLY_TAKEN);
    finish();
    begin();
    ck_assert_int_eq(take(0.105, 500000), REPLY_TAKEN); // asked for in the cycle before
    ck_assert_int_eq(take(0.110, 2000000), REPLY_TAKEN);
    finish();
    ck_assert_uint_eq(readings.state.late_frames, 1);
    ck_assert_double_eq_tol(readings.state.joint[0].position_rad, 0.110, 1e-5);
    ck_assert_double_eq_tol(readings.state.joint[0].velocity_rad_s, 1.0, 1e-3);
}
END_TEST

START_TEST(an_impossible_jump_is_rejected_once_and_believed_twice)
{
    start_readings();
    ck_assert_int_eq(take(0.1, 2000000), REPLY_TAKEN);
    finish();
    begin();
    ck_assert_int_eq(take(2.0, 2000000), REPLY_WRONG_VALUE);
    finish();
    ck_assert_uint_eq(readings.state.joint[0].valid, 0);
    ck_assert_double_eq_tol(readings.state.joint[0].position_rad, 0.1, 1e-5);
    begin();
    ck_assert_int_eq(take(2.0, 2000000), REPLY_TAKEN);
    finish();
    ck_assert_uint_eq(readings.state.joint[0].valid, 1);
    ck_assert_uint_eq(readings.state.joint[0].velocity_valid, 0);
    begin();
    ck_assert_int_eq(take(2.001, 2000000), REPLY_TAKEN);
    ck_assert_uint_eq(readings.state.joint[0].velocity_valid, 1);
}
END_TEST

START_TEST(what_is_rejected_is_counted_by_reason_and_bus)
{
    start_readings();
    struct can_stamped reply = encoder_reply(0.1, 2000000);
    reply.frame.can_dlc = 4;
    ck_assert_int_eq(readings_take(&readings, 0, &reply), REPLY_WRONG_LENGTH);
    begin();
    reply = encoder_reply(0.1, 2000000);
    reply.frame.can_id = 0x65;
    ck_assert_int_eq(readings_take(&readings, 0, &reply), REPLY_WRONG_ID);
    reply.frame.can_id = 0x64 | CAN_EFF_FLAG;
    ck_assert_int_eq(readings_take(&readings, 0, &reply), REPLY_WRONG_KIND);
    reply.frame.can_id = 0x64 | CAN_RTR_FLAG;
    ck_assert_int_eq(readings_take(&readings, 0, &reply), REPLY_WRONG_KIND);
    reply.frame.can_id = CAN_ERR_FLAG | CAN_ERR_ACK;
    ck_assert_int_eq(readings_take(&readings, 0, &reply), REPLY_ERROR_FRAME);
    reply = encoder_reply(0.1, 2000000);
    reply.fd.flags = CANFD_FDF;
    ck_assert_int_eq(readings_take(&readings, 0, &reply), REPLY_WRONG_KIND);
    reply = encoder_reply(0.1, 2000000);
    ck_assert_int_eq(readings_take(&readings, 1, &reply), REPLY_WRONG_ID); // the other bus
    ck_assert_int_eq(take(5.0, 2000000), REPLY_WRONG_VALUE);
    finish();
    const struct bus_health *bus = readings.state.bus;
    ck_assert_uint_eq(bus[0].wrong_length, 1);
    ck_assert_uint_eq(bus[0].wrong_id, 1);
    ck_assert_uint_eq(bus[0].wrong_kind, 3);
    ck_assert_uint_eq(bus[0].wrong_value, 1);
    ck_assert_uint_eq(bus[0].error_frames, 1);
    ck_assert_uint_eq(bus[1].wrong_id, 1);
    ck_assert_uint_eq(readings.state.rejected_frames, 7);
    ck_assert_uint_eq(readings.state.joint[0].valid, 0);
}
END_TEST

START_TEST(replies_that_contradict_each_other_are_not_believed)
{
    start_readings();
    ck_assert_int_eq(take(0.1, 2000000), REPLY_TAKEN);
    finish();
    begin();
    ck_assert_int_eq(take(0.11, 1000000), REPLY_TAKEN);
    ck_assert_int_eq(take(0.2, 2000000), REPLY_WRONG_VALUE); // possible, but not both
    ck_assert_int_eq(take(0.11, 3000000), REPLY_WRONG_VALUE);
    finish();
    ck_assert_uint_eq(readings.state.joint[0].valid, 0);
    ck_assert_uint_eq(readings.state.joint[0].velocity_valid, 0);
    ck_assert_double_eq_tol(readings.state.joint[0].position_rad, 0.1, 1e-5);
    begin();
    ck_assert_int_eq(take(0.12, 2000000), REPLY_TAKEN);
    ck_assert_double_eq_tol(readings.state.joint[0].velocity_rad_s, 1, 1e-3);
}
END_TEST

START_TEST(a_position_no_joint_can_have_is_never_believed)
{
    start_readings();
    for (unsigned i = 0; i < 3; i++) { // 15.6 rad: the temperature of a board, read as an encoder
        ck_assert_int_eq(take(15.6, 2000000), REPLY_WRONG_VALUE);
        finish();
        ck_assert_uint_eq(readings.state.joint[0].valid, 0);
        begin();
    }
}
END_TEST

START_TEST(a_board_that_is_silent_is_declared_dead_and_welcomed_back)
{
    start_readings();
    ck_assert_int_eq(take(0.1, 2000000), REPLY_TAKEN);
    finish();
    for (unsigned i = 0; i < BOARD_DEAD_CYCLES; i++) {
        ck_assert_uint_eq(readings.state.dead_boards, 0);
        begin();
        finish();
    }
    ck_assert_uint_eq(readings.state.dead_boards, 1);
    ck_assert_uint_eq(readings.state.board_deaths, 1);
    ck_assert_uint_eq(readings.state.board_returns, 0);
    begin();
    ck_assert_int_eq(take(0.1, 2000000), REPLY_LATE); // it may answer an earlier request
    finish();
    ck_assert_uint_eq(readings.state.dead_boards, 0);
    ck_assert_uint_eq(readings.state.board_deaths, 1);
    ck_assert_uint_eq(readings.state.board_returns, 1);
}
END_TEST

START_TEST(a_board_whose_replies_are_late_is_alive)
{
    start_readings();
    for (unsigned i = 0; i < 3 * BOARD_DEAD_CYCLES; i++) {
        finish();
        begin();
        ck_assert_int_eq(take(0.1, -1000000), REPLY_LATE); // of the cycle before
        ck_assert_uint_eq(readings.state.joint[0].valid, 0);
    }
    finish();
    ck_assert_uint_eq(readings.state.dead_boards, 0);
}
END_TEST

START_TEST(before_the_first_reference_the_position_is_reported_as_reference)
{
    start_readings();
    ck_assert_int_eq(take(0.1, 2000000), REPLY_TAKEN);
    finish();
    ck_assert_double_eq(readings.state.joint[0].reference_rad,
                        readings.state.joint[0].position_rad);
    begin();
    readings_referenced(&readings, 0, 0.7, true);
    ck_assert_int_eq(take(0.11, 2000000), REPLY_TAKEN);
    finish();
    ck_assert_double_eq(readings.state.joint[0].reference_rad, 0.7);
    ck_assert_uint_eq(readings.state.joint[0].reference_active, 1);
    ck_assert_uint_eq(readings.state.joint[1].reference_active, 0);
}
END_TEST

START_TEST(boards_that_share_an_identifier_are_refused)
{
    start_readings();
    one_board.board[1] = one_board.board[0];
    one_board.board_count = 2;
    ck_assert_int_eq(readings_start(&readings, &one_board), STATUS_INVALID);
}
END_TEST

// ---- manipulation: arms ------------------------------------------------------------------------

static struct arms arms;
static struct manipulation_command_message goals;
static struct command_message command;

static void start_arms(void)
{
    struct description *description;
    struct robot_model *model;
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(arms_start(&arms, description, model), STATUS_OK);
    robot_model_free(model);
    goals = (struct manipulation_command_message){.id = 1};
}

static void right_pose(double x_m, double y_m, double z_m)
{
    goals.arm[SIDE_RIGHT] =
        (struct arm_goal){.kind = ARM_GOAL_POSE,
                          .position_m = {x_m, y_m, z_m},
                          .quaternion = {0.710852, -0.090952, -0.696220, 0.041163}};
}

START_TEST(without_a_goal_nothing_is_commanded)
{
    start_arms();
    ck_assert(!arms_command(&arms, NULL, instant_ns(0), &command));
}
END_TEST

START_TEST(a_hand_pose_becomes_joint_positions_that_put_the_hand_there)
{
    start_arms();
    right_pose(0.3118, -0.2683, 0.0215);
    arms_accept(&arms, &goals, NULL);
    ck_assert_uint_eq(arms.status.accepted_id, 1);
    ck_assert(arms_command(&arms, NULL, instant_ns(5), &command));
    double angle_rad[ARM_JOINTS], hand_m[3], rotation[9];
    for (unsigned i = 0; i < ARM_JOINTS; i++) {
        const struct joint_command *joint = &command.joint[arms.arm[SIDE_RIGHT].joint[i]];
        ck_assert_uint_eq(joint->mode, JOINT_MODE_POSITION);
        angle_rad[i] = joint->value;
        ck_assert_uint_eq(command.joint[arms.arm[SIDE_LEFT].joint[i]].mode, JOINT_MODE_NONE);
    }
    arm_forward(&arms.arm[SIDE_RIGHT], angle_rad, hand_m, rotation);
    ck_assert_double_eq_tol(hand_m[0], 0.3118, 1e-9);
    ck_assert_double_eq_tol(hand_m[1], -0.2683, 1e-9);
    ck_assert_double_eq_tol(hand_m[2], 0.0215, 1e-9);
}
END_TEST

START_TEST(a_goal_out_of_reach_is_refused_and_the_last_one_kept)
{
    start_arms();
    right_pose(0.3118, -0.2683, 0.0215);
    arms_accept(&arms, &goals, NULL);
    const double kept = arms.target[SIDE_RIGHT].angle_rad[ARM_EB];
    goals.id = 2;
    right_pose(3, 0, 0);
    arms_accept(&arms, &goals, NULL);
    right_pose(NAN, 0, 0);
    arms_accept(&arms, &goals, NULL);
    ck_assert_uint_eq(arms.status.accepted_id, 1);
    ck_assert_uint_eq(arms.status.refused_id, 2);
    ck_assert_double_eq(arms.target[SIDE_RIGHT].angle_rad[ARM_EB], kept);
}
END_TEST

START_TEST(angles_beyond_a_joint_limit_are_refused)
{
    start_arms();
    goals.arm[SIDE_LEFT] = (struct arm_goal){.kind = ARM_GOAL_ANGLES, .angle_rad = {[ARM_EB] = 1}};
    arms_accept(&arms, &goals, NULL);
    ck_assert_uint_eq(arms.status.refused_id, 1);
    ck_assert(!arms.target[SIDE_LEFT].set);
}
END_TEST

START_TEST(a_goal_is_reached_when_the_encoders_say_so)
{
    start_arms();
    goals.arm[SIDE_LEFT] = (struct arm_goal){.kind = ARM_GOAL_ANGLES, .angle_rad = {[ARM_EB] = -1}};
    arms_accept(&arms, &goals, NULL);
    static struct state_message state;
    arms_report(&arms, &state, instant_ns(0));
    ck_assert_uint_eq(arms.status.reached_id, 0);
    ck_assert_double_eq_tol(arms.status.error_rad[SIDE_LEFT], 1, 1e-12);
    state.joint[arms.arm[SIDE_LEFT].joint[ARM_EB]].position_rad = -0.995;
    arms_report(&arms, &state, instant_ns(0));
    ck_assert_uint_eq(arms.status.reached_id, 1);
}
END_TEST

// ---- perception --------------------------------------------------------------------------------

static struct camera_message image_of(double yaw_rad)
{
    return (struct camera_message){
        .time = instant_ns(7),
        .position_m = {1, 2, 1},
        .quaternion = {cos(yaw_rad / 2), 0, 0, sin(yaw_rad / 2)},
        .pelvis_in_camera_m = {-0.1, 0, -0.4},
        .goal_in_camera_m = {2, 0, -1},
        .goal_visible = 1,
    };
}

START_TEST(what_the_camera_sees_is_placed_in_the_world)
{
    struct camera_message image = image_of(M_PI / 2); // looks along y
    image.obstacle_count = 1;
    image.obstacle_in_camera_m[0][0] = 1;
    image.obstacle_radius_m[0] = 0.2;
    struct perception_message scene;
    ck_assert(perception_scene(&image, instant_ns(9), &scene));
    ck_assert_double_eq_tol(scene.robot.x_m, 1, 1e-12);
    ck_assert_double_eq_tol(scene.robot.y_m, 1.9, 1e-12);
    ck_assert_double_eq_tol(scene.robot.yaw_rad, M_PI / 2, 1e-12);
    ck_assert_uint_eq(scene.goal_valid, 1);
    ck_assert_double_eq_tol(scene.goal.x_m, 1, 1e-12);
    ck_assert_double_eq_tol(scene.goal.y_m, 4, 1e-12);
    ck_assert_uint_eq(scene.obstacle_count, 1);
    ck_assert_double_eq_tol(scene.obstacle[0].y_m, 3, 1e-12);
    ck_assert_int_eq(scene.image_time.ns, 7);
}
END_TEST

START_TEST(a_goal_that_is_hidden_or_nonsense_is_not_valid)
{
    struct camera_message image = image_of(0);
    struct perception_message scene;
    image.goal_visible = 0;
    ck_assert(perception_scene(&image, instant_ns(9), &scene));
    ck_assert_uint_eq(scene.goal_valid, 0);
    image.goal_visible = 1;
    image.goal_in_camera_m[0] = NAN;
    ck_assert(perception_scene(&image, instant_ns(9), &scene));
    ck_assert_uint_eq(scene.goal_valid, 0);
    image.quaternion[0] = 0;
    ck_assert(!perception_scene(&image, instant_ns(9), &scene));
}
END_TEST

UNIT_MAIN("daemons", velocity_comes_from_the_replies_own_time_stamps,
          a_reply_of_an_earlier_cycle_is_late_and_changes_nothing,
          of_two_replies_to_one_request_the_second_counts,
          an_impossible_jump_is_rejected_once_and_believed_twice,
          what_is_rejected_is_counted_by_reason_and_bus,
          replies_that_contradict_each_other_are_not_believed,
          a_position_no_joint_can_have_is_never_believed,
          a_board_that_is_silent_is_declared_dead_and_welcomed_back,
          a_board_whose_replies_are_late_is_alive,
          before_the_first_reference_the_position_is_reported_as_reference,
          boards_that_share_an_identifier_are_refused, without_a_goal_nothing_is_commanded,
          a_hand_pose_becomes_joint_positions_that_put_the_hand_there,
          a_goal_out_of_reach_is_refused_and_the_last_one_kept,
          angles_beyond_a_joint_limit_are_refused, a_goal_is_reached_when_the_encoders_say_so,
          what_the_camera_sees_is_placed_in_the_world,
          a_goal_that_is_hidden_or_nonsense_is_not_valid)
