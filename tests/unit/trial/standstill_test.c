// A machine that stands still is seen, and one that is only busy is not.
#include "tests/unit/common/unit.h"

#include <sched.h>
#include <signal.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "clock/futex.h"
#include "harness/trial/companion.h"
#include "harness/trial/standstill.h"

#define FOR_NS INT64_C(60000000)

static void rest(int64_t ns)
{
    const struct timespec time = {ns / 1000000000, ns % 1000000000};
    (void)clock_nanosleep(CLOCK_MONOTONIC, 0, &time, NULL);
}

// A watch of the core on which this process runs, that has begun to watch.
static struct standstill_watch *watch_core(int *core)
{
    *core = sched_getcpu();
    struct standstill_watch *watch = standstill_begin(*core);
    ck_assert_ptr_nonnull(watch);
    rest(FOR_NS);
    return watch;
}

// Signals the processes of this one that watch.
static void signal_watchers(int number)
{
    char command[96];
    snprintf(command, sizeof command, "pkill -%d -P %d -x standstill", number, (int)getpid());
    ck_assert_int_eq(system(command), 0);
}

static bool may_have_the_priority(void)
{
    const struct sched_param most = {.sched_priority = sched_get_priority_max(SCHED_FIFO)},
                             usual = {.sched_priority = 0};
    return sched_setscheduler(0, SCHED_FIFO, &most) == 0 &&
           sched_setscheduler(0, SCHED_OTHER, &usual) == 0;
}

START_TEST(a_core_that_stands_still_is_seen)
{
    if (!may_have_the_priority())
        return;
    int core;
    struct standstill_watch *watch = watch_core(&core);
    const int64_t begun_ns = monotonic_ns();
    signal_watchers(SIGSTOP);
    rest(FOR_NS);
    signal_watchers(SIGCONT);
    rest(FOR_NS);
    struct standstill first, found;
    ck_assert(standstill_end(watch, begun_ns - FOR_NS / 2, &first, &found));
    ck_assert_int_ge(found.ns, FOR_NS / 2);
    ck_assert_int_le(first.at_ns, found.at_ns);
    ck_assert_int_ge(first.at_ns, begun_ns - FOR_NS / 2);
    ck_assert_int_ge(found.at_ns, begun_ns - FOR_NS / 2);
    ck_assert_int_le(found.at_ns, monotonic_ns() - FOR_NS / 2);
}
END_TEST

START_TEST(what_was_before_does_not_count)
{
    int core;
    struct standstill_watch *watch = watch_core(&core);
    if (may_have_the_priority()) {
        signal_watchers(SIGSTOP);
        rest(FOR_NS);
        signal_watchers(SIGCONT);
        rest(FOR_NS);
    }
    struct standstill first, found;
    ck_assert_int_eq(standstill_end(watch, INT64_MAX, &first, &found), may_have_the_priority());
    ck_assert_int_eq(found.ns, 0);
    ck_assert(!standstill_end(NULL, 0, &first, &found));
    ck_assert_int_eq(found.ns, 0);
}
END_TEST

static void keep_busy(void *context)
{
    const struct sched_param most = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
    if (!companion_pin(*(const int *)context) || sched_setscheduler(0, SCHED_FIFO, &most) != 0)
        return;
    const int64_t end_ns = monotonic_ns() + 5 * FOR_NS;
    while (monotonic_ns() < end_ns)
        ;
}

// A process of the same priority that keeps the core for 0.3 s. The machine itself may stand still
// for a moment meanwhile.
START_TEST(a_core_that_is_busy_does_not_stand_still)
{
    if (!may_have_the_priority())
        return;
    int core;
    struct standstill_watch *watch = watch_core(&core);
    pid_t busy;
    const int64_t begun_ns = monotonic_ns();
    ck_assert_int_eq(companion_start(keep_busy, &core, "test", &busy), STATUS_OK);
    rest(8 * FOR_NS);
    companion_stop(busy);
    struct standstill first, found;
    ck_assert(standstill_end(watch, begun_ns, &first, &found));
    ck_assert_int_lt(found.ns, 2 * FOR_NS);
}
END_TEST

UNIT_MAIN("standstill", a_core_that_stands_still_is_seen, what_was_before_does_not_count,
          a_core_that_is_busy_does_not_stand_still)
