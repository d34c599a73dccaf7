// The plug-in of walking by a velocity: what may be asked of it (walkgen_velocity.c does it).
#include <math.h>
#include <string.h>

#include "walk/generator/walkgen_private.h"

#define SPEED_MAX_M_S 0.5
#define TURN_MAX_RAD_S 0.5
#define CIRCLE_MAX_M 5.0 // of a circle's radius
#define LOAD_MAX_M 0.2
#define ONE_FLOOR_M 1e-6
#define LANDINGS_MAX 1000
#define FORCE_MAX_WEIGHTS 0.05 // that each walk catches, whatever its velocity and phase
#define FEET_NARROWEST 0.95    // of the standing robot's distance between its feet
#define FEET_WIDER_MAX_M 0.1
#define SURELY 1.001 // a number that rounding has not made greater

// ---- settings -----------------------------------------------------------------------------------

// What is for steps that are given, and would do nothing here.
static const char *idle_setting(const struct walk_settings *settings)
{
    for (int i = 0; i < 4; i++)
        if (settings->zmp_shift_m[i] != 0)
            return ":ZMPShiftParameters other than 0";
    if (settings->mode == 1 || settings->mode == 2 || settings->mode == 5)
        return ":walkmode 1, 2 or 5";
    return settings->trajectory != 0       ? ":SetFootTrajectory other than polynomial"
           : settings->limits != 0         ? ":LimitsFeasibility 1"
           : settings->slope_length_m != 0 ? ":slope"
                                           : NULL;
}

enum status walk_driven_check(struct walk_trial *trial)
{
    const struct walk_settings *settings = &trial->request.settings;
    const char *name = walk_zmp(settings->zmp)->name, *idle = idle_setting(settings);
    const double ratio = VELOCITY_WALK_PERIOD_S / settings->period_s;
    if (idle != NULL)
        return walk_refuse(trial, "%s would do nothing with %s, which finds its steps itself", idle,
                           name);
    if (walk_driven_samples(settings) == 0)
        return walk_refuse(trial,
                           "%s: a step of %.4g s on one foot and %.4g s on both; with it "
                           ":singlesupporttime is 0.3 to 0.7 s in tenths, :doublesupporttime 0.1",
                           name, settings->single_s, settings->double_s);
    if (trial->request.driven && fabs(ratio - round(ratio)) > 1e-6)
        return walk_refuse(trial, "the %.4g s of a plan by velocity are not periods of %.4g s",
                           VELOCITY_WALK_PERIOD_S, settings->period_s);
    return STATUS_OK;
}

// :setfeetconstraint XY a b: by how much the area where a foot may land is shorter and narrower.
static enum status set_feet(struct walk_trial *trial, const struct walk_line *line)
{
    static const double most_m[2] = {0.3, 0.1};
    const double *margin_m = line->number;
    if (strcmp(line->word, "XY") != 0)
        return walk_refuse(trial, "%s: there is no '%s'; there is XY", line->name, line->word);
    if (margin_m[0] < 0 || margin_m[0] > most_m[0] || margin_m[1] < 0 || margin_m[1] > most_m[1])
        return walk_refuse(trial, "%s: margins of %.6g and %.6g m; from 0 to %.2f and %.2f",
                           line->name, margin_m[0], margin_m[1], most_m[0], most_m[1]);
    memcpy(trial->request.settings.foot_margin_m, margin_m, 2 * sizeof *margin_m);
    return STATUS_OK;
}

// :setDSFeetDistance: how far apart the feet stand when a walk has ended.
static enum status set_apart(struct walk_trial *trial, const struct walk_line *line)
{
    const double width_m = trial->walkgen->stance_m, apart_m = line->number[0];
    const double least_m = FEET_NARROWEST * width_m, most_m = width_m + FEET_WIDER_MAX_M;
    if (apart_m < least_m || apart_m > most_m)
        return walk_refuse(trial, "%s: %.6g m is not from %.3f to %.3f", line->name, apart_m,
                           least_m, most_m);
    trial->request.settings.feet_apart_m = apart_m;
    return STATUS_OK;
}

// ---- velocities ---------------------------------------------------------------------------------

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

// Says so if the feet cannot keep up with it.
static void note_fastest(struct walk_trial *trial, const struct walk_line *line)
{
    static const char *const way[3] = {"m/s along", "m/s aside", "rad/s round"};
    double most[3];
    walk_driven_fastest(trial->walkgen, &trial->request.settings, most);
    for (int k = 0; k < 3; k++)
        if (fabs(trial->request.velocity[k]) > SURELY * most[k]) {
            walk_note(trial, "%s: %.4g %s is more than %.3g, the most that its steps reach",
                      line->name, trial->request.velocity[k], way[k], most[k]);
            return;
        }
}

// A velocity of 0 is walked on the spot; or, as :numberstepsbeforestop says, for so many landings.
static void walk_on(struct walk_request *request)
{
    const double *v = request->velocity;
    const bool moves = v[0] != 0 || v[1] != 0 || v[2] != 0;
    if (moves)
        request->landings = 0;
    else if (request->driven && request->landings == 0)
        request->landings = (unsigned)request->settings.stop_steps;
    request->driven = request->driven || moves;
}

static enum status take_velocity(struct walk_trial *trial, const struct walk_line *line)
{
    static const double most[3] = {SPEED_MAX_M_S, SPEED_MAX_M_S, TURN_MAX_RAD_S};
    const enum status status = check_drives(trial, line);
    if (status != STATUS_OK)
        return status;
    for (int k = 0; k < 3; k++) {
        const double velocity = line->count > 0 ? line->number[k] : 0;
        if (fabs(velocity) > most[k])
            return walk_refuse(trial, "%s: %.6g is not from %.6g to %.6g", line->name, velocity,
                               -most[k], most[k]);
        trial->request.velocity[k] = velocity;
    }
    walk_on(&trial->request);
    note_fastest(trial, line);
    return STATUS_OK;
}

// Without numbers the robot stands until :setVelReference.
static enum status begin_walk(struct walk_trial *trial, const struct walk_line *line)
{
    if (line->count != 0 && line->count != 3)
        return walk_refuse(trial, "%s: %u numbers; three, or none to stand until :setVelReference",
                           line->name, line->count);
    trial->request.online = true;
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
    if (!trial->request.online)
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
    if (!trial->request.online)
        return walk_refuse(trial, "%s: nothing walks by a velocity", line->name);
    trial->request.online = trial->request.driven = false;
    trial->request.landings = 0;
    return STATUS_OK;
}

// Without a velocity the walk goes on for so many landings, of which the last one closes the feet.
static enum status set_stop_steps(struct walk_trial *trial, const struct walk_line *line)
{
    const double steps = line->number[0];
    if (steps < WALK_CLOSING || steps > LANDINGS_MAX || steps != floor(steps))
        return walk_refuse(trial, "%s: %.6g is not a whole number from %d to %d", line->name, steps,
                           WALK_CLOSING, LANDINGS_MAX);
    trial->request.settings.stop_steps = steps;
    walk_on(&trial->request);
    return STATUS_OK;
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
    if (walkgen->driven.calm < WALK_CALM_PERIODS || trial->request.force_N[0] != 0 ||
        trial->request.force_N[1] != 0)
        return walk_refuse(trial, "%s: the force before it was less than %.1f s ago", line->name,
                           WALK_CALM_PERIODS * VELOCITY_WALK_PERIOD_S);
    memcpy(trial->request.force_N, force_N, sizeof trial->request.force_N);
    return STATUS_OK;
}

static enum status check_radius(struct walk_trial *trial, const struct walk_line *line,
                                double radius_m)
{
    if (radius_m > 0 && radius_m <= CIRCLE_MAX_M)
        return STATUS_OK;
    return walk_refuse(trial, "%s: a radius of %.6g m; above 0, at most %.6g", line->name, radius_m,
                       CIRCLE_MAX_M);
}

static enum status add_circle(struct walk_trial *trial, const struct walk_line *line)
{
    struct walk_request *request = &trial->request;
    const double *number = line->number;
    if (request->circles == VELOCITY_WALK_OBSTACLES_MAX)
        return walk_refuse(trial, "%s: there are %d already; see :deleteallobstacles", line->name,
                           VELOCITY_WALK_OBSTACLES_MAX);
    if (check_radius(trial, line, number[2]) != STATUS_OK)
        return STATUS_INVALID;
    request->circle[request->circles++] =
        (struct velocity_walk_obstacle){number[0], number[1], number[2]};
    return STATUS_OK;
}

// Circles have numbers in the order in which they came, from 0 on.
static enum status update_circle(struct walk_trial *trial, const struct walk_line *line)
{
    struct walk_request *request = &trial->request;
    const double *number = line->number;
    if (!(number[0] >= 0 && number[0] < request->circles && number[0] == floor(number[0])))
        return walk_refuse(trial, "%s: there is no circle %.6g; there are %u, from 0 on",
                           line->name, number[0], request->circles);
    if (check_radius(trial, line, number[3]) != STATUS_OK)
        return STATUS_INVALID;
    request->circle[(unsigned)number[0]] =
        (struct velocity_walk_obstacle){number[1], number[2], number[3]};
    return STATUS_OK;
}

static enum status forget_circles(struct walk_trial *trial, const struct walk_line *line)
{
    (void)line;
    trial->request.circles = 0;
    return STATUS_OK;
}

static const struct walk_command command[] = {
    {":HerdtOnline", "m/s m/s rad/s", 0, 3, false, begin_walk},
    {":NaveauOnline", "m/s m/s rad/s", 0, 3, false, begin_naveau},
    {":setVelReference", "m/s m/s rad/s", 3, 3, false, set_velocity},
    {":handload", "m m", 2, 2, false, take_hand_load},
    {":stoppg", "", 0, 0, false, stop},
    {":numberstepsbeforestop", "n", 1, 1, false, set_stop_steps},
    {":setfeetconstraint", "XY m m", 2, 2, true, set_feet},
    {":setDSFeetDistance", "m", 1, 1, false, set_apart},
    {":setCoMPerturbationForce", "N N", 2, 2, false, take_push},
    {":perturbationforce", "N N", 2, 2, false, take_push},
    {":addoneobstacle", "x y radius", 3, 3, false, add_circle},
    {":updateoneobstacle", "n x y radius", 4, 4, false, update_circle},
    {":deleteallobstacles", "", 0, 0, false, forget_circles},
};

const struct walk_plugin walk_velocity = {"velocity", sizeof command / sizeof command[0], command};
