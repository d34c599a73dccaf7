// path: known least times; bounds kept at every point and one of them met; what cannot be done is
// refused.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "base/random.h"
#include "motion/path.h"

#define POINTS 401
#define JOINTS 3

static struct path_row rows[POINTS][2 * JOINTS];
static struct path_point points[POINTS];
static double speed[POINTS], time_s[POINTS];

static double plan(double speed_start, double speed_end)
{
    unsigned culprit;
    const enum path_refusal refusal =
        path_plan(POINTS, points, speed_start, speed_end, speed, time_s, &culprit);
    ck_assert_msg(refusal == PATH_OK, "point %u: %s", culprit, path_refusal_text(refusal));
    return time_s[POINTS - 1];
}

// One row everywhere: low <= u <= high.
static void straight(double length, double speed_max, double low, double high)
{
    for (unsigned k = 0; k < POINTS; k++) {
        rows[k][0] = (struct path_row){1, 0, low, high};
        points[k] = (struct path_point){length * k / (POINTS - 1), speed_max, 1, rows[k]};
    }
}

START_TEST(straight_paths_take_their_time)
{
    straight(2, INFINITY, -3, 3);
    ck_assert_double_eq_tol(plan(0, 0), 2 * sqrt(2. / 3), 1e-9);
    straight(2, 1, -3, 3); // D / v + v / a
    ck_assert_double_eq_tol(plan(0, 0), 2 + 1. / 3, 1e-3);
    // A torque of 5 against a weight of 2: 3 up, 7 down.
    straight(2, INFINITY, -5 - 2, 5 - 2);
    const double top = sqrt(2 * 2 * 3 * 7. / 10);
    ck_assert_double_eq_tol(plan(0, 0), top / 3 + top / 7, 1e-3);
    straight(2, 1, -3, 3);
    ck_assert_double_eq_tol(plan(1, 1), 2, 1e-9);
}
END_TEST

// Joints that swing along the path, under load.
static void wavy(struct random_stream *stream)
{
    double size[JOINTS], wave[JOINTS], phase[JOINTS], weight[JOINTS];
    for (unsigned i = 0; i < JOINTS; i++) {
        size[i] = random_uniform(stream, 0.2, 2);
        wave[i] = random_uniform(stream, 1, 6);
        phase[i] = random_uniform(stream, 0, 6);
        weight[i] = random_uniform(stream, 0, 2);
    }
    for (unsigned k = 0; k < POINTS; k++) {
        const double s = (double)k / (POINTS - 1);
        points[k] = (struct path_point){s, INFINITY, 2 * JOINTS, rows[k]};
        for (unsigned i = 0; i < JOINTS; i++) {
            const double angle = wave[i] * s + phase[i];
            const double slope = size[i] * wave[i] * cos(angle);
            const double bend = -size[i] * wave[i] * wave[i] * sin(angle);
            rows[k][2 * i] = (struct path_row){slope, bend, -4, 4};
            // Inertia and centrifugal part that change along the path, and a weight.
            const double inertia = 1 + 0.3 * sin(3 * s), load = weight[i] * cos(angle);
            rows[k][2 * i + 1] = (struct path_row){inertia * slope, inertia * bend + 0.2 * slope,
                                                   -5 - load, 5 - load};
            points[k].speed_max = fmin(points[k].speed_max, 1.5 / fabs(slope));
        }
    }
}

// How far the nearest bound of interval k is, relative to its size; negative: beyond.
static double room_of(unsigned k)
{
    const double x[] = {speed[k] * speed[k], speed[k + 1] * speed[k + 1]};
    const double u = (x[1] - x[0]) / 2 / (points[k + 1].s - points[k].s);
    double room = INFINITY;
    for (unsigned end = 0; end < 2; end++) {
        room = fmin(room, 1 - speed[k + end] / points[k + end].speed_max);
        for (unsigned i = 0; i < points[k + end].rows; i++) {
            const struct path_row *row = &rows[k + end][i];
            const double value = row->u * u + row->x * x[end];
            room = fmin(room, fmin(row->high - value, value - row->low) / (row->high - row->low));
        }
    }
    return room;
}

// The fastest is at a bound all the time.
START_TEST(bounds_are_kept_and_one_is_met)
{
    struct random_stream stream;
    unsigned kept = 0, met = 0;
    random_start(&stream, 1, "path");
    for (unsigned n = 0; n < 100; n++) {
        wavy(&stream);
        unsigned culprit;
        kept += path_plan(POINTS, points, 0, 0, speed, time_s, &culprit) == PATH_OK;
        double least = INFINITY;
        for (unsigned k = 0; k + 1 < POINTS; k++) {
            const double room = room_of(k);
            least = fmin(least, room);
            met += room < 1e-6;
        }
        ck_assert_double_ge(least, -1e-9);
    }
    ck_assert_uint_eq(kept, 100);
    ck_assert_double_gt(met, 0.99 * kept * (POINTS - 1));
}
END_TEST

START_TEST(what_cannot_be_done_is_refused)
{
    unsigned culprit;
    straight(2, INFINITY, -3, 3);
    points[7].s = points[6].s;
    ck_assert_int_eq(path_plan(POINTS, points, 0, 0, speed, time_s, &culprit), PATH_NOT_SOUND);
    ck_assert_uint_eq(culprit, 7);
    straight(2, INFINITY, -3, 3);
    ck_assert_int_eq(path_plan(POINTS, points, 4, 0, speed, time_s, &culprit), PATH_TOO_FAST);
    rows[200][0] = (struct path_row){0, 0, 1, 2}; // 1 <= 0
    ck_assert_int_eq(path_plan(POINTS, points, 0, 0, speed, time_s, &culprit), PATH_BLOCKED);
    ck_assert_uint_eq(culprit, 200);
    straight(2, INFINITY, -3, -1); // cannot but slow down
    ck_assert_int_eq(path_plan(POINTS, points, 0, 0, speed, time_s, &culprit), PATH_TOO_FAST);
    straight(2, INFINITY, -INFINITY, INFINITY);
    ck_assert_int_eq(path_plan(POINTS, points, 0, 0, speed, time_s, &culprit), PATH_UNBOUNDED);
}
END_TEST

UNIT_MAIN("path", straight_paths_take_their_time, bounds_are_kept_and_one_is_met,
          what_cannot_be_done_is_refused)
