// Stepping over an obstacle (Verrelst et al., Humanoids 2006; Stasse et al. 2008, section 6.2): the
// plug-in that knows the obstacle, and the plan of the steps to it and over it.
//
// The robot walks up to the obstacle, and closes its feet a gap before it. One foot swings over,
// then the other beside it. Gaps, height and yaw of the waist are searched. The pose in which the
// feet are on both sides is looked at first; then the whole motion is rehearsed on a copy of the
// generator, and looked at in each period. The first candidate that passes is walked.
#include <limits.h>
#include <math.h>
#include <string.h>

#include "base/text.h"
#include "base/touched.h"
#include "model/spatial.h"
#include "walk/body/leg_clearance.h"
#include "walk/generator/walkgen_private.h"

#define OVER_SINGLE_S 1.5 // single support of a step over, and what both feet carry around it
#define OVER_DOUBLE_S 0.04
#define STRIDE_M 0.2 // of the steps up to the obstacle, at most
#define STRIDE_RAD 0.1
#define STRIDE_ASIDE_M 0.03
#define AWAY_MAX_M 5.0 // of an obstacle
#define ASKEW_MAX_RAD 0.8
#define CLEARANCE_M 0.02    // of any link from the obstacle, at least
#define KNEE_MIN_RAD 0.2    // of a leg that is not over-stretched
#define SPEED_MAX_RAD_S 6.5 // of a joint
#define ZMP_MAX_M 0.004     // of the postures' ZMP from the planned one
#define REHEARSAL_MAX_S 60.0
#define LOOK_PERIODS 10 // of a rehearsal take as long as a look at a candidate

// What is searched, and in which order.
struct candidate {
    double shift_m;       // of the ZMP towards the other foot, when both are apart
    double lift_m;        // of the soles above the obstacle at the control points
    double waist_m;       // beside the usual height
    double waist_yaw_rad; // by which the hip of the foot in front comes forward
    double toe_m, heel_m; // gaps of the feet before and behind the obstacle
    double roll_rad;
};
static const double shifts_m[] = {0.03, 0, 0.05};
// Where nothing is found the robot bends its legs more and tries again: they reach farther then,
// but shanks come nearer to what is high.
#define LIFTS 3
#define GAPS 4
#define HEIGHTS_MAX 5
static const struct round {
    double lift_m[LIFTS], gap_m[GAPS], waist_m[HEIGHTS_MAX];
    unsigned heights;
    unsigned rehearsals; // at most
    double roll_rad;     // see struct walk_step
} rounds[] = {
#define NEARER                                                                                     \
    {0.025, 0.015, 0.04},                                                                          \
    {                                                                                              \
        0.04, 0.05, 0.03, 0.06                                                                     \
    }
    {{0.015, 0.008, 0.025}, {0.05, 0.06, 0.08, 0.04}, {0, 0.02, 0.04, 0.06, -0.02}, 5, 20, 0},
    {NEARER, {0, -0.01, 0.01}, 3, 12, 0.4},
    {NEARER, {-0.04}, 1, 6, 0},
    {NEARER, {-0.06}, 1, 6, 0},
    {NEARER, {-0.08}, 1, 6, 0},
    {NEARER, {-0.1}, 1, 6, 0},
    {NEARER, {-0.12}, 1, 6, 0},
#undef NEARER
};
static const double waist_yaws_rad[] = {0, 0.15, 0.3};
#define COUNT(array) (sizeof(array) / sizeof(array)[0])

// How far a candidate came.
struct verdict {
    unsigned stage; // postures that it has passed; then periods
    char reason[WALK_REASON_MAX];
};

struct course {
    struct walk_obstacle obstacle;
    struct pose2d first; // the middle that the sequence begins from
    double width_m;
    double tip_m[2]; // of walk_body_tips
    enum side side;  // of the foot that carries first
};

static double radians(double degrees)
{
    return degrees * M_PI / 180;
}

static struct pose2d ahead(struct pose2d from, double x_m, double y_m)
{
    const double c = cos(from.yaw_rad), s = sin(from.yaw_rad);
    return (struct pose2d){from.x_m + c * x_m - s * y_m, from.y_m + s * x_m + c * y_m,
                           from.yaw_rad};
}

static enum side other(enum side side)
{
    return side == SIDE_RIGHT ? SIDE_LEFT : SIDE_RIGHT;
}

// ---- what is asked for --------------------------------------------------------------------------

static enum status set_obstacle(struct walk_trial *trial, const struct walk_line *line)
{
    const double *n = line->number;
    if (hypot(n[0], n[1]) > AWAY_MAX_M || fabs(n[2]) > 0.05)
        return walk_refuse(trial,
                           "%s: an obstacle %.4g m away at height %.4g m; at most %.0f and "
                           "0.05",
                           line->name, hypot(n[0], n[1]), n[2], AWAY_MAX_M);
    if (fabs(n[3]) > 180)
        return walk_refuse(trial, "%s: a yaw of %.4g degrees; -180 to 180", line->name, n[3]);
    if (n[4] <= 0 || n[4] > 1 || n[5] <= 0 || n[5] > 10 || n[6] <= 0 || n[6] > 1)
        return walk_refuse(trial,
                           "%s: %.4g m high, %.4g wide, %.4g deep; above 0, at most 1, 10 and 1",
                           line->name, n[4], n[5], n[6]);
    memcpy(trial->request.settings.obstacle, n, sizeof trial->request.settings.obstacle);
    trial->request.settings.obstacle_known = true;
    return STATUS_OK;
}

static enum status check_request(struct walk_trial *trial, const struct walk_line *line)
{
    const struct walk_settings *settings = &trial->request.settings;
    const double *d = settings->distribution;
    if (line->count % 3 != 0 || line->count < 3)
        return walk_refuse(trial, "%s: %u numbers are no multiple of 3", line->name, line->count);
    if (!settings->obstacle_known)
        return walk_refuse(trial, "%s: no obstacle to step over; first :obstacleparameters",
                           line->name);
    if (walk_zmp(settings->zmp)->plans || walk_zmp(settings->zmp)->drives)
        return walk_refuse(trial,
                           "%s: under %s nothing is stepped over; see "
                           ":SetAlgoForZmpTrajectory Kajita",
                           line->name, walk_zmp(settings->zmp)->name);
    if (!(d[0] > 0 && d[0] < d[1] && d[1] < 5 && d[2] > 0 && d[2] < d[3] && d[3] < 5))
        return walk_refuse(trial,
                           "%s: control points at %.4g %.4g and %.4g %.4g fifths; they "
                           "rise, between 0 and 5",
                           line->name, d[0], d[1], d[2], d[3]);
    return STATUS_OK;
}

// The obstacle is given as seen from between the feet.
static enum status find_course(struct walk_trial *trial, const struct walk_line *line,
                               struct course *course)
{
    const struct walk_maker *maker = &trial->walkgen->maker;
    const double *n = trial->request.settings.obstacle;
    const struct pose2d middle = walk_middle(maker);
    const struct pose2d centre = ahead(middle, n[0], n[1]);
    const struct walk_step first = {
        .x_m = line->number[0], .y_m = line->number[1], .yaw_rad = radians(line->number[2])};
    const struct pose2d support = walk_step_pose(middle, &first);
    const double half_m = fabs(first.y_m);
    course->side = first.y_m > 0 ? SIDE_LEFT : SIDE_RIGHT;
    course->first = ahead(support, 0, course->side == SIDE_LEFT ? -half_m : half_m);
    course->width_m = 2 * half_m;
    walk_body_tips(&trial->walkgen->body, course->tip_m);
    const double floor_m = maker->floor_m[0];
    course->obstacle =
        (struct walk_obstacle){.centre_m = {centre.x_m, centre.y_m, floor_m + n[2] + 0.5 * n[4]},
                               .yaw_rad = middle.yaw_rad + radians(n[3]),
                               .half_m = {0.5 * n[6], 0.5 * n[5], 0.5 * n[4]}};
    if (fabs(angle_wrap(course->obstacle.yaw_rad - course->first.yaw_rad)) > ASKEW_MAX_RAD)
        return walk_refuse(
            trial,
            "%s: the obstacle lies %.0f degrees askew; at most %.0f, so turn "
            "first",
            line->name, angle_wrap(course->obstacle.yaw_rad - course->first.yaw_rad) * 180 / M_PI,
            ASKEW_MAX_RAD * 180 / M_PI);
    return STATUS_OK;
}

// ---- the steps of a candidate -------------------------------------------------------------------

struct walkers { // the sequence as it grows
    struct walk_trial *trial;
    struct pose2d support;
    enum side side; // of the support
    double width_m;
};

// Adds the step of the other foot to its place under the middle `to`.
static enum status add(struct walkers *at, struct pose2d to, struct walk_step step)
{
    const enum side swings = other(at->side);
    const struct pose2d foot = ahead(to, 0, (swings == SIDE_LEFT ? 0.5 : -0.5) * at->width_m);
    const double c = cos(foot.yaw_rad), s = sin(foot.yaw_rad);
    const double dx = foot.x_m - at->support.x_m, dy = foot.y_m - at->support.y_m;
    step.x_m = c * dx + s * dy;
    step.y_m = c * dy - s * dx;
    step.yaw_rad = angle_wrap(foot.yaw_rad - at->support.yaw_rad);
    at->support = foot;
    at->side = swings;
    return walk_request_add(at->trial, &step);
}

// The middle of the feet so far before the obstacle's front, on the robot's way straight ahead or,
// where the obstacle is not as wide, as near to it as it is.
static struct pose2d before_front(const struct course *course, double gap_m)
{
    const struct walk_obstacle *obstacle = &course->obstacle;
    const struct pose2d centre = {obstacle->centre_m[0], obstacle->centre_m[1], obstacle->yaw_rad};
    const struct pose2d front = ahead(centre, -obstacle->half_m[0] - gap_m, 0);
    const double askew = obstacle->yaw_rad - course->first.yaw_rad;
    // Across the robot's way the line of fronts and the way meet where this vanishes.
    const double across_m = -sin(course->first.yaw_rad) * (front.x_m - course->first.x_m) +
                            cos(course->first.yaw_rad) * (front.y_m - course->first.y_m);
    const double room_m = fmax(0, obstacle->half_m[1] - 0.5 * course->width_m - course->tip_m[1]);
    const double along_m = fmin(room_m, fmax(-room_m, -across_m / cos(askew)));
    return ahead(front, 0, along_m);
}

// Walks to `target`, the last two steps closing the feet there.
static enum status approach(struct walkers *at, const struct course *course, struct pose2d target,
                            double waist_m)
{
    const struct pose2d from = course->first;
    const double turn = angle_wrap(target.yaw_rad - from.yaw_rad);
    const double dx = target.x_m - from.x_m, dy = target.y_m - from.y_m;
    const double c = cos(from.yaw_rad), s = sin(from.yaw_rad);
    const double along_m = fabs(c * dx + s * dy);
    // A body that has turned goes aside where it goes straight on.
    const double aside_m = fabs(c * dy - s * dx) + along_m * fabs(sin(turn));
    const double strides =
        fmax(along_m / STRIDE_M, fmax(fabs(turn) / STRIDE_RAD, aside_m / STRIDE_ASIDE_M));
    const unsigned count = (unsigned)fmax(1, ceil(strides - 1e-9));
    enum status status = STATUS_OK;
    for (unsigned i = 1; i <= count + 1 && status == STATUS_OK; i++) {
        const double share = fmin(1, (double)i / count);
        const struct pose2d to = {from.x_m + share * dx, from.y_m + share * dy,
                                  from.yaw_rad + share * turn};
        status = add(at, to, (struct walk_step){.waist_m = i > count ? waist_m : 0});
    }
    return status;
}

// Of a foot that steps over.
static double stride_m(const struct course *course, const struct candidate *candidate)
{
    return 2 * course->obstacle.half_m[0] + candidate->toe_m + candidate->heel_m +
           course->tip_m[1] - course->tip_m[0];
}

static double lift_m(const struct course *course, const struct candidate *candidate)
{
    return 2 * course->obstacle.half_m[2] + candidate->lift_m;
}

// Puts a candidate's steps on the stack.
static enum status add_steps(struct walk_trial *trial, const struct course *course,
                             const struct walk_step *first, const struct candidate *candidate)
{
    const double over_m = stride_m(course, candidate);
    const struct pose2d target = before_front(course, candidate->toe_m + course->tip_m[1]);
    const struct pose2d beyond = ahead(target, over_m, 0);
    struct walkers at = {trial, walk_step_pose(walk_middle(&trial->walkgen->maker), first),
                         course->side, course->width_m};
    struct walk_step over = {.waist_m = candidate->waist_m,
                             .single_s = OVER_SINGLE_S,
                             .double_s = OVER_DOUBLE_S,
                             .lift_m = lift_m(course, candidate),
                             .over = 1,
                             .roll_rad = candidate->roll_rad,
                             .zmp_shift_m = {0, candidate->shift_m},
                             .along_m = {0.5 * candidate->toe_m, over_m - 0.5 * candidate->heel_m}};
    enum status status = walk_request_add(trial, first);
    if (status == STATUS_OK)
        status = approach(&at, course, target, candidate->waist_m);
    over.waist_yaw_rad =
        other(at.side) == SIDE_LEFT ? -candidate->waist_yaw_rad : candidate->waist_yaw_rad;
    if (status == STATUS_OK)
        status = add(&at, beyond, over);
    over.over = 2;
    over.waist_yaw_rad = 0;
    over.zmp_shift_m[0] = -candidate->shift_m;
    over.zmp_shift_m[1] = 0;
    if (status == STATUS_OK)
        status = add(&at, beyond, over);
    if (status == STATUS_OK && candidate->waist_m != 0) // back to the usual height
        status = add(&at, beyond, (struct walk_step){.double_s = OVER_DOUBLE_S});
    return status;
}

// ---- criteria -----------------------------------------------------------------------------------

static const char *name_of(enum side side)
{
    return side == SIDE_RIGHT ? "right" : "left";
}

static bool knees_pass(const struct walk_body_pose *pose, struct verdict *verdict)
{
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        if (pose->leg_rad[side][LEG_KN] < KNEE_MIN_RAD) {
            snprintf(verdict->reason, sizeof verdict->reason,
                     "knee: the %s one would be stretched to %.0f degrees; at least %.0f",
                     name_of(side), pose->leg_rad[side][LEG_KN] * 180 / M_PI,
                     KNEE_MIN_RAD * 180 / M_PI);
            return false;
        }
    return true;
}

// Whether a posture keeps what is asked of the legs.
static bool posture_passes(const struct walkgen *walkgen, const struct walk_body_pose *pose,
                           const struct walk_obstacle *obstacle, struct verdict *verdict)
{
    if (!knees_pass(pose, verdict))
        return false;
    struct leg_clearance nearest;
    leg_clearance(&walkgen->body, pose, obstacle, &nearest);
    if (nearest.distance_m >= CLEARANCE_M)
        return true;
    snprintf(verdict->reason, sizeof verdict->reason,
             "collision: the %s %s would be %.0f mm from the obstacle; at least %.0f",
             name_of(nearest.side), nearest.link, fmax(0, 1e3 * nearest.distance_m),
             1e3 * CLEARANCE_M);
    return false;
}

static bool speed_passes(const struct walkgen *walkgen, const struct walkgen_output *out,
                         struct verdict *verdict)
{
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++) {
            const double speed = fabs(out->joint_rad_s[walkgen->body.leg[side].joint[i]]);
            if (speed <= SPEED_MAX_RAD_S)
                continue;
            snprintf(verdict->reason, sizeof verdict->reason,
                     "speed: a joint of the %s leg would turn at %.1f rad/s; at most %.1f",
                     name_of(side), speed, SPEED_MAX_RAD_S);
            return false;
        }
    return true;
}

static bool refuse_reach(double waist_m, struct verdict *verdict)
{
    snprintf(verdict->reason, sizeof verdict->reason,
             "reach: no posture of the legs has the waist at %.3f m", waist_m);
    return false;
}

// Postures on the way over, in whose middle the centre of mass is over the foot that carries, or
// between both.
static const struct instant_over {
    double one, two; // how far the first and the second foot are: 0 before, 1 beyond
    bool lifted[2];
    double com; // likewise
} instants[] = {
    {0, 0, {true, false}, 0}, {1, 0, {true, false}, 0}, {1, 0, {false, false}, 0.5},
    {1, 0, {false, true}, 1}, {1, 1, {false, true}, 1},
};

static bool instant_passes(const struct walkgen *walkgen, const struct walk_settings *settings,
                           const struct course *course, const struct candidate *candidate,
                           const struct instant_over *at, struct verdict *verdict)
{
    const struct pose2d before = before_front(course, candidate->toe_m + course->tip_m[1]);
    const double over_m = stride_m(course, candidate), share[2] = {at->one, at->two};
    const double in_m[2] = {0.5 * candidate->toe_m, -0.5 * candidate->heel_m};
    struct pose2d foot[2];
    struct walk_posture wanted = {
        .waist_height_m = walkgen->start.waist_m[2] + settings->com_height_m -
                          walkgen->body.com_height_m + candidate->waist_m,
        .com_to_waist_m = {walkgen->start.com_to_waist_m[0], walkgen->start.com_to_waist_m[1]}};
    // The left foot goes first here; the right one's posture is its mirror.
    for (int i = 0; i < 2; i++) {
        const double in = at->lifted[i] ? in_m[share[i] > 0.5] : 0;
        foot[i] = ahead(before, share[i] * over_m + in, (0.5 - i) * course->width_m);
        const enum side side = i == 0 ? SIDE_LEFT : SIDE_RIGHT;
        wanted.soles.position_m[side][0] = foot[i].x_m;
        wanted.soles.position_m[side][1] = foot[i].y_m;
        wanted.soles.position_m[side][2] = at->lifted[i] ? lift_m(course, candidate) : 0;
        rotation_z(before.yaw_rad, wanted.soles.rotation[side]);
    }
    const double left = at->lifted[0] ? 0 : at->lifted[1] ? 1 : 0.5; // share of the weight
    const double turned = at->one > at->two || at->lifted[0] ? at->one - at->two : 0;
    wanted.waist_yaw_rad = before.yaw_rad - turned * candidate->waist_yaw_rad;
    wanted.com_m[0] = left * foot[0].x_m + (1 - left) * foot[1].x_m;
    wanted.com_m[1] = left * foot[0].y_m + (1 - left) * foot[1].y_m;
    struct walk_body_pose pose = {.pelvis_m = {wanted.com_m[0], wanted.com_m[1], 0}};
    if (walk_realisation(settings->realisation)->realise(&walkgen->body, &wanted, &pose) !=
        STATUS_OK)
        return refuse_reach(wanted.waist_height_m, verdict);
    return posture_passes(walkgen, &pose, &course->obstacle, verdict);
}

static bool zmp_passes(const struct walkgen_output *out, struct verdict *verdict)
{
    const double off_m =
        hypot(out->zmp_multibody_m[0] - out->zmp_m[0], out->zmp_multibody_m[1] - out->zmp_m[1]);
    if (off_m <= ZMP_MAX_M)
        return true;
    snprintf(verdict->reason, sizeof verdict->reason,
             "balance: the ZMP would be %.0f mm off the planned one; at most %.0f", 1e3 * off_m,
             1e3 * ZMP_MAX_M);
    return false;
}

enum outcome { PASSES, FAILS, GOES_ON };

// One period of the copy's motion.
static enum outcome rehearse(struct walkgen *rehearsal, const struct course *course,
                             struct verdict *verdict)
{
    struct walkgen_output out;
    const int now = (int)(rehearsal->tick & 1);
    const bool more = walkgen_tick(rehearsal, &out);
    verdict->stage++;
    if (!out.reachable) {
        refuse_reach(out.waist_m[2], verdict);
        return FAILS;
    }
    if (!knees_pass(&rehearsal->first.pose[rehearsal->first.sample & 1], verdict) ||
        !posture_passes(rehearsal, &rehearsal->second.pose[now], &course->obstacle, verdict) ||
        !speed_passes(rehearsal, &out, verdict) || !zmp_passes(&out, verdict))
        return FAILS;
    return more ? GOES_ON : PASSES;
}

static enum outcome begin_rehearsal(struct walk_trial *trial, const struct course *course,
                                    const struct walk_step *first,
                                    const struct candidate *candidate, struct verdict *verdict)
{
    struct walkgen *rehearsal = walkgen_rehearsal(trial->walkgen);
    if (add_steps(&rehearsal->trial, course, first, candidate) != STATUS_OK) {
        snprintf(verdict->reason, sizeof verdict->reason, "steps: %.200s", rehearsal->trial.reason);
        return FAILS;
    }
    rehearsal->request = rehearsal->trial.request;
    return GOES_ON;
}

// ---- the search ---------------------------------------------------------------------------------

static double pick(unsigned *number, const double *of, unsigned count)
{
    const double picked = of[*number % count];
    *number /= count;
    return picked;
}

// The candidates there are in a round, by number; what comes first here changes first.
static bool candidate_at(const struct round *round, unsigned number, struct candidate *candidate)
{
    candidate->lift_m = pick(&number, round->lift_m, LIFTS);
    candidate->shift_m = pick(&number, shifts_m, COUNT(shifts_m));
    candidate->waist_m = pick(&number, round->waist_m, round->heights);
    candidate->heel_m = pick(&number, round->gap_m, GAPS);
    candidate->toe_m = pick(&number, round->gap_m, GAPS);
    candidate->roll_rad = round->roll_rad;
    candidate->waist_yaw_rad = pick(&number, waist_yaws_rad, COUNT(waist_yaws_rad));
    return number == 0;
}

static bool instants_pass(const struct walk_trial *trial, const struct course *course,
                          const struct candidate *candidate, struct verdict *verdict)
{
    for (verdict->stage = 0; verdict->stage < COUNT(instants); verdict->stage++)
        if (!instant_passes(trial->walkgen, &trial->request.settings, course, candidate,
                            &instants[verdict->stage], verdict))
            return false;
    return true;
}

struct walk_search {
    struct course course;
    struct walk_step first;
    unsigned round, number; // of the candidate
    struct candidate candidate;
    struct verdict verdict, farthest;
    unsigned rehearsals;
    long periods_left; // of its rehearsal; 0: there is none
};

struct walk_search *walk_search_create(void)
{
    return touched_alloc(1, sizeof(struct walk_search));
}

size_t walk_search_memory(void)
{
    return sizeof(struct walk_search);
}

// Looks at the next candidate.
static enum outcome look(struct walk_trial *trial, struct walk_search *search)
{
    const double period_s = trial->request.settings.period_s;
    if (!instants_pass(trial, &search->course, &search->candidate, &search->verdict))
        return FAILS;
    search->rehearsals++;
    search->periods_left = lround(REHEARSAL_MAX_S / period_s);
    return begin_rehearsal(trial, &search->course, &search->first, &search->candidate,
                           &search->verdict);
}

static enum outcome go_on(struct walk_trial *trial, struct walk_search *search)
{
    struct verdict *verdict = &search->verdict;
    const enum outcome outcome = rehearse(trial->walkgen->rehearsal, &search->course, verdict);
    if (outcome != GOES_ON || --search->periods_left > 0)
        return outcome;
    snprintf(verdict->reason, sizeof verdict->reason, "time: it would take more than %.0f s",
             REHEARSAL_MAX_S);
    return FAILS;
}

enum status walk_search_go_on(struct walk_trial *trial, unsigned periods)
{
    struct walk_search *search = trial->walkgen->search;
    for (unsigned done = 0; done < periods;) {
        const bool looks = search->periods_left == 0;
        const struct round *round = &rounds[search->round];
        if (looks && (search->rehearsals == round->rehearsals ||
                      !candidate_at(round, search->number, &search->candidate))) {
            if (++search->round == COUNT(rounds))
                return walk_refuse(trial, "%s: no way over the obstacle; %.160s",
                                   trial->walkgen->line.name, search->farthest.reason);
            search->number = search->rehearsals = 0;
            continue;
        }
        const enum outcome outcome = looks ? look(trial, search) : go_on(trial, search);
        done += looks ? LOOK_PERIODS : 1;
        if (outcome == PASSES) {
            trial->request = trial->walkgen->rehearsal->trial.request;
            return STATUS_OK;
        }
        if (outcome == FAILS) {
            if (search->round + search->number++ == 0 ||
                search->verdict.stage > search->farthest.stage)
                search->farthest = search->verdict;
            search->periods_left = 0;
        }
    }
    return STATUS_BUSY;
}

enum status walk_step_over_plan(struct walk_trial *trial, const struct walk_line *line)
{
    const struct walkgen *walkgen = trial->walkgen;
    struct walk_search *search = walkgen->search;
    *search = (struct walk_search){.first = {.x_m = line->number[0],
                                             .y_m = line->number[1],
                                             .yaw_rad = radians(line->number[2])}};
    enum status status = check_request(trial, line);
    if (status == STATUS_OK)
        status = find_course(trial, line, &search->course);
    // A sequence begins only while the robot rests, so the plan's start does not change.
    if (status == STATUS_OK && trial->patient)
        return STATUS_BUSY;
    return status == STATUS_OK ? walk_search_go_on(trial, UINT_MAX) : status;
}

static const struct walk_command command[] = {
    {":obstacleparameters", "x y z yaw_deg height width depth", 7, 7, false, set_obstacle},
};

const struct walk_plugin walk_step_over = {"stepping over", sizeof command / sizeof command[0],
                                           command};
