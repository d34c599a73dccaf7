// Which square comes next where there is not time for all.
#include "tests/unit/common/unit.h"

#include "harness/campaign/widest.h"

static struct campaign campaign;
static struct widest widest;

static void plan(unsigned squares, unsigned trials)
{
    campaign = (struct campaign){.square_count = squares};
    for (unsigned i = 0; i < squares; i++)
        campaign.square[i].trials = trials;
    widest = (struct widest){0};
}

static void run_one(unsigned square, unsigned number, enum verdict verdict)
{
    unsigned next, place;
    ck_assert(widest_next(&widest, &campaign, &next, &place));
    ck_assert_uint_eq(next, square);
    ck_assert_uint_eq(place, number);
    widest_start(&widest, next);
    widest_end(&widest, next, true, verdict);
}

START_TEST(equal_squares_take_turns)
{
    plan(3, 4);
    for (unsigned number = 0; number < 4; number++)
        for (unsigned square = 0; square < 3; square++)
            run_one(square, number, VERDICT_PASS);
    unsigned square, number;
    ck_assert(!widest_next(&widest, &campaign, &square, &number));
}
END_TEST

// Of 20 trials 10 failed in the first, and none in the second.
START_TEST(the_square_that_is_known_least_comes_first)
{
    plan(2, 40);
    widest.judged[0] = widest.judged[1] = 20;
    widest.failed[0] = 10;
    widest.next[0] = widest.next[1] = 20;
    for (unsigned i = 0; i < 15; i++)
        run_one(0, 20 + i, i % 2 ? VERDICT_PASS : VERDICT_FAIL);
}
END_TEST

// Those that run count as known; those that were lost or skipped do not.
START_TEST(what_runs_counts_and_what_is_lost_does_not)
{
    unsigned square, number;
    plan(2, 9);
    ck_assert(widest_next(&widest, &campaign, &square, &number));
    ck_assert_uint_eq(square, 0);
    widest_start(&widest, 0);
    ck_assert(widest_next(&widest, &campaign, &square, &number));
    ck_assert_uint_eq(square, 1);
    widest_start(&widest, 1);
    widest_end(&widest, 0, false, VERDICT_FAIL);
    widest_end(&widest, 1, true, VERDICT_PASS);
    run_one(0, 1, VERDICT_SKIP);
    run_one(0, 2, VERDICT_PASS);
}
END_TEST

UNIT_MAIN("widest", equal_squares_take_turns, the_square_that_is_known_least_comes_first,
          what_runs_counts_and_what_is_lost_does_not)
