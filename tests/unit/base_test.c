// base: status names, time arithmetic, seeded random streams.
#include "unit.h"

#include <string.h>

#include "base/random.h"
#include "base/running_time.h"
#include "base/status.h"
#include "base/time.h"

START_TEST(every_status_has_a_name_and_a_text)
{
    ck_assert_str_eq(status_name(STATUS_OK), "OK");
    ck_assert_str_eq(status_name(STATUS_UNSUPPORTED), "UNSUPPORTED");
    ck_assert_str_eq(status_name((enum status)999), "UNKNOWN");
    ck_assert_uint_gt(strlen(status_text(STATUS_MISSED)), 0);
}
END_TEST

START_TEST(seconds_round_to_the_nearest_nanosecond)
{
    ck_assert_int_eq(duration_s(0.1).ns, 100000000);
    ck_assert_int_eq(duration_s(-0.1).ns, -100000000);
    ck_assert_int_eq(instant_sub(instant_s(2.5), instant_s(1.0)).ns, 1500000000);
}
END_TEST

START_TEST(a_stream_depends_on_seed_and_name_only)
{
    struct random_stream a, b, c;
    random_start(&a, 7, "fault");
    random_start(&b, 7, "fault");
    random_start(&c, 7, "noise");
    uint64_t first = random_bits(&a);
    ck_assert_uint_eq(first, random_bits(&b));
    ck_assert_uint_ne(first, random_bits(&c));
}
END_TEST

START_TEST(normal_numbers_have_mean_0_and_deviation_1)
{
    struct random_stream stream;
    random_start(&stream, 1, "normal");
    double sum = 0, squares = 0;
    const int n = 100000;
    for (int i = 0; i < n; i++) {
        double x = random_normal(&stream);
        sum += x;
        squares += x * x;
    }
    ck_assert_double_eq_tol(sum / n, 0.0, 0.02);
    ck_assert_double_eq_tol(squares / n, 1.0, 0.02);
}
END_TEST

START_TEST(of_the_time_between_two_looks_no_more_counts_than_a_machine_that_runs_takes)
{
    struct running_time running = {0};
    ck_assert_int_eq(running_time_look(&running, 5000, 20), 0); // the first look begins
    ck_assert_int_eq(running_time_look(&running, 5010, 20), 10);
    ck_assert_int_eq(running_time_look(&running, 5030, 20), 30);
    ck_assert_int_eq(running_time_look(&running, 9000, 20), 50); // it stood still
    ck_assert_int_eq(running_time_look(&running, 9000, 20), 50);
    ck_assert_int_eq(running_time_look(&running, 9001, 20), 51);
}
END_TEST

UNIT_MAIN("base", every_status_has_a_name_and_a_text, seconds_round_to_the_nearest_nanosecond,
          a_stream_depends_on_seed_and_name_only, normal_numbers_have_mean_0_and_deviation_1,
          of_the_time_between_two_looks_no_more_counts_than_a_machine_that_runs_takes)
