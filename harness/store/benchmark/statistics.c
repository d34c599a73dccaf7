#include "harness/store/benchmark/statistics.h"

#include <math.h>
#include <stdbool.h>
#include <stdlib.h>

// 0.975 quantile of the normal distribution.
#define QUANTILE_975 1.959963984540054

struct interval wilson_interval(double count, double total)
{
    if (total <= 0)
        return (struct interval){0, 1};
    const double z2 = QUANTILE_975 * QUANTILE_975;
    const double share = count / total;
    const double centre = (share + z2 / (2 * total)) / (1 + z2 / total);
    const double half = QUANTILE_975 / (1 + z2 / total) *
                        sqrt(share * (1 - share) / total + z2 / (4 * total * total));
    // Rounding must not push the ends past the certain values.
    return (struct interval){count <= 0 ? 0 : fmax(0, centre - half),
                             count >= total ? 1 : fmin(1, centre + half)};
}

// Abramowitz and Stegun 1964, 26.7.3 and 26.7.4: finite series, whose terms are of even powers of
// the cosine and, for odd degrees, one more.
double student_two_sided(double t, unsigned degrees)
{
    const double angle = atan(fabs(t) / sqrt(degrees));
    const bool odd = degrees % 2 == 1;
    double term = odd ? cos(angle) : 1, sum = 0;
    for (unsigned k = odd ? 1 : 0; k + 1 < degrees; k += 2) {
        sum += term;
        term *= cos(angle) * cos(angle) * (k + 1) / (k + 2);
    }
    const double within = odd ? 2 / M_PI * (angle + sin(angle) * sum) : sin(angle) * sum;
    return fmin(1, fmax(0, 1 - within));
}

static int ascending(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

double median(double *values, size_t n)
{
    if (n == 0)
        return NAN;
    qsort(values, n, sizeof *values, ascending);
    return n % 2 ? values[n / 2] : 0.5 * (values[n / 2 - 1] + values[n / 2]);
}
