#include "walk/segments/pattern.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "model/spatial.h"
#include "walk/zmp/preview.h"
#include "walk/steps/timeline.h"
#include "walk/body/walk_body.h"

#define AXES 2
#define WINDOW 160 // samples looked ahead: 1.6 s (Kajita 2003)
#define KEPT 4     // samples before the splice that are kept, for differences
#define NODES_MAX (SEGMENT_SAMPLES_MAX + KEPT)
#define FILTER_PASSES 2
// So long before a step that changes, the trajectory changes too little to be corrected again.
#define SETTLED 20
#define LANDING_BLEND 40 // last samples of a plan: what is left of the motion fades to rest

// What the generator knows of one sample: enough to go on from it.
struct node {
    struct preview_state axis[AXES]; // the cart
    double correction_m[AXES];       // dynamics filter: added to the reference ZMP
    double pelvis_offset_m[AXES];    // pelvis - centre of mass
    bool solved;                     // the offset is a result, not a guess
};

// A stretch of samples from `first` on. At rest after the last.
struct stretch {
    int64_t first;
    unsigned count;
    struct node node[NODES_MAX];
};

struct pattern {
    const struct gait_parameters *gait;
    struct walk_body body;
    struct preview_gains gains;
    int64_t earliest; // of the last splice
    struct timeline timeline, trial_timeline;
    struct stretch now, trial;                    // what was sent; what is being computed
    struct timeline_sample sample[NODES_MAX];     // of the trial
    double reference_m[AXES][NODES_MAX + WINDOW]; // ZMP wanted, corrected
};

enum status pattern_create(const struct robot_model *model, const struct gait_parameters *gait,
                           struct pattern **pattern)
{
    *pattern = NULL;
    struct pattern *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->gait = gait;
    enum status status = walk_body_from_model(model, &new->body);
    if (status == STATUS_OK)
        status = preview_compute(new->body.com_height_m, PATTERN_PERIOD_S, WINDOW, 1.0, 1e-6,
                                 &new->gains);
    if (status != STATUS_OK) {
        free(new);
        return status;
    }
    struct stance stance = footsteps_stance((struct pose2d){0});
    pattern_begin(new, &stance);
    *pattern = new;
    return STATUS_OK;
}

void pattern_free(struct pattern *pattern)
{
    free(pattern);
}

void pattern_begin(struct pattern *pattern, const struct stance *stance)
{
    timeline_begin(&pattern->timeline, pattern->gait, stance);
    pattern->earliest = 0;
    double centre[2];
    timeline_final_zmp(&pattern->timeline, centre);
    struct node rest = {.solved = false};
    for (int a = 0; a < AXES; a++)
        rest.axis[a].com[0] = centre[a];
    pattern->now.first = 0;
    pattern->now.count = 1;
    pattern->now.node[0] = rest;
}

unsigned pattern_free_step(const struct pattern *pattern, int64_t earliest)
{
    return timeline_free_step(&pattern->timeline, earliest, PATTERN_LEAD_SAMPLES);
}

struct stance pattern_stance(const struct pattern *pattern, unsigned step)
{
    return timeline_stance(&pattern->timeline, step);
}

int64_t pattern_landing(const struct pattern *pattern, unsigned step)
{
    return step < pattern_step_count(pattern) ? timeline_landing(&pattern->timeline, step)
                                              : pattern_last_sample(pattern);
}

unsigned pattern_step_count(const struct pattern *pattern)
{
    return pattern->timeline.first + pattern->timeline.count;
}

int64_t pattern_last_sample(const struct pattern *pattern)
{
    return pattern->now.first + pattern->now.count - 1;
}

double pattern_pelvis_height_m(const struct pattern *pattern)
{
    return pattern->body.pelvis_height_m;
}

double pattern_com_height_m(const struct pattern *pattern)
{
    return pattern->body.com_height_m;
}

// The node of a sample sent before; at rest before the first and after the last.
static const struct node *node_at(const struct stretch *stretch, int64_t sample)
{
    expects(stretch->count > 0);
    int64_t i = sample - stretch->first;
    int64_t last = (int64_t)stretch->count - 1;
    return &stretch->node[i < 0 ? 0 : i > last ? last : i];
}

// Length of the trial, feet and reference ZMP of its samples; corrections carried over from before.
static enum status prepare(struct pattern *pattern, int64_t earliest)
{
    struct stretch *trial = &pattern->trial;
    int64_t last = timeline_last_sample(&pattern->trial_timeline);
    trial->first = earliest - KEPT;
    if (last < earliest)
        last = earliest;
    if (last - earliest + 1 > SEGMENT_SAMPLES_MAX)
        return STATUS_TOO_LARGE;
    trial->count = (unsigned)(last - trial->first) + 1;
    for (unsigned i = 0; i < trial->count; i++) {
        timeline_sample(&pattern->trial_timeline, trial->first + i, &pattern->sample[i]);
        bool sent = trial->first + i <= pattern_last_sample(pattern);
        trial->node[i] = *node_at(&pattern->now, trial->first + i);
        trial->node[i].solved = trial->node[i].solved && sent;
        for (int a = 0; a < AXES; a++) {
            trial->node[i].correction_m[a] *= sent ? 1.0 : 0.0;
            pattern->reference_m[a][i] =
                pattern->sample[i].zmp_m[a] + trial->node[i].correction_m[a];
        }
    }
    for (unsigned i = trial->count; i < trial->count + WINDOW; i++)
        for (int a = 0; a < AXES; a++)
            pattern->reference_m[a][i] = pattern->sample[trial->count - 1].zmp_m[a];
    return STATUS_OK;
}

// Runs the cart from the splice to the end, and lets what is left of its motion fade over the last
// samples.
static void run_cart(struct pattern *pattern)
{
    expects(pattern->trial.count > KEPT && pattern->trial.count <= NODES_MAX);
    struct stretch *trial = &pattern->trial;
    unsigned last = trial->count - 1;
    for (int a = 0; a < AXES; a++) {
        struct preview_state state = trial->node[KEPT].axis[a];
        for (unsigned i = KEPT; i < last; i++) {
            preview_step(&pattern->gains, &pattern->reference_m[a][i], &state);
            trial->node[i + 1].axis[a] = state;
        }
        double rest = pattern->reference_m[a][last];
        unsigned begin = last > LANDING_BLEND + KEPT ? last - LANDING_BLEND : KEPT;
        for (unsigned i = begin; i <= last && last > KEPT; i++) {
            double s = (double)(last - i) / (double)(last - begin);
            double share = s * s * s * (10.0 + s * (6.0 * s - 15.0));
            double slope =
                -30.0 * s * s * (1.0 - s) * (1.0 - s) / ((double)(last - begin) * PATTERN_PERIOD_S);
            double *com = trial->node[i].axis[a].com, off = com[0] - rest;
            com[0] = rest + share * off;
            com[1] = share * com[1] + slope * off;
            com[2] = share * com[2];
            trial->node[i].axis[a].error_sum *= share;
        }
    }
}

static double pelvis_yaw(const struct timeline_sample *sample)
{
    const double *yaw = sample->foot_yaw_rad;
    return yaw[0] + 0.5 * angle_wrap(yaw[1] - yaw[0]);
}

// Offset of the pelvis from the centre of mass, to begin with: the sample's own of the pass before;
// else extrapolated.
static void guess(struct stretch *trial, unsigned i)
{
    struct node *node = &trial->node[i];
    if (node->solved || i < 3)
        return;
    for (int a = 0; a < AXES; a++)
        node->pelvis_offset_m[a] =
            3.0 * (node[-1].pelvis_offset_m[a] - node[-2].pelvis_offset_m[a]) +
            node[-3].pelvis_offset_m[a];
}

// Kinematics of one sample of the trial.
static enum status solve(struct pattern *pattern, unsigned i, struct walk_body_pose *pose)
{
    struct node *node = &pattern->trial.node[i];
    const struct timeline_sample *sample = &pattern->sample[i];
    double com[AXES];
    guess(&pattern->trial, i);
    for (int a = 0; a < AXES; a++) {
        com[a] = node->axis[a].com[0];
        pose->pelvis_m[a] = com[a] + node->pelvis_offset_m[a];
    }
    enum status status = walk_body_solve(&pattern->body, com, pelvis_yaw(sample), sample->foot_m,
                                         sample->foot_yaw_rad, pose);
    for (int a = 0; a < AXES; a++)
        node->pelvis_offset_m[a] = pose->pelvis_m[a] - com[a];
    node->solved = true;
    return status;
}

// One pass of the dynamics filter over the samples from `begin` on: the reference moves by the
// multi-body ZMP's error. Both ends keep what they have: there the differences would reach outside.
static enum status filter(struct pattern *pattern, unsigned begin)
{
    expects(begin + 2 >= KEPT);
    struct stretch *trial = &pattern->trial;
    struct walk_body_pose pose[2];
    struct walk_body_momentum momentum[2];
    for (unsigned i = begin; i < trial->count; i++) {
        enum status status = solve(pattern, i, &pose[i % 2]);
        if (status != STATUS_OK)
            return status;
        if (i > begin)
            walk_body_momentum(&pattern->body, &pose[(i - 1) % 2], &pose[i % 2], PATTERN_PERIOD_S,
                               &momentum[i % 2]);
        if (i < begin + 3 || i + 2 >= trial->count)
            continue;
        double zmp[AXES];
        unsigned at = i - 1;
        walk_body_zmp(&pattern->body, pose[at % 2].com_m, &momentum[at % 2], &momentum[i % 2],
                      PATTERN_PERIOD_S, 0, zmp);
        for (int a = 0; a < AXES; a++) {
            double error = pattern->sample[at].zmp_m[a] - zmp[a];
            trial->node[at].correction_m[a] += error;
            pattern->reference_m[a][at] += error;
        }
    }
    return STATUS_OK;
}

// Fills the segment's samples from the trial.
static enum status emit(struct pattern *pattern, struct segment_message *segment)
{
    expects(pattern->trial.count - KEPT <= SEGMENT_SAMPLES_MAX);
    struct stretch *trial = &pattern->trial;
    segment->first = trial->first + KEPT;
    segment->count = trial->count - KEPT;
    for (unsigned i = KEPT; i < trial->count; i++) {
        const struct timeline_sample *from = &pattern->sample[i];
        struct segment_sample *to = &segment->sample[i - KEPT];
        struct walk_body_pose pose;
        enum status status = solve(pattern, i, &pose);
        if (status != STATUS_OK)
            return status;
        memcpy(to->pelvis_m, pose.pelvis_m, sizeof to->pelvis_m);
        to->pelvis_yaw_rad = pelvis_yaw(from);
        memcpy(to->foot_m, from->foot_m, sizeof to->foot_m);
        memcpy(to->foot_yaw_rad, from->foot_yaw_rad, sizeof to->foot_yaw_rad);
        memcpy(to->com_m, pose.com_m, sizeof to->com_m);
        for (int a = 0; a < AXES; a++) {
            to->zmp_m[a] = from->zmp_m[a];
            to->com_velocity_m_s[a] = trial->node[i].axis[a].com[1];
        }
        to->support = from->support;
        to->step = from->step;
        to->phase = from->phase;
    }
    return STATUS_OK;
}

enum status pattern_extend(struct pattern *pattern, int64_t earliest, unsigned first_step,
                           const struct footstep *step, unsigned count,
                           struct segment_message *segment)
{
    pattern->trial_timeline = pattern->timeline;
    enum status status = earliest < pattern->earliest
                             ? STATUS_INVALID
                             : timeline_change(&pattern->trial_timeline, earliest, earliest - KEPT,
                                               first_step, step, count);
    if (status == STATUS_OK)
        status = prepare(pattern, earliest);
    // What was sent before is corrected already, up to where the plan changes.
    int64_t change = pattern_landing(pattern, first_step > 0 ? first_step - 1 : 0) - SETTLED;
    unsigned begin = change > earliest ? (unsigned)(change - earliest) + KEPT - 2 : KEPT - 2;
    for (int pass = 0; pass < FILTER_PASSES && status == STATUS_OK; pass++) {
        run_cart(pattern);
        status = filter(pattern, begin);
    }
    if (status == STATUS_OK) {
        run_cart(pattern);
        status = emit(pattern, segment);
    }
    if (status != STATUS_OK)
        return status;
    pattern->earliest = earliest;
    pattern->timeline = pattern->trial_timeline;
    pattern->now.first = pattern->trial.first;
    pattern->now.count = pattern->trial.count;
    memcpy(pattern->now.node, pattern->trial.node,
           pattern->trial.count * sizeof pattern->now.node[0]);
    return STATUS_OK;
}

bool pattern_due(const struct pattern *pattern, unsigned committed, int64_t earliest, int64_t slack)
{
    return timeline_due(&pattern->timeline, committed, earliest, slack);
}
