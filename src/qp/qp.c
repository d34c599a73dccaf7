#include "qp/qp.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/touched.h"
#include "qp/vector.h"

#define UNKNOWNS_MAX 512
#define ROWS_MAX 4096
#define FEASIBLE 1e-10  // violation of a row of norm 1 that is rounding
#define DEPENDENT 1e-22 // squared share of a row outside the span of the active ones, likewise

// J = L^-T Q and R with J' N = [R; 0], N the normals of the active rows; the names are those of
// Goldfarb and Idnani. A row counts as side * a x >= side * bound.
struct qp {
    unsigned unknowns_max, rows_max;
    double *J; // column after column
    double *R; // likewise
    double *x, *y, *d, *z, *r, *w, *normal, *u, *norm;
    unsigned *row; // of the active set, in the order of R's columns
    signed char *side;
    double *memory;
    // Of the problem at hand.
    const struct qp_problem *problem;
    unsigned n; // unknowns, with the slack
    unsigned q; // active rows
    bool relaxed;
    unsigned iterations, limit;
};

// With n unknowns, the slack among them.
static size_t numbers(size_t n, size_t rows)
{
    return 2 * n * n + 8 * n + rows;
}

size_t qp_memory(unsigned unknowns_max, unsigned rows_max)
{
    const size_t n = unknowns_max + 1;
    return sizeof(struct qp) + numbers(n, rows_max) * sizeof(double) +
           n * (sizeof(unsigned) + sizeof(signed char));
}

enum status qp_create(unsigned unknowns_max, unsigned rows_max, struct qp **qp)
{
    *qp = NULL;
    if (unknowns_max == 0 || unknowns_max > UNKNOWNS_MAX || rows_max > ROWS_MAX)
        return STATUS_INVALID;
    size_t n = unknowns_max + 1;
    struct qp *made = calloc(1, sizeof *made);
    double *memory = touched_alloc(numbers(n, rows_max), sizeof *memory);
    unsigned *row = calloc(n, sizeof *row);
    signed char *side = calloc(n, sizeof *side);
    if (!made || !memory || !row || !side) {
        free(made);
        free(memory);
        free(row);
        free(side);
        return STATUS_NO_MEMORY;
    }
    *made = (struct qp){.unknowns_max = unknowns_max, .rows_max = rows_max};
    made->memory = memory;
    made->row = row;
    made->side = side;
    made->J = memory;
    made->R = made->J + n * n;
    double **vector[] = {&made->x, &made->y, &made->d,      &made->z,
                         &made->r, &made->w, &made->normal, &made->u};
    for (size_t i = 0; i < sizeof vector / sizeof *vector; i++)
        *vector[i] = made->R + n * n + i * n;
    made->norm = made->R + n * n + 8 * n;
    *qp = made;
    return STATUS_OK;
}

void qp_free(struct qp *qp)
{
    if (!qp)
        return;
    free(qp->memory);
    free(qp->row);
    free(qp->side);
    free(qp);
}

bool qp_factor(const double *hessian, unsigned unknowns, double *factor)
{
    unsigned n = unknowns;
    // L by rows, in place.
    for (unsigned i = 0; i < n; i++) {
        double *row = factor + i * n;
        for (unsigned j = 0; j <= i; j++) {
            double rest = hessian[i * n + j] - dense_dot(row, factor + j * n, j);
            if (j < i)
                row[j] = rest / factor[j * n + j];
            else if (rest > 0 && isfinite(rest))
                row[i] = sqrt(rest);
            else
                return false;
        }
    }
    // Its inverse: row i is (e_i - sum_j L_ij row_j) / L_ii.
    for (unsigned i = 0; i < n; i++) {
        double *row = factor + i * n, diagonal = row[i];
        for (unsigned k = 0; k < i; k++) { // row[k] = L_ik until it is overwritten by column k
            double sum = 0;
            for (unsigned j = k; j < i; j++)
                sum += row[j] * factor[j * n + k];
            row[k] = -sum / diagonal;
        }
        row[i] = 1 / diagonal;
        memset(row + i + 1, 0, (n - i - 1) * sizeof *row);
    }
    return true;
}

// ---- the active set
// -------------------------------------------------------------------------------

static double *column(const struct qp *qp, unsigned k)
{
    return qp->J + (size_t)k * qp->n;
}

static double bound(const struct qp_problem *problem, unsigned row, int side)
{
    return side > 0 ? problem->lower[row] : problem->upper[row];
}

static bool is_equality(const struct qp_problem *problem, unsigned row)
{
    return problem->lower[row] == problem->upper[row];
}

static double softness(const struct qp *qp, unsigned row)
{
    return qp->relaxed ? qp->problem->softness[row] : 0;
}

// d = J' n of a row.
static void project(struct qp *qp, unsigned row, int side)
{
    expects(row < qp->problem->rows);
    unsigned unknowns = qp->problem->unknowns;
    const double *a = qp->problem->row + (size_t)row * unknowns;
    for (unsigned i = 0; i < unknowns; i++)
        qp->normal[i] = side * a[i];
    if (qp->relaxed)
        qp->normal[unknowns] = softness(qp, row);
    for (unsigned k = 0; k < qp->n; k++)
        qp->d[k] = dense_dot(column(qp, k), qp->normal, qp->n);
}

// r = R^-1 v for a right side of q numbers.
static void solve_upper(const struct qp *qp, const double *v, double *r)
{
    memcpy(r, v, qp->q * sizeof *r);
    for (unsigned k = qp->q; k-- > 0;) {
        const double *c = qp->R + (size_t)k * qp->n;
        r[k] /= c[k];
        dense_add(r, -r[k], c, k);
    }
}

// Adds the row whose d is at hand: one reflection puts the rest of d into d[q].
static void add(struct qp *qp, unsigned row, int side)
{
    expects(qp->q < qp->n); // active rows are independent: as many as unknowns, at most
    unsigned n = qp->n, q = qp->q;
    double *v = qp->d, length = sqrt(dense_dot(v + q, v + q, n - q)), old = v[q];
    double first = old > 0 ? -length : length, *c = qp->R + (size_t)q * n;
    memcpy(c, v, q * sizeof *c);
    c[q] = first;
    v[q] = old - first;
    double square = 2 * (length * length - first * old);
    if (square > 0) {
        memset(qp->w, 0, n * sizeof *qp->w);
        for (unsigned k = q; k < n; k++)
            dense_add(qp->w, v[k], column(qp, k), n);
        for (unsigned k = q; k < n; k++)
            dense_add(column(qp, k), -2 * v[k] / square, qp->w, n);
    }
    qp->row[q] = row;
    qp->side[q] = (signed char)side;
    qp->q++;
    qp->iterations++;
}

static void turn(double *a, double *b, double c, double s, unsigned count)
{
    for (unsigned i = 0; i < count; i++) {
        double old = a[i];
        a[i] = c * old + s * b[i];
        b[i] = c * b[i] - s * old;
    }
}

// Drops the l-th active row: R's columns behind it move up, and turns make it triangular again.
static void drop(struct qp *qp, unsigned l)
{
    expects(l < qp->q);
    unsigned n = qp->n;
    for (unsigned k = l; k + 1 < qp->q; k++) {
        memcpy(qp->R + (size_t)k * n, qp->R + (size_t)(k + 1) * n, (k + 2) * sizeof *qp->R);
        qp->u[k] = qp->u[k + 1];
        qp->row[k] = qp->row[k + 1];
        qp->side[k] = qp->side[k + 1];
    }
    qp->q--;
    for (unsigned k = l; k < qp->q; k++) {
        double *R = qp->R, a = R[k * n + k], b = R[k * n + k + 1], length = hypot(a, b);
        double c = length > 0 ? a / length : 1, s = length > 0 ? b / length : 0;
        for (unsigned j = k; j < qp->q; j++) {
            double *entry = R + j * n + k, old = entry[0];
            entry[0] = c * old + s * entry[1];
            entry[1] = c * entry[1] - s * old;
        }
        turn(column(qp, k), column(qp, k + 1), c, s, n);
    }
    qp->iterations++;
}

// ---- start
// ----------------------------------------------------------------------------------------

// x and u of the active set as it stands: with x = J y, y1 = R^-T b, y2 = -J2' g, R u = y1 + J1' g.
static void solve_active(struct qp *qp)
{
    const struct qp_problem *problem = qp->problem;
    unsigned n = qp->n, q = qp->q;
    for (unsigned k = 0; k < n; k++)
        qp->d[k] = dense_dot(column(qp, k), problem->gradient, problem->unknowns);
    for (unsigned k = 0; k < q; k++) {
        const double *c = qp->R + (size_t)k * n;
        double b = qp->side[k] * bound(problem, qp->row[k], qp->side[k]);
        qp->y[k] = (b - dense_dot(c, qp->y, k)) / c[k];
    }
    for (unsigned k = q; k < n; k++)
        qp->y[k] = -qp->d[k];
    for (unsigned k = 0; k < q; k++)
        qp->r[k] = qp->y[k] + qp->d[k];
    solve_upper(qp, qp->r, qp->u);
    memset(qp->x, 0, n * sizeof *qp->x);
    for (unsigned k = 0; k < n; k++)
        dense_add(qp->x, qp->y[k], column(qp, k), n);
}

static bool outside_span(const struct qp *qp)
{
    double all = dense_dot(qp->d, qp->d, qp->n);
    double rest = dense_dot(qp->d + qp->q, qp->d + qp->q, qp->n - qp->q);
    return rest > DEPENDENT * 1e8 * all;
}

// Takes the guess as the active set, less the rows that depend on others or would pull.
static void begin(struct qp *qp, const signed char *active)
{
    const struct qp_problem *problem = qp->problem;
    unsigned n = qp->n, unknowns = problem->unknowns;
    memset(qp->J, 0, (size_t)n * n * sizeof *qp->J);
    for (unsigned k = 0; k < unknowns; k++)
        memcpy(column(qp, k), problem->factor + (size_t)k * unknowns, (k + 1) * sizeof *qp->J);
    if (qp->relaxed)
        column(qp, unknowns)[unknowns] = 1 / sqrt(problem->slack_weight);
    qp->q = 0;
    for (unsigned i = 0; i < problem->rows && qp->q < n; i++) {
        int side = active[i] > 0 ? 1 : -1;
        if (!active[i] || !isfinite(bound(problem, i, side)))
            continue;
        project(qp, i, side);
        if (outside_span(qp))
            add(qp, i, side);
    }
    solve_active(qp);
    for (;;) {
        unsigned worst = qp->q;
        for (unsigned k = 0; k < qp->q; k++)
            if (qp->u[k] < 0 && !is_equality(problem, qp->row[k]) &&
                (worst == qp->q || qp->u[k] < qp->u[worst]))
                worst = k;
        if (worst == qp->q)
            return;
        drop(qp, worst);
        solve_active(qp);
    }
}

// ---- iteration
// ------------------------------------------------------------------------------------

// The row violated most, equalities first; -1: none. Its side, its distance beyond the bound in
// *by. A number that is not one makes *by NAN.
static int most_violated(const struct qp *qp, int *side, double *by)
{
    const struct qp_problem *problem = qp->problem;
    unsigned unknowns = problem->unknowns;
    double worst = 0, size = 1;
    int found = -1;
    for (unsigned i = 0; i < unknowns; i++)
        size = fmax(size, fabs(qp->x[i]));
    for (unsigned i = 0; i < problem->rows; i++) {
        double value = dense_dot(problem->row + (size_t)i * unknowns, qp->x, unknowns);
        double slack = qp->relaxed ? softness(qp, i) * qp->x[unknowns] : 0;
        double below = problem->lower[i] - value - slack;
        double above = value - slack - problem->upper[i];
        if (isnan(below) || isnan(above)) {
            *by = NAN;
            return (int)i;
        }
        double beyond = fmax(below, above),
               at = below > above ? problem->lower[i] : problem->upper[i];
        double scale = qp->norm[i];
        if (!(beyond > FEASIBLE * (scale * size + fabs(at))))
            continue;
        double rank = scale > 0 ? beyond / scale : INFINITY;
        if (is_equality(problem, i))
            rank *= 1e12;
        if (rank <= worst)
            continue;
        worst = rank;
        found = (int)i;
        *side = below > above ? 1 : -1;
        *by = beyond;
    }
    return found;
}

// The first multiplier to reach zero when the new one grows by t (u - t r); *t INFINITY if none.
static unsigned first_blocked(const struct qp *qp, double *t)
{
    unsigned blocked = 0;
    *t = INFINITY;
    for (unsigned k = 0; k < qp->q; k++) {
        double share = qp->u[k] / qp->r[k];
        if (qp->r[k] > 0 && !is_equality(qp->problem, qp->row[k]) && share < *t) {
            *t = share;
            blocked = k;
        }
    }
    return blocked;
}

// Brings one violated row in, dropping those whose multipliers would turn.
static enum qp_status enforce(struct qp *qp, unsigned row, int side, double by)
{
    expects(by > 0 && row < qp->problem->rows);
    double multiplier = 0;
    for (;;) {
        if (qp->iterations >= qp->limit)
            return QP_ITERATION_LIMIT;
        project(qp, row, side);
        unsigned n = qp->n, q = qp->q;
        double rest = dense_dot(qp->d + q, qp->d + q, n - q);
        double all = dense_dot(qp->d, qp->d, n), t;
        solve_upper(qp, qp->d, qp->r);
        unsigned blocked = first_blocked(qp, &t);
        bool moves = q < n && rest > DEPENDENT * all;
        if (!moves && t == INFINITY)
            return QP_INFEASIBLE;
        double full = moves ? by / rest : INFINITY;
        bool whole = full <= t;
        if (whole)
            t = full;
        for (unsigned k = 0; k < q; k++)
            qp->u[k] -= t * qp->r[k];
        multiplier += t;
        if (moves) {
            for (unsigned k = q; k < n; k++)
                dense_add(qp->x, t * qp->d[k], column(qp, k), n);
            by -= t * rest;
        }
        if (whole) {
            qp->u[q] = multiplier;
            add(qp, row, side);
            return QP_OPTIMAL;
        }
        drop(qp, blocked);
    }
}

static enum qp_status iterate(struct qp *qp, const signed char *active)
{
    qp->n = qp->problem->unknowns + qp->relaxed;
    begin(qp, active);
    for (;;) {
        int side = 0;
        double by = 0;
        int row = most_violated(qp, &side, &by);
        if (row < 0)
            return QP_OPTIMAL;
        if (isnan(by))
            return QP_INVALID;
        enum qp_status status = enforce(qp, (unsigned)row, side, by);
        if (status != QP_OPTIMAL)
            return status;
    }
}

// ---- from outside
// ---------------------------------------------------------------------------------

static bool is_valid(struct qp *qp, const struct qp_problem *problem)
{
    if (problem->unknowns == 0 || problem->unknowns > qp->unknowns_max ||
        problem->rows > qp->rows_max)
        return false;
    for (unsigned i = 0; i < problem->unknowns; i++)
        if (!isfinite(problem->gradient[i]))
            return false;
    for (unsigned i = 0; i < problem->rows; i++) {
        const double *a = problem->row + (size_t)i * problem->unknowns;
        qp->norm[i] = sqrt(dense_dot(a, a, problem->unknowns));
        if (!(problem->lower[i] <= problem->upper[i]) || problem->lower[i] == INFINITY ||
            problem->upper[i] == -INFINITY || !isfinite(qp->norm[i]))
            return false;
    }
    return true;
}

enum qp_status qp_solve(struct qp *qp, const struct qp_problem *problem, signed char *active,
                        double *x, double *multiplier, struct qp_result *result)
{
    *result = (struct qp_result){0};
    if (!is_valid(qp, problem))
        return QP_INVALID;
    qp->problem = problem;
    qp->relaxed = false;
    qp->iterations = 0;
    qp->limit = problem->iterations_max ? problem->iterations_max
                                        : 10 * (problem->unknowns + problem->rows);
    enum qp_status status = iterate(qp, active);
    if (status == QP_INFEASIBLE && problem->softness && problem->slack_weight > 0) {
        qp->relaxed = true;
        status = iterate(qp, active);
        if (status == QP_OPTIMAL)
            status = QP_RELAXED;
    }
    memcpy(x, qp->x, problem->unknowns * sizeof *x);
    memset(active, 0, problem->rows * sizeof *active);
    if (multiplier)
        memset(multiplier, 0, problem->rows * sizeof *multiplier);
    for (unsigned k = 0; k < qp->q; k++) {
        active[qp->row[k]] = qp->side[k];
        if (multiplier)
            multiplier[qp->row[k]] = qp->side[k] * qp->u[k];
    }
    ensures(qp->q <= qp->n && qp->n <= qp->unknowns_max + 1);
    *result = (struct qp_result){.iterations = qp->iterations,
                                 .active = qp->q,
                                 .slack = qp->relaxed ? qp->x[problem->unknowns] : 0};
    return status;
}

double qp_kkt_residual(const struct qp_problem *problem, const double *hessian, const double *x,
                       const double *multiplier, double slack)
{
    unsigned n = problem->unknowns;
    double worst = 0;
    for (unsigned i = 0; i < n; i++) {
        double sum = problem->gradient[i] + dense_dot(hessian + (size_t)i * n, x, n);
        for (unsigned k = 0; k < problem->rows; k++)
            sum -= problem->row[(size_t)k * n + i] * multiplier[k];
        worst = fmax(worst, fabs(sum));
    }
    for (unsigned k = 0; k < problem->rows; k++) {
        double value = dense_dot(problem->row + (size_t)k * n, x, n);
        double give = problem->softness ? problem->softness[k] * slack : 0;
        double below = problem->lower[k] - give - value, above = value - give - problem->upper[k];
        worst = fmax(worst, fmax(below, above));
        if (multiplier[k] > 0)
            worst = fmax(worst, fabs(multiplier[k] * below));
        if (multiplier[k] < 0)
            worst = fmax(worst, fabs(multiplier[k] * above));
        // An equality's multiplier may have either sign: both its bounds are the same number.
    }
    return worst;
}
