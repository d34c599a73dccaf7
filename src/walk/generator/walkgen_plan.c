// The centre of mass by a quadratic program over the coming samples, in place of preview control:
// its ZMP stays in the soles, less margins (equations 19 and 20; zmp_pbw.h).
#include "walk/generator/walkgen_private.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"

#define ALPHA 200.0
#define BETA 1000.0

static const struct pbw_config plain = {.period_s = 0.02,
                                        .com_height_m = 1,
                                        .alpha = ALPHA,
                                        .beta = BETA,
                                        .samples_max = WALK_PLAN_MAX};

enum status walk_plan_create(struct walkgen *walkgen)
{
    return pbw_create(&plain, &walkgen->plan.pbw);
}

enum status walk_plan_set(struct walkgen *walkgen, const struct walk_settings *settings)
{
    struct pbw_config config = plain;
    config.period_s = settings->plan_period_s;
    config.com_height_m = settings->com_height_m;
    return pbw_set(walkgen->plan.pbw, &config);
}

static unsigned ratio_of(const struct walk_settings *settings)
{
    return walk_samples(settings->plan_period_s, settings->period_s);
}

bool walk_plan_fits(const struct walk_settings *settings)
{
    const double ratio = settings->plan_period_s / settings->period_s;
    return ratio > 0.5 && fabs(ratio - round(ratio)) < 1e-6 &&
           settings->plan_samples * settings->plan_period_s < settings->window_s + 1e-9;
}

static bool support_of(const struct walkgen *walkgen, const struct walk_reference *at,
                       struct pbw_polygon *polygon)
{
    struct pose2d foot[SIDE_COUNT];
    struct sole sole[SIDE_COUNT];
    unsigned feet = 0;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        if (at->support == SUPPORT_BOTH || (at->support == SUPPORT_RIGHT) == (side == SIDE_RIGHT)) {
            sole[feet] = walkgen->body.leg[side].sole;
            foot[feet++] = walk_foot_pose(&at->foot[side]);
        }
    return pbw_support(foot, sole, feet, walkgen->request.settings.plan_margin_m, polygon);
}

// Jerks from a sample on, until the next is planned.
static void solve(struct walkgen *walkgen, int64_t sample)
{
    struct walk_plan *plan = &walkgen->plan;
    const struct walk_settings *settings = &walkgen->request.settings;
    const unsigned count = (unsigned)settings->plan_samples, ratio = ratio_of(settings);
    bool good = true;
    double com[2][3];
    for (unsigned i = 0; i < count && good; i++) {
        const int64_t at = sample + (int64_t)(i + 1) * ratio;
        good = support_of(walkgen, walk_reference_at(walkgen, at), &plan->polygon[i]);
        for (int a = 0; a < 2; a++)
            plan->reference_m[i][a] = walkgen->zmp_m[a][at & (WALK_AHEAD_MAX - 1)];
    }
    for (int a = 0; a < 2; a++)
        memcpy(com[a], walkgen->first.state[a].com, sizeof com[a]);
    const struct pbw_report report =
        good ? pbw_solve(plan->pbw, count, (const double(*)[3])com, plan->polygon,
                         (const double(*)[2])plan->reference_m, plan->jerk_m_s3)
             : (struct pbw_report){0};
    walkgen->counts.plans++;
    walkgen->counts.plans_failed += !report.solved;
    walkgen->counts.plans_relaxed += report.relaxed > 0;
    if (!report.solved) // it goes on as it goes
        memset(plan->jerk_m_s3[0], 0, sizeof plan->jerk_m_s3[0]);
}

void walk_plan_step(struct walkgen *walkgen)
{
    expects(ratio_of(&walkgen->request.settings) > 0);
    const struct walk_settings *settings = &walkgen->request.settings;
    const int64_t sample = walkgen->first.sample, at = (sample + 1) & (WALK_AHEAD_MAX - 1);
    const double T = settings->period_s, fall = settings->com_height_m / GRAVITY_M_S2;
    if (sample % ratio_of(settings) == 0)
        solve(walkgen, sample);
    for (int a = 0; a < 2; a++) {
        const double jerk = walkgen->plan.jerk_m_s3[0][a];
        double *com = walkgen->first.state[a].com;
        com[0] += T * (com[1] + T * (com[2] / 2 + T * jerk / 6));
        com[1] += T * (com[2] + T * jerk / 2);
        com[2] += T * jerk;
        // What the second preview compares with is what was planned.
        walkgen->zmp_m[a][at] = walkgen->zmp_m[a][at + WALK_AHEAD_MAX] = com[0] - fall * com[2];
    }
}
