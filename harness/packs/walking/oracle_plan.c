// Seed 000, III-B5: the planner "is designed to always send segments of a trajectory plan which
// ends in a stable configuration".
#include "harness/packs/walking/oracles.h"

#include <math.h>
#include <string.h>

#include "harness/files/scenario.h"
#include "harness/packs/robot/facts.h"
#include "walk/zmp/geometry.h"

#define FEET_APART_M 0.05 // at least: less than the width of a sole
#define COM_INSIDE_M 0.01 // the centre of mass stands at least so far inside the edge of the soles
#define FOOT_DOWN_M 0.005 // both soles are on the floor when their heights differ by less
#define REST_STEP_M 2e-4  // change from one sample (10 ms) to the next of a robot at rest: 2 cm/s
#define REST_COM_SPEED_M_S 0.02

static double distance3(const double a[3], const double b[3])
{
    return hypot(hypot(a[0] - b[0], a[1] - b[1]), a[2] - b[2]);
}

// How far the last sample is from rest, as a share of what is allowed: 1 is at the bound.
static double unrest(const struct segment_sample *before, const struct segment_sample *last)
{
    double step_m = fmax(distance3(before->pelvis_m, last->pelvis_m),
                         fmax(distance3(before->foot_m[SIDE_RIGHT], last->foot_m[SIDE_RIGHT]),
                              distance3(before->foot_m[SIDE_LEFT], last->foot_m[SIDE_LEFT])));
    double speed_m_s = hypot(last->com_velocity_m_s[0], last->com_velocity_m_s[1]);
    return fmax(step_m / REST_STEP_M, speed_m_s / REST_COM_SPEED_M_S);
}

static double com_inside_m(const struct analysis *a, const struct segment_sample *last)
{
    struct point2 corner[8], hull[9];
    for (unsigned side = 0; side < SIDE_COUNT; side++) {
        struct pose2d foot = {last->foot_m[side][0], last->foot_m[side][1],
                              last->foot_yaw_rad[side]};
        sole_corners(foot, facts(a)->sole_half_length_m, facts(a)->sole_half_width_m,
                     corner + 4 * side);
    }
    size_t corners = convex_hull(corner, 8, hull);
    return polygon_margin(hull, corners, (struct point2){last->com_m[0], last->com_m[1]});
}

static size_t samples_held(const struct event *event)
{
    const struct segment_message *segment = event->data;
    return (event->size_B - offsetof(struct segment_message, sample)) / sizeof segment->sample[0];
}

// Whether it ends as the segment before it, to the last bit: a step that is told again is no step.
static bool is_repeated(const struct analysis *a, size_t i)
{
    if (i == 0 || is_disturbed(a, instant_to_s(facts(a)->segment.event[i]->time)))
        return false;
    const struct segment_sample *end[2];
    for (size_t k = 0; k < 2; k++) {
        const struct event *event = facts(a)->segment.event[i - 1 + k];
        const struct segment_message *segment = event->data;
        if (segment->count < 2 || segment->count > samples_held(event))
            return false;
        end[k] = &segment->sample[segment->count - 1];
    }
    // NOLINTNEXTLINE(bugprone-suspicious-memory-comparison): told again means the same bytes
    return memcmp(end[0], end[1], sizeof *end[0]) == 0;
}

// Margin of one segment in metres; *why names what decides it.
static double segment_margin_m(const struct analysis *a, const struct event *event,
                               const char **why)
{
    const struct segment_message *segment = event->data;
    *why = "it holds no trajectory";
    if (segment->count < 2 || segment->count > samples_held(event))
        return -1;
    const struct segment_sample *last = &segment->sample[segment->count - 1];
    double raised_m = fabs(last->foot_m[SIDE_RIGHT][2] - last->foot_m[SIDE_LEFT][2]);
    double margin_m = com_inside_m(a, last) - COM_INSIDE_M;
    *why = "distance of the final centre of mass to the edge of the soles";
    const double apart_m = hypot(last->foot_m[SIDE_RIGHT][0] - last->foot_m[SIDE_LEFT][0],
                                 last->foot_m[SIDE_RIGHT][1] - last->foot_m[SIDE_LEFT][1]);
    if (apart_m < FEET_APART_M) {
        *why = "it ends with both feet in one place";
        margin_m = fmin(margin_m, apart_m - FEET_APART_M);
    } else if (last->support != SUPPORT_BOTH || raised_m > FOOT_DOWN_M) {
        *why = "it ends on one foot";
        margin_m = fmin(margin_m, -fmax(raised_m, 1e-3));
    } else if (unrest(last - 1, last) > 1) {
        *why = "it ends in motion";
        margin_m = fmin(margin_m, -REST_STEP_M * unrest(last - 1, last));
    }
    return margin_m;
}

void oracle_segments_end_stable(const struct analysis *a, struct oracle_verdict *verdict)
{
    const bool walks = a->scenario->asked == ASKED_GOAL || a->scenario->asked == ASKED_WALK;
    if (facts(a)->segment.count == 0 && walks && !a->struck) {
        verdict_count(verdict, 1, VERDICT_FAIL, "plans",
                      "no segment was sent to a robot that was "
                      "to walk");
        return;
    }
    if (facts(a)->segment.count == 0 || facts(a)->sole_half_length_m <= 0) {
        verdict_nothing(verdict, facts(a)->segment.count == 0 ? "no segment was sent"
                                                              : "no contact shows the soles");
        return;
    }
    double worst_m = INFINITY, broken_s = NAN;
    const char *worst_why = "";
    const struct event *worst = facts(a)->segment.event[0];
    for (size_t i = 0; i < facts(a)->segment.count; i++) {
        const char *why;
        double margin_m = segment_margin_m(a, facts(a)->segment.event[i], &why);
        if (is_repeated(a, i)) {
            why = "it is the one before";
            margin_m = fmin(margin_m, -1e-3);
        }
        note_broken(&broken_s, margin_m, instant_to_s(facts(a)->segment.event[i]->time));
        if (!(margin_m >= worst_m)) { // a NAN counts as the worst
            worst_m = isnan(margin_m) ? -1 : margin_m;
            worst_why = why;
            worst = facts(a)->segment.event[i];
        }
    }
    const struct segment_message *segment = worst->data;
    verdict_margin(verdict, worst_m, "m", "%zu segments; worst is %llu of plan %llu at %.2f s: %s",
                   facts(a)->segment.count, (unsigned long long)segment->segment_number,
                   (unsigned long long)segment->plan_id, instant_to_s(worst->time), worst_why);
    verdict_broken_at(verdict, broken_s);
}
