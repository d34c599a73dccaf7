// clock: threads of a process as participants. They take turns as processes do, and come and go
// with their process.
#include "tests/unit/common/unit.h"

#include "clock/futex.h"
#include "clock/skew.h"
#include "tests/unit/common/clock_lab.h"

static void every_10_ms(struct clk *clk)
{
    for (;;) {
        note(clk, "runs");
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(10)));
    }
}

static void publish_every_10_ms(struct clk *clk)
{
    for (;;) {
        note(clk, "publishes");
        shared->word[0]++;
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(10)));
    }
}

static void receive(struct clk *clk)
{
    for (;;) {
        struct clk_watch watch = watch_word(0, shared->word[0], clk_mode(clk));
        note(clk, "%s", status_name(clk_wait(clk, &watch, 1, INSTANT_NEVER)));
    }
}

static void sleep_for_good(struct clk *clk)
{
    clk_sleep_until(clk, INSTANT_NEVER);
}

static void die_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "dies");
    raise(SIGKILL);
}

static void leave_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "leaves");
    clk_leave(clk);
}

static void return_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "returns");
}

static void stop_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "stops");
    raise(SIGSTOP);
    note(clk, "goes on");
    clk_sleep_until(clk, INSTANT_NEVER);
}

// A node: drives each 10 ms, and blocks for what `pc` says, of lower priority than other processes.
static struct member *add_node(struct lab *lab)
{
    struct member *node = add(lab, "node", 5, false, every_10_ms);
    add_thread(lab, node, "receiver", 1, receive);
    return node;
}

START_TEST(threads_have_turns_priorities_and_deadlines_of_their_own)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add_node(&lab);
    add(&lab, "pc", 3, false, publish_every_10_ms);
    add(&lab, "low", 2, false, every_10_ms);
    start_all(&lab);
    run_to_ms(&lab, 10);
    expect_story("0 node runs\n0 pc publishes\n0 low runs\n" // `receiver` begins after those
                 "10 node runs\n10 pc publishes\n10 low runs\n10 receiver OK\n");
    close_lab(&lab);
}
END_TEST

START_TEST(a_killed_process_is_gone_with_its_threads_and_all_come_back_when_it_is_restarted)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *node = add_node(&lab);
    add(&lab, "pc", 3, false, publish_every_10_ms);
    start_all(&lab);
    run_to_ms(&lab, 5);
    strike(&lab, node, SIGKILL);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, node->number), CLK_ABSENT);
    ck_assert_str_eq(clk_coordinator_missing(lab.coordinator, node->number), "node");
    run_to_ms(&lab, 12);
    start(&lab, node);
    ck_assert_ptr_null(clk_coordinator_missing(lab.coordinator, node->number));
    run_to_ms(&lab, 22);
    expect_story("0 node runs\n0 pc publishes\n10 pc publishes\n"
                 "12 node runs\n20 pc publishes\n20 receiver OK\n22 node runs\n");
    close_lab(&lab);
}
END_TEST

// A process something happens to in the turn of its `thread`, beside one that goes on.
static struct member *open_victim(struct lab *lab, void (*thread)(struct clk *clk))
{
    open_lab(lab, CLK_VIRTUAL);
    struct member *victim = add(lab, "victim", 9, false, every_10_ms);
    add_thread(lab, victim, "receiver", 8, receive);
    add_thread(lab, victim, "thread", 7, thread);
    add(lab, "witness", 1, false, publish_every_10_ms);
    start_all(lab);
    return victim;
}

START_TEST(a_process_that_dies_in_the_turn_of_a_thread_is_reported_at_that_instant)
{
    struct lab lab;
    const struct member *victim = open_victim(&lab, die_at_6_ms);
    run_to_ms(&lab, 6);
    ck_assert_int_eq(victim->pid, 0); // the poll hook has reaped it
    run_to_ms(&lab, 10);
    expect_story("0 victim runs\n0 witness publishes\n0 receiver OK\n"
                 "6 thread dies\n10 witness publishes\n");
    close_lab(&lab);
}
END_TEST

START_TEST(a_stopped_process_is_not_waited_for_in_whichever_thread_it_was)
{
    struct lab lab;
    struct member *victim = open_victim(&lab, stop_at_6_ms);
    run_to_ms(&lab, 13);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_STOPPED);
    strike(&lab, victim, SIGCONT);
    run_to_ms(&lab, 14);
    expect_story("0 victim runs\n0 witness publishes\n0 receiver OK\n"
                 "6 thread stops\n10 witness publishes\n"
                 "13 thread goes on\n13 victim runs\n13 receiver OK\n");
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_BLOCKED);
    close_lab(&lab);
}
END_TEST

START_TEST(a_thread_that_leaves_is_missed_by_nobody)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *process = add(&lab, "process", 9, false, every_10_ms);
    add_thread(&lab, process, "guest", 7, leave_at_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 10);
    expect_story("0 process runs\n6 guest leaves\n10 process runs\n");
    strike(&lab, process, SIGKILL);
    start(&lab, process);
    run_to_ms(&lab, 10);
    expect_story("10 process runs\n10 guest leaves\n");
    close_lab(&lab);
}
END_TEST

START_TEST(a_thread_that_returns_without_leaving_is_its_process_hanging)
{
    struct lab lab;
    unsigned culprit = 99;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "witness", 1, false, every_10_ms);
    struct member *process = add(&lab, "process", 9, false, every_10_ms);
    add_thread(&lab, process, "guest", 7, return_at_6_ms);
    start_all(&lab);
    clk_coordinator_grant_limit(lab.coordinator, duration_ms(100));
    ck_assert_str_eq(
        status_name(clk_coordinator_run_until(lab.coordinator, instant_ns(20000000), &culprit)),
        "DEAD");
    ck_assert_uint_eq(culprit, process->number);
    close_lab(&lab);
}
END_TEST

START_TEST(a_process_is_not_there_until_all_its_threads_are)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *node = add(&lab, "node", 5, false, sleep_for_good);
    add_thread(&lab, node, "receiver", 1, receive);
    node->thread_count = 0; // the program does not start it
    launch(&lab, node);
    ck_assert_str_eq(
        status_name(clk_coordinator_await(lab.coordinator, node->number, duration_ms(100))),
        "TIMEOUT");
    ck_assert_str_eq(clk_coordinator_missing(lab.coordinator, node->number), "node/receiver");
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, node->number), CLK_ABSENT);
    close_lab(&lab);
}
END_TEST

static void join_wrongly(struct clk *clk)
{
    struct clk *other;
    note(clk, "unknown: %s", status_name(clk_join_thread("sender", &other)));
    note(clk, "twice: %s", status_name(clk_join_thread("receiver", &other)));
    note(clk, "too long: %s",
         status_name(clk_join_thread("a-name-that-no-participant-of-a-clock-can-have", &other)));
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(a_thread_joins_once_and_by_a_name_that_was_given)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *node = add(&lab, "node", 5, false, join_wrongly);
    add_thread(&lab, node, "receiver", 1, receive);
    ck_assert_str_eq(
        status_name(clk_coordinator_add_thread(
            lab.coordinator, node->number, "a-name-that-no-participant-of-a-clock-can-have", 1)),
        "INVALID");
    start_all(&lab);
    run_to_ms(&lab, 0);
    expect_story("0 node unknown: NOT_FOUND\n0 node twice: BUSY\n0 node too long: NOT_FOUND\n");
    close_lab(&lab);
}
END_TEST

static void sleep_to_10_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(10000000));
    shared->word[1] = (uint64_t)clk_true_now(clk).ns;
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(a_thread_goes_by_the_clock_of_its_process)
{
    struct lab lab;
    const struct clk_skew fast = {.step_ns = 4000000, .tag = 1};
    open_lab(&lab, CLK_VIRTUAL);
    struct member *node = add(&lab, "node", 5, false, sleep_for_good);
    add_thread(&lab, node, "thread", 1, sleep_to_10_ms);
    require(clk_skew_begin(lab.cell, "node", &fast));
    start_all(&lab);
    run_to_ms(&lab, 20);
    ck_assert_uint_eq(shared->word[1], 6000000);
    close_lab(&lab);
}
END_TEST

static void tell(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(20000000));
    shared->word[0]++;
    futex_wake(&shared->word[0], 1);
    clk_sleep_until(clk, INSTANT_NEVER);
}

static void hear(struct clk *clk)
{
    const struct clk_watch watch = watch_word(0, 0, CLK_WALL);
    if (clk_wait(clk, &watch, 1, instant_s(20)) == STATUS_OK)
        shared->word[1]++;
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(in_wall_mode_threads_begin_with_the_trial_and_wait_by_themselves)
{
    struct lab lab;
    open_lab(&lab, CLK_WALL);
    struct member *node = add(&lab, "node", 5, false, tell);
    add_thread(&lab, node, "thread", 1, hear);
    start_all(&lab);
    for (int64_t ms = 100; ms < 20000 && shared->word[1] == 0; ms += 100)
        run_to_ms(&lab, ms);
    ck_assert_uint_eq(shared->word[1], 1);
    close_lab(&lab);
}
END_TEST

UNIT_MAIN("clock: threads", threads_have_turns_priorities_and_deadlines_of_their_own,
          a_killed_process_is_gone_with_its_threads_and_all_come_back_when_it_is_restarted,
          a_process_that_dies_in_the_turn_of_a_thread_is_reported_at_that_instant,
          a_stopped_process_is_not_waited_for_in_whichever_thread_it_was,
          a_thread_that_leaves_is_missed_by_nobody,
          a_thread_that_returns_without_leaving_is_its_process_hanging,
          a_process_is_not_there_until_all_its_threads_are,
          a_thread_joins_once_and_by_a_name_that_was_given,
          a_thread_goes_by_the_clock_of_its_process,
          in_wall_mode_threads_begin_with_the_trial_and_wait_by_themselves)
