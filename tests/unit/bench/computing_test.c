#include "tests/unit/common/unit.h"

#include <math.h>

#include "harness/bench/bench_daemons.h"
#include "harness/trial/computing.h"

#define MS INT64_C(1000000)
#define BEGIN_NS (7 * MS)
#define PID 42

static struct computing computing; // too large for a stack
static struct computing_daemon *const daemon_ = &computing.daemon[0];

// Looks every 4 ms from the end of the warm-up on, at which the daemon has used so much more each
// time.
static int64_t look(pid_t pid, unsigned looks, int64_t from_ns, int64_t each_ns)
{
    for (unsigned i = 0; i < looks; i++)
        computing_take(&computing, daemon_, pid, (int64_t)i * each_ns, from_ns + i * 4 * MS);
    return from_ns + looks * 4 * MS;
}

static int64_t start(void)
{
    computing_begin(&computing, BEGIN_NS);
    return BEGIN_NS + COMPUTING_WARM_UP_MS * MS;
}

START_TEST(what_a_daemon_uses_is_counted_per_millisecond)
{
    (void)look(PID, COMPUTING_LOOKS_MIN + 1, start(), 40000);
    ck_assert_uint_eq(histogram_count(&daemon_->ns_per_ms), COMPUTING_LOOKS_MIN);
    ck_assert_double_eq_tol(computing_us_per_ms(daemon_), 10, 0.01);
}
END_TEST

START_TEST(slow_looks_do_not_move_the_figure)
{
    const int64_t then_ns = look(PID, COMPUTING_LOOKS_MIN + 1, start(), 40000);
    int64_t used_ns = daemon_->used_ns;
    for (int64_t i = 0; i < 2 * COMPUTING_LOOKS_MIN; i++)
        computing_take(&computing, daemon_, PID, used_ns += 200000, then_ns + i * 4 * MS);
    ck_assert_double_eq_tol(computing_us_per_ms(daemon_), 10, 0.01);
}
END_TEST

START_TEST(the_warm_up_is_not_counted)
{
    (void)start();
    (void)look(PID, COMPUTING_WARM_UP_MS / 4, BEGIN_NS, 40000);
    ck_assert_uint_eq(histogram_count(&daemon_->ns_per_ms), 0);
    ck_assert(isnan(computing_us_per_ms(daemon_)));
}
END_TEST

START_TEST(a_daemon_that_was_started_again_is_looked_at_from_then_on)
{
    const int64_t then_ns = look(PID, 30, start(), 40000);
    (void)look(PID + 1, 11, then_ns, 40000);
    ck_assert_uint_eq(histogram_count(&daemon_->ns_per_ms), 29 + 10);
    ck_assert_uint_eq(daemon_->ns_per_ms.negative, 0);
}
END_TEST

START_TEST(one_that_works_in_few_looks_has_no_figure)
{
    (void)look(PID, 100, start(), 0);
    ck_assert(isnan(computing_us_per_ms(daemon_)));
}
END_TEST

START_TEST(runs_above_the_lower_quartile_by_a_tenth_are_of_a_slow_machine)
{
    double used[] = {90, 50, 54, 51};
    ck_assert_double_eq_tol(daemons_slow_above(used, 4), 1.1 * 51, 1e-9);
    double one[] = {20};
    ck_assert_double_eq_tol(daemons_slow_above(one, 1), 22, 1e-9);
}
END_TEST

START_TEST(where_no_run_came_off_none_counts)
{
    ck_assert(isnan(daemons_slow_above(NULL, 0)));
}
END_TEST

UNIT_MAIN("computing", what_a_daemon_uses_is_counted_per_millisecond,
          slow_looks_do_not_move_the_figure, the_warm_up_is_not_counted,
          a_daemon_that_was_started_again_is_looked_at_from_then_on,
          one_that_works_in_few_looks_has_no_figure,
          runs_above_the_lower_quartile_by_a_tenth_are_of_a_slow_machine,
          where_no_run_came_off_none_counts)
