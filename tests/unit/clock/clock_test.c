// clock, virtual mode: who is granted when, and what kill, stop and restart do to that. The tests
// read as stories: the trace is compared whole.
#include "tests/unit/common/unit.h"

#include "tests/unit/common/clock_lab.h"

// ---- participants ----

static void periodic(struct clk *clk, int64_t period_ms)
{
    for (;;) {
        note(clk, "runs");
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(period_ms)));
    }
}

static void every_10_ms(struct clk *clk)
{
    periodic(clk, 10);
}
static void every_6_ms(struct clk *clk)
{
    periodic(clk, 6);
}

static void follow(struct clk *clk)
{
    for (;;) {
        note(clk, "moves");
        clk_sleep_until(clk, INSTANT_NEVER);
    }
}

static void publish_at_3_and_20_ms(struct clk *clk)
{
    const int64_t at_ms[] = {3, 20};
    for (int i = 0; i < 2; i++) {
        clk_sleep_until(clk, instant_ns(at_ms[i] * 1000000));
        note(clk, "publishes");
        shared->word[0]++;
    }
    clk_sleep_until(clk, INSTANT_NEVER);
}

static void read_within_10_ms(struct clk *clk)
{
    for (;;) {
        struct clk_watch watch = watch_word(0, shared->word[0], clk_mode(clk));
        enum status status = clk_wait(clk, &watch, 1, instant_add(clk_now(clk), duration_ms(10)));
        note(clk, "%s", status_name(status));
    }
}

// ---- order ----

START_TEST(higher_priority_goes_first_then_the_lower_number)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "low", 1, false, every_10_ms);
    add(&lab, "high", 5, false, every_10_ms);
    add(&lab, "also-high", 5, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 12);
    expect_story("0 high runs\n0 also-high runs\n0 low runs\n"
                 "6 also-high runs\n"
                 "10 high runs\n10 low runs\n"
                 "12 also-high runs\n");
    ck_assert_int_eq(clk_coordinator_now(lab.coordinator).ns, 12000000);
    ck_assert_uint_eq(clk_coordinator_grants(lab.coordinator), 7);
    close_lab(&lab);
}
END_TEST

START_TEST(the_follower_is_first_at_each_new_instant_and_at_the_end_of_a_run)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "slow", 90, false, every_10_ms);
    add(&lab, "world", 1, true, follow);
    add(&lab, "fast", 2, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 11);
    expect_story("0 world moves\n0 slow runs\n0 fast runs\n"
                 "6 world moves\n6 fast runs\n"
                 "10 world moves\n10 slow runs\n"
                 "11 world moves\n");
    run_to_ms(&lab, 11);
    expect_story("");
    run_to_ms(&lab, 12);
    expect_story("12 world moves\n12 fast runs\n");
    close_lab(&lab);
}
END_TEST

static void follow_resting(struct clk *clk)
{
    for (;;) {
        struct clk_watch watch = watch_word(0, shared->word[0], clk_mode(clk));
        const instant next = instant_add(clk_now(clk), duration_ms(8));
        note(clk, "%s", status_name(clk_rest(clk, &watch, 1, next)));
    }
}

START_TEST(a_follower_that_rests_is_first_when_a_word_changes_and_at_its_deadline_only)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "world", 1, true, follow_resting);
    add(&lab, "other", 9, false, every_6_ms);
    add(&lab, "writer", 2, false, publish_at_3_and_20_ms);
    start_all(&lab);
    run_to_ms(&lab, 21);
    expect_story("0 other runs\n"
                 "3 writer publishes\n3 world OK\n"
                 "6 other runs\n"
                 "11 world TIMEOUT\n"
                 "12 other runs\n18 other runs\n"
                 "19 world TIMEOUT\n"
                 "20 writer publishes\n20 world OK\n");
    close_lab(&lab);
}
END_TEST

START_TEST(time_jumps_when_nobody_has_a_deadline)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "world", 1, true, follow);
    start_all(&lab);
    run_to_ms(&lab, 0);
    run_to_ms(&lab, 3600000);
    expect_story("0 world moves\n3.6e+06 world moves\n");
    close_lab(&lab);
}
END_TEST

START_TEST(a_wait_ends_at_the_publication_or_at_the_deadline)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "reader", 9, false, read_within_10_ms);
    add(&lab, "writer", 1, false, publish_at_3_and_20_ms);
    start_all(&lab);
    run_to_ms(&lab, 31);
    expect_story("3 writer publishes\n3 reader OK\n"
                 "13 reader TIMEOUT\n"
                 "20 writer publishes\n20 reader OK\n"
                 "30 reader TIMEOUT\n");
    close_lab(&lab);
}
END_TEST

static void wait_for_the_past(struct clk *clk)
{
    struct clk_watch stale = watch_word(0, 77, CLK_VIRTUAL);
    struct clk_watch fresh = watch_word(0, 0, CLK_VIRTUAL);
    struct clk_watch unknown = {.word = &shared->word[0], .id = CLK_WATCH_NONE};
    struct clk_watch many[CLK_WATCHES_MAX + 1] = {0};
    note(clk, "%s", status_name(clk_wait(clk, &stale, 1, INSTANT_NEVER)));
    note(clk, "%s", status_name(clk_wait(clk, &fresh, 1, clk_now(clk))));
    note(clk, "%s", status_name(clk_wait(clk, &unknown, 1, INSTANT_NEVER)));
    note(clk, "%s", status_name(clk_wait(clk, many, CLK_WATCHES_MAX + 1, INSTANT_NEVER)));
    clk_sleep_until(clk, clk_now(clk));
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(waiting_for_what_has_happened_spends_no_grant)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "p", 1, false, wait_for_the_past);
    start_all(&lab);
    run_to_ms(&lab, 5);
    expect_story("0 p OK\n0 p TIMEOUT\n0 p INVALID\n0 p INVALID\n");
    ck_assert_uint_eq(clk_coordinator_grants(lab.coordinator), 1);
    close_lab(&lab);
}
END_TEST

static void loop_late(struct clk *clk)
{
    struct clk_period period =
        clk_period_start(clk, instant_ns(-25000000), duration_ms(10)); // ticks at 5, 15, 25 ...
    for (;;) {
        uint64_t missed = clk_period_wait(clk, &period);
        note(clk, "missed %lu", (unsigned long)missed);
        if (clk_now(clk).ns == 15000000)
            clk_sleep_until(clk, instant_ns(47000000));
    }
}

START_TEST(a_late_loop_skips_ticks_and_says_how_many)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "loop", 1, false, loop_late);
    start_all(&lab);
    run_to_ms(&lab, 60);
    expect_story("5 loop missed 0\n15 loop missed 0\n47 loop missed 2\n55 loop missed 0\n");
    close_lab(&lab);
}
END_TEST

// ---- death, stop, restart ----

START_TEST(a_participant_killed_while_blocked_is_gone_and_its_restart_joins_at_the_present_instant)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "witness", 1, false, every_10_ms);
    struct member *victim = add(&lab, "victim", 9, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 7);
    strike(&lab, victim, SIGKILL);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_ABSENT);
    run_to_ms(&lab, 21);
    start(&lab, victim);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_BLOCKED);
    run_to_ms(&lab, 28);
    expect_story("0 victim runs\n0 witness runs\n6 victim runs\n"
                 "10 witness runs\n20 witness runs\n"
                 "21 victim runs\n27 victim runs\n");
    close_lab(&lab);
}
END_TEST

static void die_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "dies");
    raise(SIGKILL);
}

START_TEST(a_participant_that_dies_in_its_turn_is_reported_at_that_instant)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "witness", 1, false, every_6_ms);
    struct member *victim = add(&lab, "victim", 9, false, die_at_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 6);
    ck_assert_int_eq(victim->pid, 0); // the poll hook has reaped it
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_ABSENT);
    run_to_ms(&lab, 12);
    expect_story("0 witness runs\n6 victim dies\n6 witness runs\n12 witness runs\n");
    start(&lab, victim);
    run_to_ms(&lab, 12);
    expect_story("12 victim dies\n");
    close_lab(&lab);
}
END_TEST

START_TEST(a_death_in_its_turn_is_survived_without_any_supervisor)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "victim", 9, false, die_at_6_ms);
    add(&lab, "witness", 1, false, every_6_ms);
    start_all(&lab);
    clk_coordinator_on_poll(lab.coordinator, NULL, NULL);
    run_to_ms(&lab, 12);
    expect_story("0 witness runs\n6 victim dies\n6 witness runs\n12 witness runs\n");
    close_lab(&lab);
}
END_TEST

static void leave_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "leaves");
    clk_leave(clk);
}

START_TEST(a_participant_that_leaves_ends_its_turn)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *guest = add(&lab, "guest", 9, false, leave_at_6_ms);
    add(&lab, "witness", 1, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 6);
    ck_assert_int_eq(guest->pid, 0);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, guest->number), CLK_ABSENT);
    expect_story("0 witness runs\n6 guest leaves\n6 witness runs\n");
    close_lab(&lab);
}
END_TEST

static void stop_at_6_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "stops");
    raise(SIGSTOP);
    usleep(50000); // the coordinator must wait for it, not just find it done
    note(clk, "goes on");
    clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(2)));
    note(clk, "runs");
    clk_sleep_until(clk, INSTANT_NEVER);
}

START_TEST(a_participant_stopped_in_its_turn_is_not_waited_for_and_finishes_it_when_continued)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *victim = add(&lab, "victim", 9, false, stop_at_6_ms);
    add(&lab, "witness", 1, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 13);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_STOPPED);
    expect_story("0 witness runs\n6 victim stops\n6 witness runs\n12 witness runs\n");
    strike(&lab, victim, SIGCONT);
    run_to_ms(&lab, 18);
    expect_story("13 victim goes on\n15 victim runs\n18 witness runs\n");
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_BLOCKED);
    close_lab(&lab);
}
END_TEST

START_TEST(a_participant_stopped_while_blocked_runs_when_continued_if_its_deadline_has_passed)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *victim = add(&lab, "victim", 9, false, every_10_ms);
    add(&lab, "witness", 1, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 7);
    strike(&lab, victim, SIGSTOP);
    run_to_ms(&lab, 13);
    strike(&lab, victim, SIGCONT);
    run_to_ms(&lab, 19);
    expect_story("0 victim runs\n0 witness runs\n6 witness runs\n12 witness runs\n"
                 "13 victim runs\n18 witness runs\n");
    strike(&lab, victim, SIGSTOP);
    strike(&lab, victim, SIGKILL);
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, victim->number), CLK_ABSENT);
    run_to_ms(&lab, 24);
    expect_story("24 witness runs\n");
    close_lab(&lab);
}
END_TEST

static void leave_and_linger(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "leaves");
    clk_leave(clk);
    usleep(1500000);
}

// As one that is torn down on a machine with much else to do: a second was once not enough.
START_TEST(a_participant_that_takes_long_to_end_is_reported_at_the_instant_at_which_it_left)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *guest = add(&lab, "guest", 9, false, leave_and_linger);
    add(&lab, "witness", 1, false, every_6_ms);
    start_all(&lab);
    run_to_ms(&lab, 6);
    ck_assert_int_eq(guest->pid, 0);
    expect_story("0 witness runs\n6 guest leaves\n6 witness runs\n");
    close_lab(&lab);
}
END_TEST

static unsigned polls; // in the lab

static void count_polls(void *context)
{
    polls++;
    poll_members(context);
}

static void leave_and_stop(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(6000000));
    note(clk, "leaves");
    clk_leave(clk);
    raise(SIGSTOP);
}

START_TEST(a_participant_stopped_when_it_has_left_is_not_waited_for)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *guest = add(&lab, "guest", 9, false, leave_and_stop);
    add(&lab, "witness", 1, false, every_6_ms);
    start_all(&lab);
    clk_coordinator_on_poll(lab.coordinator, count_polls, &lab);
    run_to_ms(&lab, 12);
    ck_assert_uint_lt(polls, 500); // the patience with one that ends is worth 5000
    ck_assert_int_eq(clk_coordinator_state(lab.coordinator, guest->number), CLK_ABSENT);
    strike(&lab, guest, SIGCONT);
    run_to_ms(&lab, 18);
    ck_assert_int_eq(guest->pid, 0);
    expect_story("0 witness runs\n6 guest leaves\n6 witness runs\n12 witness runs\n"
                 "18 witness runs\n");
    start(&lab, guest);
    run_to_ms(&lab, 18);
    expect_story("18 guest leaves\n");
    close_lab(&lab);
}
END_TEST

static void count_ticks(struct clk *clk)
{
    for (;;) {
        shared->word[0]++;
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(10)));
    }
}

START_TEST(a_participant_stopped_in_its_turn_for_many_grants_finishes_it_and_has_missed_the_rest)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    struct member *victim = add(&lab, "victim", 9, false, stop_at_6_ms);
    add(&lab, "witness", 1, false, count_ticks);
    start_all(&lab);
    run_to_ms(&lab, 60000);
    ck_assert_uint_eq(shared->word[0], 6001);
    expect_story("6 victim stops\n");
    strike(&lab, victim, SIGCONT);
    run_to_ms(&lab, 60010);
    expect_story("60000 victim goes on\n60002 victim runs\n");
    ck_assert_uint_eq(shared->word[0], 6002);
    close_lab(&lab);
}
END_TEST

static void run_random_meeting(char *trace)
{
    struct lab lab;
    open_lab(&lab, CLK_VIRTUAL);
    add(&lab, "world", 1, true, meet_randomly);
    struct member *victim = add(&lab, "a", 3, false, meet_randomly);
    add(&lab, "b", 4, false, meet_randomly);
    add(&lab, "c", 4, false, meet_randomly);
    start_all(&lab);
    run_to_ms(&lab, 30);
    strike(&lab, victim, SIGKILL);
    run_to_ms(&lab, 40);
    start(&lab, victim);
    run_to_ms(&lab, 70);
    memcpy(trace, shared->trace, TRACE_SIZE);
    close_lab(&lab);
}

START_TEST(two_runs_with_kill_and_restart_give_the_same_trace)
{
    static char first[TRACE_SIZE], second[TRACE_SIZE];
    run_random_meeting(first);
    run_random_meeting(second);
    ck_assert_uint_gt(strlen(first), 1000);
    ck_assert_str_eq(first, second);
}
END_TEST

UNIT_MAIN("clock", higher_priority_goes_first_then_the_lower_number,
          the_follower_is_first_at_each_new_instant_and_at_the_end_of_a_run,
          a_follower_that_rests_is_first_when_a_word_changes_and_at_its_deadline_only,
          time_jumps_when_nobody_has_a_deadline, a_wait_ends_at_the_publication_or_at_the_deadline,
          waiting_for_what_has_happened_spends_no_grant, a_late_loop_skips_ticks_and_says_how_many,
          a_participant_killed_while_blocked_is_gone_and_its_restart_joins_at_the_present_instant,
          a_participant_that_dies_in_its_turn_is_reported_at_that_instant,
          a_death_in_its_turn_is_survived_without_any_supervisor,
          a_participant_that_leaves_ends_its_turn,
          a_participant_stopped_in_its_turn_is_not_waited_for_and_finishes_it_when_continued,
          a_participant_stopped_while_blocked_runs_when_continued_if_its_deadline_has_passed,
          a_participant_that_takes_long_to_end_is_reported_at_the_instant_at_which_it_left,
          a_participant_stopped_when_it_has_left_is_not_waited_for,
          a_participant_stopped_in_its_turn_for_many_grants_finishes_it_and_has_missed_the_rest,
          two_runs_with_kill_and_restart_give_the_same_trace)
