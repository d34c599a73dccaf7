// clock, wall mode and joining: deadlines hold from below; from above only within margins that a
// loaded machine keeps.
#include "tests/unit/common/unit.h"

#include <fcntl.h>
#include <sys/resource.h>
#include <time.h>

#include "clock/pace.h"
#include "tests/unit/common/clock_lab.h"

#define PATIENCE_S 20.0

static int64_t ms_of(instant t)
{
    return t.ns / 1000000;
}

START_TEST(without_a_cell_the_clock_stands_alone_and_starts_at_0)
{
    unsetenv("UKEMI_CELL");
    struct clk *clk;
    require(clk_join(&clk));
    ck_assert_int_eq(clk_mode(clk), CLK_WALL);
    ck_assert_double_lt(instant_to_s(clk_now(clk)), PATIENCE_S);
    instant until = instant_add(clk_now(clk), duration_ms(20));
    clk_sleep_until(clk, until);
    ck_assert_int_ge(clk_now(clk).ns, until.ns);
    clk_sleep_until(clk, instant_ns(-1)); // the past: returns
    clk_leave(clk);
}
END_TEST

START_TEST(a_wait_times_out_not_before_its_deadline_and_sees_a_changed_word_at_once)
{
    unsetenv("UKEMI_CELL");
    struct clk *clk;
    _Atomic uint64_t word = 5;
    require(clk_join(&clk));
    struct clk_watch watch = {.word = &word, .seen = 5};
    instant until = instant_add(clk_now(clk), duration_ms(250)); // more than one slice
    ck_assert_int_eq(clk_wait(clk, &watch, 1, until), STATUS_TIMEOUT);
    ck_assert_int_ge(clk_now(clk).ns, until.ns);
    word = 6;
    require(clk_wait(clk, &watch, 1, INSTANT_NEVER));
    word = 5 + ((uint64_t)1 << 32); // same low half
    require(clk_wait(clk, &watch, 1, INSTANT_NEVER));
    clk_leave(clk);
}
END_TEST

static void publish_and_stay(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(50000000));
    shared->word[1]++; // and no futex wake: as if killed between publishing and waking
    clk_sleep_until(clk, INSTANT_NEVER);
}

static void wait_for_either(struct clk *clk)
{
    struct clk_watch watches[2] = {watch_word(0, 0, CLK_WALL), watch_word(1, 0, CLK_WALL)};
    enum status status = clk_wait(clk, watches, 2, instant_s(PATIENCE_S));
    shared->word[2] = status == STATUS_OK && clk_now(clk).ns >= 50000000 ? 1 : 2;
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(a_waiter_is_not_left_asleep_by_a_writer_killed_before_its_wake)
{
    struct lab lab;
    open_lab(&lab, CLK_WALL);
    add(&lab, "reader", 1, false, wait_for_either);
    add(&lab, "writer", 1, false, publish_and_stay);
    ck_assert_int_eq(clk_coordinator_now(lab.coordinator).ns, 0);
    start_all(&lab);
    for (int64_t ms = 100; shared->word[2] == 0 && ms < (int64_t)(PATIENCE_S * 1000); ms += 100)
        run_to_ms(&lab, ms);
    ck_assert_uint_eq(shared->word[2], 1);
    close_lab(&lab);
}
END_TEST

static void say_when_joined(struct clk *clk)
{
    shared->word[0] = (uint64_t)ms_of(clk_now(clk)) + 1;
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(participants_wait_for_the_start_and_a_restarted_one_joins_the_running_clock)
{
    struct lab lab;
    open_lab(&lab, CLK_WALL);
    struct member *member = add(&lab, "p", 1, false, say_when_joined);
    start(&lab, member);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, member->number), CLK_BLOCKED);
    usleep(50000);
    ck_assert_uint_eq(shared->word[0], 0);
    clk_coordinator_start(lab.coordinator);
    run_to_ms(&lab, 100);
    ck_assert_int_ge(ms_of(clk_coordinator_now(lab.coordinator)), 100);
    strike(&lab, member, SIGKILL);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, member->number), CLK_ABSENT);
    shared->word[0] = 0;
    start(&lab, member);
    for (int64_t ms = 200; shared->word[0] == 0 && ms < (int64_t)(PATIENCE_S * 1000); ms += 100)
        run_to_ms(&lab, ms);
    ck_assert_uint_ge(shared->word[0], 100);
    close_lab(&lab);
}
END_TEST

// ---- joining ----

static enum status join_as(const char *name)
{
    struct clk *clk;
    setenv("UKEMI_PARTICIPANT", name, 1);
    return clk_join(&clk);
}

START_TEST(joining_fails_with_a_reason)
{
    struct lab lab;
    char page[80];
    open_lab(&lab, CLK_WALL);
    struct member *member = add(&lab, "p", 1, false, say_when_joined);
    ck_assert_int_eq(join_as("nobody"), STATUS_NOT_FOUND);
    start_all(&lab);
    ck_assert_int_eq(join_as("p"), STATUS_BUSY);
    strike(&lab, member, SIGKILL);
    require(join_as("p"));
    snprintf(page, sizeof page, "%s/clock", lab.cell);
    int file = open(page, O_WRONLY);
    ck_assert_int_eq(pwrite(file, "x", 1, 0), 1);
    ck_assert_int_eq(join_as("p"), STATUS_CORRUPT);
    ck_assert_int_eq(ftruncate(file, 100), 0);
    close(file);
    ck_assert_int_eq(join_as("p"), STATUS_CORRUPT);
    setenv("UKEMI_CELL", "/nonexistent", 1);
    ck_assert_int_eq(join_as("p"), STATUS_NOT_FOUND);
    unsetenv("UKEMI_PARTICIPANT");
    struct clk *clk;
    ck_assert_int_eq(clk_join(&clk), STATUS_NOT_FOUND);
    unlink(page);
    rmdir(lab.cell);
}
END_TEST

static void never_reached(struct clk *clk)
{
    clk_leave(clk);
}

START_TEST(awaiting_a_process_that_ends_first_or_never_joins_says_so)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *member = add(&lab, "p", 1, false, never_reached);
    ck_assert_int_eq(clk_coordinator_await(lab.coordinator, member->number, duration_ms(50)),
                     STATUS_TIMEOUT);
    member->pid = fork();
    if (member->pid == 0)
        _exit(1);
    ck_assert_int_eq(clk_coordinator_await(lab.coordinator, member->number, duration_s(PATIENCE_S)),
                     STATUS_DEAD);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, member->number), CLK_ABSENT);
    close_lab(&lab);
}
END_TEST

START_TEST(participants_and_words_are_bounded)
{
    struct lab lab;
    unsigned number;
    uint32_t id;
    char name[CLK_PARTICIPANTS_MAX + 100];
    open_lab(&lab, CLK_VIRTUAL);
    memset(name, 'x', sizeof name);
    name[sizeof name - 1] = '\0';
    ck_assert_int_eq(clk_coordinator_add(lab.coordinator, name, 1, false, &number), STATUS_INVALID);
    for (unsigned i = 0; i < CLK_PARTICIPANTS_MAX; i++) {
        snprintf(name, sizeof name, "p%u", i);
        require(clk_coordinator_add(lab.coordinator, name, 1, false, &number));
        ck_assert_uint_eq(number, i);
    }
    ck_assert_int_eq(clk_coordinator_add(lab.coordinator, "more", 1, false, &number), STATUS_FULL);
    for (unsigned i = WORDS_MAX; i < CLK_WORDS_MAX; i++)
        require(clk_coordinator_watch(lab.coordinator, &shared->word[0], &id));
    ck_assert_int_eq(clk_coordinator_watch(lab.coordinator, &shared->word[0], &id), STATUS_FULL);
    close_lab(&lab);
}
END_TEST

// The CPU time that this thread uses up in ms milliseconds of it.
static void compute_ms(int64_t ms)
{
    struct timespec used;
    do
        clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    while (used.tv_sec * 1000 + used.tv_nsec / 1000000 < ms);
}

START_TEST(who_is_kept_back_by_the_machine_is_told_from_who_computes_or_sleeps)
{
    unsetenv("UKEMI_CELL");
    struct clk *clk;
    struct clk_pace pace = {0, 0};
    require(clk_join(&clk));
    compute_ms(50);
    const int64_t before_ns = clk_now(clk).ns;
    clk_pace_slept(&pace, clk, clk_now(clk));
    compute_ms(100);
    const duration kept = clk_pace_kept(&pace, clk);
    ck_assert_int_le(kept.ns, clk_now(clk).ns - before_ns - 49000000);
    const instant due = instant_add(clk_now(clk), duration_ms(20));
    nanosleep(&(struct timespec){.tv_nsec = 30000000}, NULL); // as if not run beyond the deadline
    clk_pace_slept(&pace, clk, due);
    ck_assert_int_ge(clk_pace_kept(&pace, clk).ns, 9000000);
    clk_sleep_until(clk, instant_ns(clk_now(clk).ns + 1000000));
    clk_pace_slept(&pace, clk, instant_ns(clk_now(clk).ns + 1000000)); // it is ahead of its time
    ck_assert_int_eq(clk_pace_kept(&pace, clk).ns, 0);
    clk_leave(clk);
}
END_TEST

UNIT_MAIN("clock-wall", who_is_kept_back_by_the_machine_is_told_from_who_computes_or_sleeps,
          without_a_cell_the_clock_stands_alone_and_starts_at_0,
          a_wait_times_out_not_before_its_deadline_and_sees_a_changed_word_at_once,
          a_waiter_is_not_left_asleep_by_a_writer_killed_before_its_wake,
          participants_wait_for_the_start_and_a_restarted_one_joins_the_running_clock,
          joining_fails_with_a_reason, awaiting_a_process_that_ends_first_or_never_joins_says_so,
          participants_and_words_are_bounded)
