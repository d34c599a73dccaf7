// Walking by a velocity (velocity_walk.h) as a strategy: each period of it gives references whose
// centre of mass is known, and a swing foot that follows a landing place which may still move.
#include <math.h>
#include <string.h>

#include "walk/generator/walkgen_private.h"

#define STEP_SAMPLES 8 // periods of a step, unless a command says otherwise
#define STEP_SAMPLES_MIN 4
#define NARROWEST 0.95      // of the standing robot's distance between its feet
#define EARLY_S 0.02        // before it lands, a foot is over its place
#define REST_PERIODS 15     // after which what is left of its motion is forgotten
#define LOAD_CHANGE_M 0.005 // in a period
#define YAW_WEIGHT 10.0
#define INWARD_MAX_RAD 0.1
#define OFF_PERIODS_MAX 1e-6 // of a time from whole periods

// Where a left foot may land, seen from the right one, and how far apart they stand at last.
static double feet_of(const struct walkgen *walkgen, const struct walk_settings *settings,
                      struct point2 area[VELOCITY_WALK_FOOT_CORNERS])
{
    const double *margin_m = settings->foot_margin_m;
    const double width_m = walkgen->stance_m, least_m = NARROWEST * width_m;
    const double middle_m = 0.5 * (least_m + width_m + 0.12);
    const struct point2 all[VELOCITY_WALK_FOOT_CORNERS] = {{0.2, least_m},
                                                           {0.16, width_m + 0.08},
                                                           {0, width_m + 0.12},
                                                           {-0.16, width_m + 0.08},
                                                           {-0.2, least_m}};
    for (size_t i = 0; i < VELOCITY_WALK_FOOT_CORNERS; i++) {
        area[i].x = all[i].x * (1 - margin_m[0] / 0.4);
        area[i].y = all[i].y + (middle_m - all[i].y) * margin_m[1] / (width_m + 0.12 - least_m);
    }
    return settings->feet_apart_m > 0 ? settings->feet_apart_m : width_m;
}

static struct velocity_walk_config config_of(const struct walkgen *walkgen, double com_height_m)
{
    const struct walk_settings *settings = &walkgen->request.settings;
    struct velocity_walk_config config = velocity_walk_defaults(com_height_m);
    config.stance_width_m = feet_of(walkgen, settings, config.foot_area);
    config.weight_yaw = walk_zmp(settings->zmp)->turns ? YAW_WEIGHT : 0;
    config.yaw_inward_max_rad = INWARD_MAX_RAD;
    config.step_samples = walk_driven_samples(settings);
    return config;
}

// Both feet carry for one period of a step.
unsigned walk_driven_samples(const struct walk_settings *settings)
{
    const double periods = settings->single_s / VELOCITY_WALK_PERIOD_S + 1;
    if (!settings->times_set)
        return STEP_SAMPLES;
    if (fabs(settings->double_s / VELOCITY_WALK_PERIOD_S - 1) > OFF_PERIODS_MAX ||
        fabs(periods - round(periods)) > OFF_PERIODS_MAX || periods < STEP_SAMPLES_MIN - 0.5 ||
        periods > STEP_SAMPLES + 0.5)
        return 0;
    return (unsigned)lround(periods);
}

void walk_driven_fastest(const struct walkgen *walkgen, const struct walk_settings *settings,
                         double most[3])
{
    const double step_s = walk_driven_samples(settings) * VELOCITY_WALK_PERIOD_S;
    struct point2 area[VELOCITY_WALK_FOOT_CORNERS];
    double far_m = 0, wide_m = 0, least_m = INFINITY;
    (void)feet_of(walkgen, settings, area);
    for (size_t i = 0; i < VELOCITY_WALK_FOOT_CORNERS; i++) {
        far_m = fmax(far_m, area[i].x);
        wide_m = fmax(wide_m, area[i].y);
        least_m = fmin(least_m, area[i].y);
    }
    most[0] = far_m / step_s;
    // Aside and round, one foot goes as far as it may and the other comes back to it.
    most[1] = (wide_m - least_m) / (2 * step_s);
    most[2] = velocity_walk_defaults(1).yaw_per_step_max_rad / (2 * step_s) +
              (walk_zmp(settings->zmp)->turns ? INWARD_MAX_RAD / (2 * step_s) : 0);
}

enum status walk_driven_create(struct walkgen *walkgen)
{
    const struct velocity_walk_config config = velocity_walk_defaults(1);
    const struct pose2d right = {0, -0.1, 0}, left = {0, 0.1, 0};
    const enum status status = velocity_walk_create(&config, right, left, &walkgen->driven.walk);
    return status == STATUS_OK ? velocity_walk_create(&config, right, left, &walkgen->rehearsed)
                               : status;
}

// ---- references ---------------------------------------------------------------------------------

static enum side other(enum side side)
{
    return side == SIDE_LEFT ? SIDE_RIGHT : SIDE_LEFT;
}

static struct pose2d pose_of(const struct walk_foot *foot)
{
    return (struct pose2d){foot->position_m[0], foot->position_m[1], foot->yaw_rad};
}

// Where the centre of mass of a robot at rest is when the references made have passed.
static double rest_m(const struct walkgen *walkgen, int axis)
{
    const struct walk_reference *last = walk_reference_at(walkgen, walkgen->made - 1);
    return last->planned ? last->com[axis][0]
                         : walkgen->zmp_m[axis][(walkgen->made - 1) & (WALK_AHEAD_MAX - 1)];
}

static void begin(struct walkgen *walkgen)
{
    struct walk_driven *driven = &walkgen->driven;
    const struct walk_maker *maker = &walkgen->maker;
    const struct velocity_walk_config config =
        config_of(walkgen, walkgen->request.settings.com_height_m);
    const enum status status =
        velocity_walk_reset(&driven->walk, &config, pose_of(&maker->foot[SIDE_RIGHT]),
                            pose_of(&maker->foot[SIDE_LEFT]));
    if (status != STATUS_OK) { // a height no pendulum has; it stands
        walkgen->request.driven = false;
        return;
    }
    for (int a = 0; a < 2; a++)
        driven->walk.com[a][0] = rest_m(walkgen, a);
    driven->yaw_offset_rad = maker->yaw_rad - velocity_walk_yaw(&driven->walk);
    memset(driven->load_m, 0, sizeof driven->load_m);
    driven->rest = 0;
    driven->step_samples = config.step_samples;
    driven->calm = WALK_CALM_PERIODS;
    driven->walking = true;
}

// A state t_s later on the quintic that is at rest in `to` after left_s.
static void approach(const double from[3], double to, double left_s, double t_s, double state[3])
{
    const double L = left_s, u = fmin(t_s / L, 1);
    const double p = from[0] - to, v = from[1] * L, a = from[2] * L * L / 2;
    const double c3 = -10 * p - 6 * v - 3 * a, c4 = 15 * p + 8 * v + 3 * a, c5 = -6 * p - 3 * v - a;
    state[0] = to + p + u * (v + u * (a + u * (c3 + u * (c4 + u * c5))));
    state[1] = (v + u * (2 * a + u * (3 * c3 + u * (4 * c4 + u * 5 * c5)))) / L;
    state[2] = (2 * a + u * (6 * c3 + u * (12 * c4 + u * 20 * c5))) / (L * L);
}

// The swing foot t_s after the beginning of a period, `remaining` periods before it lands.
static void swing(const struct walkgen *walkgen, struct pose2d to, unsigned remaining, double t_s,
                  double state[3][3], struct walk_foot *foot)
{
    const double goal[3] = {to.x_m, to.y_m, to.yaw_rad};
    const struct walk_driven *driven = &walkgen->driven;
    struct walk_swing roll = {.omega_rad = driven->step.omega_deg * M_PI / 180};
    const double left_s = remaining * VELOCITY_WALK_PERIOD_S;
    const double single_s = (driven->step_samples - 1) * VELOCITY_WALK_PERIOD_S;
    const double u = fmin(1, (single_s - left_s + t_s) / single_s), bump = 4 * u * (1 - u);
    for (int k = 0; k < 3; k++)
        approach(driven->swing[k], goal[k], left_s - EARLY_S, t_s, state[k]);
    *foot = (struct walk_foot){
        .position_m = {state[0][0], state[1][0],
                       walkgen->maker.floor_m[0] + driven->step.lift_m * bump * bump * bump},
        .yaw_rad = state[2][0]};
    walk_body_tips(&walkgen->body, roll.tip_m);
    walk_swing_roll(&roll, u, foot);
}

static void lift_off(struct walk_driven *driven, const struct walk_foot *foot,
                     const struct walk_settings *settings)
{
    driven->step = *settings;
    memset(driven->swing, 0, sizeof driven->swing);
    driven->swing[0][0] = foot->position_m[0];
    driven->swing[1][0] = foot->position_m[1];
    driven->swing[2][0] = foot->yaw_rad;
}

// The load follows what was asked for; of a walk that ends it goes.
static void take_load(struct walkgen *walkgen)
{
    struct walk_driven *driven = &walkgen->driven;
    const struct walk_request *request = &walkgen->request;
    const double yaw = velocity_walk_yaw(&driven->walk), c = cos(yaw), s = sin(yaw);
    double *load_m = driven->load_m;
    for (int a = 0; a < 2; a++) {
        const double change_m = (request->driven ? request->load_m[a] : 0) - load_m[a];
        load_m[a] += fmin(fmax(change_m, -LOAD_CHANGE_M), LOAD_CHANGE_M);
    }
    driven->walk.load_m[0] = c * load_m[0] - s * load_m[1];
    driven->walk.load_m[1] = s * load_m[0] + c * load_m[1];
}

// A force that came acts for this period.
static void take_force(struct walkgen *walkgen)
{
    struct walk_driven *driven = &walkgen->driven;
    double *force_N = walkgen->request.force_N;
    const double yaw = velocity_walk_yaw(&driven->walk), c = cos(yaw), s = sin(yaw);
    const double mass_kg = walkgen->body.mass_kg;
    driven->calm = force_N[0] != 0 || force_N[1] != 0 ? 0 : driven->calm + 1;
    driven->walk.push_m_s2[0] = (c * force_N[0] - s * force_N[1]) / mass_kg;
    driven->walk.push_m_s2[1] = (s * force_N[0] + c * force_N[1]) / mass_kg;
    force_N[0] = force_N[1] = 0;
}

// Walks at the velocity asked for, or comes to rest.
static void follow(struct walk_request *request, struct velocity_walk *walk)
{
    const bool walks = request->driven && velocity_walk_set(walk, request->velocity);
    if (walks && request->landings != WALK_CLOSING)
        return;
    velocity_walk_stop(walk);
    if (request->landings == WALK_CLOSING) {
        request->landings = 0;
        request->driven = false;
    }
}

// Plans a period. false: both feet carry; else *to is where the foot that swings is to land.
static bool plan(struct walkgen *walkgen, struct pose2d *to)
{
    struct velocity_walk *walk = &walkgen->driven.walk;
    const struct walk_request *request = &walkgen->request;
    const enum side swings = other(walk->support);
    const unsigned remaining = walk->remaining, abandoned = walk->abandoned;
    const unsigned relaxed = walk->relaxed;
    walk->obstacle_count = request->circles;
    memcpy(walk->obstacle, request->circle, sizeof walk->obstacle);
    take_load(walkgen);
    take_force(walkgen);
    follow(&walkgen->request, walk);
    const bool both = remaining == 0 || walk->remaining >= walkgen->driven.step_samples;
    if (both) {
        struct point2 area[VELOCITY_WALK_FOOT_CORNERS];
        const double width_m = feet_of(walkgen, &request->settings, area);
        velocity_walk_feet(walk, area, width_m);
    }
    const struct velocity_walk_report report = velocity_walk_step(walk);
    (void)report; // the walk counts
    walkgen->counts.plans++;
    walkgen->counts.plans_failed += walk->abandoned - abandoned;
    walkgen->counts.plans_relaxed += walk->relaxed - relaxed;
    *to = !both && remaining == 1 ? walk->foot[swings] : walk->next[0];
    return !both;
}

// From 0 to 1 without velocity and acceleration at both ends.
static double smooth(double s)
{
    return s * s * s * (10 + s * (6 * s - 15));
}

static void make_period(struct walkgen *walkgen)
{
    struct walk_driven *driven = &walkgen->driven;
    struct walk_maker *maker = &walkgen->maker;
    struct velocity_walk *walk = &driven->walk;
    const double T = walkgen->request.settings.period_s;
    const unsigned count = walk_samples(VELOCITY_WALK_PERIOD_S, T);
    const enum side swings = other(walk->support);
    const unsigned remaining = walk->remaining;
    struct pose2d to;
    const bool single = plan(walkgen, &to);
    if (single && remaining == driven->step_samples - 1) {
        maker->blocks++;
        lift_off(driven, &maker->foot[swings], &walkgen->request.settings);
    }
    struct walk_reference now = walk_reference_standing(maker);
    double state[3][3];
    now.planned = true;
    for (int a = 0; a < 2; a++)
        now.load_m[a] = walk->load_m[a] -
                        walk->push_m_s2[a] * walkgen->request.settings.com_height_m / GRAVITY_M_S2;
    for (unsigned i = 1; i <= count; i++) {
        double zmp_m[2];
        velocity_walk_sample(walk, VELOCITY_WALK_PERIOD_S - i * T, now.com, zmp_m);
        if (single) {
            now.support = swings == SIDE_LEFT ? SUPPORT_RIGHT : SUPPORT_LEFT;
            swing(walkgen, to, remaining, i * T, state, &now.foot[swings]);
            const double gone = driven->step_samples - remaining + (double)i / count;
            now.phase = fmin(0.5 * ((swings == SIDE_LEFT) + gone / driven->step_samples), 1);
            walk_upper_move(maker, &driven->step, smooth((gone - 1) / (driven->step_samples - 1)),
                            &now);
        }
        now.yaw_rad = driven->yaw_offset_rad +
                      0.5 * (now.foot[SIDE_RIGHT].yaw_rad + now.foot[SIDE_LEFT].yaw_rad);
        walk_reference_append(walkgen, &now, zmp_m);
    }
    if (single) {
        memcpy(driven->swing, state, sizeof state);
        maker->foot[swings] = now.foot[swings];
        if (remaining == 1) {
            maker->foot[swings].position_m[2] = maker->floor_m[0];
            maker->foot[swings].pitch_rad = 0;
            maker->arm_gain = now.arm_gain;
            memcpy(maker->upper_rad, now.upper_rad, sizeof maker->upper_rad);
            walkgen->request.landings -= walkgen->request.landings > 0;
        }
    }
    maker->yaw_rad = now.yaw_rad;
}

void walk_driven_make(struct walkgen *walkgen)
{
    struct walk_driven *driven = &walkgen->driven;
    if (!driven->walking && walkgen->request.driven)
        begin(walkgen);
    if (driven->walking) {
        make_period(walkgen);
        const bool rests = !walkgen->request.driven && velocity_walk_ended(&driven->walk);
        driven->rest = rests ? driven->rest + 1 : 0;
        if (driven->rest == REST_PERIODS) {
            driven->walking = false;
            walkgen->end = walkgen->made;
        }
        return;
    }
    struct walk_reference now = walk_reference_standing(&walkgen->maker);
    double zmp_m[2];
    now.planned = true;
    for (int a = 0; a < 2; a++)
        now.com[a][0] = zmp_m[a] = rest_m(walkgen, a);
    walk_reference_append(walkgen, &now, zmp_m);
}
