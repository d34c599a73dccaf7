// What the floor asks of a foot: it climbs before it goes forward, rolls over its toes and on its
// heel (:omega), and lies on a slope (:slope).
#include <math.h>

#include "walk/generator/walkgen_private.h"

#define CLIMBS 0.5     // share of a swing in which a foot climbs, and in which it descends
#define ALONG_RAD 0.05 // of a foot on a slope, from its line of steepest ascent

static double within(double s)
{
    return s < 0 ? 0 : s > 1 ? 1 : s;
}

static double quintic(double s)
{
    return s * s * s * (10 + s * (6 * s - 15));
}

double walk_swing_climb(double from_m, double to_m, double u)
{
    const double begin = to_m > from_m ? 0 : 1 - CLIMBS;
    return from_m + quintic(within((u - begin) / CLIMBS)) * (to_m - from_m);
}

// Up to `omega` in the first half, down to `-omega` in the second; without velocity and
// acceleration at both ends and in the middle.
static double roll(double omega_rad, double u)
{
    const double v = u < 0.5 ? 2 * u : 2 * u - 1, bump = 4 * v * (1 - v);
    return (u < 0.5 ? omega_rad : -omega_rad) * bump * bump * bump;
}

void walk_swing_roll(const struct walk_swing *swing, double u, struct walk_foot *foot)
{
    const double slope_rad =
        swing->from.pitch_rad + quintic(u) * (swing->to.pitch_rad - swing->from.pitch_rad);
    const double angle_rad = roll(swing->omega_rad, u);
    // About the tip that is lower: toes when they point down, else the heel.
    const double tip_m = swing->tip_m[angle_rad > 0 ? 1 : 0];
    const double ahead_m = tip_m * (1 - cos(angle_rad));
    foot->position_m[0] += cos(foot->yaw_rad) * ahead_m;
    foot->position_m[1] += sin(foot->yaw_rad) * ahead_m;
    foot->position_m[2] += tip_m * sin(angle_rad);
    foot->pitch_rad = slope_rad + angle_rad;
}

// ---- slopes -------------------------------------------------------------------------------------

double walk_floor_m(const struct walk_settings *settings, double x_m)
{
    const double along_m = fmax(0, fmin(settings->slope_length_m, x_m - settings->slope_x_m));
    return along_m * tan(settings->slope_deg * M_PI / 180);
}

double walk_floor_pitch_rad(const struct walk_settings *settings, double x_m)
{
    const double along_m = x_m - settings->slope_x_m;
    const bool on = along_m > 0 && along_m < settings->slope_length_m;
    return on ? -settings->slope_deg * M_PI / 180 : 0;
}

// Where the last step that waits will put its foot, or where the foot is that carries then.
struct pose2d walk_last_place(const struct walk_trial *trial)
{
    const struct walk_request *request = &trial->request;
    const struct walkgen *walkgen = trial->walkgen;
    const struct walk_maker *maker =
        trial->mark < 0 ? &walkgen->maker : &walkgen->mark[trial->mark].maker;
    struct pose2d at = maker->walking ? maker->support : walk_middle(maker);
    for (unsigned i = 0; i < request->count; i++)
        at = walk_step_pose(at, &request->step[(request->first + i) % WALK_STEPS_MAX]);
    return at;
}

enum status walk_floor_check(struct walk_trial *trial, const struct walk_step *step)
{
    const struct walk_settings *settings = &trial->request.settings;
    if (settings->slope_length_m == 0)
        return STATUS_OK;
    const struct pose2d at = walk_step_pose(walk_last_place(trial), step);
    const double end_m[2] = {settings->slope_x_m, settings->slope_x_m + settings->slope_length_m};
    double tip_m[2];
    walk_body_tips(&trial->walkgen->body, tip_m);
    for (int i = 0; i < 2; i++)
        if (at.x_m + tip_m[0] < end_m[i] && at.x_m + tip_m[1] > end_m[i])
            return walk_refuse(trial,
                               "a sole at %.3f m would lie across the slope's end at %.3f m; at "
                               "least %.3f m before or %.3f m behind it",
                               at.x_m, end_m[i], tip_m[1], -tip_m[0]);
    if (walk_floor_pitch_rad(settings, at.x_m) != 0 && fabs(at.yaw_rad) > ALONG_RAD)
        return walk_refuse(trial, "a foot turned by %.3g degrees on the slope; at most %.0f",
                           at.yaw_rad * 180 / M_PI, ALONG_RAD * 180 / M_PI);
    return STATUS_OK;
}
