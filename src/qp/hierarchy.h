// Least squares in order of priority, within bounds (Escande, Mansard and Wieber 2014; the null
// spaces are taken one after the other as by Kanoun, Lamiraux and Wieber 2011).
//
// Level k brings its rows as near to their bounds as the levels above allow: a row whose bounds are
// equal is an equality, another one counts as far as it is violated. What a level reached, in the
// least squares sense, no lower level changes. The bounds of the unknowns hold always. Pure. Memory
// is taken at creation; the rest is real-time safe and bounded by count.
#pragma once

#include "base/status.h"
#include "qp/qp.h"

#ifdef __cplusplus
extern "C" {
#endif

#define HIERARCHY_LEVELS_MAX 12

struct hierarchy_level {
    unsigned rows;
    const double *row;           // row major, `unknowns` wide
    const double *lower, *upper; // equal: an equality
};

struct hierarchy_report {
    enum qp_status status; // of the first level not solved; x then is that of the levels above
    unsigned solved;       // levels
    unsigned iterations;   // of quadratic programs, needed only at bounds
    unsigned approximated; // levels near a singular pose that only came nearer to their optimum
    unsigned rank;         // of all equalities: the freedom they took
};

struct hierarchy;

// For problems up to this size; `rows_max` of one level. INVALID, NO_MEMORY. Free with
// hierarchy_free. Not real-time.
enum status hierarchy_create(unsigned unknowns_max, unsigned rows_max,
                             struct hierarchy **hierarchy) MUST_CHECK;
void hierarchy_free(struct hierarchy *hierarchy);

// The next call starts cold.
void hierarchy_forget(struct hierarchy *hierarchy);

// Solves. Freedom that no level takes stays at the point of the bounds next to 0. Rows whose part
// that is new is shorter than `tolerance` (say 1e-6) take no freedom. What was active in the last
// call is where the search starts. x holds `unknowns` numbers.
struct hierarchy_report hierarchy_solve(struct hierarchy *hierarchy, unsigned unknowns,
                                        const double *lower, const double *upper,
                                        const struct hierarchy_level *level, unsigned levels,
                                        double tolerance, double *x);

#ifdef __cplusplus
}
#endif
