// Whether the legs are long enough for a step: at each instant of its swing, each leg from its hip
// to its ankle. The hips are where a pendulum is whose ZMP goes from foot to foot during the double
// supports before and after; the response to a ramp, w/2 exp(-w |t|) being that to an impulse.
// Steps before the last one, and those that are not known yet, move them less the longer a step
// takes.
#include <math.h>
#include <string.h>

#include "walk/generator/walkgen_private.h"

#define STRETCHED 0.99   // of a leg's length
#define SMOOTHING_S 0.05 // of the ZMP's reference
#define LOOKS 12         // instants of a swing
#define HALVINGS 8       // to find the longest step there is

// A step on the floor, seen from the foot that carries, in the axes of the one that lands.
struct reach_step {
    const struct walk_step *step;
    double from_m[2], to_m[2];
    double omega;        // of the pendulum
    double gone, behind; // its share of the way ahead as the foot lands; of the way behind, lifts
};

// The share of the way that a pendulum has gone when its ZMP begins to go it in a double support.
static double share_gone(double omega, double double_s)
{
    const double shift = omega * (double_s + SMOOTHING_S);
    return -expm1(-shift) / (2 * shift);
}

// What is left of it if the steps before and after do their worst.
static double in_time(double omega, double single_s)
{
    return 0.95 - 0.5 * exp(-omega * single_s);
}

// Behind the last step of a walk the ZMP goes to the middle between the feet only.
static double share_at_rest(double omega, const struct walk_settings *settings)
{
    return 0.5 * share_gone(omega, 0.5 * settings->double_s);
}

static double omega_of(const struct walk_settings *settings)
{
    return sqrt(PREVIEW_GRAVITY_M_S2 / settings->com_height_m);
}

// A step before which the double support is its own, and behind which one of a time is.
static struct reach_step reach_of(const struct walk_settings *settings,
                                  const struct walk_step *step, double next_double_s)
{
    const double omega = omega_of(settings), in = in_time(omega, step->single_s);
    return (struct reach_step){.step = step,
                               .omega = omega,
                               .gone = in * share_gone(omega, next_double_s),
                               .behind = in * share_gone(omega, step->double_s)};
}

static bool stretched(const struct leg *leg, const double angle_rad[LEG_JOINTS])
{
    const double thigh_m = leg->thigh_m, shank_m = leg->shank_m;
    const double length_m = sqrt(thigh_m * thigh_m + shank_m * shank_m +
                                 2 * thigh_m * shank_m * cos(angle_rad[LEG_KN]));
    return length_m > STRETCHED * (thigh_m + shank_m);
}

// The posture at a time of the swing, as it will be realised: a leg ahead takes the waist back.
static bool legs_reach_at(const struct walk_trial *trial, const struct reach_step *reach,
                          const struct walk_swing *swing, double t_s)
{
    const struct walkgen *walkgen = trial->walkgen;
    const struct walk_settings *settings = &trial->request.settings;
    const double before = reach->behind * exp(-reach->omega * t_s);
    const double after = reach->gone * exp(-reach->omega * (swing->single_s - t_s));
    struct walk_reference reference = {.waist_m = reach->step->waist_m};
    reference.yaw_rad = -reach->step->yaw_rad * (1 - t_s / swing->single_s);
    struct walk_foot *stands = &reference.foot[reach->step->y_m > 0 ? SIDE_RIGHT : SIDE_LEFT];
    stands->yaw_rad = -reach->step->yaw_rad;
    walk_trajectory(0)->swing(swing, t_s,
                              &reference.foot[reach->step->y_m > 0 ? SIDE_LEFT : SIDE_RIGHT]);
    struct walk_body_pose pose = {.pelvis_m = {0}};
    double com_m[2];
    for (int a = 0; a < 2; a++) {
        com_m[a] = before * reach->from_m[a] + after * reach->to_m[a];
        pose.pelvis_m[a] = com_m[a] + walkgen->start.com_to_waist_m[a];
    }
    const struct walk_posture wanted = walk_posture_wanted(walkgen, settings, &reference, com_m);
    walk_upper_stand(&walkgen->body, pose.upper_rad);
    const struct walk_body *body = &walkgen->body;
    return walk_realisation(settings->realisation)->realise(body, &wanted, &pose) == STATUS_OK &&
           !stretched(&body->leg[SIDE_RIGHT], pose.leg_rad[SIDE_RIGHT]) &&
           !stretched(&body->leg[SIDE_LEFT], pose.leg_rad[SIDE_LEFT]);
}

static bool legs_reach(const struct walk_trial *trial, const struct reach_step *reach)
{
    const double single_s = reach->step->single_s;
    const struct walk_swing swing = {.from = {.position_m = {reach->from_m[0], reach->from_m[1]}},
                                     .to = {.position_m = {reach->to_m[0], reach->to_m[1]}},
                                     .single_s = single_s,
                                     .height_m = reach->step->lift_m};
    bool reaches = true;
    for (int i = LOOKS; i >= 0 && reaches; i--) // the landing is likelier to be too far
        reaches = legs_reach_at(trial, reach, &swing, i * single_s / LOOKS);
    return reaches;
}

// The way of a step on the spot and a share of what a step goes beside it.
static void way_of(double width_m, const struct walk_step *step, double share, double way_m[2])
{
    const double beside_m = copysign(width_m, step->y_m);
    way_m[0] = share * step->x_m;
    way_m[1] = beside_m + share * (step->y_m - beside_m);
}

static double apart_m(const struct walk_request *request, const struct walk_step *step)
{
    return hypot(step->x_m, fabs(step->y_m) - request->width_m);
}

// The longest share of a step that the legs allow: 1 if they allow it. On toes both feet are nearer
// than they seem to be: they turn about them.
static double share_allowed(const struct walk_trial *trial, struct reach_step reach,
                            const struct walk_step *last)
{
    const struct walk_request *request = &trial->request;
    const struct walk_settings *settings = &request->settings;
    const struct walk_toe *toe = &trial->walkgen->body.toe;
    const double toe_m = walk_zmp(settings->zmp)->toes ? toe->hinge_m + settings->toe[1] : 0;
    const double step_m = apart_m(request, reach.step), last_m = apart_m(request, last);
    const double c = cos(reach.step->yaw_rad), s = sin(reach.step->yaw_rad);
    double way_m[2], possible = 0, tried = 1, piece = 1;
    way_of(request->width_m, last, last_m > toe_m ? 1 - toe_m / last_m : 0, way_m);
    reach.from_m[0] = -c * way_m[0] - s * way_m[1];
    reach.from_m[1] = s * way_m[0] - c * way_m[1];
    for (int i = 0; i <= HALVINGS && possible < 1; i++) {
        const double share = step_m > toe_m ? tried - toe_m / step_m : 0;
        way_of(request->width_m, reach.step, fmax(0, share), reach.to_m);
        const bool reaches = legs_reach(trial, &reach);
        if (reaches)
            possible = tried;
        piece *= 0.5;
        tried += reaches ? piece : -piece;
    }
    return possible;
}

enum status walk_reach_check(struct walk_trial *trial, const struct walk_step *step)
{
    struct walk_request *request = &trial->request;
    struct reach_step reach = reach_of(&request->settings, step, step->double_s);
    const double wanted_m = apart_m(request, step);
    const double allowed = share_allowed(trial, reach, &request->last);
    if (allowed < 1)
        return walk_refuse(trial,
                           "a step of %.3f m is longer than the legs allow at this height and in "
                           "this time; at most %.3f m",
                           wanted_m, allowed * wanted_m);
    reach.gone = fmin(reach.gone, share_at_rest(reach.omega, &request->settings));
    request->restless_m = share_allowed(trial, reach, &request->last) < 1 ? wanted_m : 0;
    return STATUS_OK;
}

enum status walk_reach_double(struct walk_trial *trial, const struct walk_step *next)
{
    const struct walk_request *request = &trial->request;
    const struct walk_step *last = &request->last;
    struct walk_step before = *last; // as far, but nothing is known of it
    before.y_m = -last->y_m;
    if (next->double_s <= last->double_s || last->single_s == 0)
        return STATUS_OK;
    const struct reach_step reach = reach_of(&request->settings, last, next->double_s);
    if (share_allowed(trial, reach, &before) == 1)
        return STATUS_OK;
    return walk_refuse(trial,
                       "a double support of %.4g s is too long behind a step of %.3f m: the hips "
                       "would be too late when that foot lands",
                       next->double_s, apart_m(request, last));
}

enum status walk_reach_rest(struct walk_trial *trial)
{
    const struct walk_request *request = &trial->request;
    if (request->sequencing || request->held || request->count == 0 || request->restless_m == 0)
        return STATUS_OK;
    return walk_refuse(trial,
                       "a step of %.3f m is too long for the last of a walk: the hips stay between "
                       "the feet; give one more step",
                       request->restless_m);
}
