// clock, virtual mode: what no livelock, and no random kill or stop, can do to the coordinator.
#include "tests/unit/common/unit.h"

#include <sched.h>
#include <sys/time.h>
#include <sys/wait.h>
#include <time.h>

#include "tests/unit/common/clock_lab.h"
#include "clock/coordinator_private.h"

static void every_6_ms(struct clk *clk)
{
    for (;;) {
        note(clk, "runs");
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(6)));
    }
}

#define STARVED_LIMIT_NS (500 * INT64_C(1000000))

// ---- livelock ----

static void spin_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    for (;;)
        continue;
}

START_TEST(a_participant_that_never_blocks_is_named_after_the_grant_limit)
{
    struct lab lab;
    unsigned culprit = 99;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "witness", 9, false, every_6_ms);
    struct member *spinner = add(&lab, "spinner", 1, false, spin_at_6_ms);
    start_all(&lab);
    clk_coordinator_grant_limit(lab.coordinator, duration_s(2));
    ck_assert_int_eq(clk_coordinator_run_until(lab.coordinator, instant_s(1), &culprit),
                     STATUS_TIMEOUT);
    ck_assert_uint_eq(culprit, spinner->number);
    strike(&lab, spinner, SIGKILL);
    run_to_ms(&lab, 12);
    expect_story("0 witness runs\n6 witness runs\n12 witness runs\n");
    close_lab(&lab);
}
END_TEST

// What a spinner is asked; it returns its turn only when it is asked for the last time.
static struct {
    unsigned number, looks, last;
    struct lab *lab;
    struct member *spinner;
} asked;

static bool outlast(void *context, unsigned number, bool last)
{
    struct lab *lab = context;
    asked.number = number;
    asked.looks += !last;
    asked.last += last;
    if (last)
        strike(lab, asked.spinner, SIGKILL);
    return true;
}

START_TEST(whoever_has_its_turn_for_long_is_asked_and_gets_a_little_more_at_the_limit)
{
    struct lab lab;
    asked.looks = asked.last = 0;
    open_lab(&lab, CLK_VIRTUAL);
    asked.spinner = add(&lab, "spinner", 1, false, spin_at_6_ms);
    start_all(&lab);
    clk_coordinator_grant_limit(lab.coordinator, duration_ms(400));
    clk_coordinator_on_long(lab.coordinator, outlast, &lab);
    run_to_ms(&lab, 12);
    ck_assert_uint_eq(asked.number, asked.spinner->number);
    ck_assert_uint_ge(asked.looks, 2); // at 30 ms, and whenever that has doubled
    ck_assert_uint_le(asked.looks, 4);
    ck_assert_uint_eq(asked.last, 1);
    close_lab(&lab);
}
END_TEST

static bool refuse(void *context, unsigned number, bool last)
{
    (void)context;
    (void)number;
    asked.last += last;
    return asked.last > 1;
}

START_TEST(whoever_cannot_be_asked_gets_no_more)
{
    struct lab lab;
    unsigned culprit = 99;
    asked.last = 0;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *spinner = add(&lab, "spinner", 1, false, spin_at_6_ms);
    start_all(&lab);
    clk_coordinator_grant_limit(lab.coordinator, duration_ms(100));
    clk_coordinator_on_long(lab.coordinator, refuse, NULL);
    ck_assert_int_eq(clk_coordinator_run_until(lab.coordinator, instant_s(1), &culprit),
                     STATUS_TIMEOUT);
    ck_assert_uint_eq(culprit, spinner->number);
    ck_assert_uint_eq(asked.last, 1);
    close_lab(&lab);
}
END_TEST

static int64_t time_ns(clockid_t clock)
{
    struct timespec now;
    clock_gettime(clock, &now);
    return now.tv_sec * INT64_C(1000000000) + now.tv_nsec;
}

static void share_a_core(int policy)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(0, &one);
    ck_assert_int_eq(sched_setaffinity(0, sizeof one, &one), 0);
    ck_assert_int_eq(sched_setscheduler(0, policy, &(struct sched_param){0}), 0);
}

// Computes until it has waited for the core it shares for much longer than its limit.
static void starve(struct clk *clk)
{
    share_a_core(SCHED_IDLE);
    const int64_t from_ns = time_ns(CLOCK_MONOTONIC), cpu_ns = time_ns(CLOCK_THREAD_CPUTIME_ID);
    while (time_ns(CLOCK_MONOTONIC) - from_ns < 2 * STARVED_LIMIT_NS)
        continue;
    ck_assert_int_lt(time_ns(CLOCK_THREAD_CPUTIME_ID) - cpu_ns, STARVED_LIMIT_NS / 2);
    note(clk, "has computed");
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(a_participant_that_a_busy_machine_starves_is_not_blamed)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "starved", 1, false, starve);
    start_all(&lab);
    clk_coordinator_grant_limit(lab.coordinator, duration_ns(STARVED_LIMIT_NS));
    const pid_t busy = fork();
    if (busy == 0) {
        share_a_core(SCHED_OTHER);
        for (;;)
            continue;
    }
    run_to_ms(&lab, 1);
    kill(busy, SIGKILL);
    waitpid(busy, NULL, 0);
    expect_story("0 starved has computed\n");
    close_lab(&lab);
}
END_TEST

static void echo(struct clk *clk)
{
    for (;;) {
        struct clk_watch watch = watch_word(0, ++shared->word[0], CLK_VIRTUAL);
        (void)!clk_wait(clk, &watch, 1, INSTANT_NEVER);
    }
}

// `damage` is done to the page before they run, unless it is NULL.
static void livelock(void (*damage)(struct clk_page *page), enum status expected)
{
    struct lab lab;
    unsigned culprit = 99;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "ping", 1, false, echo);
    add(&lab, "pong", 1, false, echo);
    start_all(&lab);
    if (damage != NULL)
        damage(lab.coordinator->page);
    ck_assert_int_eq(clk_coordinator_run_until(lab.coordinator, instant_s(1), &culprit), expected);
    ck_assert_uint_lt(culprit, 2);
    close_lab(&lab);
}

START_TEST(participants_that_wake_each_other_for_ever_are_noticed)
{
    livelock(NULL, STATUS_TIMEOUT);
}
END_TEST

static void lengthen_name(struct clk_page *page)
{
    page->slot[1].name[CLK_NAME_MAX - 2] = 'x';
}

static void change_time(struct clk_page *page)
{
    atomic_store(&page->now_ns, -1);
}

START_TEST(on_a_page_that_somebody_wrote_over_that_is_who_misled_them)
{
    livelock(lengthen_name, STATUS_CORRUPT);
    livelock(change_time, STATUS_CORRUPT);
}
END_TEST

// ---- stress ----

static struct lab *struck_lab;
static struct random_stream strikes;
static int strike_signals[2];

static void strike_somebody(int sign)
{
    (void)sign;
    struct member *member = &struck_lab->member[random_bits(&strikes) % struck_lab->member_count];
    if (member->pid != 0)
        kill(member->pid, strike_signals[random_bits(&strikes) % 2]);
    struct itimerval next = {.it_value.tv_usec = (suseconds_t)(random_bits(&strikes) % 1000) + 1};
    setitimer(ITIMER_REAL, &next, NULL);
}

static void run_under_strikes(int one, int other)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "world", 1, true, meet_randomly);
    add(&lab, "a", 3, false, meet_randomly);
    add(&lab, "b", 4, false, meet_randomly);
    start_all(&lab);
    struck_lab = &lab;
    strike_signals[0] = one;
    strike_signals[1] = other;
    random_start(&strikes, 1, "strikes");
    struct sigaction action = {.sa_handler =
                                   strike_somebody}; // no SA_RESTART: interrupts the waits too
    sigaction(SIGALRM, &action, NULL);
    struct timespec begin, now;
    clock_gettime(CLOCK_MONOTONIC, &begin);
    strike_somebody(0);
    unsigned deaths = 0;
    for (int64_t t = 1;; t++) {
        unsigned culprit = 99;
        require(clk_coordinator_run_until(lab.coordinator, instant_ns(t * 1000000), &culprit));
        shared->length = 0;
        for (unsigned i = 0; i < lab.member_count; i++) {
            struct member *member = &lab.member[i];
            look_at(&lab, member, WNOHANG | WUNTRACED | WCONTINUED);
            if (member->pid != 0)
                continue;
            deaths++;
            launch(&lab, member);
            enum status status =
                clk_coordinator_await(lab.coordinator, member->number, duration_s(0.02));
            ck_assert(status == STATUS_OK || status == STATUS_DEAD || status == STATUS_TIMEOUT);
        }
        clock_gettime(CLOCK_MONOTONIC, &now);
        // Deaths are counted, not timed: a loaded machine only takes longer.
        if (now.tv_sec > begin.tv_sec + 1 && (one != SIGKILL || deaths > 50))
            break;
    }
    setitimer(ITIMER_REAL, &(struct itimerval){0}, NULL);
    close_lab(&lab);
}

START_TEST(no_kill_at_any_instant_hangs_the_coordinator)
{
    run_under_strikes(SIGKILL, SIGKILL);
}
END_TEST

START_TEST(no_stop_at_any_instant_hangs_the_coordinator)
{
    run_under_strikes(SIGSTOP, SIGCONT);
}
END_TEST

UNIT_MAIN("clock-stress", a_participant_that_never_blocks_is_named_after_the_grant_limit,
          whoever_has_its_turn_for_long_is_asked_and_gets_a_little_more_at_the_limit,
          whoever_cannot_be_asked_gets_no_more,
          a_participant_that_a_busy_machine_starves_is_not_blamed,
          participants_that_wake_each_other_for_ever_are_noticed,
          on_a_page_that_somebody_wrote_over_that_is_who_misled_them,
          no_kill_at_any_instant_hangs_the_coordinator,
          no_stop_at_any_instant_hangs_the_coordinator)
