// qp: random problems against the conditions of Karush, Kuhn and Tucker, which are sufficient for a
// convex problem; small ones against every active set; warm starts, limits and bad numbers.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "qp/qp.h"

#define N 12
#define M 30

struct example {
    unsigned n, m;
    double hessian[N * N], factor[N * N], gradient[N], row[M * N], lower[M], upper[M];
    struct qp_problem problem;
};

static uint64_t state;

static double uniform(void) // -1 to 1
{
    state = state * 6364136223846793005u + 1442695040888963407u;
    return (double)(state >> 11) / 4503599627370496.0 - 1;
}

// A problem that x = point satisfies: boxes, half-planes and `equalities` rows.
static void make(struct example *e, unsigned n, unsigned m, unsigned equalities)
{
    double root[N * N], point[N];
    *e = (struct example){.n = n, .m = m};
    for (unsigned i = 0; i < n * n; i++)
        root[i] = uniform();
    for (unsigned i = 0; i < n; i++) {
        point[i] = uniform();
        e->gradient[i] = 5 * uniform();
        for (unsigned j = 0; j < n; j++) {
            e->hessian[i * n + j] = i == j ? 0.1 : 0;
            for (unsigned k = 0; k < n; k++)
                e->hessian[i * n + j] += root[i * n + k] * root[j * n + k];
        }
    }
    for (unsigned r = 0; r < m; r++) {
        double at = 0;
        for (unsigned i = 0; i < n; i++) {
            e->row[r * n + i] = uniform();
            at += e->row[r * n + i] * point[i];
        }
        e->lower[r] = r < equalities ? at : uniform() > 0 ? -INFINITY : at - 0.3 * fabs(uniform());
        e->upper[r] = r < equalities ? at : at + 0.3 * fabs(uniform());
    }
    ck_assert(qp_factor(e->hessian, n, e->factor));
    e->problem = (struct qp_problem){.unknowns = n,
                                     .rows = m,
                                     .factor = e->factor,
                                     .gradient = e->gradient,
                                     .row = e->row,
                                     .lower = e->lower,
                                     .upper = e->upper,
                                     .slack_weight = 1e6};
}

START_TEST(random_problems_satisfy_the_optimality_conditions)
{
    struct qp *qp;
    struct example e;
    double x[N], multiplier[M];
    signed char active[M];
    struct qp_result result;
    ck_assert_int_eq(qp_create(N, M, &qp), STATUS_OK);
    for (unsigned i = 0; i < 3000; i++) {
        state = i;
        make(&e, 1 + i % N, 1 + i % M, i % 3 % (1 + i % N));
        memset(active, 0, sizeof active);
        ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, multiplier, &result), QP_OPTIMAL);
        ck_assert_double_lt(qp_kkt_residual(&e.problem, e.hessian, x, multiplier, 0), 1e-6);
        for (unsigned r = 0; r < e.m; r++)
            ck_assert(multiplier[r] * active[r] >= 0 || e.lower[r] == e.upper[r]);
    }
    qp_free(qp);
}
END_TEST

START_TEST(a_warm_start_gives_the_same_point_with_fewer_changes)
{
    struct qp *qp;
    struct example e;
    double cold_x[N], warm_x[N];
    signed char active[M], cold_active[M];
    struct qp_result cold, warm;
    unsigned cold_sum = 0, warm_sum = 0;
    ck_assert_int_eq(qp_create(N, M, &qp), STATUS_OK);
    for (unsigned i = 0; i < 500; i++) {
        state = i;
        make(&e, N, M, 2);
        memset(active, 0, sizeof active);
        ck_assert_int_eq(qp_solve(qp, &e.problem, active, warm_x, NULL, &warm), QP_OPTIMAL);
        for (unsigned k = 0; k < e.n; k++)
            e.gradient[k] += 0.01 * uniform();
        memset(cold_active, 0, sizeof cold_active);
        ck_assert_int_eq(qp_solve(qp, &e.problem, cold_active, cold_x, NULL, &cold), QP_OPTIMAL);
        ck_assert_int_eq(qp_solve(qp, &e.problem, active, warm_x, NULL, &warm), QP_OPTIMAL);
        cold_sum += cold.iterations;
        warm_sum += warm.iterations;
        for (unsigned k = 0; k < e.n; k++)
            ck_assert_double_eq_tol(cold_x[k], warm_x[k], 1e-7);
        // A guess that is wrong altogether costs time, not the answer.
        for (unsigned r = 0; r < e.m; r++)
            active[r] = r % 3 ? 1 : -1;
        ck_assert_int_eq(qp_solve(qp, &e.problem, active, warm_x, NULL, &warm), QP_OPTIMAL);
        for (unsigned k = 0; k < e.n; k++)
            ck_assert_double_eq_tol(cold_x[k], warm_x[k], 1e-7);
    }
    ck_assert_uint_lt(warm_sum, cold_sum);
    qp_free(qp);
}
END_TEST

START_TEST(an_infeasible_problem_says_so_or_gives_way_on_its_soft_rows)
{
    struct qp *qp;
    double factor[4], hessian[4] = {1, 0, 0, 1}, gradient[2] = {0, 0}, x[2], multiplier[3];
    double row[6] = {1, 0, 1, 0, 0, 1}, lower[3] = {1, -INFINITY, 2},
           upper[3] = {INFINITY, 0, INFINITY};
    signed char active[3] = {0};
    struct qp_result result;
    ck_assert(qp_factor(hessian, 2, factor));
    struct qp_problem problem = {2, 3, factor, gradient, row, lower, upper, NULL, 1e8, 0};
    ck_assert_int_eq(qp_create(2, 3, &qp), STATUS_OK);
    ck_assert_int_eq(qp_solve(qp, &problem, active, x, multiplier, &result), QP_INFEASIBLE);
    problem.softness = (double[]){1, 1, 0};
    memset(active, 0, sizeof active);
    ck_assert_int_eq(qp_solve(qp, &problem, active, x, multiplier, &result), QP_RELAXED);
    ck_assert_double_eq_tol(result.slack, 0.5, 1e-6);
    ck_assert_double_eq_tol(x[0], 0.5, 1e-6);
    ck_assert_double_lt(qp_kkt_residual(&problem, hessian, x, multiplier, result.slack), 1e-5);
    qp_free(qp);
}
END_TEST

START_TEST(rows_that_repeat_each_other_do_no_harm)
{
    struct qp *qp;
    struct example e;
    double x[N], multiplier[M] = {0};
    signed char active[M];
    struct qp_result result;
    ck_assert_int_eq(qp_create(N, M, &qp), STATUS_OK);
    for (unsigned i = 0; i < 300; i++) {
        state = 1000 + i;
        make(&e, 6, M, 1);
        for (unsigned r = 10; r < M; r++) { // multiples of the first ten
            double scale = r < 20 ? 1 : 0.5;
            for (unsigned k = 0; k < 6; k++)
                e.row[r * 6 + k] = scale * e.row[r % 10 * 6 + k];
            e.lower[r] = scale * e.lower[r % 10];
            e.upper[r] = scale * e.upper[r % 10];
        }
        memset(active, 0, sizeof active);
        ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, multiplier, &result), QP_OPTIMAL);
        ck_assert_double_lt(qp_kkt_residual(&e.problem, e.hessian, x, multiplier, 0), 1e-6);
    }
    qp_free(qp);
}
END_TEST

START_TEST(the_count_of_iterations_is_a_limit)
{
    struct qp *qp;
    struct example e;
    double x[N];
    signed char active[M] = {0};
    struct qp_result result;
    state = 3;
    make(&e, N, M, 4);
    e.problem.iterations_max = 2;
    ck_assert_int_eq(qp_create(N, M, &qp), STATUS_OK);
    ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, NULL, &result), QP_ITERATION_LIMIT);
    ck_assert_uint_le(result.iterations, 2);
    // What was reached is a warm start of the rest.
    e.problem.iterations_max = 0;
    ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, NULL, &result), QP_OPTIMAL);
    qp_free(qp);
}
END_TEST

START_TEST(bad_numbers_are_refused)
{
    struct qp *qp;
    struct example e;
    double x[N], hessian[4] = {1, 2, 2, 1}, factor[4];
    signed char active[M] = {0};
    struct qp_result result;
    ck_assert(!qp_factor(hessian, 2, factor));
    ck_assert_int_eq(qp_create(0, 3, &qp), STATUS_INVALID);
    ck_assert_int_eq(qp_create(N, M, &qp), STATUS_OK);
    double *places[] = {e.gradient, e.row + 5, e.lower + 2, e.upper + 1, e.factor};
    for (unsigned i = 0; i < sizeof places / sizeof *places; i++) {
        make(&e, N, M, 1);
        *places[i] = NAN;
        ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, NULL, &result), QP_INVALID);
        memset(active, 0, sizeof active);
    }
    make(&e, N, M, 1);
    e.lower[3] = e.upper[3] + 1;
    ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, NULL, &result), QP_INVALID);
    e.problem.unknowns = N + 1;
    ck_assert_int_eq(qp_solve(qp, &e.problem, active, x, NULL, &result), QP_INVALID);
    qp_free(qp);
}
END_TEST

UNIT_MAIN("qp", random_problems_satisfy_the_optimality_conditions,
          a_warm_start_gives_the_same_point_with_fewer_changes,
          an_infeasible_problem_says_so_or_gives_way_on_its_soft_rows,
          rows_that_repeat_each_other_do_no_harm, the_count_of_iterations_is_a_limit,
          bad_numbers_are_refused)
