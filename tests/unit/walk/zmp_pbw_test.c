// zmp_pbw: plans against a dense solver, ZMPs in turned feet and their hulls, receding plans,
// pushes.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "qp/qp.h"
#include "walk/zmp/zmp_pbw.h"

static const struct sole soles[2] = {{-0.115, 0.115, -0.069, 0.069},
                                     {-0.115, 0.115, -0.069, 0.069}};

#define HEIGHT_M 0.814
#define SAMPLES 900
#define N 40

static const double margin[2] = {0.07, 0.05};
static struct pbw_polygon polygon[SAMPLES];
static double reference[SAMPLES][2], jerk[SAMPLES][2];

static struct pbw *create(double period_s, unsigned samples, double alpha, double beta)
{
    struct pbw *pbw;
    struct pbw_config config = {.period_s = period_s,
                                .com_height_m = HEIGHT_M,
                                .alpha = alpha,
                                .beta = beta,
                                .terminal = 1e4,
                                .samples_max = samples};
    ck_assert_int_eq(pbw_create(&config, &pbw), STATUS_OK);
    return pbw;
}

// A walk of six turned steps of 0.8 s, standing before and after.
static void lay_out(double period_s, unsigned samples)
{
    struct pose2d foot[2] = {{0, -0.1, 0}, {0, 0.1, 0}};
    unsigned step_samples = (unsigned)lround(0.8 / period_s);
    unsigned both_samples = (unsigned)lround(0.1 / period_s);
    for (unsigned i = 0; i < samples; i++) {
        unsigned step = i / step_samples, phase = i % step_samples;
        bool walks = step >= 1 && step <= 6;
        unsigned carries = step % 2;
        if (walks && phase == 0 && step > 1) { // the foot that carries has landed
            double yaw = 0.1 * step;
            foot[carries] =
                (struct pose2d){0.2 * step * cos(yaw / 2) + (carries ? -0.1 : 0.1) * sin(yaw),
                                0.2 * step * sin(yaw / 2) + (carries ? 0.1 : -0.1) * cos(yaw), yaw};
        }
        bool both = !walks || phase < both_samples;
        struct pose2d one = foot[carries];
        ck_assert(both ? pbw_support(foot, soles, 2, margin, &polygon[i])
                       : pbw_support(&one, soles, 1, margin, &polygon[i]));
        reference[i][0] = walks ? one.x_m : (foot[0].x_m + foot[1].x_m) / 2;
        reference[i][1] = walks ? one.y_m : (foot[0].y_m + foot[1].y_m) / 2;
    }
}

static double beyond(const struct pbw *pbw, double com[2][3], const struct pbw_polygon *support)
{
    double worst = -INFINITY;
    for (unsigned k = 0; k < support->edges; k++)
        worst = fmax(worst, support->nx[k] * pbw_zmp(pbw, com[0]) +
                                support->ny[k] * pbw_zmp(pbw, com[1]) - support->h[k]);
    return worst;
}

// Rows of the ZMP of sample i, whose columns over the jerks of an axis are Z.
static unsigned dense_rows(unsigned i, double T, double com[2][3], const double Z[N], unsigned rows,
                           double *row, double *upper, double *lower)
{
    double t = (i + 1) * T;
    for (unsigned k = 0; k < polygon[i].edges; k++, rows++) {
        upper[rows] = polygon[i].h[k];
        lower[rows] = -INFINITY;
        for (unsigned axis = 0; axis < 2; axis++) {
            double n = axis ? polygon[i].ny[k] : polygon[i].nx[k];
            const double *s = com[axis];
            upper[rows] -= n * (s[0] + t * s[1] + (t * t / 2 - HEIGHT_M / 9.81) * s[2]);
            for (unsigned j = 0; j < N; j++)
                row[rows * 2 * N + axis * N + j] = n * Z[j];
        }
    }
    return rows;
}

START_TEST(a_plan_equals_that_of_a_dense_solver)
{
    static double hessian[4 * N * N], factor[4 * N * N], gradient[2 * N];
    static double row[8 * N * 2 * N], lower[8 * N], upper[8 * N], x[2 * N];
    static signed char active[8 * N];
    double T = 0.1, alpha = 2, beta = 10, omega = sqrt(9.81 / HEIGHT_M), terminal = 1e4;
    double com[2][3] = {{0.01, 0.1, 0}, {-0.02, 0, 0.1}};
    struct qp_result result;
    struct qp *qp;
    struct pbw *pbw = create(T, N, alpha, beta);
    lay_out(T, N);
    struct pbw_report report =
        pbw_solve(pbw, N, (const double(*)[3])com, polygon, (const double(*)[2])reference, jerk);
    ck_assert(report.solved);
    ck_assert_uint_eq(report.relaxed, 0);
    unsigned rows = 0;
    for (unsigned i = 0; i < N; i++) { // dense: columns of jerks for positions, velocities, ZMPs
        double t = (i + 1) * T, X[N] = {0}, V[N] = {0}, Z[N] = {0}, E[N] = {0};
        for (unsigned j = 0; j <= i; j++) {
            double d = i - j;
            X[j] = (1 + 3 * d + 3 * d * d) * T * T * T / 6;
            V[j] = (2 * d + 1) * T * T / 2;
            Z[j] = X[j] - T * HEIGHT_M / 9.81;
            E[j] = X[j] + V[j] / omega;
        }
        for (unsigned axis = 0; axis < 2; axis++) {
            const double *s = com[axis];
            double px = s[0] + t * s[1] + t * t / 2 * s[2] - reference[i][axis];
            double pv = s[1] + t * s[2], last = i == N - 1 ? terminal : 0;
            for (unsigned a = 0; a < N; a++) {
                gradient[axis * N + a] +=
                    alpha * V[a] * pv + beta * X[a] * px + last * E[a] * (px + pv / omega);
                for (unsigned b = 0; b < N; b++)
                    hessian[(axis * N + a) * 2 * N + axis * N + b] +=
                        alpha * V[a] * V[b] + beta * X[a] * X[b] + last * E[a] * E[b];
            }
            hessian[(axis * N + i) * 2 * N + axis * N + i] += 1;
        }
        rows = dense_rows(i, T, com, Z, rows, row, upper, lower);
    }
    ck_assert(qp_factor(hessian, 2 * N, factor));
    ck_assert_int_eq(qp_create(2 * N, 8 * N, &qp), STATUS_OK);
    struct qp_problem problem = {.unknowns = 2 * N,
                                 .rows = rows,
                                 .factor = factor,
                                 .gradient = gradient,
                                 .row = row,
                                 .lower = lower,
                                 .upper = upper};
    ck_assert_int_eq(qp_solve(qp, &problem, active, x, NULL, &result), QP_OPTIMAL);
    ck_assert_uint_gt(result.active, 0);
    double other[2][3];
    memcpy(other, com, sizeof other);
    for (unsigned i = 0; i < N; i++) {
        pbw_advance(pbw, com, jerk[i]);
        pbw_advance(pbw, other, (double[]){x[i], x[N + i]});
        for (unsigned axis = 0; axis < 2; axis++) {
            ck_assert_double_eq_tol(com[axis][0], other[axis][0], 1e-6);
            ck_assert_double_eq_tol(pbw_zmp(pbw, com[axis]), pbw_zmp(pbw, other[axis]), 1e-6);
        }
    }
    qp_free(qp);
    pbw_free(pbw);
}
END_TEST

START_TEST(a_whole_plan_keeps_the_zmp_in_the_feet_and_ends_at_rest)
{
    struct pbw *pbw = create(0.01, SAMPLES, 200, 1000);
    double com[2][3] = {{0}, {0}};
    lay_out(0.01, SAMPLES);
    struct pbw_report report = pbw_solve(pbw, SAMPLES, (const double(*)[3])com, polygon,
                                         (const double(*)[2])reference, jerk);
    ck_assert(report.solved);
    ck_assert_uint_le(report.iterations, 30);
    ck_assert_uint_eq(report.relaxed, 0);
    for (unsigned i = 0; i < SAMPLES; i++) {
        pbw_advance(pbw, com, jerk[i]);
        ck_assert_double_lt(beyond(pbw, com, &polygon[i]), 1e-6);
    }
    for (int axis = 0; axis < 2; axis++) {
        ck_assert_double_eq_tol(com[axis][0], reference[SAMPLES - 1][axis], 0.01);
        ck_assert_double_eq_tol(com[axis][1], 0, 0.02);
    }
    pbw_free(pbw);
}
END_TEST

START_TEST(a_receding_plan_keeps_the_zmp_in_the_feet_and_survives_a_push)
{
    struct pbw *pbw = create(0.02, 75, 200, 1000);
    double com[2][3] = {{0}, {0}};
    unsigned count = SAMPLES / 2, relaxed = 0;
    lay_out(0.02, count);
    for (unsigned i = 0; i + 75 < count; i++) {
        if (i == 150)
            com[1][1] += 0.6;
        struct pbw_report report = pbw_solve(pbw, 75, (const double(*)[3])com, polygon + i,
                                             (const double(*)[2])(reference + i), jerk);
        ck_assert(report.solved);
        relaxed += report.relaxed;
        pbw_advance(pbw, com, jerk[0]);
        if (i < 150) {
            ck_assert_uint_eq(relaxed, 0);
            ck_assert_double_lt(beyond(pbw, com, &polygon[i]), 1e-6);
        }
        ck_assert(isfinite(com[0][0]) && isfinite(com[1][0]));
    }
    ck_assert_uint_gt(relaxed, 0);
    pbw_free(pbw);
}
END_TEST

START_TEST(margins_are_totals_and_bad_numbers_are_refused)
{
    struct pose2d foot = {1, 2, 0};
    struct pbw_polygon support;
    struct pbw *pbw;
    ck_assert(pbw_support(&foot, soles, 1, margin, &support));
    ck_assert_uint_eq(support.edges, 4);
    for (unsigned k = 0; k < 4; k++) // 3.5 cm less in front and behind, 2.5 at either side
        ck_assert_double_eq_tol(support.h[k] - support.nx[k] * 1 - support.ny[k] * 2,
                                fabs(support.nx[k]) > 0.5 ? 0.08 : 0.044, 1e-9);
    ck_assert(!pbw_support(&foot, soles, 1, (double[]){0.24, 0}, &support));
    struct pbw_config bad = {.period_s = NAN, .com_height_m = 0.8, .samples_max = 10};
    ck_assert_int_eq(pbw_create(&bad, &pbw), STATUS_INVALID);
    bad.period_s = 0.01;
    bad.alpha = -1;
    ck_assert_int_eq(pbw_create(&bad, &pbw), STATUS_INVALID);
}
END_TEST

UNIT_MAIN("zmp_pbw", a_plan_equals_that_of_a_dense_solver,
          a_whole_plan_keeps_the_zmp_in_the_feet_and_ends_at_rest,
          a_receding_plan_keeps_the_zmp_in_the_feet_and_survives_a_push,
          margins_are_totals_and_bad_numbers_are_refused)
