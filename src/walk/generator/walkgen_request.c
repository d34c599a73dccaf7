// The stack of steps: what may be put on it, and what is taken.
#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

#define FIRST_BESIDE_M 0.02 // of a sequence's first foot from where that foot stands
#define FIRST_TURNED_RAD 0.2
#define NARROWEST 0.7     // of the standing robot's distance between its feet
#define FOLDED 0.5        // of a leg's length, the shortest that a swing may make it
#define LIFT_PEAK 3.2     // greatest speed of a lift, of its height in a single support
#define SWING_PEAK 2.1    // greatest speed of a swing, of the mean one
#define SWING_MAX_M_S 3.0 // of a foot
#define CLIMB_MAX_M 0.25
#define TURN_MAX_RAD 0.9
#define TURN_PEAK 6.0 // greatest acceleration of the waist, of its turn in a single support
#define TURN_MAX_RAD_S2 40.0

void walk_request_defaults(const struct walkgen *walkgen, struct walk_request *request)
{
    memset(request, 0, sizeof *request);
    request->width_m = walkgen->stance_m;
    request->settings = (struct walk_settings){.period_s = 0.005,
                                               .window_s = 1.6,
                                               .com_height_m = walkgen->body.com_height_m,
                                               .single_s = 0.78,
                                               .double_s = 0.02,
                                               .lift_m = 0.07,
                                               .arm_gain = 0,
                                               .distribution = {2.0, 3.7, 1.5, 3.0},
                                               .toe = {0.03, 0.025, 0.7},
                                               .plan_margin_m = {0.07, 0.05},
                                               .plan_period_s = 0.02,
                                               .plan_samples = 75,
                                               .stairs = 1,
                                               .filter = true};
}

bool walk_request_take(struct walk_request *request, struct walk_step *step)
{
    invariant(request->first < WALK_STEPS_MAX && request->count <= WALK_STEPS_MAX);
    if (request->count == 0 || request->held)
        return false;
    *step = request->step[request->first];
    request->first = (request->first + 1) % WALK_STEPS_MAX;
    request->count--;
    return true;
}

struct walk_step walk_request_spot(const struct walk_request *request, bool left)
{
    const double y_m = left ? request->width_m : -request->width_m;
    const double way_m = hypot(request->last.x_m, y_m + request->last.y_m);
    return (struct walk_step){
        .y_m = y_m,
        .single_s = fmax(request->settings.single_s, SWING_PEAK * way_m / SWING_MAX_M_S),
        .double_s = request->settings.double_s};
}

struct walk_step walk_request_foot(const struct walkgen *walkgen, enum side side)
{
    const struct walk_foot *foot = &walkgen->maker.foot[side];
    const struct pose2d middle = walk_middle(&walkgen->maker);
    const double yaw = foot->yaw_rad - middle.yaw_rad;
    const double dx = foot->position_m[0] - middle.x_m, dy = foot->position_m[1] - middle.y_m;
    const double c = cos(foot->yaw_rad), s = sin(foot->yaw_rad);
    return (struct walk_step){.x_m = c * dx + s * dy, .y_m = c * dy - s * dx, .yaw_rad = yaw};
}

// Of the hip over the ankle.
static double hip_over_ankle_m(const struct walkgen *walkgen, const struct walk_settings *settings,
                               double waist_m)
{
    const struct leg *leg = &walkgen->body.leg[SIDE_RIGHT];
    return walkgen->body.pelvis_height_m + settings->com_height_m - walkgen->body.com_height_m +
           waist_m + leg->hip_m[2] - leg->ankle_m;
}

static enum status check_lift(struct walk_trial *trial, double lift_m, double single_s,
                              double waist_m)
{
    const struct leg *leg = &trial->walkgen->body.leg[SIDE_RIGHT];
    const double hip_m = hip_over_ankle_m(trial->walkgen, &trial->request.settings, waist_m);
    const double most_m = hip_m - FOLDED * (leg->thigh_m + leg->shank_m);
    if (lift_m > most_m)
        return walk_refuse(trial,
                           "a lift of %.4g m folds the leg too far at this height; at most "
                           "%.3f m",
                           lift_m, most_m);
    if (LIFT_PEAK * lift_m / single_s > SWING_MAX_M_S)
        return walk_refuse(trial,
                           "the foot would be lifted %.4g m in %.4g s, at %.1f m/s; at most "
                           "%.1f",
                           lift_m, single_s, LIFT_PEAK * lift_m / single_s, SWING_MAX_M_S);
    return STATUS_OK;
}

enum status walk_request_check(struct walk_trial *trial)
{
    const struct walk_settings *settings = &trial->request.settings;
    if (walk_zmp(settings->zmp)->plans && !walk_plan_fits(settings))
        return walk_refuse(trial,
                           "a plan of %.0f samples of %.4g s is not of whole periods of %.4g s, or "
                           "longer than the window of %.4g s",
                           settings->plan_samples, settings->plan_period_s, settings->period_s,
                           settings->window_s);
    if (walk_zmp(settings->zmp)->drives && walk_driven_check(trial) != STATUS_OK)
        return STATUS_INVALID;
    const enum status status = walk_upper_check(trial);
    return status == STATUS_OK ? check_lift(trial, settings->lift_m, settings->single_s, 0)
                               : status;
}

// Whether the joints' limits allow both feet down, the hips anywhere between them
// (:LimitsFeasibility 1). Whether legs are long enough is what walk_reach_check looks at.
static enum status check_joints(struct walk_trial *trial, const struct walk_step *step)
{
    const struct walkgen *walkgen = trial->walkgen;
    const double height_m = walkgen->body.pelvis_height_m + trial->request.settings.com_height_m -
                            walkgen->body.com_height_m + 0.5 * step->z_m + step->waist_m;
    const enum side lands = step->y_m > 0 ? SIDE_LEFT : SIDE_RIGHT;
    const struct pose2d to = walk_step_pose((struct pose2d){0}, step);
    for (int i = 1; i <= 3; i++) {
        const double share = 0.25 * i;
        const double waist_m[3] = {share * to.x_m, share * to.y_m, height_m};
        for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
            const double sole_m[3] = {side == lands ? to.x_m : 0, side == lands ? to.y_m : 0,
                                      side == lands ? step->z_m : 0};
            double waist[9], sole[9], angle_rad[LEG_JOINTS];
            rotation_z(share * to.yaw_rad, waist);
            rotation_z(side == lands ? to.yaw_rad : 0, sole);
            if (leg_inverse(&walkgen->body.leg[side], waist_m, waist, sole_m, sole, angle_rad) !=
                STATUS_OK)
                return walk_refuse(trial,
                                   "the %s leg's joints do not reach that far with the hips at "
                                   "%.0f %% of the step; see :LimitsFeasibility",
                                   side == SIDE_LEFT ? "left" : "right", 100 * share);
        }
    }
    return STATUS_OK;
}

static enum status check_first(struct walk_trial *trial, const struct walk_step *step)
{
    const struct walk_maker *maker = &trial->walkgen->maker;
    const struct walk_foot *foot = &maker->foot[step->y_m > 0 ? SIDE_LEFT : SIDE_RIGHT];
    const struct pose2d at = walk_step_pose(walk_middle(maker), step);
    const double beside_m = hypot(at.x_m - foot->position_m[0], at.y_m - foot->position_m[1]);
    if (beside_m > FIRST_BESIDE_M || fabs(at.yaw_rad - foot->yaw_rad) > FIRST_TURNED_RAD)
        return walk_refuse(trial,
                           "the first foot of a sequence carries at once, but the %s foot stands "
                           "%.3f m from there; begin with 0 %.4g 0",
                           step->y_m > 0 ? "left" : "right", beside_m,
                           copysign(0.5 * trial->walkgen->stance_m, step->y_m));
    return STATUS_OK;
}

static double narrowest_m(const struct walkgen *walkgen)
{
    return NARROWEST * walkgen->stance_m;
}

static enum status check_next(struct walk_trial *trial, const struct walk_step *step)
{
    const struct walkgen *walkgen = trial->walkgen;
    const struct walk_request *request = &trial->request;
    if ((step->y_m > 0) == request->left)
        return walk_refuse(trial, "two steps running of the %s foot; y must change its sign",
                           request->left ? "left" : "right");
    if (fabs(step->y_m) < narrowest_m(walkgen))
        return walk_refuse(trial, "y %.4g m would put a foot on the other; at least %.3f m apart",
                           step->y_m, narrowest_m(walkgen));
    if (fabs(step->yaw_rad) > TURN_MAX_RAD)
        return walk_refuse(trial, "a turn of %.4g degrees; at most %.0f a step",
                           step->yaw_rad * 180 / M_PI, TURN_MAX_RAD * 180 / M_PI);
    const double turn_rad_s2 = TURN_PEAK * fabs(step->yaw_rad) / (step->single_s * step->single_s);
    if (turn_rad_s2 > TURN_MAX_RAD_S2)
        return walk_refuse(trial,
                           "the waist would turn %.4g degrees in %.4g s, with %.0f rad/s2; at most "
                           "%.0f",
                           step->yaw_rad * 180 / M_PI, step->single_s, turn_rad_s2,
                           TURN_MAX_RAD_S2);
    if (fabs(step->z_m) > CLIMB_MAX_M)
        return walk_refuse(trial, "z %.4g m; at most %.2f m a step", step->z_m, CLIMB_MAX_M);
    const double way_m = hypot(step->x_m + request->last.x_m, step->y_m + request->last.y_m);
    const double speed_m_s = SWING_PEAK * way_m / step->single_s;
    if (speed_m_s > SWING_MAX_M_S)
        return walk_refuse(trial, "the foot would go %.2f m in %.4g s, at %.1f m/s; at most %.1f",
                           way_m, step->single_s, speed_m_s, SWING_MAX_M_S);
    enum status status = walk_floor_check(trial, step);
    if (status == STATUS_OK && request->last.over == 0)
        status = walk_reach_double(trial, step);
    if (status == STATUS_OK && step->over == 0) // over an obstacle, the plan looks at the legs
        status = walk_reach_check(trial, step);
    if (status == STATUS_OK && step->over == 0 && request->settings.limits > 0)
        status = check_joints(trial, step);
    return status;
}

static enum status check_times(struct walk_trial *trial, const struct walk_step *step)
{
    const double period_s = trial->request.settings.period_s;
    if (step->single_s < 0.1 || step->single_s > 5)
        return walk_refuse(trial, "a single support of %.4g s; 0.1 to 5 s", step->single_s);
    if (step->double_s < 0 || step->double_s > 5)
        return walk_refuse(trial, "a double support of %.4g s; 0 to 5 s", step->double_s);
    const unsigned samples =
        walk_samples(step->single_s, period_s) + walk_samples(step->double_s, period_s);
    if (samples > WALK_BLOCK_MAX)
        return walk_refuse(trial, "a step of %.4g s has more than %d periods",
                           step->single_s + step->double_s, WALK_BLOCK_MAX);
    return STATUS_OK;
}

static bool all_finite(const struct walk_step *step)
{
    return isfinite(step->x_m + step->y_m + step->z_m + step->yaw_rad + step->waist_m +
                    step->single_s + step->double_s + step->lift_m + step->along_m[0] +
                    step->along_m[1] + step->roll_rad + step->waist_yaw_rad + step->zmp_shift_m[0] +
                    step->zmp_shift_m[1]);
}

enum status walk_request_add(struct walk_trial *trial, const struct walk_step *wanted)
{
    struct walk_request *request = &trial->request;
    struct walk_step step = *wanted;
    if (walk_zmp(request->settings.zmp)->drives)
        return walk_refuse(trial, "under %s a velocity is walked, not steps; see :HerdtOnline",
                           walk_zmp(request->settings.zmp)->name);
    if (!all_finite(&step))
        return walk_refuse(trial, "a number of the step is not finite");
    if (request->count == WALK_STEPS_MAX)
        return walk_refuse(trial, "%d steps wait already", WALK_STEPS_MAX);
    if (step.single_s == 0)
        step.single_s = request->settings.single_s;
    if (step.double_s == 0)
        step.double_s = request->settings.double_s;
    if (step.lift_m == 0)
        step.lift_m = request->settings.lift_m;
    enum status status = check_times(trial, &step);
    if (status == STATUS_OK)
        status = check_lift(trial, step.lift_m, step.single_s, fmin(step.waist_m, 0));
    if (status == STATUS_OK)
        status = request->open ? check_next(trial, &step) : check_first(trial, &step);
    if (status != STATUS_OK)
        return status;
    const bool first = !request->open;
    if (first)
        request->width_m = fmax(2 * fabs(step.y_m), narrowest_m(trial->walkgen));
    request->open = true;
    request->left = step.y_m > 0;
    if (first || step.over > 0)
        request->restless_m = 0;
    request->last = step;
    if (first)
        request->last.y_m *= 2; // from foot to foot
    request->step[(request->first + request->count++) % WALK_STEPS_MAX] = step;
    return STATUS_OK;
}
