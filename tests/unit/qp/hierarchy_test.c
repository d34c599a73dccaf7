// hierarchy: random levels against a second way to solve them: one quadratic program a level in all
// unknowns, in which what the levels above reached are equalities.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "qp/hierarchy.h"

#define N 10
#define LEVELS 4
#define ROWS 6
#define ALL (LEVELS * ROWS + N)

struct example {
    double row[LEVELS][ROWS * N], lower[LEVELS][ROWS], upper[LEVELS][ROWS], low[N], high[N];
    struct hierarchy_level level[LEVELS];
};

static uint64_t state;

static double uniform(void) // -1 to 1
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

// `inequalities` of the rows of each level; bounds of this size; some levels depend on others.
static void make(struct example *e, unsigned inequalities, double bound)
{
    for (unsigned i = 0; i < N; i++) {
        e->low[i] = -bound * (1 + uniform());
        e->high[i] = bound * (1 + uniform());
    }
    for (unsigned k = 0; k < LEVELS; k++) {
        unsigned rows = 2 + k;
        for (unsigned i = 0; i < rows * N; i++)
            e->row[k][i] = uniform();
        if (k == 2) // repeats and contradicts the first level
            memcpy(e->row[2], e->row[0], N * sizeof(double));
        for (unsigned i = 0; i < rows; i++) {
            e->lower[k][i] = e->upper[k][i] = uniform();
            if (i < inequalities)
                e->upper[k][i] += 0.5;
        }
        e->level[k] = (struct hierarchy_level){rows, e->row[k], e->lower[k], e->upper[k]};
    }
}

static double value_of(const double *row, const double *x)
{
    double sum = 0;
    for (unsigned i = 0; i < N; i++)
        sum += row[i] * x[i];
    return sum;
}

// Distance of a row from its bounds, signed.
static double residual(const struct hierarchy_level *level, unsigned row, const double *x)
{
    double value = value_of(level->row + (size_t)row * N, x);
    return fmin(0, value - level->lower[row]) + fmax(0, value - level->upper[row]);
}

// x that minimises level k, rows of the levels above held at what `x` reached; unknowns: x, slacks.
static void reference_level(struct qp *qp, const struct example *e, unsigned k, double *x)
{
    static double hessian[(N + ROWS) * (N + ROWS)], factor[(N + ROWS) * (N + ROWS)];
    static double row[ALL * (N + ROWS)], lower[ALL], upper[ALL];
    double gradient[N + ROWS] = {0}, found[N + ROWS];
    signed char active[ALL] = {0};
    unsigned count = e->level[k].rows, width = N + count, rows = 0;
    struct qp_result result;
    memset(hessian, 0, sizeof hessian);
    memset(row, 0, sizeof row);
    for (unsigned i = 0; i < width; i++)
        hessian[i * width + i] = i < N ? 1e-11 : 1;
    for (unsigned i = 0; i < N; i++, rows++) {
        row[rows * width + i] = 1;
        lower[rows] = e->low[i];
        upper[rows] = e->high[i];
    }
    for (unsigned above = 0; above <= k; above++)
        for (unsigned i = 0; i < e->level[above].rows; i++, rows++) {
            double give = above < k ? residual(&e->level[above], i, x) : 0;
            memcpy(row + rows * width, e->row[above] + i * N, N * sizeof *row);
            if (above == k)
                row[rows * width + N + i] = 1;
            bool equal = e->lower[above][i] == e->upper[above][i];
            lower[rows] = e->lower[above][i] + fmin(0, give) + (equal ? fmax(0, give) : 0);
            upper[rows] = e->upper[above][i] + fmax(0, give) + (equal ? fmin(0, give) : 0);
            if (above < k) { // to rounding
                lower[rows] -= 1e-11;
                upper[rows] += 1e-11;
            }
        }
    ck_assert(qp_factor(hessian, width, factor));
    struct qp_problem problem = {.unknowns = width,
                                 .rows = rows,
                                 .factor = factor,
                                 .gradient = gradient,
                                 .row = row,
                                 .lower = lower,
                                 .upper = upper,
                                 .iterations_max = 2000};
    ck_assert_int_eq(qp_solve(qp, &problem, active, found, NULL, &result), QP_OPTIMAL);
    memcpy(x, found, N * sizeof *x);
}

static void compare(unsigned inequalities, double bound, unsigned *programs)
{
    struct hierarchy *hierarchy;
    struct qp *qp;
    struct example e;
    ck_assert_int_eq(hierarchy_create(N, ROWS, &hierarchy), STATUS_OK);
    ck_assert_int_eq(qp_create(N + ROWS, ALL, &qp), STATUS_OK);
    for (unsigned i = 0; i < 200; i++) {
        double x[N], expected[N] = {0};
        state = 7 * i + inequalities;
        make(&e, inequalities, bound);
        struct hierarchy_report report =
            hierarchy_solve(hierarchy, N, e.low, e.high, e.level, LEVELS, 1e-6, x);
        ck_assert_int_eq(report.status, QP_OPTIMAL);
        ck_assert_uint_eq(report.approximated, 0);
        *programs += report.iterations;
        for (unsigned k = 0; k < LEVELS; k++) {
            reference_level(qp, &e, k, expected);
            double ours = 0, theirs = 0;
            for (unsigned r = 0; r < e.level[k].rows; r++) {
                ours += pow(residual(&e.level[k], r, x), 2);
                theirs += pow(residual(&e.level[k], r, expected), 2);
            }
            ck_assert_double_eq_tol(sqrt(ours), sqrt(theirs), 1e-6 * (1 + sqrt(theirs)));
        }
        for (unsigned k = 0; k < N; k++) {
            ck_assert_double_ge(x[k], e.low[k] - 1e-7);
            ck_assert_double_le(x[k], e.high[k] + 1e-7);
        }
    }
    qp_free(qp);
    hierarchy_free(hierarchy);
}

START_TEST(levels_of_equalities_equal_the_reference)
{
    unsigned programs = 0;
    compare(0, 1e5, &programs);
    ck_assert_uint_eq(programs, 0);
}
END_TEST

START_TEST(bounds_that_bind_equal_the_reference)
{
    unsigned programs = 0;
    compare(0, 0.3, &programs);
    ck_assert_uint_gt(programs, 0);
}
END_TEST

START_TEST(levels_of_inequalities_equal_the_reference)
{
    unsigned programs = 0;
    compare(1, 0.5, &programs);
    compare(2, 100, &programs);
    ck_assert_uint_gt(programs, 0);
}
END_TEST

START_TEST(what_cannot_be_solved_says_so)
{
    struct hierarchy *hierarchy;
    struct example e;
    double x[N + 1];
    ck_assert_int_eq(hierarchy_create(0, 3, &hierarchy), STATUS_INVALID);
    ck_assert_int_eq(hierarchy_create(N, ROWS, &hierarchy), STATUS_OK);
    state = 1;
    make(&e, 0, 1);
    e.low[2] = 1;
    e.high[2] = 0;
    ck_assert_int_eq(hierarchy_solve(hierarchy, N, e.low, e.high, e.level, LEVELS, 1e-6, x).status,
                     QP_INVALID);
    make(&e, 0, 1);
    e.row[1][3] = NAN;
    struct hierarchy_report report =
        hierarchy_solve(hierarchy, N, e.low, e.high, e.level, LEVELS, 1e-6, x);
    ck_assert_int_eq(report.status, QP_INVALID);
    ck_assert_uint_eq(report.solved, 1);
    for (unsigned i = 0; i < N; i++)
        ck_assert(isfinite(x[i]));
    hierarchy_free(hierarchy);
}
END_TEST

UNIT_MAIN("hierarchy", levels_of_equalities_equal_the_reference,
          bounds_that_bind_equal_the_reference, levels_of_inequalities_equal_the_reference,
          what_cannot_be_solved_says_so)
