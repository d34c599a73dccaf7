// tracks: the right window, the right joints and the right numbers reach the plots.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/target/target.h"
#include "harness/history/schema.h"
#include "harness/packs/packs.h"
#include "harness/packs/walking/tracks.h"

// A robot of three leg joints: A and B right, C left; B moves more than A. Nothing else is known of
// it.
static struct description *small_robot(void)
{
    static struct description robot = {.joint_count = 3};
    static const enum joint_group group[3] = {GROUP_RIGHT_LEG, GROUP_RIGHT_LEG, GROUP_LEFT_LEG};
    for (unsigned j = 0; j < 3; j++) {
        robot.joint[j].group = group[j];
        snprintf(robot.joint[j].name, sizeof robot.joint[j].name, "%c", 'A' + (int)j);
    }
    return &robot;
}

static void append(struct history *history, const char *topic, instant time, const void *data,
                   size_t size_B)
{
    ck_assert_int_eq(
        history_append(history, (unsigned)history_topic(history, topic), 1, time, data, size_B),
        STATUS_OK);
}

// 20 s standing on a square of 0.2 m, ground truth every 10 ms, the centre of mass moving forward
// at 0.01 m/s.
static struct history *standing(void)
{
    static const char *const topic[] = {"truth", TOPIC_FAULT, TOPIC_PROCESS};
    struct history *history;
    unsigned number;
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    for (size_t i = 0; i < 3; i++)
        ck_assert_int_eq(history_add_topic(history, topic[i], "", &number), STATUS_OK);
    for (int i = 0; i <= 2000; i++) {
        struct truth_message truth = {
            .time = instant_s(0.01 * i), .joint_count = 3, .contact_count = 4};
        truth.pelvis_quaternion[0] = 1;
        truth.pelvis_m[2] = 0.7;
        truth.com_m[0] = -0.1 + 0.0001 * i;
        truth.com_m[2] = 9.81; // so that omega is 1/s
        truth.com_velocity_m_s[0] = 0.01;
        truth.setpoint_rad[0] = 0.1 * sin(0.01 * i);
        truth.setpoint_rad[1] = 0.5 * sin(0.01 * i);
        truth.position_rad[1] = M_PI / 2;
        for (int c = 0; c < 4; c++) {
            truth.contact_m[c][0] = c & 1 ? 0.1 : -0.1;
            truth.contact_m[c][1] = c & 2 ? 0.1 : -0.1;
        }
        append(history, "truth", truth.time, &truth, sizeof truth);
    }
    return history;
}

static void strike(struct history *history, double time_s, double ready_again_s)
{
    struct fault_event fault = {.time = instant_s(time_s),
                                .kind = FAULT_APPLIED,
                                .proven = 1,
                                .fault = "kill",
                                .component = "Control"};
    struct process_event ready = {.time = instant_s(ready_again_s),
                                  .kind = PROCESS_STARTED,
                                  .generation = 1,
                                  .component = "Control"};
    append(history, TOPIC_FAULT, fault.time, &fault, sizeof fault);
    append(history, TOPIC_PROCESS, ready.time, &ready, sizeof ready);
}

START_TEST(the_window_lies_around_the_fault_and_ends_its_shade_at_the_restart)
{
    struct history *history = standing();
    strike(history, 10, 11.5);
    struct tracks_frame frame = tracks_frame(history);
    ck_assert_double_eq_tol(frame.from_s, 7.5, 1e-9);
    ck_assert_double_eq_tol(frame.fault_s, 10, 1e-9);
    ck_assert_double_eq_tol(frame.repair_s, 11.5, 1e-9);
    ck_assert_double_le(frame.to_s, 15);
    ck_assert_str_eq(frame.fault, "kill");
    history_free(history);
}
END_TEST

START_TEST(without_a_fault_the_whole_trial_is_shown)
{
    struct history *history = standing();
    struct tracks_frame frame = tracks_frame(history);
    ck_assert_double_eq(frame.from_s, 0);
    ck_assert_double_eq_tol(frame.to_s, 20, 1e-9);
    ck_assert(isnan(frame.fault_s));
    history_free(history);
}
END_TEST

START_TEST(rows_hold_angles_margins_and_the_joints_that_move)
{
    struct history *history = standing();
    strike(history, 10, 30);
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    const struct tracks_frame frame = {.from_s = 9.5, .to_s = 11, .fault_s = 10, .repair_s = 11};
    ck_assert_int_eq(walking_tracks(history, small_robot(), &frame, out), STATUS_OK);
    ck_assert_int_eq(fclose(out), 0);
    // B before A: of the right leg it moves most.
    ck_assert_int_eq(
        strncmp(text, "time_s\tB set point\tB\tA set point\tA\tC set point\tC\tpelvis_m\t", 57), 0);
    // At 10 s the centre of mass is in the middle: 100 mm inside; the capture point is 10 mm/s /
    // omega ahead, omega = 1/s.
    const char *row = strstr(text, "\n10.000\t");
    ck_assert_ptr_nonnull(row);
    double b_set, b, skip, height, tilt, com, capture;
    ck_assert_int_eq(sscanf(row, "\n10.000\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf\t%lf",
                            &b_set, &b, &skip, &skip, &skip, &skip, &height, &tilt, &com, &capture),
                     10);
    ck_assert_double_eq_tol(b_set, 0.5 * sin(10) * 180 / M_PI, 1e-2);
    ck_assert_double_eq_tol(b, 90, 1e-9);
    ck_assert_double_eq_tol(height, 0.7, 1e-9);
    ck_assert_double_eq_tol(tilt, 0, 1e-9);
    ck_assert_double_eq_tol(com, 100, 1e-2);
    ck_assert_double_eq_tol(capture, 90, 1e-2);
    // The moment of the fault: the polygon closed, then both points.
    ck_assert_ptr_nonnull(strstr(text, "\n\n\n-0.1000\t-0.1000\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n\n\n0.0000\t0.0000\n0.0100\t0.0000\n"));
    free(text);
    history_free(history);
}
END_TEST

// What plots, tables and pages draw ends with the trial, whatever a writer stamped.
START_TEST(a_far_stamp_lengthens_no_tracks)
{
    static const int64_t far_ns[] = {INT64_C(1) << 62, INT64_MAX, INT64_MIN, 7200000000000,
                                     21000000000};
    for (size_t i = 0; i < sizeof far_ns / sizeof far_ns[0]; i++) {
        struct history *history = standing();
        const struct truth_message truth = {.joint_count = 3};
        const struct end_event end = {.time = instant_s(20)};
        unsigned number;
        append(history, "truth", instant_ns(far_ns[i]), &truth, sizeof truth);
        const bool near = far_ns[i] == 21000000000; // as a trial might go on: the lab knows better
        if (near) {
            ck_assert_int_eq(history_add_topic(history, TOPIC_END, "", &number), STATUS_OK);
            append(history, TOPIC_END, end.time, &end, sizeof end);
        }
        const struct tracks_frame frame = tracks_frame(history);
        ck_assert_double_eq_tol(frame.to_s, 20, 1e-9);
        char *text;
        size_t size;
        FILE *out = open_memstream(&text, &size);
        ck_assert_int_eq(walking_tracks(history, small_robot(), &frame, out), STATUS_OK);
        ck_assert_int_eq(fclose(out), 0);
        ck_assert_ptr_null(strstr(text, "\n20.5"));
        ck_assert_uint_lt(size, 1 << 20);
        free(text);
        history_free(history);
    }
}
END_TEST

// Without a pack: its tracks are |x| of a channel that is published every 0.1 s from 1 s on, and a
// quantity of a channel that was not recorded is left out.
START_TEST(a_target_without_such_a_pack_gets_its_own_quantities)
{
    static struct target target = {
        .channel_count = 2,
        .channel = {{.name = "pole", .message = "Pole"}, {.name = "cart", .message = "Pole"}},
        .quantity_count = 2,
        .quantity = {{.name = "lean", .text = "abs(pole.x)"}, {.name = "drift", .text = "cart.x"}}};
    static const struct tracks_frame frame = {.from_s = 0.9, .to_s = 1.5};
    struct history *history;
    unsigned number;
    struct message_mistake mistake;
    ck_assert_int_eq(schema_declare("Pole", "float64 x\n", &mistake), STATUS_OK);
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "pole", "Pole", &number), STATUS_OK);
    for (int i = 10; i < 20; i++) {
        const double x = -i;
        append(history, "pole", instant_s(0.1 * i), &x, sizeof x);
    }
    char *text;
    size_t size;
    FILE *out = open_memstream(&text, &size);
    ck_assert_int_eq(tracks_write(all_packs, &target, NULL, history, &frame, out), STATUS_OK);
    ck_assert_int_eq(fclose(out), 0);
    static const char head[] = "time_s\tlean\n0.900\tNaN\n";
    ck_assert_int_eq(strncmp(text, head, strlen(head)), 0);
    ck_assert_ptr_nonnull(strstr(text, "\n0.980\tNaN\n1.000\t10\n1.020\t10\n"));
    ck_assert_ptr_nonnull(strstr(text, "\n1.480\t14\n1.500\t15\n"));
    free(text);
    target.quantity[0] = target.quantity[1];
    target.quantity_count = 1;
    ck_assert_int_eq(tracks_write(all_packs, &target, NULL, history, &frame, stdout),
                     STATUS_NOT_FOUND);
    history_free(history);
}
END_TEST

UNIT_MAIN("tracks", the_window_lies_around_the_fault_and_ends_its_shade_at_the_restart,
          without_a_fault_the_whole_trial_is_shown, a_far_stamp_lengthens_no_tracks,
          rows_hold_angles_margins_and_the_joints_that_move,
          a_target_without_such_a_pack_gets_its_own_quantities)
