// The five stages of walkgen's tick: a preview, a posture and its multi-body ZMP, a second preview,
// a posture.
#include <limits.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "walk/generator/walkgen_private.h"

#define STAGES_MAX 16 // of a tick that catches up after a change

// Adds the posture of the next sample to a chain, its waist guessed at `offset_m` from the centre
// of mass. before_m: the multi-body ZMP of the sample before.
static enum status realise_next(struct walkgen *walkgen, struct walk_chain *chain,
                                const double com_m[2], const double offset_m[2], double before_m[2])
{
    const struct walk_settings *settings = &walkgen->request.settings;
    const int64_t sample = chain->sample + 1;
    const int to = (int)(sample & 1), from = to ^ 1;
    const struct walk_posture wanted =
        walk_posture_wanted(walkgen, settings, walk_reference_at(walkgen, sample), com_m);
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

// The first chain's centre of mass, one sample further.
static void move_com(struct walkgen *walkgen)
{
    struct walk_chain *chain = &walkgen->first;
    const struct walk_zmp *zmp = walk_zmp(walkgen->request.settings.zmp);
    const struct walk_reference *next = walk_reference_at(walkgen, chain->sample + 1);
    const bool taken_over = chain->taken_over;
    chain->taken_over = zmp->plans || zmp->drives || zmp->solves || next->planned;
    if (zmp->plans && !next->planned)
        walk_plan_step(walkgen);
    for (int a = 0; a < 2; a++) {
        const double *reference = walk_zmp_from(walkgen, a, chain->sample);
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
    const int64_t sample = chain->sample, next = sample + 1, at = WALK_PIPE(next);
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
    const int64_t before = WALK_PIPE(sample);
    const double load = load_at(walkgen, sample);
    for (int a = 0; a < 2; a++) {
        chain->offset_m[next & 1][a] = chain->pose[next & 1].pelvis_m[a] - com_m[a];
        walkgen->first_offset_m[at][a] = chain->offset_m[next & 1][a];
        walkgen->unfiltered_m[before][a] = multibody_m[a];
        const double delta_m = load * (*walk_zmp_from(walkgen, a, sample) - multibody_m[a]);
        walkgen->delta_m[a][before] = walkgen->delta_m[a][before + WALK_PIPE_MAX] = delta_m;
    }
}

static bool filtered(const struct walkgen *walkgen)
{
    const struct walk_settings *settings = &walkgen->request.settings;
    return settings->filter && !walk_zmp(settings->zmp)->one_stage;
}

void walk_stages_second(struct walkgen *walkgen, double multibody_m[2])
{
    struct walk_chain *chain = &walkgen->second;
    const int64_t sample = chain->sample, next = sample + 1;
    double com_m[2];
    for (int a = 0; a < 2; a++) {
        if (filtered(walkgen))
            preview_step_plain(&walkgen->filter_gains[a], &walkgen->delta_m[a][WALK_PIPE(sample)],
                               &chain->state[a]);
        com_m[a] = walkgen->first_com_m[WALK_PIPE(next)][a][0] +
                   chain->state[a].com[0] / walkgen->filter_share[a];
    }
    const enum status status =
        realise_next(walkgen, chain, com_m, walkgen->first_offset_m[WALK_PIPE(next)], multibody_m);
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
    // What was computed is still kept.
    invariant(chain->sample - (sample - 1) < WALK_PIPE_MAX);
    chain->sample = sample - 2;
    for (int64_t at = sample - 1; at <= sample; at++) {
        double com_m[2], nowhere[2];
        for (int a = 0; a < 2; a++)
            com_m[a] = walkgen->first_com_m[WALK_PIPE(at)][a][0];
        const double *offset_m = walkgen->first_offset_m[WALK_PIPE(at)];
        const enum status status = realise_next(walkgen, chain, com_m, offset_m, nowhere);
        (void)status; // as when it was there before
        memcpy(chain->offset_m[at & 1], offset_m, sizeof chain->offset_m[at & 1]);
    }
    for (int a = 0; a < 2; a++) {
        memcpy(chain->state[a].com, walkgen->first_com_m[WALK_PIPE(sample)][a],
               sizeof chain->state[a].com);
        chain->state[a].error_sum = walkgen->first_error_sum[WALK_PIPE(sample)][a];
    }
}

void walk_stages_run_ahead(struct walkgen *walkgen)
{
    const int64_t end = walkgen->tick + walkgen->window + 1;
    const unsigned most = walkgen->known < end - 1 ? UINT_MAX : STAGES_MAX;
    for (unsigned i = 0; i < most && walkgen->first.sample < end; i++)
        first_stage(walkgen);
    ensures(walkgen->first.sample >= walkgen->second.sample);
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

void walk_stages_begin(struct walkgen *walkgen)
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
