#include "walk/zmp/velocity_walk_private.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/touched.h"
#include "model/spatial.h"

#define AT_REST_M 2e-3
#define AT_REST_M_S 5e-3
#define SLACK_WEIGHT 1e8

struct velocity_walk_config velocity_walk_defaults(double com_height_m)
{
    return (struct velocity_walk_config){
        .com_height_m = com_height_m,
        .sole_half_length_m = 0.04,
        .sole_half_width_m = 0.025,
        .stance_width_m = 0.2,
        .step_samples = 8,
        .yaw_per_step_max_rad = 0.2,
        .foot_area = {{0.28, 0.2}, {0.2, 0.3}, {0, 0.4}, {-0.2, 0.3}, {-0.28, 0.2}},
        .weight_speed = 5,
        .weight_zmp = 1e3,
        .weight_jerk = 1e-8,
        .weight_foot = 1e-6,
        .landing_change_m_s = 0.5};
}

static bool is_valid(const struct velocity_walk_config *c)
{
    const double positive[] = {c->com_height_m,   c->sole_half_length_m, c->sole_half_width_m,
                               c->stance_width_m, c->weight_speed,       c->weight_jerk,
                               c->weight_foot,    c->landing_change_m_s};
    for (size_t i = 0; i < sizeof positive / sizeof *positive; i++)
        if (!(positive[i] > 0 && isfinite(positive[i])))
            return false;
    for (int i = 0; i < VELOCITY_WALK_FOOT_CORNERS; i++) {
        struct point2 a = c->foot_area[i], b = c->foot_area[(i + 1) % VELOCITY_WALK_FOOT_CORNERS],
                      d = c->foot_area[(i + 2) % VELOCITY_WALK_FOOT_CORNERS];
        if (!((b.x - a.x) * (d.y - b.y) - (b.y - a.y) * (d.x - b.x) > 0))
            return false;
    }
    return c->weight_zmp >= 0 && isfinite(c->weight_zmp) && c->yaw_per_step_max_rad >= 0 &&
           c->yaw_per_step_max_rad < 1 && c->weight_yaw >= 0 && isfinite(c->weight_yaw) &&
           c->yaw_inward_max_rad >= 0 && c->yaw_inward_max_rad < 1 && c->step_samples >= 4 &&
           c->step_samples <= STEP_MAX;
}

enum status velocity_walk_create(const struct velocity_walk_config *config, struct pose2d right,
                                 struct pose2d left, struct velocity_walk *walk)
{
    *walk = (struct velocity_walk){0};
    if (!is_valid(config))
        return STATUS_INVALID;
    struct velocity_walk_private *p = touched_alloc(1, sizeof *p);
    if (!p || qp_create(UNKNOWNS_MAX, ROWS, &p->qp) != STATUS_OK) {
        free(p);
        return STATUS_NO_MEMORY;
    }
    walk->private = p;
    return velocity_walk_reset(walk, config, right, left);
}

enum status velocity_walk_reset(struct velocity_walk *walk,
                                const struct velocity_walk_config *config, struct pose2d right,
                                struct pose2d left)
{
    if (!is_valid(config))
        return STATUS_INVALID;
    struct velocity_walk_private *p = walk->private;
    struct qp *qp = p->qp;
    *p = (struct velocity_walk_private){.config = *config, .qp = qp};
    p->unknowns = config->weight_yaw > 0 ? UNKNOWNS_MAX : UNKNOWNS;
    velocity_walk_predict(p);
    *walk = (struct velocity_walk){.foot = {[SIDE_RIGHT] = right, [SIDE_LEFT] = left},
                                   .support = SIDE_RIGHT,
                                   .both = true,
                                   .next = {left, right},
                                   .private = p};
    walk->com[0][0] = (right.x_m + left.x_m) / 2;
    walk->com[1][0] = (right.y_m + left.y_m) / 2;
    return STATUS_OK;
}

void velocity_walk_free(struct velocity_walk *walk)
{
    if (walk->private)
        qp_free(walk->private->qp);
    free(walk->private);
    *walk = (struct velocity_walk){0};
}

void velocity_walk_copy(struct velocity_walk *to, const struct velocity_walk *from)
{
    struct velocity_walk_private *p = to->private;
    struct qp *qp = p->qp;
    *p = *from->private;
    p->qp = qp;
    *to = *from;
    to->private = p;
}

bool velocity_walk_set(struct velocity_walk *walk, const double velocity[3])
{
    struct velocity_walk_private *p = walk->private;
    if (!isfinite(velocity[0]) || !isfinite(velocity[1]) || !isfinite(velocity[2]))
        return false;
    memcpy(p->velocity, velocity, sizeof p->velocity);
    if (p->stage == STAGE_STANDING) {
        p->start = START;
        walk->remaining = START + p->config.step_samples;
    }
    p->stage = STAGE_WALKING;
    return true;
}

void velocity_walk_feet(struct velocity_walk *walk,
                        const struct point2 area[VELOCITY_WALK_FOOT_CORNERS], double stance_width_m)
{
    struct velocity_walk_config *config = &walk->private->config;
    memcpy(config->foot_area, area, sizeof config->foot_area);
    config->stance_width_m = stance_width_m;
}

void velocity_walk_stop(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    memset(p->velocity, 0, sizeof p->velocity);
    if (p->stage == STAGE_WALKING)
        p->stage = STAGE_LAST_BUT_ONE;
}

bool velocity_walk_ended(const struct velocity_walk *walk)
{
    double middle[2];
    velocity_walk_centre(walk, middle);
    for (int axis = 0; axis < 2; axis++)
        middle[axis] += walk->load_m[axis];
    return walk->private->stage == STAGE_STANDING &&
           hypot(walk->com[0][0] - middle[0], walk->com[1][0] - middle[1]) < AT_REST_M &&
           hypot(walk->com[0][1], walk->com[1][1]) < AT_REST_M_S;
}

double velocity_walk_yaw(const struct velocity_walk *walk)
{
    double turn = angle_wrap(walk->foot[1].yaw_rad - walk->foot[0].yaw_rad);
    return walk->foot[0].yaw_rad + turn / 2;
}

// ---- one period
// -----------------------------------------------------------------------------------

static void advance(double state[3], double jerk, double t)
{
    state[0] += t * (state[1] + t * (state[2] / 2 + t * jerk / 6));
    state[1] += t * (state[2] + t * jerk / 2);
    state[2] += t * jerk;
}

// The swing foot lands.
static void land(struct velocity_walk *walk)
{
    expects(walk->private->stage != STAGE_STANDING && walk->remaining == 0);
    struct velocity_walk_private *p = walk->private;
    walk->support = other(walk->support);
    walk->foot[walk->support] = walk->next[0];
    walk->next[0] = walk->next[1];
    walk->remaining = p->config.step_samples;
    walk->both = true;
    if (p->stage != STAGE_WALKING)
        p->stage--;
}

// The rows of the last period are this one's, one sample on.
static void shift_guess(struct velocity_walk_private *p)
{
    unsigned first = 2 * VELOCITY_WALK_FOOT_CORNERS + 2;
    memmove(p->active + first, p->active + first + 2, (2 * N - 2) * sizeof *p->active);
}

// One program: the solution goes into x and the footholds.
static struct velocity_walk_report solve(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    struct velocity_walk_report report = {.status = QP_INVALID};
    struct qp_result result = {0};
    bool written = velocity_walk_write(walk);
    struct qp_problem problem = {.unknowns = p->unknowns,
                                 .rows = p->rows,
                                 .factor = p->factor,
                                 .gradient = p->gradient,
                                 .row = p->row,
                                 .lower = p->lower,
                                 .upper = p->upper,
                                 .softness = p->softness,
                                 .slack_weight = SLACK_WEIGHT};
    if (written)
        report.status = qp_solve(p->qp, &problem, p->active, p->x, NULL, &result);
    report.iterations = result.iterations;
    report.slack_m = result.slack;
    for (int k = 0; (report.status == QP_OPTIMAL || report.status == QP_RELAXED) && k < 2; k++) {
        walk->next[k].x_m = p->x[N + k];
        walk->next[k].y_m = p->x[AXIS + N + k];
        if (velocity_walk_finds_yaws(p))
            walk->next[k].yaw_rad = p->x[UNKNOWNS + k];
    }
    return report;
}

struct velocity_walk_report velocity_walk_step(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    walk->both =
        p->stage == STAGE_STANDING || p->start > 0 || walk->remaining == p->config.step_samples;
    struct velocity_walk_report report = solve(walk);
    if (velocity_walk_finds_yaws(p) && report.status == QP_OPTIMAL)
        report = solve(walk);
    bool solved = report.status == QP_OPTIMAL || report.status == QP_RELAXED;
    walk->relaxed += report.status == QP_RELAXED;
    walk->abandoned += !solved;
    for (int axis = 0; axis < 2; axis++) {
        if (solved)
            walk->jerk_m_s3[axis] = p->x[axis * AXIS];
        walk->com[axis][2] += walk->push_m_s2[axis];
        advance(walk->com[axis], walk->jerk_m_s3[axis], T);
        walk->com[axis][2] -= walk->push_m_s2[axis];
    }
    if (report.status == QP_OPTIMAL)
        shift_guess(p);
    else
        memset(p->active, 0, sizeof p->active);
    if (p->start > 0)
        p->start--;
    if (p->stage != STAGE_STANDING && --walk->remaining == 0)
        land(walk);
    ensures(p->stage == STAGE_STANDING || walk->remaining > 0);
    return report;
}

void velocity_walk_sample(const struct velocity_walk *walk, double back_s, double com[2][3],
                          double zmp_m[2])
{
    for (int axis = 0; axis < 2; axis++) {
        memcpy(com[axis], walk->com[axis], sizeof walk->com[axis]);
        com[axis][2] += walk->push_m_s2[axis];
        advance(com[axis], walk->jerk_m_s3[axis], -back_s);
        zmp_m[axis] =
            com[axis][0] - walk->private->config.com_height_m / GRAVITY_M_S2 * com[axis][2];
    }
}

size_t velocity_walk_memory(void)
{
    return sizeof(struct velocity_walk_private) + qp_memory(UNKNOWNS_MAX, ROWS);
}
