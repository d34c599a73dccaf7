#include "walk/steps/timeline.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "walk/segments/pattern.h"

static int64_t samples(double time_s)
{
    return (int64_t)lround(time_s / PATTERN_PERIOD_S);
}

static enum side other(enum side side)
{
    return side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
}

static void middle(const struct stance *stance, double zmp_m[2])
{
    struct pose2d centre = footsteps_centre(stance);
    zmp_m[0] = centre.x_m;
    zmp_m[1] = centre.y_m;
}

// Reference ZMP while `side` carries the robot.
static void support_zmp(const struct gait_parameters *gait, const struct stance *stance,
                        enum side side, double zmp_m[2])
{
    const struct pose2d *foot = &stance->foot[side];
    double inward = side == SIDE_RIGHT ? gait->zmp_inward_m : -gait->zmp_inward_m;
    zmp_m[0] = foot->x_m - sin(foot->yaw_rad) * inward;
    zmp_m[1] = foot->y_m + cos(foot->yaw_rad) * inward;
}

// How long the weight takes to move to the middle after the last landing.
static int64_t final_shift(const struct gait_parameters *gait)
{
    return samples(0.5 * gait->initial_double_support_s);
}

void timeline_begin(struct timeline *timeline, const struct gait_parameters *gait,
                    const struct stance *stance)
{
    expects(gait->double_support_s > 0 && gait->period_s > gait->double_support_s);
    expects(final_shift(gait) > 0);
    memset(timeline, 0, sizeof *timeline);
    timeline->gait = gait;
    timeline->base = *stance;
    middle(stance, timeline->base_zmp_m);
    timeline->base_landing = -final_shift(gait); // long ago
}

struct stance timeline_stance(const struct timeline *timeline, unsigned step)
{
    struct stance stance = timeline->base;
    for (unsigned i = 0; i < timeline->count && timeline->first + i < step; i++)
        stance = footsteps_after(stance, timeline->step[i].step);
    return stance;
}

unsigned timeline_free_step(const struct timeline *timeline, int64_t earliest, int64_t lead)
{
    unsigned i = 0;
    while (i < timeline->count &&
           (timeline->step[i].lift < earliest + 2 || timeline->step[i].landing < earliest + lead))
        i++;
    return timeline->first + i;
}

void timeline_truncate(struct timeline *timeline, unsigned step)
{
    if (step - timeline->first < timeline->count)
        timeline->count = step - timeline->first;
}

static int64_t last_landing(const struct timeline *timeline)
{
    return timeline->count > 0 ? timeline->step[timeline->count - 1].landing
                               : timeline->base_landing;
}

bool timeline_append(struct timeline *timeline, struct footstep step, int64_t earliest,
                     bool from_rest)
{
    const struct gait_parameters *gait = timeline->gait;
    if (timeline->count == TIMELINE_STEPS_MAX)
        return false;
    struct stance stance = timeline_stance(timeline, timeline->first + timeline->count);
    struct timeline_step *new = &timeline->step[timeline->count];
    int64_t landing = last_landing(timeline);
    new->step = step;
    if (!from_rest) {
        new->start = landing;
        new->lift = landing + samples(gait->double_support_s);
        const double *support = timeline->count > 0 ? new[-1].zmp_to_m : timeline->base_zmp_m;
        memcpy(new->zmp_from_m, support, sizeof new->zmp_from_m);
    } else {
        // The centre of mass must begin to move before the reference ZMP does.
        int64_t rest = landing + final_shift(gait);
        new->start = (rest > earliest ? rest : earliest) + samples(gait->wait_s);
        new->lift = new->start + samples(gait->initial_double_support_s);
        middle(&stance, new->zmp_from_m);
    }
    new->landing = new->lift + samples(gait->period_s - gait->double_support_s);
    support_zmp(gait, &stance, other(step.side), new->zmp_to_m);
    timeline->count++;
    // Samples are shared out by these differences, and no step begins before the last one is over.
    ensures(new->start >= landing &&new->start < new->lift &&new->lift < new->landing);
    return true;
}

void timeline_forget(struct timeline *timeline, int64_t sample)
{
    unsigned gone = 0;
    while (gone < timeline->count && timeline->step[gone].landing < sample) {
        const struct timeline_step *past = &timeline->step[gone++];
        timeline->base = footsteps_after(timeline->base, past->step);
        memcpy(timeline->base_zmp_m, past->zmp_to_m, sizeof timeline->base_zmp_m);
        timeline->base_landing = past->landing;
    }
    timeline->first += gone;
    timeline->count -= gone;
    memmove(timeline->step, timeline->step + gone, timeline->count * sizeof timeline->step[0]);
}

int64_t timeline_landing(const struct timeline *timeline, unsigned step)
{
    if (step < timeline->first)
        return timeline->base_landing;
    if (step >= timeline->first + timeline->count)
        return timeline_last_sample(timeline);
    return timeline->step[step - timeline->first].landing;
}

bool timeline_rests(const struct timeline *timeline, unsigned step, int64_t earliest)
{
    const unsigned end = timeline->first + timeline->count;
    return step == end &&
           (end == 0 || timeline_landing(timeline, end - 1) < earliest + PATTERN_LEAD_SAMPLES);
}

bool timeline_due(const struct timeline *timeline, unsigned committed, int64_t earliest,
                  int64_t slack)
{
    if (committed >= timeline->first + timeline->count) // no closing step follows
        return timeline_landing(timeline, committed - 1) < earliest + slack + PATTERN_LEAD_SAMPLES;
    return timeline_free_step(timeline, earliest + slack, PATTERN_LEAD_SAMPLES) > committed;
}

enum status timeline_change(struct timeline *timeline, int64_t earliest, int64_t past,
                            unsigned first, const struct footstep *step, unsigned count)
{
    if (first > timeline->first + timeline->count ||
        first < timeline_free_step(timeline, earliest, PATTERN_LEAD_SAMPLES))
        return STATUS_INVALID;
    bool from_rest = timeline_rests(timeline, first, earliest);
    timeline_truncate(timeline, first);
    timeline_forget(timeline, past);
    int last_side = from_rest || first == 0 ? -1 : (int)(1 - timeline_stance(timeline, first).next);
    for (unsigned i = 0; i <= count; i++) {
        struct footstep closing;
        struct stance stance = timeline_stance(timeline, first + i);
        if (i == count && !footsteps_close(&stance, &closing))
            break;
        const struct footstep *next = i < count ? &step[i] : &closing;
        if ((int)next->side == last_side)
            return STATUS_INVALID;
        if (!timeline_append(timeline, *next, earliest, from_rest))
            return STATUS_TOO_LARGE;
        last_side = (int)next->side;
        from_rest = false;
    }
    return STATUS_OK;
}

int64_t timeline_last_sample(const struct timeline *timeline)
{
    return last_landing(timeline) + samples(timeline->gait->settle_s);
}

void timeline_final_zmp(const struct timeline *timeline, double zmp_m[2])
{
    struct stance stance = timeline_stance(timeline, timeline->first + timeline->count);
    middle(&stance, zmp_m);
}

// 0 -> 1 with zero velocity and acceleration at both ends.
static double quintic(double s)
{
    return s <= 0.0 ? 0.0 : s >= 1.0 ? 1.0 : s * s * s * (10.0 + s * (6.0 * s - 15.0));
}

// 0 -> 1 -> 0, velocity and acceleration zero at both ends, smooth at the top.
static double bump(double s)
{
    double b = s <= 0.0 || s >= 1.0 ? 0.0 : 4.0 * s * (1.0 - s);
    return b * b * b;
}

static void blend(const double from[2], const double to[2], double share, double out[2])
{
    for (int i = 0; i < 2; i++)
        out[i] = from[i] + share * (to[i] - from[i]);
}

static void put_foot(struct timeline_sample *out, enum side side, struct pose2d from,
                     struct pose2d to, double progress, double height_m)
{
    double share = quintic(progress);
    out->foot_m[side][0] = from.x_m + share * (to.x_m - from.x_m);
    out->foot_m[side][1] = from.y_m + share * (to.y_m - from.y_m);
    out->foot_m[side][2] = height_m * bump(progress);
    out->foot_yaw_rad[side] = from.yaw_rad + share * (to.yaw_rad - from.yaw_rad);
}

// Between two walks, or after the last: the weight moves to the middle.
static void at_rest(const struct timeline *timeline, int64_t sample, const struct stance *stance,
                    int64_t landing, const double zmp_m[2], struct timeline_sample *out)
{
    double centre[2];
    middle(stance, centre);
    blend(zmp_m, centre, (double)(sample - landing) / (double)final_shift(timeline->gait),
          out->zmp_m);
    if (sample >= landing + final_shift(timeline->gait))
        memcpy(out->zmp_m, centre, sizeof centre);
}

static void during_step(const struct timeline_step *step, const struct stance *stance,
                        int64_t sample, struct timeline_sample *out)
{
    expects(step->start <= sample && sample < step->landing);
    double swing = (double)(sample - step->lift) / (double)(step->landing - step->lift);
    double cycle = (double)(sample - step->start) / (double)(step->landing - step->start);
    double shift = (double)(sample - step->start) / (double)(step->lift - step->start);
    enum side side = step->step.side;
    blend(step->zmp_from_m, step->zmp_to_m, fmin(1.0, shift), out->zmp_m);
    out->phase = 0.5 * cycle + (side == SIDE_RIGHT ? 0.0 : 0.5);
    if (sample >= step->lift) {
        out->support = side == SIDE_RIGHT ? SUPPORT_LEFT : SUPPORT_RIGHT;
        put_foot(out, side, stance->foot[side], step->step.pose, swing, 0.0);
    }
}

void timeline_sample(const struct timeline *timeline, int64_t sample, struct timeline_sample *out)
{
    unsigned i = 0;                        // steps begun
    struct stance stance = timeline->base; // before the step going on
    while (i < timeline->count && timeline->step[i].start <= sample) {
        if (timeline->step[i].landing > sample)
            break;
        stance = footsteps_after(stance, timeline->step[i++].step);
    }
    memset(out, 0, sizeof *out);
    out->step = timeline->first + i;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        put_foot(out, side, stance.foot[side], stance.foot[side], 0.0, 0.0);
    if (i < timeline->count && timeline->step[i].start <= sample) {
        during_step(&timeline->step[i], &stance, sample, out);
        if (out->support != SUPPORT_BOTH) {
            const struct timeline_step *step = &timeline->step[i];
            double swing = (double)(sample - step->lift) / (double)(step->landing - step->lift);
            out->foot_m[step->step.side][2] = timeline->gait->swing_height_m * bump(swing);
        }
    } else {
        const double *zmp = i > 0 ? timeline->step[i - 1].zmp_to_m : timeline->base_zmp_m;
        int64_t landing = i > 0 ? timeline->step[i - 1].landing : timeline->base_landing;
        at_rest(timeline, sample, &stance, landing, zmp, out);
        if (out->step > 0)
            out->step--; // the step just made is over only when the next begins
    }
}
