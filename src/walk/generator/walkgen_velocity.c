// Walking by a velocity (velocity_walk.h) as a strategy: each period of it gives references whose
// centre of mass is known, and a swing foot that follows a landing place which may still move. The
// commands that go with it.
#include <math.h>
#include <string.h>

#include "walk/generator/walkgen_private.h"

#define STEP_SAMPLES 8 // periods of a step
#define SPEED_MAX_M_S 0.5
#define TURN_MAX_RAD_S 0.5
#define NARROWEST 0.95   // of the standing robot's distance between its feet
#define EARLY_S 0.02     // before it lands, a foot is over its place
#define REST_PERIODS 15  // after which what is left of its motion is forgotten
#define CIRCLE_MAX_M 5.0 // of a circle's radius
#define LOAD_MAX_M 0.2
#define LOAD_CHANGE_M 0.005 // in a period
#define ONE_FLOOR_M 1e-6
#define YAW_WEIGHT 10.0
#define INWARD_MAX_RAD 0.1
#define CLOSING 2 // landings that a walk still needs to come to rest
#define LANDINGS_MAX 1000
#define FORCE_MAX_WEIGHTS 0.05 // that each walk catches, whatever its velocity and phase
#define CALM_PERIODS 16        // after a force, before the next one

static struct velocity_walk_config config_of(const struct walkgen *walkgen, double com_height_m)
{
    const double *margin_m = walkgen->request.settings.foot_margin_m;
    const double width_m = walkgen->stance_m, least_m = NARROWEST * width_m;
    const double middle_m = 0.5 * (least_m + width_m + 0.12);
    struct velocity_walk_config config = velocity_walk_defaults(com_height_m);
    struct point2 area[] = {{0.2, least_m},
                            {0.16, width_m + 0.08},
                            {0, width_m + 0.12},
                            {-0.16, width_m + 0.08},
                            {-0.2, least_m}};
    for (size_t i = 0; i < sizeof area / sizeof area[0]; i++) {
        area[i].x *= 1 - margin_m[0] / 0.4;
        area[i].y += (middle_m - area[i].y) * margin_m[1] / (width_m + 0.12 - least_m);
    }
    memcpy(config.foot_area, area, sizeof config.foot_area);
    config.stance_width_m = width_m;
    config.weight_yaw = walk_zmp(walkgen->request.settings.zmp)->turns ? YAW_WEIGHT : 0;
    config.yaw_inward_max_rad = INWARD_MAX_RAD;
    config.step_samples = STEP_SAMPLES;
    return config;
}

bool walk_driven_fits(const struct walk_settings *settings)
{
    const double ratio = VELOCITY_WALK_PERIOD_S / settings->period_s;
    return fabs(ratio - round(ratio)) < 1e-6;
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
    driven->calm = CALM_PERIODS;
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
    const double left_s = remaining * VELOCITY_WALK_PERIOD_S;
    const double single_s = (STEP_SAMPLES - 1) * VELOCITY_WALK_PERIOD_S;
    const double u = fmin(1, (single_s - left_s + t_s) / single_s), bump = 4 * u * (1 - u);
    for (int k = 0; k < 3; k++)
        approach(walkgen->driven.swing[k], goal[k], left_s - EARLY_S, t_s, state[k]);
    *foot = (struct walk_foot){
        .position_m = {state[0][0], state[1][0],
                       walkgen->maker.floor_m[0] +
                           walkgen->request.settings.lift_m * bump * bump * bump},
        .yaw_rad = state[2][0]};
}

static void lift_off(struct walk_driven *driven, const struct walk_foot *foot)
{
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
    if (walks && request->landings != CLOSING)
        return;
    velocity_walk_stop(walk);
    if (request->landings == CLOSING) {
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
    const bool both = remaining == 0 || walk->remaining >= STEP_SAMPLES;
    const struct velocity_walk_report report = velocity_walk_step(walk);
    (void)report; // the walk counts
    walkgen->counts.plans++;
    walkgen->counts.plans_failed += walk->abandoned - abandoned;
    walkgen->counts.plans_relaxed += walk->relaxed - relaxed;
    *to = !both && remaining == 1 ? walk->foot[swings] : walk->next[0];
    return !both;
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
    if (single && remaining == STEP_SAMPLES - 1) {
        maker->blocks++;
        lift_off(driven, &maker->foot[swings]);
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
            const double gone = STEP_SAMPLES - remaining + (double)i / count;
            now.phase = fmin(0.5 * ((swings == SIDE_LEFT) + gone / STEP_SAMPLES), 1);
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

// ---- commands -----------------------------------------------------------------------------------

static enum status check_drives(struct walk_trial *trial, const struct walk_line *line)
{
    const struct walk_settings *settings = &trial->request.settings;
    const struct walk_maker *maker = &trial->walkgen->maker;
    if (!walk_zmp(settings->zmp)->drives)
        return walk_refuse(trial, "%s: first :SetAlgoForZmpTrajectory Herdt or Naveau", line->name);
    if (!trial->walkgen->driven.walking && fabs(maker->foot[SIDE_RIGHT].position_m[2] -
                                                maker->foot[SIDE_LEFT].position_m[2]) > ONE_FLOOR_M)
        return walk_refuse(trial, "%s: the feet stand on two floors", line->name);
    return STATUS_OK;
}

static enum status take_velocity(struct walk_trial *trial, const struct walk_line *line)
{
    static const double most[3] = {SPEED_MAX_M_S, SPEED_MAX_M_S, TURN_MAX_RAD_S};
    const enum status status = check_drives(trial, line);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < 3; k++) {
        if (fabs(line->number[k]) > most[k])
            return walk_refuse(trial, "%s: %.6g is not from %.6g to %.6g", line->name,
                               line->number[k], -most[k], most[k]);
        trial->request.velocity[k] = line->number[k];
    }
    trial->request.driven = true;
    return STATUS_OK;
}

static enum status begin_walk(struct walk_trial *trial, const struct walk_line *line)
{
    trial->request.landings = 0;
    return take_velocity(trial, line);
}

static enum status begin_naveau(struct walk_trial *trial, const struct walk_line *line)
{
    if (!walk_zmp(trial->request.settings.zmp)->turns)
        return walk_refuse(trial, "%s: first :SetAlgoForZmpTrajectory Naveau", line->name);
    return begin_walk(trial, line);
}

static enum status set_velocity(struct walk_trial *trial, const struct walk_line *line)
{
    if (!trial->request.driven)
        return walk_refuse(trial, "%s: nothing walks by a velocity; begin with :HerdtOnline",
                           line->name);
    return take_velocity(trial, line);
}

static enum status take_hand_load(struct walk_trial *trial, const struct walk_line *line)
{
    for (int a = 0; a < 2; a++) {
        if (fabs(line->number[a]) > LOAD_MAX_M)
            return walk_refuse(trial, "%s: %.6g m is not from %.6g to %.6g", line->name,
                               line->number[a], -LOAD_MAX_M, LOAD_MAX_M);
        trial->request.load_m[a] = line->number[a];
    }
    return STATUS_OK;
}

static enum status stop(struct walk_trial *trial, const struct walk_line *line)
{
    if (!trial->request.driven)
        return walk_refuse(trial, "%s: nothing walks by a velocity", line->name);
    trial->request.driven = false;
    trial->request.landings = 0;
    return STATUS_OK;
}

// The walk goes on for so many landings, and the last one closes the feet.
static enum status stop_after(struct walk_trial *trial, const struct walk_line *line)
{
    const double steps = line->number[0];
    if (steps < CLOSING || steps > LANDINGS_MAX || steps != floor(steps))
        return walk_refuse(trial, "%s: %.6g is not a whole number from %d to %d", line->name, steps,
                           CLOSING, LANDINGS_MAX);
    const enum status status = stop(trial, line);
    trial->request.driven = true;
    trial->request.landings = (unsigned)steps;
    return status;
}

// :setCoMPerturbationForce: an unforeseen force on the centre of mass.
static enum status take_push(struct walk_trial *trial, const struct walk_line *line)
{
    const struct walkgen *walkgen = trial->walkgen;
    const double *force_N = line->number, size_N = hypot(force_N[0], force_N[1]);
    const double most_N = FORCE_MAX_WEIGHTS * walkgen->body.mass_kg * GRAVITY_M_S2;
    if (!walkgen->driven.walking)
        return walk_refuse(trial, "%s: nothing walks by a velocity", line->name);
    if (size_N > most_N)
        return walk_refuse(trial, "%s: a force of %.6g N; at most %.1f", line->name, size_N,
                           most_N);
    if (walkgen->driven.calm < CALM_PERIODS || trial->request.force_N[0] != 0 ||
        trial->request.force_N[1] != 0)
        return walk_refuse(trial, "%s: the force before it was less than %.1f s ago", line->name,
                           CALM_PERIODS * VELOCITY_WALK_PERIOD_S);
    memcpy(trial->request.force_N, force_N, sizeof trial->request.force_N);
    return STATUS_OK;
}

static enum status add_circle(struct walk_trial *trial, const struct walk_line *line)
{
    struct walk_request *request = &trial->request;
    const double *number = line->number;
    if (request->circles == VELOCITY_WALK_OBSTACLES_MAX)
        return walk_refuse(trial, "%s: there are %d already; see :deleteallobstacles", line->name,
                           VELOCITY_WALK_OBSTACLES_MAX);
    if (!(number[2] > 0 && number[2] <= CIRCLE_MAX_M))
        return walk_refuse(trial, "%s: a radius of %.6g m; above 0, at most %.6g", line->name,
                           number[2], CIRCLE_MAX_M);
    request->circle[request->circles++] =
        (struct velocity_walk_obstacle){number[0], number[1], number[2]};
    return STATUS_OK;
}

static enum status forget_circles(struct walk_trial *trial, const struct walk_line *line)
{
    (void)line;
    trial->request.circles = 0;
    return STATUS_OK;
}

static const struct walk_command command[] = {
    {":HerdtOnline", "m/s m/s rad/s", 3, 3, false, begin_walk},
    {":NaveauOnline", "m/s m/s rad/s", 3, 3, false, begin_naveau},
    {":setVelReference", "m/s m/s rad/s", 3, 3, false, set_velocity},
    {":handload", "m m", 2, 2, false, take_hand_load},
    {":stoppg", "", 0, 0, false, stop},
    {":numberstepsbeforestop", "n", 1, 1, false, stop_after},
    {":setCoMPerturbationForce", "N N", 2, 2, false, take_push},
    {":addoneobstacle", "x y radius", 3, 3, false, add_circle},
    {":deleteallobstacles", "", 0, 0, false, forget_circles},
};

const struct walk_plugin walk_velocity = {"velocity", sizeof command / sizeof command[0], command};
