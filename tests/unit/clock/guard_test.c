// clock: what somebody writes into the page is noticed, bends no time, and is blamed on who did it.
#include "tests/unit/common/unit.h"

#include "tests/unit/common/clock_lab.h"
#include "clock/coordinator_private.h"
#include "clock/skew.h"

static struct clk_page *page; // as the wild one has it
static void (*damage)(struct clk_page *page);

static void every_ms(struct clk *clk)
{
    for (;;)
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(1)));
}

static void goes_wild_at_5_ms(struct clk *clk)
{
    clk_sleep_until(clk, instant_ns(5000000));
    damage(page);
    every_ms(clk);
}

static void advance_time(struct clk_page *p)
{
    p->now_ns += 1000000000;
}

static void move_deadline(struct clk_page *p)
{
    p->slot[0].deadline_ns += 1;
}

static void wipe_alive(struct clk_page *p)
{
    memset(&p->slot[0].alive, 0, sizeof p->slot[0].alive);
}

static void grant_another(struct clk_page *p)
{
    p->slot[0].turn = CLK_TURN_GRANTED;
}

static void slow_the_world(struct clk_page *p)
{
    p->slot[0].skew.busy_ns = 1000000;
    p->slot[0].skew.active = 1;
}

static void bend_an_oscillator(struct clk_page *p)
{
    p->slot[1].oscillator.drift_ppb = 1;
}

static void add_a_participant(struct clk_page *p)
{
    p->participant_count++;
}

static void rename_it(struct clk_page *p)
{
    p->slot[0].name[0] ^= 1;
}

// Participant 0 is the world, 1 sound and 2 wild.
static void run_wild(void (*how)(struct clk_page *page))
{
    struct lab lab;
    unsigned culprit = 99, spoiler = 99;
    damage = how;
    open_lab(&lab, CLK_VIRTUAL);
    page = lab.coordinator->page; // shared by forks
    add(&lab, "world", 9, true, every_ms);
    add(&lab, "sound", 5, false, every_ms);
    add(&lab, "wild", 1, false, goes_wild_at_5_ms);
    start_all(&lab);
    ck_assert_int_eq(clk_coordinator_run_until(lab.coordinator, instant_ns(4999999), NULL),
                     STATUS_OK);
    ck_assert(!clk_coordinator_is_spoiled(lab.coordinator));
    const enum status status =
        clk_coordinator_run_until(lab.coordinator, instant_ns(5500000), &culprit);
    ck_assert_msg(status == STATUS_OK || status == STATUS_CORRUPT, "%s", status_name(status));
    ck_assert(clk_coordinator_is_spoiled(lab.coordinator));
    ck_assert_int_le(clk_coordinator_now(lab.coordinator).ns, 5500000);
    // It ran, and the other did: who it was is known where nobody ran after it.
    if (clk_coordinator_spoiler(lab.coordinator, &spoiler))
        ck_assert_uint_eq(spoiler, 2);
    close_lab(&lab);
}

START_TEST(whatever_is_written_into_the_page_is_noticed)
{
    static void (*const all[])(struct clk_page *) = {
        advance_time,   move_deadline,      wipe_alive,        grant_another,
        slow_the_world, bend_an_oscillator, add_a_participant, rename_it};
    for (size_t i = 0; i < sizeof all / sizeof all[0]; i++)
        run_wild(all[i]);
}
END_TEST

START_TEST(who_moves_the_time_is_known_at_once)
{
    struct lab lab;
    unsigned culprit = 99, spoiler = 99;
    damage = advance_time;
    open_lab(&lab, CLK_VIRTUAL);
    page = lab.coordinator->page;
    add(&lab, "world", 9, true, every_ms);
    add(&lab, "sound", 5, false, every_ms);
    add(&lab, "wild", 1, false, goes_wild_at_5_ms);
    start_all(&lab);
    ck_assert_int_eq(clk_coordinator_run_until(lab.coordinator, instant_s(1), &culprit),
                     STATUS_CORRUPT);
    ck_assert(clk_coordinator_spoiler(lab.coordinator, &spoiler));
    ck_assert_uint_eq(spoiler, 2);
    ck_assert_uint_eq(culprit, 2);
    ck_assert_int_eq(clk_coordinator_now(lab.coordinator).ns, 5000000);
    close_lab(&lab);
}
END_TEST

START_TEST(what_the_lab_does_to_a_clock_is_no_spoiling)
{
    struct lab lab;
    const struct clk_skew skew = {.step_ns = 7000, .rate_ppb = 1000000, .tag = 1};
    open_lab(&lab, CLK_VIRTUAL);
    struct member *member = add(&lab, "sound", 5, false, every_ms);
    start_all(&lab);
    run_to_ms(&lab, 3);
    ck_assert_int_eq(clk_skew_begin(lab.cell, "sound", &skew), STATUS_OK);
    clk_coordinator_adopt(lab.coordinator);
    ck_assert(!clk_coordinator_is_spoiled(lab.coordinator));
    ck_assert_int_eq(clk_coordinator_error_ns(lab.coordinator, member->number, instant_ns(4000000)),
                     8000);
    ck_assert_int_eq(clk_skew_end(lab.cell, "sound", 1), STATUS_OK);
    ck_assert(clk_coordinator_is_spoiled(lab.coordinator)); // nobody has said that it was the lab
    close_lab(&lab);
}
END_TEST

UNIT_MAIN("guard of the clock's page", whatever_is_written_into_the_page_is_noticed,
          who_moves_the_time_is_known_at_once, what_the_lab_does_to_a_clock_is_no_spoiling)
