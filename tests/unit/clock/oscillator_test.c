// Oscillators: what they show, and when they show it.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "base/random.h"
#include "clock/oscillator.h"

#define S INT64_C(1000000000)

START_TEST(offset_and_drift_are_as_told)
{
    const struct clk_oscillator o = {.offset_ns = 1000, .drift_ppb = 50000};
    ck_assert_int_eq(clk_oscillator_local_ns(&o, 0), 1000);
    ck_assert_int_eq(clk_oscillator_local_ns(&o, S), S + 1000 + 50000);
    ck_assert_int_eq(clk_oscillator_local_ns(&o, 100 * S), 100 * S + 1000 + 5000000);
    ck_assert_int_eq(clk_oscillator_true_ns(&o, INT64_MAX), INT64_MAX);
}
END_TEST

// Against the rate summed in small steps.
START_TEST(it_wanders_by_the_integral_of_a_triangle)
{
    const struct clk_oscillator o = {
        .wander_ppb = 1000, .wander_period_ns = 10 * S, .wander_phase = 0.3};
    double sum_ns = 0, most_ppb = 0;
    for (int i = 0; i < 25000; i++) {
        const double u = fmod((i + 0.5) / 10000 + 0.3, 1);
        const double rate_ppb = 1000 * (u < 0.25 ? 4 * u : u < 0.75 ? 2 - 4 * u : 4 * u - 4);
        most_ppb = fmax(most_ppb, fabs(rate_ppb));
        sum_ns += rate_ppb * 1e-3; // of a millisecond
        const int64_t t = (i + 1) * S / 1000;
        ck_assert_double_eq_tol((double)(clk_oscillator_local_ns(&o, t) - t), sum_ns, 2);
    }
    ck_assert_double_eq_tol(most_ppb, 1000, 1);
}
END_TEST

START_TEST(the_instant_found_is_the_first_that_shows_the_time)
{
    struct random_stream random;
    random_start(&random, 1, "oscillators");
    for (int i = 0; i < 20000; i++) {
        const struct clk_oscillator o = {
            .offset_ns = (int64_t)random_uniform(&random, -1e12, 1e12),
            .drift_ppb = (int64_t)random_uniform(&random, -CLK_DRIFT_MAX_PPB, CLK_DRIFT_MAX_PPB),
            .wander_ppb = (int64_t)random_uniform(&random, 0, 1000),
            .wander_period_ns = (int64_t)random_uniform(&random, 1e8, 1e11),
            .wander_phase = random_uniform(&random, 0, 1)};
        const int64_t local_ns = (int64_t)random_uniform(&random, -1e12, 4e12);
        const int64_t true_ns = clk_oscillator_true_ns(&o, local_ns);
        ck_assert_int_ge(clk_oscillator_local_ns(&o, true_ns), local_ns);
        ck_assert_int_lt(clk_oscillator_local_ns(&o, true_ns - 1), local_ns);
    }
}
END_TEST

UNIT_MAIN("oscillator", offset_and_drift_are_as_told, it_wanders_by_the_integral_of_a_triangle,
          the_instant_found_is_the_first_that_shows_the_time)
