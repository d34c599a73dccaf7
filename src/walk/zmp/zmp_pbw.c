#include "walk/zmp/zmp_pbw.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/touched.h"
#define ITERATIONS_MAX 60
#define PRICE 1e6    // of a metre of slack; above any multiplier of a feasible plan
#define GAP 1e-10    // mean complementarity at which a plan counts as solved
#define APART_M 1e-9 // of rows from their slacks, at the end
#define ROOM_M 0.02  // of a row at the start
#define PUSH 100     // multiplier of a row at the start
#define RELAXED_M 1e-6

enum { STATES = 6 }; // position, velocity, acceleration of x, of y

// A row n z <= h + s with slack w = h + s - n z and multiplier l; s costs PRICE, so its own
// multiplier is m = PRICE - l, kept by itself for its digits.
struct row {
    double w, l, s, m, dw, dl, ds, D, g;
    double dl_before; // of the predictor
};

struct sample {
    double state[STATES], jerk[2]; // the jerk leads here from the sample before
    double step[STATES], turn[2];  // Newton's
    double gain[2][STATES], inverse[3];
    double gradient[STATES]; // of cost and rows
    double W[3];             // rows' Hessian over (zx, zy): xx, xy, yy
    struct row row[PBW_EDGES_MAX];
};

struct pbw {
    struct pbw_config config;
    double fall, capture; // z / g, 1 / omega
    double A[3][3], B[3];
    struct sample *sample; // 0 is now
    // Of the plan at hand.
    unsigned count;
    const struct pbw_polygon *polygon; // of sample i at i - 1
    const double (*reference)[2];
};

static bool is_valid(const struct pbw_config *c)
{
    return c->period_s > 0 && c->period_s <= 1 && c->com_height_m > 0 && c->com_height_m < 100 &&
           c->alpha >= 0 && c->beta >= 0 && c->terminal >= 0 &&
           isfinite(c->alpha + c->beta + c->terminal) && c->samples_max > 0 &&
           c->samples_max <= PBW_SAMPLES_MAX;
}

static void set(struct pbw *pbw, const struct pbw_config *config)
{
    const double T = config->period_s;
    pbw->config = *config;
    pbw->fall = config->com_height_m / GRAVITY_M_S2;
    pbw->capture = sqrt(pbw->fall);
    memcpy(pbw->A, (double[3][3]){{1, T, T * T / 2}, {0, 1, T}, {0, 0, 1}}, sizeof pbw->A);
    memcpy(pbw->B, (double[]){T * T * T / 6, T * T / 2, T}, sizeof pbw->B);
}

enum status pbw_set(struct pbw *pbw, const struct pbw_config *config)
{
    if (!is_valid(config) || config->samples_max != pbw->config.samples_max)
        return STATUS_INVALID;
    set(pbw, config);
    return STATUS_OK;
}

size_t pbw_memory(unsigned samples_max)
{
    return sizeof(struct pbw) + (samples_max + 1) * sizeof(struct sample);
}

enum status pbw_create(const struct pbw_config *config, struct pbw **pbw)
{
    *pbw = NULL;
    if (!is_valid(config))
        return STATUS_INVALID;
    struct pbw *made = touched_alloc(1, sizeof *made);
    if (made)
        made->sample = touched_alloc(config->samples_max + 1, sizeof *made->sample);
    if (!made || !made->sample) {
        free(made);
        return STATUS_NO_MEMORY;
    }
    set(made, config);
    *pbw = made;
    return STATUS_OK;
}

void pbw_free(struct pbw *pbw)
{
    if (pbw)
        free(pbw->sample);
    free(pbw);
}

bool pbw_support(const struct pose2d *foot, const struct sole *sole, unsigned feet,
                 const double margin_m[2], struct pbw_polygon *polygon)
{
    struct point2 corner[8], hull[9];
    polygon->edges = 0;
    if (feet == 0 || feet > 2)
        return false;
    for (unsigned i = 0; i < feet; i++) {
        const double half_m[2] = {(sole[i].front_m - sole[i].back_m - margin_m[0]) / 2,
                                  (sole[i].left_m - sole[i].right_m - margin_m[1]) / 2};
        const double ahead_m = (sole[i].front_m + sole[i].back_m) / 2;
        const double left_m = (sole[i].left_m + sole[i].right_m) / 2;
        const double c = cos(foot[i].yaw_rad), s = sin(foot[i].yaw_rad);
        const struct pose2d middle = {foot[i].x_m + c * ahead_m - s * left_m,
                                      foot[i].y_m + s * ahead_m + c * left_m, foot[i].yaw_rad};
        if (!(half_m[0] > 0 && half_m[1] > 0))
            return false;
        sole_corners(middle, half_m[0], half_m[1], corner + 4 * (size_t)i);
    }
    size_t corners = convex_hull(corner, 4 * (size_t)feet, hull);
    if (corners < 3 || corners > PBW_EDGES_MAX)
        return false;
    for (size_t i = 0; i < corners; i++) {
        struct point2 a = hull[i], b = hull[(i + 1) % corners];
        double edge = hypot(b.x - a.x, b.y - a.y);
        polygon->nx[i] = (b.y - a.y) / edge;
        polygon->ny[i] = (a.x - b.x) / edge;
        polygon->h[i] = polygon->nx[i] * a.x + polygon->ny[i] * a.y;
    }
    polygon->edges = (unsigned)corners;
    return true;
}

void pbw_advance(const struct pbw *pbw, double com[2][3], const double jerk_m_s3[2])
{
    for (int axis = 0; axis < 2; axis++) {
        const double *old = com[axis];
        double next[3];
        for (int i = 0; i < 3; i++)
            next[i] = pbw->A[i][0] * old[0] + pbw->A[i][1] * old[1] + pbw->A[i][2] * old[2] +
                      pbw->B[i] * jerk_m_s3[axis];
        memcpy(com[axis], next, sizeof next);
    }
}

double pbw_zmp(const struct pbw *pbw, const double com[3])
{
    return com[0] - pbw->fall * com[2];
}

// ---- cost and rows
// --------------------------------------------------------------------------------

static double along(const struct pbw_polygon *polygon, unsigned k, double x, double y)
{
    return polygon->nx[k] * x + polygon->ny[k] * y;
}

static double zmp_of(const struct pbw *pbw, const double *state, int axis)
{
    return pbw_zmp(pbw, state + 3 * (size_t)axis);
}

// Weights of an axis's own cost: symmetric 3x3, with the end's if it is the last sample.
static void own_weights(const struct pbw *pbw, bool last, double Q[3][3])
{
    const struct pbw_config *c = &pbw->config;
    double z[3] = {1, 0, c->zmp_follows ? -pbw->fall : 0}, e[3] = {1, pbw->capture, 0};
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            Q[i][j] = c->beta * z[i] * z[j] + (last ? c->terminal * e[i] * e[j] : 0);
    Q[1][1] += c->alpha;
}

static void cost_gradient(const struct pbw *pbw, unsigned i, double Q[3][3], double *gradient)
{
    const struct sample *sample = &pbw->sample[i];
    for (int axis = 0; axis < 2; axis++) {
        double s[3];
        memcpy(s, sample->state + 3 * (size_t)axis, sizeof s);
        s[0] -= pbw->reference[i - 1][axis]; // standing on the reference costs nothing
        for (int k = 0; k < 3; k++)
            gradient[3 * axis + k] = Q[k][0] * s[0] + Q[k][1] * s[1] + Q[k][2] * s[2];
    }
}

// D and g of each row (dl = D (n dz + g)) for the complementarity `target`; adds the rows to the
// gradient.  `corrected`: with the products of the last
// step (Mehrotra).
static void add_rows(struct pbw *pbw, unsigned i, double target, bool corrected)
{
    struct sample *sample = &pbw->sample[i];
    double *W = sample->W;
    const struct pbw_polygon *polygon = &pbw->polygon[i - 1];
    double zx = zmp_of(pbw, sample->state, 0), zy = zmp_of(pbw, sample->state, 1);
    double push[2] = {0};
    W[0] = W[1] = W[2] = 0;
    for (unsigned k = 0; k < polygon->edges; k++) {
        struct row *row = &sample->row[k];
        double m = row->m, apart = along(polygon, k, zx, zy) - row->s + row->w;
        double first = target - row->l * row->w - (corrected ? row->dl * row->dw : 0);
        double second = target - m * row->s + (corrected ? row->dl * row->ds : 0);
        row->D = 1 / (row->s / m + row->w / row->l);
        row->g = apart - polygon->h[k] - second / m + first / row->l;
        double force = row->l + row->D * row->g, nx = polygon->nx[k], ny = polygon->ny[k];
        push[0] += force * nx;
        push[1] += force * ny;
        W[0] += row->D * nx * nx;
        W[1] += row->D * nx * ny;
        W[2] += row->D * ny * ny;
    }
    for (int axis = 0; axis < 2; axis++) {
        sample->gradient[3 * axis] += push[axis];
        sample->gradient[3 * axis + 2] -= pbw->fall * push[axis];
    }
}

// ---- one step of Newton's
// -------------------------------------------------------------------------

typedef double block[3][3];

static void add_outer(const struct pbw *pbw, double weight, block P)
{
    const double c[3] = {1, 0, -pbw->fall};
    for (int i = 0; i < 3; i += 2)
        for (int j = 0; j < 3; j += 2)
            P[i][j] += weight * c[i] * c[j];
}

// out = A' P A
static void carry_back(const struct pbw *pbw, block P, block out)
{
    block PA;
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            PA[i][j] = P[i][0] * pbw->A[0][j] + P[i][1] * pbw->A[1][j] + P[i][2] * pbw->A[2][j];
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            out[i][j] = pbw->A[0][i] * PA[0][j] + pbw->A[1][i] * PA[1][j] + pbw->A[2][i] * PA[2][j];
}

// F = B' P A (rows x and y, over all states), G = 1 + B' P B (xx, xy, yy).
static void input_weights(const struct pbw *pbw, block P[3], double F[2][STATES], double G[3])
{
    const double *B = pbw->B;
    double part[2][2][3]; // B' P: of which jerk, over which axis
    for (int j = 0; j < 3; j++) {
        part[0][0][j] = B[0] * P[0][0][j] + B[1] * P[0][1][j] + B[2] * P[0][2][j];
        part[0][1][j] = B[0] * P[1][0][j] + B[1] * P[1][1][j] + B[2] * P[1][2][j];
        part[1][0][j] = B[0] * P[1][j][0] + B[1] * P[1][j][1] + B[2] * P[1][j][2];
        part[1][1][j] = B[0] * P[2][0][j] + B[1] * P[2][1][j] + B[2] * P[2][2][j];
    }
    for (int u = 0; u < 2; u++)
        for (int j = 0; j < STATES; j++) {
            const double *row = part[u][j / 3];
            F[u][j] =
                row[0] * pbw->A[0][j % 3] + row[1] * pbw->A[1][j % 3] + row[2] * pbw->A[2][j % 3];
        }
    for (int k = 0; k < 3; k++) {
        const double *row = part[k / 2][(k + 1) / 2];
        G[k] = row[0] * B[0] + row[1] * B[1] + row[2] * B[2] + (k != 1);
    }
}

// The value a sample before: A' P A - F' gain.
static void value_before(const struct pbw *pbw, block P[3], double F[2][STATES],
                         double gain[2][STATES])
{
    for (int k = 0; k < 3; k++) {
        block back;
        int r = k == 2 ? 3 : 0, c = k == 0 ? 0 : 3;
        carry_back(pbw, P[k], back);
        for (int a = 0; a < 3; a++)
            for (int d = 0; d < 3; d++)
                P[k][a][d] =
                    back[a][d] - F[0][r + a] * gain[0][c + d] - F[1][r + a] * gain[1][c + d];
    }
}

static void add_block(block Q, block P)
{
    for (int i = 0; i < 3; i++)
        for (int j = 0; j < 3; j++)
            P[i][j] += Q[i][j];
}

// Backward: gains, and the value's matrix (blocks xx, xy, yy) from the last sample to the first.
static void factorise(struct pbw *pbw)
{
    block P[3] = {{{0}}}, Q;
    for (unsigned i = pbw->count; i > 0; i--) {
        struct sample *sample = &pbw->sample[i];
        double F[2][STATES], G[3], *inverse = sample->inverse;
        own_weights(pbw, i == pbw->count, Q);
        add_block(Q, P[0]);
        add_block(Q, P[2]);
        for (int k = 0; k < 3; k++)
            add_outer(pbw, sample->W[k], P[k]);
        input_weights(pbw, P, F, G);
        double scale = 1 / (G[0] * G[2] - G[1] * G[1]);
        inverse[0] = G[2] * scale;
        inverse[1] = -G[1] * scale;
        inverse[2] = G[0] * scale;
        for (int j = 0; j < STATES; j++) {
            sample->gain[0][j] = inverse[0] * F[0][j] + inverse[1] * F[1][j];
            sample->gain[1][j] = inverse[1] * F[0][j] + inverse[2] * F[1][j];
        }
        value_before(pbw, P, F, sample->gain);
    }
}

// Backward and forward with the factors: steps of states, jerks and rows.
static void direct(struct pbw *pbw)
{
    double p[STATES] = {0}, next[STATES];
    for (unsigned i = pbw->count; i > 0; i--) {
        struct sample *sample = &pbw->sample[i];
        double f[2];
        for (int j = 0; j < STATES; j++)
            p[j] += sample->gradient[j];
        for (int u = 0; u < 2; u++)
            f[u] = sample->jerk[u] + pbw->B[0] * p[3 * u] + pbw->B[1] * p[3 * u + 1] +
                   pbw->B[2] * p[3 * u + 2];
        sample->turn[0] = -(sample->inverse[0] * f[0] + sample->inverse[1] * f[1]);
        sample->turn[1] = -(sample->inverse[1] * f[0] + sample->inverse[2] * f[1]);
        for (int axis = 0; axis < 2; axis++)
            for (int j = 0; j < 3; j++)
                next[3 * axis + j] = pbw->A[0][j] * p[3 * axis] + pbw->A[1][j] * p[3 * axis + 1] +
                                     pbw->A[2][j] * p[3 * axis + 2];
        for (int j = 0; j < STATES; j++)
            p[j] = next[j] - sample->gain[0][j] * f[0] - sample->gain[1][j] * f[1];
    }
    for (unsigned i = 1; i <= pbw->count; i++) {
        struct sample *sample = &pbw->sample[i];
        const struct pbw_polygon *polygon = &pbw->polygon[i - 1];
        memcpy(sample->step, sample[-1].step, sizeof sample->step);
        for (int u = 0; u < 2; u++)
            for (int j = 0; j < STATES; j++)
                sample->turn[u] -= sample->gain[u][j] * sample[-1].step[j];
        pbw_advance(pbw, (double(*)[3])sample->step, sample->turn);
        double zx = zmp_of(pbw, sample->step, 0), zy = zmp_of(pbw, sample->step, 1);
        for (unsigned k = 0; k < polygon->edges; k++)
            sample->row[k].dl = sample->row[k].D * (along(polygon, k, zx, zy) + sample->row[k].g);
    }
}

// Steps of w and s from those of l; the share of the step that keeps all above zero.
static double finish(struct pbw *pbw, double target, bool corrected)
{
    double share = 1;
    for (unsigned i = 1; i <= pbw->count; i++)
        for (unsigned k = 0; k < pbw->polygon[i - 1].edges; k++) {
            struct row *row = &pbw->sample[i].row[k];
            double m = row->m, old = row->l;
            double first = target - old * row->w, second = target - m * row->s;
            if (corrected) {
                first -= row->dl_before * row->dw;
                second += row->dl_before * row->ds;
            }
            row->dw = (first - row->w * row->dl) / old;
            row->ds = (second + row->s * row->dl) / m;
            row->dl_before = row->dl;
            if (row->dw < 0)
                share = fmin(share, -row->w / row->dw);
            if (row->ds < 0)
                share = fmin(share, -row->s / row->ds);
            if (row->dl < 0)
                share = fmin(share, -old / row->dl);
            if (row->dl > 0)
                share = fmin(share, m / row->dl);
        }
    return share;
}

// ---- a plan
// ---------------------------------------------------------------------------------------

static void begin(struct pbw *pbw, const double com[2][3])
{
    memset(pbw->sample[0].step, 0, sizeof pbw->sample[0].step);
    memcpy(pbw->sample[0].state, com, sizeof pbw->sample[0].state);
    for (unsigned i = 1; i <= pbw->count; i++) {
        struct sample *sample = &pbw->sample[i];
        const struct pbw_polygon *polygon = &pbw->polygon[i - 1];
        memset(sample->jerk, 0, sizeof sample->jerk);
        memcpy(sample->state, sample[-1].state, sizeof sample->state);
        pbw_advance(pbw, (double(*)[3])sample->state, sample->jerk);
        double zx = zmp_of(pbw, sample->state, 0), zy = zmp_of(pbw, sample->state, 1);
        for (unsigned k = 0; k < polygon->edges; k++) {
            double room = fmax(ROOM_M, polygon->h[k] - along(polygon, k, zx, zy));
            sample->row[k] = (struct row){
                .w = room, .l = PUSH, .s = PUSH * room / (PRICE - PUSH), .m = PRICE - PUSH};
        }
    }
}

// Mean complementarity; what rows are apart from their slacks at the most.
static double gap(const struct pbw *pbw, double share, double *apart)
{
    double sum = 0;
    unsigned pairs = 0;
    *apart = 0;
    for (unsigned i = 1; i <= pbw->count; i++) {
        const struct sample *sample = &pbw->sample[i];
        const struct pbw_polygon *polygon = &pbw->polygon[i - 1];
        double zx = zmp_of(pbw, sample->state, 0), zy = zmp_of(pbw, sample->state, 1);
        for (unsigned k = 0; k < polygon->edges; k++, pairs += 2) {
            const struct row *row = &sample->row[k];
            double l = row->l + share * row->dl, s = row->s + share * row->ds;
            sum += l * (row->w + share * row->dw) + (row->m - share * row->dl) * s;
            *apart =
                fmax(*apart, fabs(along(polygon, k, zx, zy) - row->s + row->w - polygon->h[k]));
        }
    }
    return pairs ? sum / pairs : 0;
}

static void newton(struct pbw *pbw, double target, bool corrected)
{
    double Q[3][3];
    for (unsigned i = 1; i <= pbw->count; i++) {
        own_weights(pbw, i == pbw->count, Q);
        cost_gradient(pbw, i, Q, pbw->sample[i].gradient);
        add_rows(pbw, i, target, corrected);
    }
    if (!corrected) // the corrector's matrices are the predictor's
        factorise(pbw);
    direct(pbw);
}

static void go(struct pbw *pbw, double share)
{
    for (unsigned i = 1; i <= pbw->count; i++) {
        struct sample *sample = &pbw->sample[i];
        for (int j = 0; j < STATES; j++)
            sample->state[j] += share * sample->step[j];
        for (int u = 0; u < 2; u++)
            sample->jerk[u] += share * sample->turn[u];
        for (unsigned k = 0; k < pbw->polygon[i - 1].edges; k++) {
            struct row *row = &sample->row[k];
            row->w += share * row->dw;
            row->l += share * row->dl;
            row->m -= share * row->dl;
            row->s += share * row->ds;
        }
    }
}

struct pbw_report pbw_solve(struct pbw *pbw, unsigned samples, const double com[2][3],
                            const struct pbw_polygon *polygon, const double (*reference_m)[2],
                            double (*jerk_m_s3)[2])
{
    struct pbw_report report = {0};
    double rest = 1, apart;
    if (samples == 0 || samples > pbw->config.samples_max)
        return report;
    pbw->count = samples;
    pbw->polygon = polygon;
    pbw->reference = reference_m;
    begin(pbw, com);
    for (; report.iterations < ITERATIONS_MAX; report.iterations++) {
        double now = gap(pbw, 0, &apart), ignored;
        report.solved = now < GAP && apart < APART_M && rest < GAP;
        if (report.solved || !isfinite(now))
            break;
        newton(pbw, 0, false);
        double ahead = gap(pbw, finish(pbw, 0, false), &ignored), ratio = ahead / now;
        double target = now * ratio * ratio * ratio;
        newton(pbw, target, true);
        double share = finish(pbw, target, true);
        share = share < 1 ? 0.995 * share : 1;
        go(pbw, share);
        rest *= 1 - share;
    }
    for (unsigned i = 1; i <= samples; i++) {
        const double *jerk = pbw->sample[i].jerk;
        bool finite = isfinite(jerk[0]) && isfinite(jerk[1]);
        jerk_m_s3[i - 1][0] = finite ? jerk[0] : 0;
        jerk_m_s3[i - 1][1] = finite ? jerk[1] : 0;
        for (unsigned k = 0; k < polygon[i - 1].edges; k++) {
            double slack = pbw->sample[i].row[k].s;
            report.relaxed += slack > RELAXED_M;
            report.slack_max_m = fmax(report.slack_max_m, slack);
        }
    }
    return report;
}
