#include "walk/generator/walkgen.h"

#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/touched.h"
#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

#define PIPE(sample) ((sample) & (WALK_PIPE_MAX - 1))
#define JERK_WEIGHT 1e-7        // of the first preview, a tenth of Kajita's
#define FILTER_JERK_WEIGHT 1e-8 // of the second
#define STAGES_MAX 16           // of a tick that catches up after a change
#define ONE_FLOOR_M 0.005       // two soles on one floor, from each other

double walkgen_period_s(const struct walkgen *walkgen)
{
    return walkgen->gains.period_s;
}

unsigned walkgen_window(const struct walkgen *walkgen)
{
    return 2 * walkgen->window + 2;
}

double walkgen_com_height_m(const struct walkgen *walkgen)
{
    return walkgen->gains.com_height_m;
}

struct walkgen_counts walkgen_counts(const struct walkgen *walkgen)
{
    struct walkgen_counts counts = walkgen->counts;
    counts.ticks = (uint64_t)walkgen->tick;
    counts.steps_waiting = walkgen->request.count;
    counts.references_ahead = (unsigned)(walkgen->made - walkgen->tick);
    return counts;
}

size_t walkgen_memory(void)
{
    return 2 * sizeof(struct walkgen) + walk_search_memory() + pbw_memory(WALK_PLAN_MAX) +
           velocity_walk_memory();
}

// ---- start --------------------------------------------------------------------------------------

static struct walk_posture posture(const struct walkgen *walkgen,
                                   const struct walk_settings *settings,
                                   const struct walk_reference *reference, const double com_m[2])
{
    struct walk_posture wanted = {
        .com_m = {com_m[0], com_m[1]},
        .waist_height_m = walkgen->start.waist_m[2] + settings->com_height_m -
                          walkgen->body.com_height_m + reference->waist_m,
        .waist_yaw_rad = reference->yaw_rad,
        .com_to_waist_m = {walkgen->start.com_to_waist_m[0], walkgen->start.com_to_waist_m[1]}};
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        const struct walk_foot *foot = &reference->foot[side];
        memcpy(wanted.soles.position_m[side], foot->position_m, sizeof foot->position_m);
        if (foot->pitch_rad == 0)
            rotation_z(foot->yaw_rad, wanted.soles.rotation[side]);
        else
            rotation_rpy(0, foot->pitch_rad, foot->yaw_rad, wanted.soles.rotation[side]);
    }
    return wanted;
}

// What the standing robot makes of a move of the centre of mass along an axis that is asked of its
// realisation: the share that it makes, and the height of a point mass of the same angular
// momentum.
static void find_lever(struct walkgen *walkgen, const struct walk_settings *settings, int axis)
{
    const double move_m = 1e-3;
    const struct walk_start *start = &walkgen->start;
    struct walk_body_pose pose[2];
    struct walk_body_momentum momentum;
    walkgen->filter_share[axis] = 1;
    walkgen->filter_lever_m[axis] = settings->com_height_m;
    for (int i = 0; i < 2; i++) {
        double com_m[2] = {start->com_m[0], start->com_m[1]};
        com_m[axis] += move_m * (i - 0.5);
        const struct walk_posture wanted = posture(walkgen, settings, &start->reference, com_m);
        memcpy(pose[i].pelvis_m, start->waist_m, sizeof start->waist_m);
        walk_upper_stand(&walkgen->body, pose[i].upper_rad);
        if (walk_realisation(settings->realisation)->realise(&walkgen->body, &wanted, &pose[i]) !=
            STATUS_OK)
            return; // stretched legs: the pendulum's will do
    }
    walk_body_momentum(&walkgen->body, &pose[0], &pose[1], 1, &momentum);
    const double linear = momentum.linear[axis];
    walkgen->filter_share[axis] = (pose[1].com_m[axis] - pose[0].com_m[axis]) / move_m;
    walkgen->filter_lever_m[axis] =
        (axis == 0 ? momentum.angular[1] : -momentum.angular[0]) / linear;
}

enum status walk_gains(struct walkgen *walkgen, const struct walk_settings *settings)
{
    const unsigned window = walk_samples(settings->window_s, settings->period_s);
    const double T = settings->period_s;
    enum status status =
        preview_compute(settings->com_height_m, T, window, 1.0, JERK_WEIGHT, &walkgen->gains);
    walkgen->window = window;
    if (status == STATUS_OK)
        status = walk_plan_set(walkgen, settings);
    for (int a = 0; a < 2 && status == STATUS_OK; a++) {
        find_lever(walkgen, settings, a);
        status = preview_compute(walkgen->filter_lever_m[a], T, window, 1.0, FILTER_JERK_WEIGHT,
                                 &walkgen->filter_gains[a]);
    }
    return status;
}

enum status walkgen_create(const struct robot_model *model, struct walkgen **walkgen)
{
    *walkgen = NULL;
    struct walkgen *new = touched_alloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->trial.walkgen = new;
    new->rehearsal = touched_alloc(1, sizeof *new->rehearsal);
    new->joint_count = model->joint_count;
    memcpy(new->stand_rad, model->stand_rad, sizeof new->stand_rad);
    new->search = walk_search_create();
    const bool room = new->rehearsal != NULL &&new->search != NULL;
    enum status status = room ? walk_plan_create(new) : STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = walk_driven_create(new);
    if (status == STATUS_OK)
        status = walk_body_from_model(model, &new->body);
    if (status == STATUS_OK)
        (void)walk_body_articulate(model, &new->body); // rigid without
    for (unsigned i = 0; status == STATUS_OK && walk_plugin(i) != NULL; i++)
        status = walkgen_register(new, walk_plugin(i));
    if (status == STATUS_OK)
        status = walkgen_reset(new, NULL);
    if (status != STATUS_OK) {
        walkgen_free(new);
        return status;
    }
    *walkgen = new;
    return STATUS_OK;
}

void walkgen_free(struct walkgen *walkgen)
{
    if (walkgen != NULL) {
        pbw_free(walkgen->plan.pbw);
        velocity_walk_free(&walkgen->driven.walk);
        free(walkgen->rehearsal);
        free(walkgen->search);
    }
    free(walkgen);
}

// Soles of a pose with the waist in the origin: their middle, and whether they are on one floor.
static bool stands(const struct walk_body *body, double leg_rad[SIDE_COUNT][LEG_JOINTS],
                   double sole_m[SIDE_COUNT][3], double sole[SIDE_COUNT][9])
{
    bool level = true;
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        leg_forward(&body->leg[side], leg_rad[side], sole_m[side], sole[side]);
        level = level && sole[side][8] > cos(0.02);
    }
    return level && fabs(sole_m[SIDE_RIGHT][2] - sole_m[SIDE_LEFT][2]) < ONE_FLOOR_M;
}

static double yaw_of(const double rotation[9])
{
    return atan2(rotation[3], rotation[0]);
}

// The start from the joints' angles. NULL: those of the model, and the centre of mass is brought
// over the middle between the feet.
static enum status find_start(struct walkgen *walkgen, const double *joint_rad)
{
    struct walk_start *start = &walkgen->start;
    const struct walk_body *body = &walkgen->body;
    const double *angle = joint_rad != NULL ? joint_rad : walkgen->stand_rad;
    double leg_rad[SIDE_COUNT][LEG_JOINTS], sole_m[SIDE_COUNT][3], sole[SIDE_COUNT][9];
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++)
            leg_rad[side][i] = angle[body->leg[side].joint[i]];
    if (!stands(body, leg_rad, sole_m, sole))
        return STATUS_UNREACHABLE;
    const double yaw = -0.5 * (yaw_of(sole[SIDE_RIGHT]) + yaw_of(sole[SIDE_LEFT]));
    struct walk_body_soles soles;
    double waist[9], middle[3], turned[SIDE_COUNT][3];
    rotation_z(yaw, waist);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        rotate(waist, sole_m[side], turned[side]);
    for (int k = 0; k < 3; k++)
        middle[k] = 0.5 * (turned[SIDE_RIGHT][k] + turned[SIDE_LEFT][k]);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        vec_subtract(turned[side], middle, soles.position_m[side]);
        soles.position_m[side][2] = 0;
        const double foot_yaw = yaw + yaw_of(sole[side]);
        rotation_z(foot_yaw, soles.rotation[side]);
        struct walk_foot *foot = &start->reference.foot[side];
        *foot = (struct walk_foot){.yaw_rad = foot_yaw};
        memcpy(foot->position_m, soles.position_m[side], sizeof foot->position_m);
    }
    struct walk_body_pose pose = {.pelvis_m = {-middle[0], -middle[1], -middle[2]}};
    walk_upper_stand(body, pose.upper_rad);
    static const double over[2] = {0, 0};
    const enum status status = joint_rad != NULL
                                   ? walk_body_place(body, waist, &soles, &pose)
                                   : walk_body_over(body, over, 1e-9, waist, &soles, &pose);
    for (int a = 0; a < 2; a++)
        start->com_m[a] = joint_rad != NULL ? pose.com_m[a] : 0;
    memcpy(start->waist_m, pose.pelvis_m, sizeof start->waist_m);
    for (int a = 0; a < 2; a++)
        start->com_to_waist_m[a] = start->waist_m[a] - pose.com_m[a];
    walkgen->stance_m = turned[SIDE_LEFT][1] - turned[SIDE_RIGHT][1]; // sideways
    return status;
}

static void forget_motion(struct walkgen *walkgen)
{
    walkgen->counts = (struct walkgen_counts){0};
    walkgen->searching = false;
    walkgen->marks = 0;
    walkgen->tick = walkgen->end = walkgen->made = 0;
    walkgen->driven.walking = false;
    memset(&walkgen->maker, 0, sizeof walkgen->maker);
    memcpy(walkgen->maker.foot, walkgen->start.reference.foot, sizeof walkgen->maker.foot);
}

enum status walkgen_reset(struct walkgen *walkgen, const double *joint_rad)
{
    const enum status status = find_start(walkgen, joint_rad);
    if (status != STATUS_OK)
        return status;
    walk_request_defaults(walkgen, &walkgen->request);
    walkgen->standing = 0;
    forget_motion(walkgen);
    return walk_gains(walkgen, &walkgen->request.settings);
}

enum status walkgen_restart(struct walkgen *walkgen, const double *joint_rad, double standing_s,
                            double shift_s)
{
    const struct walk_settings settings = walkgen->request.settings;
    const double stance_m = walkgen->stance_m;
    const enum status status = find_start(walkgen, joint_rad);
    if (status != STATUS_OK)
        return status;
    walk_request_defaults(walkgen, &walkgen->request);
    walkgen->request.settings = settings;
    walkgen->request.settings.double_s = 2 * shift_s;
    walkgen->request.changing = true;
    // Feet that stand apart may come together.
    walkgen->stance_m = fmin(walkgen->stance_m, stance_m);
    walkgen->standing = walk_samples(standing_s, settings.period_s);
    forget_motion(walkgen);
    return STATUS_OK;
}

struct walkgen *walkgen_rehearsal(const struct walkgen *walkgen)
{
    struct walkgen *rehearsal = walkgen->rehearsal;
    memcpy(rehearsal, walkgen, sizeof *rehearsal);
    rehearsal->trial.walkgen = rehearsal;
    return rehearsal;
}

// ---- stages -------------------------------------------------------------------------------------

// Adds the posture of the next sample to a chain, its waist guessed at `offset_m` from the centre
// of mass. before_m: the multi-body ZMP of the sample before.
static enum status realise_next(struct walkgen *walkgen, struct walk_chain *chain,
                                const double com_m[2], const double offset_m[2], double before_m[2])
{
    const struct walk_settings *settings = &walkgen->request.settings;
    const int64_t sample = chain->sample + 1;
    const int to = (int)(sample & 1), from = to ^ 1;
    const struct walk_posture wanted =
        posture(walkgen, settings, walk_reference_at(walkgen, sample), com_m);
    for (int a = 0; a < 2; a++)
        chain->pose[to].pelvis_m[a] = com_m[a] + offset_m[a];
    walk_upper_posture(walkgen, walk_reference_at(walkgen, sample), chain->pose[to].pelvis_m,
                       chain->pose[to].upper_rad);
    const enum status status =
        walk_realisation(settings->realisation)->realise(&walkgen->body, &wanted, &chain->pose[to]);
    walk_dynamics(settings->dynamics)
        ->momentum(&walkgen->body, &chain->pose[from], &chain->pose[to], walkgen->gains.period_s,
                   &chain->momentum[to]);
    walk_body_zmp(&walkgen->body, chain->pose[from].com_m, &chain->momentum[from],
                  &chain->momentum[to], walkgen->gains.period_s,
                  walk_reference_at(walkgen, sample - 1)->floor_m, before_m);
    chain->sample = sample;
    return status;
}

static const double *zmp_from(const struct walkgen *walkgen, int axis, int64_t sample)
{
    return &walkgen->zmp_m[axis][sample & (WALK_AHEAD_MAX - 1)];
}

// The first chain's centre of mass, one sample further.
static void move_com(struct walkgen *walkgen)
{
    struct walk_chain *chain = &walkgen->first;
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    const struct walk_reference *next = walk_reference_at(walkgen, chain->sample + 1);
    const bool taken_over = chain->taken_over;
    chain->taken_over = zmp->plans || zmp->drives || next->planned;
    if (zmp->plans && !next->planned)
        walk_plan_step(walkgen);
    for (int a = 0; a < 2; a++) {
        const double *reference = zmp_from(walkgen, a, chain->sample);
        struct preview_state *state = &chain->state[a];
        if (next->planned)
            memcpy(state->com, next->com[a], sizeof state->com);
        else if (!chain->taken_over && taken_over)
            preview_take_over(&walkgen->gains, reference, state);
        if (!chain->taken_over)
            preview_step_plain(&walkgen->gains, reference, state);
    }
}

// The force on the floor, in weights. While a leg is thrown up, an error of the ZMP is a greater
// moment than of the robot at rest, whose pendulum the second preview moves to answer for it.
static double load_at(const struct walkgen *walkgen, int64_t sample)
{
    const struct walk_body_momentum *momentum = walkgen->first.momentum;
    const double change = momentum[(sample + 1) & 1].linear[2] - momentum[sample & 1].linear[2];
    return 1 + change / walkgen->gains.period_s / (walkgen->body.mass_kg * PREVIEW_GRAVITY_M_S2);
}

// Stages 1 to 3: one sample further.
static void first_stage(struct walkgen *walkgen)
{
    struct walk_chain *chain = &walkgen->first;
    const int64_t sample = chain->sample, next = sample + 1, at = PIPE(next);
    double com_m[2], guess_m[2], multibody_m[2];
    const double(*offset)[2] = (const double(*)[2])chain->offset_m;
    move_com(walkgen);
    for (int a = 0; a < 2; a++) {
        memcpy(walkgen->first_com_m[at][a], chain->state[a].com, sizeof chain->state[a].com);
        walkgen->first_error_sum[at][a] = chain->state[a].error_sum;
        com_m[a] = chain->state[a].com[0];
        guess_m[a] = 2 * offset[sample & 1][a] - offset[next & 1][a];
    }
    const enum status status = realise_next(walkgen, chain, com_m, guess_m, multibody_m);
    (void)status; // the second chain's counts
    const int64_t before = PIPE(sample);
    const double load = load_at(walkgen, sample);
    for (int a = 0; a < 2; a++) {
        chain->offset_m[next & 1][a] = chain->pose[next & 1].pelvis_m[a] - com_m[a];
        walkgen->first_offset_m[at][a] = chain->offset_m[next & 1][a];
        walkgen->unfiltered_m[before][a] = multibody_m[a];
        const double delta_m = load * (*zmp_from(walkgen, a, sample) - multibody_m[a]);
        walkgen->delta_m[a][before] = walkgen->delta_m[a][before + WALK_PIPE_MAX] = delta_m;
    }
}

static bool filtered(const struct walkgen *walkgen)
{
    const struct walk_settings *settings = &walkgen->request.settings;
    return settings->filter && !walk_zmp(settings->zmp)->one_stage;
}

// Stages 4 and 5: one sample further. multibody_m: of the sample before.
static void second_stage(struct walkgen *walkgen, double multibody_m[2])
{
    struct walk_chain *chain = &walkgen->second;
    const int64_t sample = chain->sample, next = sample + 1;
    double com_m[2];
    for (int a = 0; a < 2; a++) {
        if (filtered(walkgen))
            preview_step_plain(&walkgen->filter_gains[a], &walkgen->delta_m[a][PIPE(sample)],
                               &chain->state[a]);
        com_m[a] = walkgen->first_com_m[PIPE(next)][a][0] +
                   chain->state[a].com[0] / walkgen->filter_share[a];
    }
    const enum status status =
        realise_next(walkgen, chain, com_m, walkgen->first_offset_m[PIPE(next)], multibody_m);
    const struct walk_body_pose *pose = &chain->pose[next & 1];
    memcpy(walkgen->leg_rad[next & 3], pose->leg_rad, sizeof pose->leg_rad);
    memcpy(walkgen->upper_rad[next & 3], pose->upper_rad, sizeof pose->upper_rad);
    memcpy(walkgen->waist_m[next & 3], pose->pelvis_m, sizeof pose->pelvis_m);
    walkgen->reachable[next & 3] = status == STATUS_OK;
}

void walk_rewind(struct walkgen *walkgen, int64_t sample)
{
    struct walk_chain *chain = &walkgen->first;
    if (sample >= chain->sample)
        return;
    chain->sample = sample - 2;
    for (int64_t at = sample - 1; at <= sample; at++) {
        double com_m[2], nowhere[2];
        for (int a = 0; a < 2; a++)
            com_m[a] = walkgen->first_com_m[PIPE(at)][a][0];
        const double *offset_m = walkgen->first_offset_m[PIPE(at)];
        const enum status status = realise_next(walkgen, chain, com_m, offset_m, nowhere);
        (void)status; // as when it was there before
        memcpy(chain->offset_m[at & 1], offset_m, sizeof chain->offset_m[at & 1]);
    }
    for (int a = 0; a < 2; a++) {
        memcpy(chain->state[a].com, walkgen->first_com_m[PIPE(sample)][a],
               sizeof chain->state[a].com);
        chain->state[a].error_sum = walkgen->first_error_sum[PIPE(sample)][a];
    }
}

// The first chain to as far as a tick looks. After a change it gets there in some ticks: until then
// what it knew of the samples ahead, which the change moves little, is good enough.
static void run_ahead(struct walkgen *walkgen)
{
    const int64_t end = walkgen->tick + walkgen->window + 1;
    const unsigned most = walkgen->known < end - 1 ? UINT_MAX : STAGES_MAX;
    for (unsigned i = 0; i < most && walkgen->first.sample < end; i++)
        first_stage(walkgen);
    if (walkgen->known < walkgen->first.sample)
        walkgen->known = walkgen->first.sample;
}

// Both chains at rest in sample 0.
static void start_chain(struct walkgen *walkgen, struct walk_chain *chain, const double com_m[2])
{
    double nowhere[2];
    memset(chain, 0, sizeof *chain);
    for (int a = 0; a < 2; a++)
        chain->offset_m[0][a] = chain->offset_m[1][a] = walkgen->start.com_to_waist_m[a];
    for (int64_t sample = -1; sample <= 0; sample++) {
        chain->sample = sample - 1;
        const enum status status = realise_next(walkgen, chain, com_m, chain->offset_m[0], nowhere);
        walkgen->reachable[sample & 3] = status == STATUS_OK;
    }
    chain->momentum[0] = (struct walk_body_momentum){0};
}

static void begin_motion(struct walkgen *walkgen)
{
    const double *com_m = walkgen->start.com_m;
    walk_references_begin(walkgen);
    walkgen->known = 0;
    // Sample -1 is sample 0's.
    walkgen->reference[WALK_AHEAD_MAX - 1] = walkgen->reference[0];
    start_chain(walkgen, &walkgen->first, com_m);
    start_chain(walkgen, &walkgen->second, com_m);
    for (int a = 0; a < 2; a++) {
        walkgen->first.state[a].com[0] = com_m[a];
        memcpy(walkgen->first_com_m[0][a], walkgen->first.state[a].com,
               sizeof walkgen->first_com_m[0][a]);
        walkgen->first_offset_m[0][a] = walkgen->start.com_to_waist_m[a];
    }
    const struct walk_body_pose *pose = &walkgen->second.pose[0];
    for (int i = 0; i < 4; i++) {
        memcpy(walkgen->leg_rad[i], pose->leg_rad, sizeof pose->leg_rad);
        memcpy(walkgen->upper_rad[i], pose->upper_rad, sizeof pose->upper_rad);
        memcpy(walkgen->waist_m[i], pose->pelvis_m, sizeof pose->pelvis_m);
        walkgen->reachable[i] = walkgen->reachable[0];
    }
}

// ---- a tick -------------------------------------------------------------------------------------

// Value, slope and curvature at the sample between `before` and `after`.
static void differences(double before, double now, double after, double period_s, double *slope,
                        double *curvature)
{
    *slope = (after - before) / (2 * period_s);
    *curvature = (after - 2 * now + before) / (period_s * period_s);
}

static void say_upper(const struct walkgen *walkgen, const int at[3], struct walkgen_output *out)
{
    const double T = walkgen->gains.period_s;
    const unsigned count = walkgen->body.links - WALK_BODY_CARRIED;
    for (unsigned i = 0; i < count; i++) {
        const int joint = walkgen->body.upper[i].joint;
        out->joint_rad[joint] = walkgen->upper_rad[at[1]][i];
        differences(walkgen->upper_rad[at[0]][i], walkgen->upper_rad[at[1]][i],
                    walkgen->upper_rad[at[2]][i], T, &out->joint_rad_s[joint],
                    &out->joint_rad_s2[joint]);
    }
}

static void say_joints(const struct walkgen *walkgen, int64_t sample, struct walkgen_output *out)
{
    const double T = walkgen->gains.period_s;
    const int now = (int)(sample & 3), before = (now + 3) & 3, after = (now + 1) & 3;
    memcpy(out->joint_rad, walkgen->stand_rad, sizeof out->joint_rad);
    memset(out->joint_rad_s, 0, sizeof out->joint_rad_s);
    memset(out->joint_rad_s2, 0, sizeof out->joint_rad_s2);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++)
        for (int i = 0; i < LEG_JOINTS; i++) {
            const int joint = walkgen->body.leg[side].joint[i];
            out->joint_rad[joint] = walkgen->leg_rad[now][side][i];
            differences(walkgen->leg_rad[before][side][i], walkgen->leg_rad[now][side][i],
                        walkgen->leg_rad[after][side][i], T, &out->joint_rad_s[joint],
                        &out->joint_rad_s2[joint]);
        }
    say_upper(walkgen, (const int[3]){before, now, after}, out);
    for (int k = 0; k < 3; k++) {
        double curvature;
        out->waist_m[k] = walkgen->waist_m[now][k];
        differences(walkgen->waist_m[before][k], walkgen->waist_m[now][k],
                    walkgen->waist_m[after][k], T, &out->waist_m_s[k], &curvature);
    }
    out->reachable = walkgen->reachable[now];
}

// second: the state of the second preview at the sample; com_m of the realised posture.
static void say_motion(const struct walkgen *walkgen, int64_t sample,
                       const struct preview_state second[2], const double com_m[3],
                       struct walkgen_output *out)
{
    const struct walk_reference *reference = walk_reference_at(walkgen, sample);
    const struct walk_reference *next = walk_reference_at(walkgen, sample + 1);
    const double T = walkgen->gains.period_s;
    for (int a = 0; a < 2; a++) {
        const double *first = walkgen->first_com_m[PIPE(sample)][a];
        const struct preview_state cart = {.com = {first[0], first[1], first[2]}};
        out->first_com_m[a] = first[0];
        out->first_zmp_m[a] = preview_zmp(&walkgen->gains, &cart);
        out->com_m_s[a] = first[1] + second[a].com[1];
        out->com_m_s2[a] = first[2] + second[a].com[2];
        out->zmp_m[a] = *zmp_from(walkgen, a, sample);
        out->zmp_unfiltered_m[a] = walkgen->unfiltered_m[PIPE(sample)][a];
    }
    memcpy(out->com_m, com_m, sizeof out->com_m);
    out->waist_yaw_rad = reference->yaw_rad;
    out->waist_yaw_rad_s = (next->yaw_rad - reference->yaw_rad) / T;
    const double from[3] = {out->zmp_m[0] - out->waist_m[0], out->zmp_m[1] - out->waist_m[1],
                            reference->floor_m - out->waist_m[2]};
    double waist[9];
    rotation_z(reference->yaw_rad, waist);
    rotate_back(waist, from, out->zmp_waist_m);
    memcpy(out->foot, reference->foot, sizeof out->foot);
    memcpy(out->toe_rad, reference->toe_rad, sizeof out->toe_rad);
    memcpy(out->toe_moment_Nm, reference->toe_moment_Nm, sizeof out->toe_moment_Nm);
    out->support = reference->support;
    out->step = reference->step;
    out->phase = reference->phase;
    out->over = reference->over;
}

bool walkgen_landing(const struct walkgen *walkgen, struct walkgen_landing *landing)
{
    const int64_t now = walkgen->tick > 0 ? walkgen->tick - 1 : 0;
    const uint32_t support = walk_reference_at(walkgen, now)->support;
    const int64_t end = walkgen->known < walkgen->made ? walkgen->known : walkgen->made - 1;
    int64_t then = now + 1;
    if (support == SUPPORT_BOTH)
        return false;
    while (then < end && walk_reference_at(walkgen, then)->support == support)
        then++;
    if (then >= end)
        return false;
    landing->left_s = (double)(then - now) * walkgen->gains.period_s;
    int64_t lifts = then;
    while (lifts < end && walk_reference_at(walkgen, lifts)->support == SUPPORT_BOTH)
        lifts++;
    landing->both_s = (double)(lifts - then) * walkgen->gains.period_s;
    landing->side = support == SUPPORT_LEFT ? SIDE_RIGHT : SIDE_LEFT;
    landing->foot = walk_reference_at(walkgen, then)->foot[landing->side];
    for (int a = 0; a < 2; a++) {
        landing->com_m[a] = walkgen->first_com_m[PIPE(then)][a][0];
        landing->com_m_s[a] = walkgen->first_com_m[PIPE(then)][a][1];
    }
    return true;
}

// References that the tick of a sample looks at.
static int64_t needed(const struct walkgen *walkgen)
{
    // A velocity brings its centre of mass with it: only the second preview looks ahead.
    const bool drives = walk_zmp(walkgen->request.settings.zmp)->drives;
    return walkgen->tick + walkgen_window(walkgen) - (drives ? walkgen->window : 0);
}

void walkgen_prepare(struct walkgen *walkgen)
{
    if (walkgen->tick > 0)
        walk_references_make(walkgen, needed(walkgen));
}

bool walkgen_tick(struct walkgen *walkgen, struct walkgen_output *out)
{
    const int64_t sample = walkgen->tick;
    if (sample == 0)
        begin_motion(walkgen);
    walk_references_make(walkgen, needed(walkgen));
    run_ahead(walkgen);
    const struct preview_state second[2] = {walkgen->second.state[0], walkgen->second.state[1]};
    double com_m[3];
    memcpy(com_m, walkgen->second.pose[sample & 1].com_m, sizeof com_m);
    second_stage(walkgen, out->zmp_multibody_m);
    out->time_s = (double)sample * walkgen->gains.period_s;
    say_joints(walkgen, sample, out);
    say_motion(walkgen, sample, second, com_m, out);
    walkgen->counts.unreachable += !out->reachable;
    walkgen->tick++;
    const struct walk_request *request = &walkgen->request;
    const bool idle = !walkgen->maker.walking && !walkgen->driven.walking && !request->driven &&
                      (request->count == 0 || request->held);
    return !(idle && sample >= walkgen->end);
}
