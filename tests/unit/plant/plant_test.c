// plant: HUBO2 frames, sensors, and a robot that stands on its held references.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "can/bus.h"
#include "protocol/hubo_frames.h"
#include "plant/motors/boards.h"
#include "plant/bus_log.h"
#include "plant/camera.h"
#include "plant/plant.h"
#include "plant/sensors.h"

#define DEGREE (M_PI / 180)

// ---- frames -------------------------------------------------------------------------------------

START_TEST(references_are_24_bit_sign_magnitude)
{
    struct can_frame frame;
    const int32_t ticks[2] = {0x012345, -0x012345};
    static const uint8_t expected[6] = {0x45, 0x23, 0x01, 0x45, 0x23, 0x81};
    hubo_reference(&frame, 0x10, 2, ticks);
    ck_assert_uint_eq(frame.can_id, 0x10);
    ck_assert_uint_eq(frame.can_dlc, 6);
    ck_assert_mem_eq(frame.data, expected, 6);
    hubo_reference(&frame, 0x11, 1, ticks + 1); // a 1-channel board gets its value twice
    ck_assert_mem_eq(frame.data, expected + 3, 3);
    ck_assert_mem_eq(frame.data + 3, expected + 3, 3);
}
END_TEST

START_TEST(references_come_back_as_they_were)
{
    static const int32_t values[] = {0,        1,         -1,       499000,   -499000,
                                     0x7FFFFF, -0x7FFFFF, 0x900000, -0x900000};
    for (size_t i = 0; i < sizeof values / sizeof values[0]; i++) {
        struct can_frame frame;
        int32_t back[3], clipped = values[i] > 0x7FFFFF    ? 0x7FFFFF
                                   : values[i] < -0x7FFFFF ? -0x7FFFFF
                                                           : values[i];
        const int32_t two[2] = {values[i], -values[i]}, three[3] = {6400, -6400, 1};
        hubo_reference(&frame, 0x10, 2, two);
        ck_assert(hubo_decode_reference(&frame, 2, back));
        ck_assert_int_eq(back[0], clipped);
        ck_assert_int_eq(back[1], -clipped);
        hubo_reference(&frame, 0x32, 3, three);
        ck_assert(hubo_decode_reference(&frame, 3, back));
        ck_assert(memcmp(back, three, sizeof three) == 0);
        frame.can_dlc = 5;
        ck_assert(!hubo_decode_reference(&frame, 2, back));
    }
}
END_TEST

START_TEST(ticks_are_the_nearest_to_the_angle)
{
    ck_assert_int_eq(hubo_ticks(1.0, 101859.1636), 101859);
    ck_assert_int_eq(hubo_ticks(-1.0, 101859.1636), -101859);
    ck_assert_int_eq(hubo_ticks(NAN, 100), -0x7FFFFF);
    for (double angle = -3; angle < 3; angle += 0.0137)
        ck_assert_double_eq_tol(hubo_angle_rad(hubo_ticks(angle, 63661.9772), 63661.9772), angle,
                                0.5 / 63661.9);
}
END_TEST

START_TEST(encoder_replies_have_the_boards_formats)
{
    const int32_t ticks[5] = {-2, 70000, 3, -4, 5};
    int32_t back[5];
    struct can_frame frame;
    unsigned first, count;
    static const uint8_t expected[8] = {0xFE, 0xFF, 0xFF, 0xFF, 0x70, 0x11, 0x01, 0x00};
    hubo_encoder_reply(&frame, 0x60, 2, 0, ticks);
    ck_assert_uint_eq(frame.can_dlc, 8);
    ck_assert_mem_eq(frame.data, expected, 8);
    ck_assert(hubo_decode_encoder(&frame, 2, back, &first, &count));
    ck_assert_uint_eq(count, 2);
    ck_assert_int_eq(back[1], 70000);
    ck_assert(!hubo_decode_encoder(&frame, 3, back, &first, &count)); // wrong board's length

    hubo_encoder_reply(&frame, 0x61, 1, 0, ticks + 1); // the second value is 0
    ck_assert_uint_eq(frame.can_dlc, 8);
    ck_assert_mem_eq(frame.data, expected + 4, 4);
    for (frame.can_dlc = 8; frame.can_dlc > 0; frame.can_dlc -= 4) {
        ck_assert(hubo_decode_encoder(&frame, 1, back, &first, &count));
        ck_assert_uint_eq(count, 1);
        ck_assert_int_eq(back[0], 70000);
    }

    const int32_t finger[5] = {-5215, 5215, 3, -4, 5};
    ck_assert_uint_eq(hubo_encoder_requests(5), 2);
    hubo_encoder_reply(&frame, 0x84, 5, 0, finger);
    ck_assert_uint_eq(frame.can_dlc, 6);
    ck_assert(hubo_decode_encoder(&frame, 5, back, &first, &count));
    hubo_encoder_reply(&frame, 0x84, 5, 1, finger);
    ck_assert_uint_eq(frame.can_dlc, 4);
    ck_assert(hubo_decode_encoder(&frame, 5, back, &first, &count));
    ck_assert_uint_eq(first, 3);
    ck_assert_mem_eq(back, finger, sizeof finger);
}
END_TEST

START_TEST(sensor_values_are_clipped_to_16_bit)
{
    struct can_frame frame;
    double mx, my, fz;
    hubo_force_torque_reply(&frame, 1, 1000, -1000, 5000);
    ck_assert_uint_eq(frame.can_id, 0x41);
    ck_assert_uint_eq(frame.can_dlc, 6);
    ck_assert(hubo_decode_force_torque(&frame, &mx, &my, &fz));
    ck_assert_double_eq_tol(mx, 327.67, 1e-9);
    ck_assert_double_eq_tol(my, -327.67, 1e-9);
    ck_assert_double_eq_tol(fz, 3276.7, 1e-9);
    double roll, pitch, rate_x, rate_y;
    hubo_imu_reply(&frame, 10 * DEGREE, -90 * DEGREE, 1000 * DEGREE, -0.01 * DEGREE);
    ck_assert(hubo_decode_imu(&frame, &roll, &pitch, &rate_x, &rate_y));
    ck_assert_double_eq_tol(roll, 10 * DEGREE, 1e-9);
    ck_assert_double_eq_tol(pitch, -90 * DEGREE, 1e-9);
    ck_assert_double_eq_tol(rate_x, 327.67 * DEGREE, 1e-9);
    ck_assert_double_eq_tol(rate_y, -0.01 * DEGREE, 1e-9);
}
END_TEST

START_TEST(status_current_and_fingers_survive_the_wire)
{
    struct can_frame frame;
    const struct hubo_status sent[2] = {
        {.driver_on = true, .control_on = true, .home = 6, .errors1 = 4},
        {.limit_switch = true, .home = 2, .errors2 = 17}};
    struct hubo_status got[2];
    hubo_status_reply(&frame, 0x150, 2, sent);
    ck_assert_uint_eq(frame.data[0], 0x63);
    ck_assert(hubo_decode_status(&frame, 2, got));
    ck_assert_uint_eq(got[0].home, HUBO_HOMED);
    ck_assert_uint_eq(got[0].errors1, 4);
    ck_assert(got[1].limit_switch && !got[1].driver_on);
    ck_assert_uint_eq(got[1].errors2, 17);

    // As public programs read it: a healthy motor of a board with three is 0x03, errors are above.
    const struct hubo_status neck[3] = {{.driver_on = true, .control_on = true, .home = 6},
                                        {.driver_on = true, .control_on = true, .errors1 = 5},
                                        {.errors1 = 0x10}};
    static const uint8_t neck_bytes[] = {0x03, 0x53, 0x00};
    struct hubo_status of_neck[3];
    hubo_status_reply(&frame, 0x172, 3, neck);
    ck_assert_uint_eq(frame.can_dlc, 3);
    ck_assert_mem_eq(frame.data, neck_bytes, 3);
    ck_assert(hubo_decode_status(&frame, 3, of_neck));
    ck_assert_uint_eq(of_neck[1].errors1, 5);

    const double current_A[2] = {1.23, 10.22};
    double back_A[2], temperature_C;
    hubo_current_reply(&frame, 0x1C0, 2, current_A, 41);
    ck_assert(hubo_decode_current(&frame, 2, back_A, &temperature_C));
    ck_assert_double_eq_tol(back_A[0], 1.23, 1e-9);
    ck_assert_double_eq_tol(back_A[1], 10.22, 1e-9);
    ck_assert_double_eq(temperature_C, 41);

    const double five_A[5] = {0.001, 0.1, 0.255, 0.5, 0.02};
    double back_five_A[5];
    static const uint8_t of_three[] = {25, 64, 41, 125}, of_five[] = {1, 100, 255, 0, 255, 20};
    hubo_current_reply(&frame, 0x1C2, 3, five_A + 1, 41); // 4 mA; the temperature is in between
    ck_assert_uint_eq(frame.can_dlc, 4);
    ck_assert_mem_eq(frame.data, of_three, 4);
    ck_assert(hubo_decode_current(&frame, 3, back_five_A, &temperature_C));
    ck_assert_double_eq_tol(back_five_A[2], 0.5, 1e-9);
    hubo_current_reply(&frame, 0x1C4, 5, five_A, 41); // 1 mA
    ck_assert_uint_eq(frame.can_dlc, 6);
    ck_assert_mem_eq(frame.data, of_five, 6);
    ck_assert(hubo_decode_current(&frame, 5, back_five_A, &temperature_C));
    ck_assert_double_eq_tol(back_five_A[4], 0.02, 1e-9);

    const int percent[5] = {0, 100, -100, 37, -150};
    int back[5];
    hubo_finger_reference(&frame, 0x24, percent);
    ck_assert(hubo_decode_finger_reference(&frame, back));
    ck_assert_int_eq(back[2], -100);
    ck_assert_int_eq(back[3], 37);
    ck_assert_int_eq(back[4], -100);
}
END_TEST

// ---- camera and log -----------------------------------------------------------------------------

START_TEST(the_camera_sees_the_goal_in_its_own_frame)
{
    const struct pose camera = {{1, 2, 1.2},
                                {cos(M_PI / 4), 0, 0, sin(M_PI / 4)}}; // looks to the left
    const struct pose pelvis = {{1, 1.9, 0.6}, {1, 0, 0, 0}};
    const struct surroundings world = {.goal_present = true, .goal = {1, 5, 0.5}};
    struct camera_message seen;
    camera_see(&camera, &pelvis, &world, instant_s(3), &seen);
    ck_assert_uint_eq(seen.goal_visible, 1);
    ck_assert_double_eq_tol(seen.goal_in_camera_m[0], 3, 1e-12);
    ck_assert_double_eq_tol(seen.goal_in_camera_m[1], 0, 1e-12);
    ck_assert_double_eq_tol(seen.goal_in_camera_m[2], -1.2, 1e-12);
    ck_assert_double_eq_tol(seen.goal_yaw_in_camera_rad, 0.5 - M_PI / 2, 1e-12);
    ck_assert_double_eq_tol(seen.pelvis_in_camera_m[0], -0.1, 1e-12);
    ck_assert_double_eq_tol(seen.pelvis_yaw_in_camera_rad, -M_PI / 2, 1e-12);
}
END_TEST

START_TEST(the_bus_log_is_in_order_of_time_and_counts_what_it_drops)
{
    static struct bus_log log;
    static struct bus_log_message message;
    for (int i = 0; i < BUS_LOG_PER_BUS + 3; i++) {
        const struct can_stamped frame = {.time = instant_ns(100 * i)};
        bus_log_add(&log, 1, &frame, BUS_LOG_HOST, false);
    }
    for (int i = 0; i < 5; i++) {
        const struct can_stamped frame = {.time = instant_ns(100 * i)};
        bus_log_add(&log, 0, &frame, BUS_LOG_BOARD, true);
    }
    size_t size_B = bus_log_take(&log, instant_s(1), &message);
    ck_assert_uint_eq(message.count, BUS_LOG_PER_BUS + 5);
    ck_assert_uint_eq(message.dropped, 3);
    ck_assert_uint_eq(size_B, offsetof(struct bus_log_message, frame) +
                                  message.count * sizeof message.frame[0]);
    for (unsigned i = 1; i < message.count; i++)
        ck_assert_int_ge(message.frame[i].time.ns, message.frame[i - 1].time.ns);
    bus_log_take(&log, instant_s(2), &message);
    ck_assert_uint_eq(message.count, 0);
}
END_TEST

// ---- the whole robot ----------------------------------------------------------------------------

static char cell[64];

static void new_cell(void)
{
    make_folder(cell, sizeof cell);
    setenv("UKEMI_CELL", cell, 1);
    ck_assert_int_eq(
        can_bus_create(cell, "can0", &(struct can_bus_config){.bitrates = {1000000, 0}}),
        STATUS_OK);
    ck_assert_int_eq(
        can_bus_create(cell, "can1", &(struct can_bus_config){.bitrates = {1000000, 0}}),
        STATUS_OK);
}

struct watch {
    unsigned count;
    bool in_order;
    double lowest_m;
    struct truth_message last;
};

static void watch(void *context, struct plant *plant, instant t)
{
    struct watch *seen = context;
    plant_truth(plant, &seen->last);
    seen->in_order = (seen->count == 0 || seen->in_order) &&
                     t.ns == seen->count * (int64_t)PLANT_GRID_NS && seen->last.time.ns == t.ns;
    seen->lowest_m =
        seen->count++ ? fmin(seen->lowest_m, seen->last.pelvis_m[2]) : seen->last.pelvis_m[2];
}

static struct plant *new_plant(const struct description *description, uint64_t seed)
{
    struct plant *plant;
    ck_assert_int_eq(plant_create("targets/hubo2/robot.xml", description,
                                  &(struct plant_config){.seed = seed}, &plant),
                     STATUS_OK);
    return plant;
}

START_TEST(the_robot_stands_on_its_held_references)
{
    struct description *description;
    struct watch seen = {0};
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    struct plant *plant = new_plant(description, 1);
    plant_observe(plant, watch, &seen);
    plant_advance(plant, instant_ns(0));
    double start_m = seen.last.pelvis_m[2];
    for (int64_t t = 3700000; t <= 2000000000; t += 3700000)
        plant_advance(plant, instant_ns(t));
    plant_advance(plant, instant_s(2));
    ck_assert_uint_eq(seen.count, 201);
    ck_assert(seen.in_order);
    ck_assert_double_gt(seen.lowest_m, start_m - 0.02);
    ck_assert_double_eq_tol(seen.last.foot_force_N[SIDE_RIGHT] + seen.last.foot_force_N[SIDE_LEFT],
                            42 * 9.81, 15);
    ck_assert_uint_ge(seen.last.contact_count, 6);
    ck_assert_uint_eq(seen.last.other_contact, 0);
    ck_assert_uint_eq(seen.last.physics_warning, 0);
    ck_assert_double_lt(fabs(seen.last.com_m[0]), 0.08);
    ck_assert_double_lt(fabs(seen.last.com_m[1]), 0.02);
    plant_free(plant);
    description_free(description);
}
END_TEST

START_TEST(a_push_moves_the_robot_as_long_as_it_lasts_and_a_wrong_one_is_refused)
{
    struct description *description;
    struct watch seen = {0};
    struct push_message truth;
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    struct plant *plant = new_plant(description, 1);
    plant_observe(plant, watch, &seen);
    plant_advance(plant, instant_ns(500000000));
    const double before_m_s = seen.last.com_velocity_m_s[1];
    plant_push(plant, &(struct push_change_message){
                          .id = 1, .force_N = 200, .direction_rad = M_PI / 2, .body = "torso"});
    plant_push(plant, &(struct push_change_message){.id = 1, .force_N = 900, .body = "torso"});
    plant_advance(plant, instant_ns(550000000));
    plant_push_truth(plant, &truth);
    ck_assert_double_eq_tol(truth.impulse_world_Ns[1], 10, 0.3);
    ck_assert_double_eq_tol(truth.force_N, 200, 1e-9);
    ck_assert_double_gt(seen.last.com_velocity_m_s[1], before_m_s + 0.05);
    plant_push(plant, &(struct push_change_message){.id = 2, .force_N = 1, .body = "tail"});
    plant_push(plant, &(struct push_change_message){.id = 3, .body = "torso"});
    plant_advance(plant, instant_ns(600000000));
    plant_push_truth(plant, &truth);
    ck_assert_uint_eq(truth.refused, 1);
    ck_assert_uint_eq(truth.change_id, 3);
    ck_assert_double_eq_tol(truth.force_N, 0, 1e-9);
    ck_assert_double_eq_tol(truth.impulse_world_Ns[1], 10, 0.3);
    plant_free(plant);
    description_free(description);
}
END_TEST

// What a host sees of the world over the buses after 1 s of standing; frames in order.
static unsigned ask_everything(const struct description *description, uint64_t seed,
                               struct can_stamped *got)
{
    struct plant *plant = new_plant(description, seed);
    struct can_port *port[2];
    struct can_frame frame;
    ck_assert_int_eq(can_open("can0", "host", &port[0]), STATUS_OK);
    ck_assert_int_eq(can_open("can1", "host", &port[1]), STATUS_OK);
    plant_advance(plant, instant_s(1));
    for (unsigned b = 0; b < description->board_count; b++) {
        hubo_request_encoder(&frame, description->board[b].id, 0);
        ck_assert_int_eq(can_send(port[description->board[b].bus], &frame, instant_s(1)),
                         STATUS_OK);
    }
    for (unsigned n = 1; n <= 2; n++) {
        hubo_request_force_torque(&frame, n);
        ck_assert_int_eq(can_send(port[0], &frame, instant_s(1)), STATUS_OK);
        hubo_request_tilt(&frame, n);
        ck_assert_int_eq(can_send(port[0], &frame, instant_s(1)), STATUS_OK);
        hubo_request_force_torque(&frame, n + 5);
        ck_assert_int_eq(can_send(port[1], &frame, instant_s(1)), STATUS_OK);
    }
    hubo_request_imu(&frame);
    ck_assert_int_eq(can_send(port[0], &frame, instant_s(1)), STATUS_OK);
    hubo_request_power(&frame);
    ck_assert_int_eq(can_send(port[1], &frame, instant_s(1)), STATUS_OK);
    plant_advance(plant, instant_s(1.006));
    unsigned count = 0;
    for (unsigned bus = 0; bus < 2; bus++) {
        while (count < 64 && can_receive(port[bus], &got[count]) == STATUS_OK)
            count++;
        can_close(port[bus]);
    }
    plant_free(plant);
    return count;
}

static const struct can_frame *find(const struct can_stamped *got, unsigned count, uint32_t id)
{
    for (unsigned i = 0; i < count; i++)
        if (got[i].frame.can_id == id)
            return &got[i].frame;
    ck_abort_msg("no reply 0x%x", id);
}

START_TEST(every_board_and_sensor_answers_in_time_with_the_truth)
{
    struct description *description;
    static struct can_stamped got[64];
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    unsigned count = ask_everything(description, 1, got);
    ck_assert_uint_eq(count, 18 + 8);
    int32_t ticks[2];
    unsigned first, channels;
    ck_assert(hubo_decode_encoder(find(got, count, 0x62), 1, ticks, &first, &channels));
    ck_assert_double_eq_tol(hubo_angle_rad(ticks[0], 101859.1636), 1.171,
                            0.02); // the knee of the standing pose
    double mx, my, right_N, left_N, roll, pitch, rate_x, rate_y, voltage_V, current_A, power_W;
    ck_assert(hubo_decode_force_torque(find(got, count, 0x41), &mx, &my, &right_N));
    ck_assert(hubo_decode_force_torque(find(got, count, 0x42), &mx, &my, &left_N));
    ck_assert_double_eq_tol(right_N + left_N, 42 * 9.81, 20); // positive: the ground pushes up
    ck_assert_double_lt(fabs(my / left_N), 0.1); // the centre of pressure lies in the sole
    ck_assert(hubo_decode_imu(find(got, count, 0x53), &roll, &pitch, &rate_x, &rate_y));
    ck_assert_double_lt(fabs(roll) + fabs(pitch), 0.03);
    ck_assert(hubo_decode_power(find(got, count, 0x6E), &voltage_V, &current_A, &power_W));
    ck_assert_double_eq_tol(voltage_V, 48, 0.2);
    description_free(description);
}
END_TEST

// Sends a frame on the first bus at t_s, and returns the board's reply, if it is to come.
static void exchange(struct plant *plant, struct can_port *port, const struct can_frame *frame,
                     double t_s, struct can_frame *reply)
{
    struct can_stamped got = {0};
    ck_assert_int_eq(can_send(port, frame, instant_s(t_s)), STATUS_OK);
    plant_advance(plant, instant_s(t_s + 0.004));
    if (reply == NULL)
        return;
    ck_assert_int_eq(can_receive(port, &got), STATUS_OK);
    *reply = got.frame;
}

START_TEST(a_nulled_sensor_reads_zero_as_things_are)
{
    struct description *description;
    struct can_port *port;
    struct can_frame frame, reply;
    double mx, my, fz, roll, pitch, rate_x, rate_y;
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    struct plant *plant = new_plant(description, 1);
    ck_assert_int_eq(can_open("can0", "host", &port), STATUS_OK);
    plant_advance(plant, instant_s(1));

    hubo_board_command(&frame, 0x30, HUBO_NULL_SENSOR, 0); // forces of the right foot
    exchange(plant, port, &frame, 1, NULL);
    hubo_request_force_torque(&frame, 1);
    exchange(plant, port, &frame, 1.004, &reply);
    ck_assert(hubo_decode_force_torque(&reply, &mx, &my, &fz));
    ck_assert_double_lt(fabs(fz), 40);
    hubo_request_force_torque(&frame, 2); // those of the left one are as they were
    exchange(plant, port, &frame, 1.008, &reply);
    ck_assert(hubo_decode_force_torque(&reply, &mx, &my, &fz));
    ck_assert_double_gt(fz, 150);

    plant_push(plant, &(struct push_change_message){
                          .id = 1, .force_N = 200, .direction_rad = M_PI / 2, .body = "torso"});
    plant_advance(plant, instant_s(1.4));
    hubo_request_imu(&frame);
    exchange(plant, port, &frame, 1.4, &reply);
    ck_assert(hubo_decode_imu(&reply, &roll, &pitch, &rate_x, &rate_y));
    ck_assert_double_gt(hypot(roll, pitch), 0.02); // it leans
    hubo_board_command(&frame, 0x32, HUBO_NULL_SENSOR, 0);
    exchange(plant, port, &frame, 1.404, NULL);
    hubo_request_imu(&frame);
    exchange(plant, port, &frame, 1.408, &reply);
    ck_assert(hubo_decode_imu(&reply, &roll, &pitch, &rate_x, &rate_y));
    ck_assert_double_lt(hypot(roll, pitch), 0.015);
    can_close(port);
    plant_free(plant);
    description_free(description);
}
END_TEST

START_TEST(the_same_seed_gives_the_same_frames)
{
    struct description *description;
    static struct can_stamped a[64], b[64], c[64];
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    unsigned count = ask_everything(description, 7, a);
    ck_assert_uint_eq(ask_everything(description, 7, b), count);
    ck_assert_mem_eq(a, b, sizeof a);
    ck_assert_uint_eq(ask_everything(description, 8, c), count);
    ck_assert_mem_ne(a, c, sizeof a);
    description_free(description);
}
END_TEST

START_TEST(a_model_that_cannot_be_used_is_refused)
{
    struct description *description;
    struct plant *plant;
    new_cell();
    ck_assert_int_eq(description_load("targets/hubo2/hubo2.xml", &description), STATUS_OK);
    ck_assert_int_eq(
        plant_create("targets/hubo2/hubo2.xml", description, &(struct plant_config){0}, &plant),
        STATUS_INVALID);
    ck_assert_int_eq(
        plant_create("/nonexistent.xml", description, &(struct plant_config){0}, &plant),
        STATUS_INVALID);
    strcpy(description->joint[0].name, "TAIL");
    ck_assert_int_eq(
        plant_create("targets/hubo2/robot.xml", description, &(struct plant_config){0}, &plant),
        STATUS_INVALID);
    ck_assert_ptr_null(plant);
    description_free(description);
}
END_TEST

UNIT_MAIN("plant", references_are_24_bit_sign_magnitude, references_come_back_as_they_were,
          ticks_are_the_nearest_to_the_angle, encoder_replies_have_the_boards_formats,
          sensor_values_are_clipped_to_16_bit, status_current_and_fingers_survive_the_wire,
          the_camera_sees_the_goal_in_its_own_frame,
          the_bus_log_is_in_order_of_time_and_counts_what_it_drops,
          the_robot_stands_on_its_held_references,
          a_push_moves_the_robot_as_long_as_it_lasts_and_a_wrong_one_is_refused,
          every_board_and_sensor_answers_in_time_with_the_truth,
          a_nulled_sensor_reads_zero_as_things_are, the_same_seed_gives_the_same_frames,
          a_model_that_cannot_be_used_is_refused)
