#include "qp/hierarchy.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "qp/vector.h"

#define UNKNOWNS_LIMIT 128
#define ROWS_LIMIT 256
// Weight of the freedom that a level leaves to those below, while bounds bind it: no influence to
// speak of on the level.
#define REST 1e-9
#define WITHIN 1e-8
#define NO_PART 1e-8 // of a row of length 1 in the freedom left

// x = reached + Z z, z the freedom left. One level: its equalities are M z = r with M = A Z, which
// reflections from the right (taken over by Z) make lower triangular.
struct hierarchy {
    unsigned unknowns_max, rows_max;
    struct qp *qp;
    double *Z, *M, *r, *candidate, *y;
    double *row, *lower, *upper, *factor, *gradient, *z, *block, *hessian; // of a program
    double *kept_row, *kept_lower, *kept_upper; // inequalities of the levels above
    signed char *active[HIERARCHY_LEVELS_MAX];
    unsigned *order;
    double *memory;
    signed char *guess;
    // Of the problem at hand.
    unsigned n, free, rank, equalities, kept;
    const double *x_lower, *x_upper;
};

enum status hierarchy_create(unsigned unknowns_max, unsigned rows_max, struct hierarchy **hierarchy)
{
    *hierarchy = NULL;
    if (unknowns_max == 0 || unknowns_max > UNKNOWNS_LIMIT || rows_max == 0 ||
        rows_max > ROWS_LIMIT)
        return STATUS_INVALID;
    size_t n = unknowns_max, m = rows_max, all = n + m, rows = n + 3 * m;
    struct hierarchy *h = calloc(1, sizeof *h);
    const size_t sizes[] = {n * n,     m * n, m,   n,     n,     rows * all, rows,  rows,
                            all * all, all,   all, n * n, n * n, 2 * m * n,  2 * m, 2 * m};
    size_t total = 0;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        total += sizes[i];
    double *memory = calloc(total, sizeof *memory);
    unsigned *order = calloc(m, sizeof *order);
    signed char *guess = calloc(HIERARCHY_LEVELS_MAX * rows, sizeof *guess);
    if (!h || !memory || !order || !guess ||
        qp_create((unsigned)all, (unsigned)rows, &h->qp) != STATUS_OK) {
        free(h);
        free(memory);
        free(order);
        free(guess);
        return STATUS_NO_MEMORY;
    }
    double **part[] = {&h->Z,       &h->M,        &h->r,          &h->candidate, &h->y, &h->row,
                       &h->lower,   &h->upper,    &h->factor,     &h->gradient,  &h->z, &h->block,
                       &h->hessian, &h->kept_row, &h->kept_lower, &h->kept_upper};
    h->memory = memory;
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; memory += sizes[i++])
        *part[i] = memory;
    for (size_t i = 0; i < HIERARCHY_LEVELS_MAX; i++)
        h->active[i] = guess + i * rows;
    h->order = order;
    h->guess = guess;
    h->unknowns_max = unknowns_max;
    h->rows_max = rows_max;
    *hierarchy = h;
    return STATUS_OK;
}

void hierarchy_free(struct hierarchy *hierarchy)
{
    if (!hierarchy)
        return;
    qp_free(hierarchy->qp);
    free(hierarchy->memory);
    free(hierarchy->order);
    free(hierarchy->guess);
    free(hierarchy);
}

void hierarchy_forget(struct hierarchy *h)
{
    memset(h->guess, 0, HIERARCHY_LEVELS_MAX * (h->unknowns_max + 3 * h->rows_max));
}

static double *freedom(const struct hierarchy *h, unsigned unknown)
{
    return h->Z + (size_t)unknown * h->n;
}

// out = row Z
static void in_freedom(const struct hierarchy *h, const double *row, double *out)
{
    memset(out, 0, h->free * sizeof *out);
    for (unsigned i = 0; i < h->n; i++)
        if (row[i] != 0)
            dense_add(out, row[i], freedom(h, i), h->free);
}

// M and r of the level's equalities.
static void take_equalities(struct hierarchy *h, const struct hierarchy_level *level,
                            const double *reached)
{
    h->equalities = 0;
    for (unsigned k = 0; k < level->rows; k++) {
        const double *a = level->row + (size_t)k * h->n;
        if (level->lower[k] != level->upper[k])
            continue;
        in_freedom(h, a, h->M + (size_t)h->equalities * h->n);
        h->r[h->equalities] = level->lower[k] - dense_dot(a, reached, h->n);
        h->order[h->equalities] = h->equalities;
        h->equalities++;
    }
}

static void reflect(double *row, const double *v, double scale, unsigned count)
{
    dense_add(row, -scale * dense_dot(row, v, count), v, count);
}

// Householder with the longest rest first. M becomes lower triangular in `order`; Z follows.
static void triangulate(struct hierarchy *h, double tolerance)
{
    h->rank = 0;
    while (h->rank < h->equalities && h->rank < h->free) {
        unsigned k = h->rank, best = k, count = h->free - k;
        double longest = 0;
        for (unsigned i = k; i < h->equalities; i++) {
            const double *rest = h->M + (size_t)h->order[i] * h->n + k;
            double square = dense_dot(rest, rest, count);
            if (square > longest) {
                longest = square;
                best = i;
            }
        }
        if (!(longest > tolerance * tolerance))
            return;
        unsigned swap = h->order[k];
        h->order[k] = h->order[best];
        h->order[best] = swap;
        double *v = h->y, *pivot = h->M + (size_t)h->order[k] * h->n + k;
        double length = sqrt(longest), first = pivot[0] > 0 ? -length : length;
        memcpy(v, pivot, count * sizeof *v);
        v[0] -= first;
        double scale = 1 / (longest - first * pivot[0]);
        for (unsigned i = k; i < h->equalities; i++)
            reflect(h->M + (size_t)h->order[i] * h->n + k, v, scale, count);
        for (unsigned i = 0; i < h->n; i++)
            reflect(freedom(h, i) + k, v, scale, count);
        h->rank++;
    }
}

// Least squares of the rank's columns: y. With more rows than rank by the normal equations.
static bool fit(struct hierarchy *h)
{
    unsigned rank = h->rank;
    double *y = h->y;
    if (rank == h->equalities) {
        for (unsigned k = 0; k < rank; k++) {
            const double *row = h->M + (size_t)h->order[k] * h->n;
            y[k] = (h->r[h->order[k]] - dense_dot(row, y, k)) / row[k];
        }
        return true;
    }
    memset(h->hessian, 0, rank * rank * sizeof *h->hessian);
    memset(h->candidate, 0, rank * sizeof *y);
    for (unsigned i = 0; i < h->equalities; i++) {
        const double *row = h->M + (size_t)i * h->n;
        dense_add(h->candidate, h->r[i], row, rank);
        for (unsigned a = 0; a < rank; a++)
            dense_add(h->hessian + (size_t)a * rank, row[a], row, a + 1);
    }
    if (!qp_factor(h->hessian, rank, h->block))
        return false;
    memset(y, 0, rank * sizeof *y);
    for (unsigned k = 0; k < rank; k++) {
        const double *row = h->block + (size_t)k * rank;
        dense_add(y, dense_dot(row, h->candidate, k + 1), row, k + 1);
    }
    return true;
}

static bool is_within(const struct hierarchy *h, const struct hierarchy_level *level,
                      const double *x)
{
    for (unsigned i = 0; i < h->n; i++)
        if (!(x[i] >= h->x_lower[i] - WITHIN && x[i] <= h->x_upper[i] + WITHIN))
            return false;
    for (unsigned k = 0; k < h->kept; k++) {
        double value = dense_dot(h->kept_row + (size_t)k * h->n, x, h->n);
        if (!(value >= h->kept_lower[k] - WITHIN && value <= h->kept_upper[k] + WITHIN))
            return false;
    }
    for (unsigned k = 0; k < level->rows; k++) {
        if (level->lower[k] == level->upper[k])
            continue;
        double value = dense_dot(level->row + (size_t)k * h->n, x, h->n);
        if (!(value >= level->lower[k] && value <= level->upper[k]))
            return false;
    }
    return true;
}

// ---- a level that meets a bound
// -------------------------------------------------------------------

static void write_row(struct hierarchy *h, unsigned at, unsigned width, const double *row,
                      const double *reached, double lower, double upper)
{
    double *out = h->row + (size_t)at * width, value = dense_dot(row, reached, h->n);
    memset(out, 0, width * sizeof *out);
    in_freedom(h, row, out);
    h->lower[at] = lower - value;
    h->upper[at] = upper - value;
}

// A row that has no part in the freedom left, or that what was reached does not satisfy by
// rounding, must not count.
static void forgive(struct hierarchy *h, unsigned at, unsigned width)
{
    const double *row = h->row + (size_t)at * width;
    bool fixed = dense_dot(row, row, width) < NO_PART * NO_PART;
    h->lower[at] = fixed ? -INFINITY : fmin(0, h->lower[at]);
    h->upper[at] = fixed ? INFINITY : fmax(0, h->upper[at]);
}

// Rows of the program: bounds, inequalities of the levels above, this level's with a slack each.
static unsigned write_rows(struct hierarchy *h, const struct hierarchy_level *level,
                           const double *reached, unsigned width)
{
    unsigned rows = 0, slack = h->free;
    for (; rows < h->n; rows++) {
        double *out = h->row + (size_t)rows * width;
        memset(out, 0, width * sizeof *out);
        memcpy(out, freedom(h, rows), h->free * sizeof *out);
        h->lower[rows] = h->x_lower[rows] - reached[rows];
        h->upper[rows] = h->x_upper[rows] - reached[rows];
        forgive(h, rows, width);
    }
    for (unsigned k = 0; k < h->kept; k++, rows++) {
        write_row(h, rows, width, h->kept_row + (size_t)k * h->n, reached, h->kept_lower[k],
                  h->kept_upper[k]);
        forgive(h, rows, width);
    }
    for (unsigned k = 0; k < level->rows; k++) {
        if (level->lower[k] == level->upper[k])
            continue;
        write_row(h, rows, width, level->row + (size_t)k * h->n, reached, level->lower[k],
                  level->upper[k]);
        h->row[(size_t)rows++ * width + slack++] = 1;
    }
    // A slack for each bounded row of this level, and a row for all that is bounded.
    ensures(slack == width && rows == h->n + h->kept + (width - h->free));
    return rows;
}

// min |M z - r|^2 + |slacks|^2 within all rows.
static enum qp_status solve_bounded(struct hierarchy *h, const struct hierarchy_level *level,
                                    const double *reached, signed char *active, double *x,
                                    unsigned *iterations)
{
    unsigned slacks = level->rows - h->equalities, width = h->free + slacks, rank = h->rank;
    struct qp_result result;
    if (width == 0)
        return QP_OPTIMAL; // x is what was reached
    unsigned rows = write_rows(h, level, reached, width);
    memset(h->hessian, 0, rank * rank * sizeof *h->hessian);
    memset(h->gradient, 0, width * sizeof *h->gradient);
    for (unsigned i = 0; i < h->equalities; i++) {
        const double *row = h->M + (size_t)i * h->n;
        dense_add(h->gradient, -h->r[i], row, rank);
        for (unsigned a = 0; a < rank; a++)
            dense_add(h->hessian + (size_t)a * rank, row[a], row, a + 1);
    }
    if (!qp_factor(h->hessian, rank, h->block))
        return QP_INVALID;
    memset(h->factor, 0, (size_t)width * width * sizeof *h->factor);
    for (unsigned a = 0; a < width; a++)
        if (a < rank)
            memcpy(h->factor + (size_t)a * width, h->block + (size_t)a * rank,
                   rank * sizeof *h->factor);
        else
            h->factor[(size_t)a * width + a] = a < h->free ? 1 / sqrt(REST) : 1;
    struct qp_problem problem = {.unknowns = width,
                                 .rows = rows,
                                 .factor = h->factor,
                                 .gradient = h->gradient,
                                 .row = h->row,
                                 .lower = h->lower,
                                 .upper = h->upper};
    enum qp_status status = qp_solve(h->qp, &problem, active, h->z, NULL, &result);
    *iterations += result.iterations;
    for (unsigned i = 0; i < h->n; i++)
        x[i] = reached[i] + dense_dot(freedom(h, i), h->z, h->free);
    return status;
}

// Where rounding defeats the program of a level near a singular pose: as far towards its least
// squares as the bounds allow.
static void go_towards(const struct hierarchy *h, const double *reached, double *x)
{
    double share = 1;
    for (unsigned i = 0; i < h->n; i++) {
        double move = h->candidate[i] - reached[i];
        double room = (move > 0 ? h->x_upper[i] : h->x_lower[i]) - reached[i];
        if (fabs(move) > fabs(room))
            share = fmin(share, fabs(room / move));
    }
    for (unsigned k = 0; k < h->kept; k++) {
        const double *row = h->kept_row + (size_t)k * h->n;
        double from = dense_dot(row, reached, h->n);
        double move = dense_dot(row, h->candidate, h->n) - from;
        double room = (move > 0 ? h->kept_upper[k] : h->kept_lower[k]) - from;
        if (fabs(move) > fabs(room))
            share = fmin(share, fabs(room / move));
    }
    for (unsigned i = 0; i < h->n; i++)
        x[i] = reached[i] + share * (h->candidate[i] - reached[i]);
}

// The level's inequalities hold from now on, as far as they do.
static bool keep(struct hierarchy *h, const struct hierarchy_level *level, const double *x)
{
    for (unsigned k = 0; k < level->rows; k++) {
        if (level->lower[k] == level->upper[k])
            continue;
        if (h->kept == 2 * h->rows_max)
            return false;
        const double *row = level->row + (size_t)k * h->n;
        double value = dense_dot(row, x, h->n);
        memcpy(h->kept_row + (size_t)h->kept * h->n, row, h->n * sizeof *row);
        h->kept_lower[h->kept] = fmin(level->lower[k], value);
        h->kept_upper[h->kept++] = fmax(level->upper[k], value);
    }
    return true;
}

static enum qp_status solve_level(struct hierarchy *h, const struct hierarchy_level *level,
                                  double tolerance, signed char *active, double *x,
                                  struct hierarchy_report *report)
{
    double reached[UNKNOWNS_LIMIT];
    memcpy(reached, x, h->n * sizeof *x);
    take_equalities(h, level, reached);
    triangulate(h, tolerance);
    if (!fit(h))
        return QP_INVALID;
    for (unsigned i = 0; i < h->n; i++)
        h->candidate[i] = reached[i] + dense_dot(freedom(h, i), h->y, h->rank);
    enum qp_status status = QP_OPTIMAL;
    if (is_within(h, level, h->candidate))
        memcpy(x, h->candidate, h->n * sizeof *x);
    else
        status = solve_bounded(h, level, reached, active, x, &report->iterations);
    if (status == QP_INFEASIBLE || status == QP_ITERATION_LIMIT) {
        go_towards(h, reached, x);
        report->approximated++;
        status = QP_OPTIMAL;
    }
    if (status == QP_OPTIMAL && !keep(h, level, x))
        status = QP_INVALID;
    if (status != QP_OPTIMAL)
        memcpy(x, reached, h->n * sizeof *x);
    // The columns of the rank are taken; the rest is left.
    for (unsigned i = 0; i < h->n; i++)
        memmove(freedom(h, i), freedom(h, i) + h->rank, (h->free - h->rank) * sizeof *x);
    invariant(h->rank <= h->free);
    h->free -= h->rank;
    return status;
}

struct hierarchy_report hierarchy_solve(struct hierarchy *hierarchy, unsigned unknowns,
                                        const double *lower, const double *upper,
                                        const struct hierarchy_level *level, unsigned levels,
                                        double tolerance, double *x)
{
    struct hierarchy *h = hierarchy;
    struct hierarchy_report report = {.status = QP_INVALID};
    memset(x, 0, unknowns * sizeof *x);
    if (unknowns == 0 || unknowns > h->unknowns_max || levels > HIERARCHY_LEVELS_MAX)
        return report;
    for (unsigned i = 0; i < unknowns; i++)
        if (lower[i] <= upper[i])
            x[i] = fmin(fmax(0, lower[i]), upper[i]);
        else
            return report;
    h->n = h->free = unknowns;
    h->kept = 0;
    h->x_lower = lower;
    h->x_upper = upper;
    memset(h->Z, 0, (size_t)unknowns * unknowns * sizeof *h->Z);
    for (unsigned i = 0; i < unknowns; i++)
        freedom(h, i)[i] = 1;
    for (; report.solved < levels; report.solved++) {
        if (level[report.solved].rows > h->rows_max)
            return report;
        report.status =
            solve_level(h, &level[report.solved], tolerance, h->active[report.solved], x, &report);
        if (report.status != QP_OPTIMAL)
            return report;
        report.rank += h->rank;
    }
    ensures(report.rank + h->free == unknowns); // each freedom is taken once, or left
    report.status = QP_OPTIMAL;
    return report;
}
