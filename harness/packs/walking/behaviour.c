#include "harness/packs/walking/behaviour.h"

#include <math.h>
#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

#define TRAVEL_RAD 0.02    // a set point that stays within this range is not being moved
#define FROZEN_RAD_S 0.002 // a set point slower than this does not move at all: a few ticks
#define STEADY_RAD_S 1e-3  // speeds of two samples that differ by less are the same
#define SETTLED_S 0.5      // at rest for so long is at rest
// References stop within a cycle, the board's interpolation within the next; truth is sampled at 10
// ms.
#define DROPPED_S 0.045
#define WIND_DOWN_SLACK 1.05 // of sampling a deceleration

// Largest speed of the set's joints at a truth sample.
static double limb_speed(const struct analysis *a, unsigned set, size_t index)
{
    double speed = 0;
    for (unsigned j = 0; j < a->description->joint_count; j++)
        if (joint_set_of(a->description, j) & set)
            speed = fmax(speed, fabs(setpoint_velocity(a, index, j)));
    return speed;
}

bool limbs_travel(const struct analysis *a, unsigned set, double from_s, double to_s)
{
    size_t from = truth_index(a, from_s), to = truth_index(a, to_s);
    for (unsigned j = 0; j < a->description->joint_count; j++) {
        if (!(joint_set_of(a->description, j) & set))
            continue;
        double low = INFINITY, high = -INFINITY;
        for (size_t i = from; i < to; i++) {
            double setpoint = truth_at(a, i)->setpoint_rad[j];
            low = fmin(low, setpoint);
            high = fmax(high, setpoint);
        }
        if (high - low > TRAVEL_RAD)
            return true;
    }
    return false;
}

static double first_above(const struct analysis *a, unsigned set, double speed_rad_s, double from_s,
                          double to_s)
{
    for (size_t i = truth_index(a, from_s); i < facts(a)->truth.count && truth_time_s(a, i) <= to_s;
         i++)
        if (limb_speed(a, set, i) > speed_rad_s)
            return truth_time_s(a, i);
    return INFINITY;
}

double limb_moves_s(const struct analysis *a, unsigned set, double from_s, double to_s)
{
    return first_above(a, set, MOVING_SPEED_RAD_S, from_s, to_s);
}

// Whether no set point moves at all: not even at the small speed a joint may have had when the
// fault struck.
static bool frozen(const struct analysis *a, unsigned set, double from_s, double to_s)
{
    return !isfinite(first_above(a, set, FROZEN_RAD_S, from_s, to_s));
}

static void measure_deceleration(const struct analysis *a, unsigned set, size_t from, size_t to,
                                 struct limb_motion *motion)
{
    for (size_t i = from; i <= to && i < facts(a)->truth.count; i++) {
        double elapsed_s = i == 0 ? 0 : truth_time_s(a, i) - truth_time_s(a, i - 1);
        if (elapsed_s <= 0)
            continue;
        for (unsigned j = 0; j < a->description->joint_count; j++) {
            if (!(joint_set_of(a->description, j) & set))
                continue;
            double slower = fabs(setpoint_velocity(a, i - 1, j)) - fabs(setpoint_velocity(a, i, j));
            double deceleration = slower / elapsed_s;
            double bound = WIND_DOWN_SLACK * a->description->joint[j].acceleration_wind_down_rad_s2;
            motion->deceleration_max_rad_s2 = fmax(motion->deceleration_max_rad_s2, deceleration);
            motion->deceleration_share = fmax(motion->deceleration_share, deceleration / bound);
        }
    }
}

void limb_motion(const struct analysis *a, unsigned set, double before_s,
                 struct limb_motion *motion)
{
    *motion = (struct limb_motion){.stop_s = a->fault_s, .slowing_s = a->fault_s};
    size_t fault = truth_index(a, a->fault_s), end = truth_index(a, a->watch_end_s), stop = fault;
    motion->moved_before = limbs_travel(a, set, a->fault_s - before_s, a->fault_s);
    motion->moving_then =
        fault < facts(a)->truth.count && limb_speed(a, set, fault) > MOVING_SPEED_RAD_S;
    for (size_t i = fault; i < end; i++)
        if (limb_speed(a, set, i) > MOVING_SPEED_RAD_S)
            stop = i;
    if (stop > fault || motion->moving_then)
        motion->stop_s = truth_time_s(a, stop);
    motion->moves_after = motion->stop_s - a->fault_s > DROPPED_S;
    motion->immediate = frozen(a, set, a->fault_s + DROPPED_S, a->watch_end_s);
    motion->rests = a->watch_end_s - motion->stop_s >= SETTLED_S;

    size_t slowing = stop; // back from the stop for as long as it was faster before
    while (slowing > fault &&
           limb_speed(a, set, slowing - 1) > limb_speed(a, set, slowing) + STEADY_RAD_S)
        slowing--;
    if (slowing < facts(a)->truth.count)
        motion->slowing_s = truth_time_s(a, slowing);
    measure_deceleration(a, set, slowing > fault ? slowing : fault + 1, stop + 1, motion);
}

// ---- the end of the last plan provided --------------------------------------------------------

#define PLAN_MISS_M 0.05 // a foot ends so far from its planned place at most,
#define PLAN_MISS_SHARE                                                                            \
    0.08 // plus this share of the way it had to go: feet slip and the odometry drifts

static struct pose2d true_foot(const struct truth_message *truth, unsigned side)
{
    return (struct pose2d){truth->foot_m[side][0], truth->foot_m[side][1],
                           yaw_rad(truth->foot_quaternion[side])};
}

static struct pose2d planned_foot(const struct segment_sample *sample, unsigned side)
{
    return (struct pose2d){sample->foot_m[side][0], sample->foot_m[side][1],
                           sample->foot_yaw_rad[side]};
}

// The foot that stood when the fault struck, so that its place is known exactly.
static unsigned standing_foot(const struct truth_message *truth)
{
    return truth->foot_force_N[SIDE_RIGHT] >= truth->foot_force_N[SIDE_LEFT] ? SIDE_RIGHT
                                                                             : SIDE_LEFT;
}

bool finished_last_plan(const struct analysis *a, double stop_s)
{
    const struct event *then = series_latest(&facts(a)->status, a->fault_s),
                       *last = series_latest(&facts(a)->status, stop_s);
    size_t fault = truth_index(a, a->fault_s), end = truth_index(a, a->watch_end_s);
    if (then == NULL || last == NULL || fault >= facts(a)->truth.count || end == 0)
        return false;
    const struct balance_status_message *began = then->data, *ended = last->data;
    const struct segment_sample *from = plan_sample(a, began->plan_id, began->sample, a->fault_s);
    const struct event *segment = series_latest(&facts(a)->segment, stop_s);
    if (from == NULL || segment == NULL || ended->time.ns <= began->time.ns)
        return false;
    const struct segment_message *provided = segment->data;
    const struct segment_sample *to =
        plan_sample(a, began->plan_id, provided->first + provided->count - 1, a->watch_end_s);
    if (to == NULL || provided->plan_id != began->plan_id || provided->final)
        return false;
    const struct truth_message *before = truth_at(a, fault), *after = truth_at(a, end - 1);
    unsigned stand = standing_foot(before);
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        struct pose2d went = pose_relative(true_foot(before, stand), true_foot(after, side));
        struct pose2d planned = pose_relative(planned_foot(from, stand), planned_foot(to, side));
        double way_m = hypot(planned.x_m, planned.y_m);
        if (hypot(went.x_m - planned.x_m, went.y_m - planned.y_m) >
            PLAN_MISS_M + PLAN_MISS_SHARE * way_m)
            return false;
    }
    return true;
}
