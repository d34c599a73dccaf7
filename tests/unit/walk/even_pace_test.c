// How far the pelvis is ahead of an even pace: exactly what the gait's rhythm adds to it.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "walk/segments/even_pace.h"

#define STEP 80
#define SAMPLES 400
#define SWAY_M 0.008

static struct segment_buffer held;

static double rhythm_m(int64_t i) // once and thrice a step
{
    const double turns = 2 * M_PI * (double)i / STEP;
    return SWAY_M * sin(turns) + 0.1 * SWAY_M * cos(3 * turns);
}

// 0.125 m/s in the direction of yaw, with the rhythm and a sway to the side.
static void walk(double yaw_rad)
{
    segment_buffer_clear(&held);
    held.plan_id = 1;
    held.end = SAMPLES;
    for (int64_t i = 0; i < SAMPLES; i++) {
        struct segment_sample *sample = &held.sample[i];
        const double ahead_m = 0.00125 * (double)i + rhythm_m(i);
        const double side_m = 0.03 * sin(M_PI * (double)i / STEP);
        sample->pelvis_m[0] = 1 + cos(yaw_rad) * ahead_m - sin(yaw_rad) * side_m;
        sample->pelvis_m[1] = 2 + sin(yaw_rad) * ahead_m + cos(yaw_rad) * side_m;
        sample->pelvis_yaw_rad = yaw_rad;
    }
}

START_TEST(it_is_the_rhythm_alone_whichever_way_the_robot_faces)
{
    static const double yaw_rad[] = {0, 1.2, -3};
    for (unsigned k = 0; k < 3; k++) {
        walk(yaw_rad[k]);
        for (int64_t i = STEP; i < SAMPLES - STEP; i++)
            ck_assert_double_eq_tol(even_pace_ahead_m(&held, i, STEP), rhythm_m(i), 1e-9);
    }
}
END_TEST

START_TEST(a_robot_at_rest_is_not_ahead)
{
    segment_buffer_clear(&held);
    ck_assert_double_eq(even_pace_ahead_m(&held, 7, STEP), 0);
    walk(0);
    ck_assert_double_eq_tol(even_pace_ahead_m(&held, SAMPLES + STEP, STEP), 0, 1e-12);
}
END_TEST

START_TEST(one_that_comes_to_rest_is_ahead_of_the_pace_that_it_had)
{
    walk(0);
    for (int64_t i = 200; i < SAMPLES; i++)
        held.sample[i].pelvis_m[0] = held.sample[200].pelvis_m[0];
    ck_assert_double_gt(even_pace_ahead_m(&held, 200, STEP), 0.005);
}
END_TEST

UNIT_MAIN("even_pace", it_is_the_rhythm_alone_whichever_way_the_robot_faces,
          a_robot_at_rest_is_not_ahead, one_that_comes_to_rest_is_ahead_of_the_pace_that_it_had)
