// Loops over rows of numbers, written so that the compiler uses vector registers. Pure, inline.
#pragma once

static inline double dense_dot(const double *a, const double *b, unsigned count)
{
    double sum0 = 0, sum1 = 0, sum2 = 0, sum3 = 0;
    unsigned i = 0;
    for (; i + 4 <= count; i += 4) {
        sum0 += a[i] * b[i];
        sum1 += a[i + 1] * b[i + 1];
        sum2 += a[i + 2] * b[i + 2];
        sum3 += a[i + 3] * b[i + 3];
    }
    for (; i < count; i++)
        sum0 += a[i] * b[i];
    return (sum0 + sum2) + (sum1 + sum3);
}

// y += scale x
static inline void dense_add(double *restrict y, double scale, const double *restrict x,
                             unsigned count)
{
    for (unsigned i = 0; i < count; i++)
        y[i] += scale * x[i];
}
