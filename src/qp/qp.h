// Strictly convex quadratic programs by a dual active set method (Goldfarb and Idnani 1983), warm
// started:
//
//   min 1/2 x' H x + g' x   such that   lower <= A x <= upper
//
// A row whose bounds are equal is an equality; a bound may be infinite. The method goes from one
// optimum of a subset of the rows to the next, so it stops by count and never asks for a feasible
// start. Pure. Memory is taken by qp_create only; everything else is real-time safe, with work
// bounded by `iterations_max`.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"

#ifdef __cplusplus
extern "C" {
#endif

// What became of a problem.
#define QP_TABLE(X)                                                                                \
    X(OPTIMAL, "solved")                                                                           \
    X(RELAXED, "infeasible as it stands: solved with the least slack on the soft rows")            \
    X(INFEASIBLE, "no point satisfies the rows; x is the last one tried")                          \
    X(ITERATION_LIMIT, "stopped by count; x violates rows that were not reached")                  \
    X(INVALID, "a number is not finite, a lower bound exceeds the upper one, or the size is "      \
               "wrong")

enum qp_status {
#define QP_ENUM(name, text) QP_##name,
    QP_TABLE(QP_ENUM)
#undef QP_ENUM
};

struct qp_problem {
    unsigned unknowns, rows;
    const double *factor;        // unknowns^2, from qp_factor; serves as long as H stays
    const double *gradient;      // g
    const double *row;           // A, row major
    const double *lower, *upper; // of each row
    const double *softness;      // of each row: gives way by softness * s, 0 not at all; NULL: none
    double slack_weight;         // w > 0 of 1/2 w s^2, s the one slack of all soft rows
    unsigned iterations_max;     // rows added or dropped; 0: 10 (unknowns + rows)
};

struct qp_result {
    unsigned iterations; // rows added and dropped, including those of the warm start
    unsigned active;     // rows that bind
    double slack;        // s; 0 unless RELAXED
};

struct qp;

// A solver for problems up to this size. INVALID, NO_MEMORY. Free with qp_free. Not real-time.
enum status qp_create(unsigned unknowns_max, unsigned rows_max, struct qp **qp) MUST_CHECK;
void qp_free(struct qp *qp);
// Bytes that qp_create takes.
size_t qp_memory(unsigned unknowns_max, unsigned rows_max);

// Inverse of the Cholesky factor of H (row major, symmetric; its lower half is read) into
// factor[unknowns^2]. Returns false if H is not positive definite.
bool qp_factor(const double *hessian, unsigned unknowns, double *factor) MUST_CHECK;

// Solves. `active[rows]` is the guess of the rows that bind: 1 at its lower bound, -1 at its upper
// one, 0 not; it is overwritten by those that do (zeros: a cold start). multiplier[rows] gets the
// multipliers, positive at lower bounds, negative at upper ones; NULL: not wanted.
enum qp_status qp_solve(struct qp *qp, const struct qp_problem *problem, signed char *active,
                        double *x, double *multiplier, struct qp_result *result) MUST_CHECK;

// Largest residual of the Karush-Kuhn-Tucker conditions at (x, multiplier): of the gradient, of the
// rows, and of multiplier times distance. Of a RELAXED problem give the slack it was solved with.
double qp_kkt_residual(const struct qp_problem *problem, const double *hessian, const double *x,
                       const double *multiplier, double slack);

#ifdef __cplusplus
}
#endif
