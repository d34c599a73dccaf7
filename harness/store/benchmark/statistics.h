// The few statistics reports need. Pure functions.
#pragma once

#define RANK_VALUES_MAX 4000 // of one metric on one side of a comparison

#include <stddef.h>

struct interval {
    double low, high;
};

// 95 % Wilson score interval of a share: `count` of `total` (Wilson 1927; Brown, Cai and DasGupta
// 2001, eq. 4). Within [0, 1]. For total == 0 nothing is known: [0, 1].
struct interval wilson_interval(double count, double total);

// Chance that Student's t of so many degrees of freedom (at least 1) lies as far from 0 as `t`, on
// either side.
double student_two_sided(double t, unsigned degrees);

// Median; sorts the values in place. NAN for n == 0.
double median(double *values, size_t n);
