#include "walk/zmp/velocity_walk_private.h"

#include <math.h>
#include <string.h>

#include "base/invariant.h"
#include "qp/vector.h"

#define LATE 2 // periods before a landing in which its place is almost settled
// Slack is used up early: each sample has so much of that before it. If all had the same, a walk
// would live on it for ever.
#define SOFTER 0.7

// ZMPs, velocities and capture point of the window from the state and the jerks.
void velocity_walk_predict(struct velocity_walk_private *p)
{
    double fall = p->config.com_height_m / GRAVITY_M_S2, omega = 1 / sqrt(fall);
    for (int i = 0; i < N; i++) {
        double t = (i + 1) * T;
        memcpy(p->pzx[i], (double[]){1, t, t * t / 2 - fall}, sizeof p->pzx[i]);
        memcpy(p->pvx[i], (double[]){0, 1, t}, sizeof p->pvx[i]);
        for (int j = 0; j < N; j++) {
            int d = i - j;
            p->pvu[i][j] = d < 0 ? 0 : (2 * d + 1) * T * T / 2;
            p->pzu[i][j] = d < 0 ? 0 : (1 + 3 * d + 3 * d * d) * T * T * T / 6 - T * fall;
        }
    }
    double end = N * T;
    memcpy(p->pcx, (double[]){1, end + 1 / omega, end * end / 2 + end / omega}, sizeof p->pcx);
    for (int j = 0; j < N; j++) {
        int d = N - 1 - j;
        p->pcu[j] = (1 + 3 * d + 3 * d * d) * T * T * T / 6 + p->pvu[N - 1][j] / omega;
    }
}

static struct pose2d placed(struct pose2d frame, double x_m, double y_m, double yaw_rad)
{
    double c = cos(frame.yaw_rad), s = sin(frame.yaw_rad);
    return (struct pose2d){frame.x_m + c * x_m - s * y_m, frame.y_m + s * x_m + c * y_m,
                           frame.yaw_rad + yaw_rad};
}

void velocity_walk_centre(const struct velocity_walk *walk, double middle[2])
{
    middle[0] = (walk->foot[0].x_m + walk->foot[1].x_m) / 2;
    middle[1] = (walk->foot[0].y_m + walk->foot[1].y_m) / 2;
}

// ---- the window
// -----------------------------------------------------------------------------------

// Yaws of the next footholds: what the turn wanted asks for, within the limit. Only the foot on the
// outside of the foot before it turns; the other one comes back in line.
static void choose_yaws(struct velocity_walk *walk)
{
    const struct velocity_walk_private *p = walk->private;
    double limit = p->config.yaw_per_step_max_rad, before = walk->foot[walk->support].yaw_rad;
    double turn = 2 * p->velocity[2] * p->config.step_samples * T;
    enum side foot = other(walk->support);
    if (velocity_walk_finds_yaws(p))
        return;
    for (int k = 0; k < 2; k++, foot = other(foot)) {
        double out = fmin(limit, fmax(0, turn * outward(foot))) * outward(foot);
        if (k == 1 || walk->remaining > LATE) // a foot about to land keeps its yaw
            walk->next[k].yaw_rad = before + out;
        before = walk->next[k].yaw_rad;
    }
}

// Both feet carry a sample: its centre lies between the foot of the step and the one before it.
static void between(const struct velocity_walk *walk, int i, int step)
{
    struct velocity_walk_private *p = walk->private;
    const struct pose2d *support = &walk->foot[walk->support];
    double middle[2], separation = hypot(walk->foot[0].x_m - walk->foot[1].x_m,
                                         walk->foot[0].y_m - walk->foot[1].y_m);
    velocity_walk_centre(walk, middle);
    p->half_width[i] += (step == 0 ? separation : p->config.stance_width_m) / 2;
    p->known[0][i] = step == 0 ? middle[0] : step == 1 ? support->x_m / 2 : 0;
    p->known[1][i] = step == 0 ? middle[1] : step == 1 ? support->y_m / 2 : 0;
    p->share[i][0] = step > 0 ? 0.5 : 0;
    p->share[i][1] = step == 2 ? 0.5 : 0;
}

// How many steps have landed at a sample of the window.
static int landed(const struct velocity_walk *walk, int i)
{
    int beyond = i - (int)walk->remaining;
    return beyond < 0 ? 0 : 1 + beyond / (int)walk->private->config.step_samples;
}

// Which foot, known or to be found, carries each sample.
static void lay_out(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    const struct pose2d *support = &walk->foot[walk->support];
    int landings = p->stage == STAGE_WALKING ? 2 : (int)p->stage;
    for (int i = 0; i < N; i++) {
        int step = p->stage == STAGE_STANDING ? 0 : landed(walk, i);
        bool ended = p->stage != STAGE_WALKING && step >= landings;
        step = step > landings ? landings : step;
        invariant(step >= 0 && step <= 2); // no more footholds are asked for
        p->step[i] = step;
        p->share[i][0] = step == 1;
        p->share[i][1] = step == 2;
        p->known[0][i] = step == 0 ? support->x_m : 0;
        p->known[1][i] = step == 0 ? support->y_m : 0;
        p->half_width[i] = p->config.sole_half_width_m;
        p->yaw[i] = step == 0 ? support->yaw_rad : walk->next[step - 1].yaw_rad;
        if (ended || i < (int)p->start)
            between(walk, i, step);
        for (int axis = 0; axis < 2; axis++) // the pendulum's ZMP is so far from the floor's
            p->known[axis][i] += walk->load_m[axis];
    }
}

// An entry of the Hessian of an axis, of jerks and footholds.
static double hessian_entry(const struct velocity_walk_private *p, int a, int b)
{
    const struct velocity_walk_config *c = &p->config;
    double sum = a != b ? 0 : a < N ? c->weight_jerk : c->weight_foot;
    for (int i = 0; i < N; i++) {
        double za = a < N ? p->pzu[i][a] : -p->share[i][a - N];
        double zb = b < N ? p->pzu[i][b] : -p->share[i][b - N];
        double v = a < N && b < N ? p->pvu[i][a] * p->pvu[i][b] : 0;
        sum += c->weight_zmp * za * zb + c->weight_speed * v;
    }
    return sum;
}

// The Hessian depends only on who carries when; its factor is made once for each case.
static bool factorise(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    unsigned phase = p->stage == STAGE_STANDING ? 0 : walk->remaining;
    invariant(phase < sizeof p->cache[0] / sizeof p->cache[0][0]);
    double hessian[AXIS * AXIS] = {0}, *kept = p->cache[p->stage][phase].factor;
    if (!p->cache[p->stage][phase].made) {
        for (int a = 0; a < AXIS; a++)
            for (int b = 0; b <= a; b++)
                hessian[a * AXIS + b] = hessian_entry(p, a, b);
        if (!qp_factor(hessian, AXIS, kept))
            return false;
        p->cache[p->stage][phase].made = true;
    }
    for (int a = 0; a < AXIS; a++)
        for (int axis = 0; axis < 2; axis++)
            memcpy(p->factor + (size_t)(axis * AXIS + a) * p->unknowns + axis * AXIS,
                   kept + (size_t)a * AXIS, AXIS * sizeof(double));
    for (unsigned k = UNKNOWNS; k < p->unknowns; k++)
        p->factor[k * p->unknowns + k] = 1 / sqrt(p->config.weight_yaw);
    return true;
}

static double of_state(const double row[3], const double state[3])
{
    return row[0] * state[0] + row[1] * state[1] + row[2] * state[2];
}

// The velocity of a pendulum that walks at the one wanted, its ZMP in the middle of each sole. The
// velocity itself would not do as a reference: squares of the swing about it count, and a slow
// walk, above all sideways, has fewer of them.
static void nominal_velocity(const struct velocity_walk *walk, int i, double wanted[2])
{
    const struct velocity_walk_private *p = walk->private;
    int period = (int)p->config.step_samples, elapsed = i + 1 - (int)walk->remaining, step = 0;
    double c = cos(p->yaw[i]), s = sin(p->yaw[i]);
    wanted[0] = wanted[1] = 0;
    if (p->stage == STAGE_STANDING || i < (int)p->start)
        return;
    if (elapsed > 0)
        step = 1 + (elapsed - 1) / period;
    else
        elapsed += period;
    if (p->stage != STAGE_WALKING && step >= (int)p->stage)
        return;
    if (step > 0)
        elapsed -= (step - 1) * period;
    double omega = sqrt(GRAVITY_M_S2 / p->config.com_height_m), half = omega * period * T / 2;
    double phase = omega * elapsed * T - half;
    double along = half * cosh(phase) / sinh(half); // of mean 1
    double width = p->config.stance_width_m + fabs(p->velocity[1]) * period * T;
    double side = outward(step % 2 ? other(walk->support) : walk->support);
    double sway = -side * width / 2 * omega * sinh(phase) / cosh(half);
    double forward = along * p->velocity[0], left = along * p->velocity[1] + sway;
    wanted[0] = c * forward - s * left;
    wanted[1] = s * forward + c * left;
}

static void write_gradient(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    const struct velocity_walk_config *c = &p->config;
    enum side foot = other(walk->support);
    struct pose2d before = walk->foot[walk->support];
    memset(p->gradient, 0, sizeof p->gradient);
    for (int i = 0; i < N; i++) {
        double wanted[2];
        nominal_velocity(walk, i, wanted);
        for (int axis = 0; axis < 2; axis++) {
            double *g = p->gradient + axis * AXIS;
            double z = c->weight_zmp * (of_state(p->pzx[i], walk->com[axis]) - p->known[axis][i]);
            double v = c->weight_speed * (of_state(p->pvx[i], walk->com[axis]) - wanted[axis]);
            dense_add(g, z, p->pzu[i], i + 1);
            dense_add(g, v, p->pvu[i], i + 1);
            for (int k = 0; k < 2; k++)
                g[N + k] -= z * p->share[i][k];
        }
    }
    for (int k = 0; k < 2; k++, foot = other(foot)) { // footholds drift to the normal stance
        struct pose2d normal = placed(before, 0, outward(foot) * c->stance_width_m, 0);
        p->gradient[N + k] -= c->weight_foot * normal.x_m;
        p->gradient[AXIS + N + k] -= c->weight_foot * normal.y_m;
        before = normal;
    }
    for (unsigned k = UNKNOWNS; k < p->unknowns; k++)
        p->gradient[k] =
            -c->weight_yaw * (walk->foot[walk->support].yaw_rad +
                              (k - UNKNOWNS + 1) * p->velocity[2] * c->step_samples * T);
}

// ---- rows
// -----------------------------------------------------------------------------------------

static double *new_row(struct velocity_walk_private *p, double lower, double upper)
{
    expects(p->rows < ROWS);
    double *row = p->row + (size_t)p->rows * p->unknowns;
    memset(row, 0, p->unknowns * sizeof *row);
    p->lower[p->rows] = lower;
    p->upper[p->rows] = upper;
    p->softness[p->rows] = 0;
    p->rows++;
    return row;
}

// The newest row changes by `slope` for each radian that the k-th foothold turns from what it is.
static void turn_row(struct velocity_walk *walk, int k, double slope)
{
    struct velocity_walk_private *p = walk->private;
    if (!velocity_walk_finds_yaws(p))
        return;
    p->row[(size_t)(p->rows - 1) * p->unknowns + UNKNOWNS + k] = slope;
    p->lower[p->rows - 1] += slope * walk->next[k].yaw_rad;
    p->upper[p->rows - 1] += slope * walk->next[k].yaw_rad;
}

// The k-th foothold seen from the one before it, along a direction, which turns with that.
static void foothold_row(struct velocity_walk *walk, int k, struct point2 direction, double lower,
                         double upper)
{
    const struct pose2d *support = &walk->foot[walk->support];
    double known = k == 0 ? direction.x * support->x_m + direction.y * support->y_m : 0;
    double *row = new_row(walk->private, lower + known, upper + known);
    row[N + k] = direction.x;
    row[AXIS + N + k] = direction.y;
    if (k == 1) {
        row[N] = -direction.x;
        row[AXIS + N] = -direction.y;
        turn_row(walk, 0,
                 direction.x * (walk->next[1].y_m - walk->next[0].y_m) -
                     direction.y * (walk->next[1].x_m - walk->next[0].x_m));
    }
}

// The k-th foothold in its area, in the frame of the foot before it, which has this yaw.
static void write_area(struct velocity_walk *walk, int k, double yaw, double sign)
{
    const struct point2 *corner = walk->private->config.foot_area;
    double c = cos(yaw), s = sin(yaw);
    for (int e = 0; e < VELOCITY_WALK_FOOT_CORNERS; e++) {
        struct point2 a = corner[e], b = corner[(e + 1) % VELOCITY_WALK_FOOT_CORNERS];
        double length = hypot(b.x - a.x, b.y - a.y);
        double nx = (b.y - a.y) / length, ny = -(b.x - a.x) / length; // out of the area
        struct point2 direction = {c * nx - s * sign * ny, s * nx + c * sign * ny};
        foothold_row(walk, k, direction, -INFINITY, nx * a.x + ny * a.y);
    }
}

// The last foothold of a walk, beside the one before it; as many rows as an area.
static void write_closing(struct velocity_walk *walk, int k, double yaw, double width)
{
    struct point2 ahead = {cos(yaw), sin(yaw)}, left = {-sin(yaw), cos(yaw)};
    foothold_row(walk, k, ahead, 0, 0);
    foothold_row(walk, k, left, width, width);
    for (int e = 2; e < VELOCITY_WALK_FOOT_CORNERS; e++)
        foothold_row(walk, k, ahead, -INFINITY, INFINITY);
}

static void write_footholds(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    enum side foot = other(walk->support);
    double yaw = walk->foot[walk->support].yaw_rad;
    for (int k = 0; k < 2; k++, foot = other(foot)) {
        if (p->stage != STAGE_WALKING && (int)p->stage == k + 1)
            write_closing(walk, k, yaw, outward(foot) * p->config.stance_width_m);
        else
            write_area(walk, k, yaw, outward(foot));
        yaw = walk->next[k].yaw_rad;
    }
    // The place of a foot about to land moves only so fast.
    bool late = p->stage != STAGE_STANDING && walk->remaining <= LATE;
    double reach = late ? p->config.landing_change_m_s * T * (walk->remaining - 1) : INFINITY;
    new_row(p, walk->next[0].x_m - reach, walk->next[0].x_m + reach)[N] = 1;
    new_row(p, walk->next[0].y_m - reach, walk->next[0].y_m + reach)[AXIS + N] = 1;
}

// Where the capture point may be at the window's end, seen from the last support: in the sole, and
// in a walk that goes on as far beyond it as the next step can still catch it.
static void capture_room(const struct velocity_walk *walk, int e, double *lower, double *upper)
{
    const struct velocity_walk_private *p = walk->private;
    const struct velocity_walk_config *c = &p->config;
    double half = e == 0 ? c->sole_half_length_m : p->half_width[N - 1];
    *lower = -half;
    *upper = half;
    if (p->stage != STAGE_WALKING)
        return;
    int beyond = N - (int)walk->remaining; // periods since the last landing in the window
    int steps = beyond > 0 ? (beyond - 1) / (int)c->step_samples + 1 : 0;
    int left = (int)walk->remaining + steps * (int)c->step_samples - N;
    double decay = exp(-sqrt(GRAVITY_M_S2 / c->com_height_m) * left * T);
    double out = outward(steps % 2 ? walk->support : other(walk->support));
    for (int i = 0; i < VELOCITY_WALK_FOOT_CORNERS; i++) {
        double place = decay * (e == 0 ? c->foot_area[i].x : out * c->foot_area[i].y);
        *lower = fmin(*lower, place - half);
        *upper = fmax(*upper, place + half);
    }
}

// A quantity of the window (its rows over state and jerks, up to sample `at`) along a direction,
// against the support of that sample.
static void support_row(struct velocity_walk *walk, int at, const double *px, const double *pu,
                        const double direction[2], double lower, double upper)
{
    struct velocity_walk_private *p = walk->private;
    double *row = new_row(p, lower, upper), offset = 0;
    for (int axis = 0; axis < 2; axis++) {
        double along = direction[axis];
        offset += along * (of_state(px, walk->com[axis]) - p->known[axis][at]);
        dense_add(row + axis * AXIS, along, pu, at + 1);
        dense_add(row + axis * AXIS + N, -along, p->share[at], 2);
    }
    p->lower[p->rows - 1] -= offset;
    p->upper[p->rows - 1] -= offset;
    p->softness[p->rows - 1] = pow(SOFTER, at);
    if (p->step[at] == 0)
        return;
    double beside[2]; // as planned before
    for (int axis = 0; axis < 2; axis++) {
        const double *x = p->x + axis * AXIS;
        beside[axis] = of_state(px, walk->com[axis]) - p->known[axis][at] - p->share[at][0] * x[N] -
                       p->share[at][1] * x[N + 1];
        for (int j = 0; j <= at; j++)
            beside[axis] += pu[j] * x[j];
    }
    turn_row(walk, p->step[at] - 1, direction[0] * beside[1] - direction[1] * beside[0]);
}

static void write_zmp(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    for (int i = 0; i <= N; i++) {
        bool capture = i == N; // of the window's end, in the last support
        int at = capture ? N - 1 : i;
        double c = cos(p->yaw[at]), s = sin(p->yaw[at]);
        const double direction[2][2] = {{c, s}, {-s, c}};
        for (int e = 0; e < 2; e++) {
            double upper = e == 0 ? p->config.sole_half_length_m : p->half_width[at];
            double lower = -upper;
            if (capture)
                capture_room(walk, e, &lower, &upper);
            support_row(walk, at, capture ? p->pcx : p->pzx[i], capture ? p->pcu : p->pzu[i],
                        direction[e], lower, upper);
        }
    }
}

// A foothold stays behind the tangent of each circle that faces where it was planned before.
static void write_obstacles(struct velocity_walk *walk)
{
    for (unsigned o = 0; o < walk->obstacle_count && o < VELOCITY_WALK_OBSTACLES_MAX; o++)
        for (int k = 0; k < 2; k++) {
            const struct velocity_walk_obstacle *circle = &walk->obstacle[o];
            const struct pose2d *support = &walk->foot[walk->support];
            double dx = support->x_m - circle->x_m, dy = support->y_m - circle->y_m;
            double distance = hypot(dx, dy);
            if (!(distance > 0))
                continue;
            dx /= distance;
            dy /= distance;
            double *row = new_row(walk->private,
                                  dx * circle->x_m + dy * circle->y_m + circle->radius_m, INFINITY);
            row[N + k] = dx;
            row[AXIS + N + k] = dy;
        }
}

// How far a foot may turn against the one before it. One about to land keeps its yaw; the last one
// of a walk comes in line.
static void write_yaws(struct velocity_walk *walk)
{
    struct velocity_walk_private *p = walk->private;
    const struct velocity_walk_config *c = &p->config;
    enum side foot = other(walk->support);
    for (int k = 0; k < 2; k++, foot = other(foot)) {
        double out = outward(foot), before = k == 0 ? walk->foot[walk->support].yaw_rad : 0;
        double lower = out > 0 ? -c->yaw_inward_max_rad : -c->yaw_per_step_max_rad;
        double upper = out > 0 ? c->yaw_per_step_max_rad : c->yaw_inward_max_rad;
        if (k == 0 && p->stage != STAGE_STANDING && walk->remaining <= LATE)
            lower = upper = walk->next[0].yaw_rad - before;
        else if (p->stage != STAGE_WALKING && (int)p->stage == k + 1)
            lower = upper = 0;
        double *row = new_row(p, lower + before, upper + before);
        row[UNKNOWNS + k] = 1;
        if (k == 1)
            row[UNKNOWNS] = -1;
    }
}

bool velocity_walk_write(struct velocity_walk *walk)
{
    choose_yaws(walk);
    lay_out(walk);
    write_gradient(walk);
    walk->private->rows = 0;
    write_footholds(walk);
    write_zmp(walk);
    write_obstacles(walk);
    if (velocity_walk_finds_yaws(walk->private))
        write_yaws(walk);
    return factorise(walk);
}
