// Rank tests of two sets of runs: is the one different, and by how much? They ask nothing of the
// distribution; exact where the values are few, as they are here. Pure functions, but for the
// memory they work in.
#pragma once

#include <stddef.h>

#include "base/status.h"
#include "harness/store/benchmark/statistics.h"

// Up to here the distribution is counted out, ties included; beyond it is taken as normal,
// corrected for ties and for continuity.
#define SIGNED_RANK_EXACT_MAX 25
#define RANK_SUM_EXACT_MAX 50 // both sides together

struct rank_test {
    double p;                 // two-sided: of what is seen or worse if there were no difference
    double shift;             // Hodges and Lehmann's estimate of the difference
    struct interval shift_95; // its 95 % interval; NAN: too few values for one
};

// Wilcoxon's signed-rank test of paired differences, those of 0 left out (Hollander, Wolfe and
// Chicken 2014, sections 3.1 to 3.3). INVALID: no values, more than RANK_VALUES_MAX, or one that is
// not finite. NO_MEMORY.
enum status signed_rank_test(const double *difference, size_t n, struct rank_test *test) MUST_CHECK;

// The Mann-Whitney-Wilcoxon rank-sum test of b against a; a positive shift means that b is larger
// (ibid., sections 4.1 to 4.3). The same errors.
enum status rank_sum_test(const double *a, size_t m, const double *b, size_t n,
                          struct rank_test *test) MUST_CHECK;

// The smallest two-sided p that so many values can give: if it is above the level asked for, they
// are too few to show anything.
double signed_rank_p_least(size_t n);
double rank_sum_p_least(size_t m, size_t n);

// Adjusts the p of several tests so that the chance of any false alarm among all of them stays
// below the level each is held to (Holm 1979). In place; in any order.
enum status holm_adjust(double *p, size_t n) MUST_CHECK;
