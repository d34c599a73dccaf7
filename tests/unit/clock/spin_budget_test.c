// clock: how much of its time a process may spin. A pure function; the bound holds for any use of it.
#include "tests/unit/common/unit.h"

#include <stdbool.h>

#include "base/random.h"
#include "clock/spin_budget.h"

#define MS INT64_C(1000000)
#define S (1000 * MS)

START_TEST(nothing_is_allowed_at_first_and_a_fifth_of_the_time_after)
{
    struct spin_budget budget = spin_budget_start(7 * S);
    ck_assert_int_eq(spin_budget_allow(&budget, 7 * S, 10 * MS), 0);
    ck_assert_int_eq(spin_budget_allow(&budget, 7 * S + 5 * MS, 10 * MS), 1 * MS);
    spin_budget_spend(&budget, 1 * MS);
    ck_assert_int_eq(spin_budget_allow(&budget, 7 * S + 5 * MS, 10 * MS), 0);
}
END_TEST

START_TEST(what_is_not_used_is_saved_up_to_the_burst)
{
    struct spin_budget budget = spin_budget_start(0);
    ck_assert_int_eq(spin_budget_allow(&budget, 3600 * S, S), SPIN_BURST_NS);
    budget = spin_budget_start(0);
    for (int64_t t = 0; t < 10 * S; t += MS)
        ck_assert_int_le(spin_budget_allow(&budget, t, S), SPIN_BURST_NS);
}
END_TEST

START_TEST(a_spin_that_took_too_long_is_paid_back_before_the_next)
{
    struct spin_budget budget = spin_budget_start(0);
    ck_assert_int_eq(spin_budget_allow(&budget, 50 * MS, 1 * MS), 1 * MS);
    spin_budget_spend(&budget, 110 * MS); // it was not on its core for a while; 100 ms overdrawn
    ck_assert_int_eq(spin_budget_allow(&budget, 549 * MS, 1 * MS), 0);
    ck_assert_int_gt(spin_budget_allow(&budget, 551 * MS, 1 * MS), 0);
}
END_TEST

START_TEST(a_clock_that_goes_back_gives_nothing)
{
    struct spin_budget budget = spin_budget_start(10 * S);
    ck_assert_int_eq(spin_budget_allow(&budget, 9 * S, 10 * MS), 0);
}
END_TEST

#define SPINS 20000

START_TEST(in_no_second_is_more_than_a_quarter_spent_however_it_is_used)
{
    static int64_t end[SPINS], spent[SPINS];
    for (uint64_t seed = 1; seed <= 20; seed++) {
        struct random_stream random;
        random_start(&random, seed, "spins");
        int64_t now = 0, in_second = 0;
        struct spin_budget budget = spin_budget_start(now);
        for (int i = 0, first = 0; i < SPINS; i++) {
            const int64_t wanted = (int64_t)random_uniform(&random, 0, (double)(10 * MS));
            const bool idles = random_uniform(&random, 0, 1) < 0.01;
            now += (int64_t)random_uniform(&random, 0, (double)(idles ? S : MS));
            spent[i] = spin_budget_allow(&budget, now, wanted);
            spin_budget_spend(&budget, spent[i]);
            now += spent[i];
            end[i] = now;
            in_second += spent[i];
            while (end[first] - spent[first] < now - S) // not wholly within the second before now
                in_second -= spent[first++];
            ck_assert_int_le(in_second, S / 4);
        }
    }
}
END_TEST

UNIT_MAIN("spin-budget", nothing_is_allowed_at_first_and_a_fifth_of_the_time_after,
          what_is_not_used_is_saved_up_to_the_burst,
          a_spin_that_took_too_long_is_paid_back_before_the_next,
          a_clock_that_goes_back_gives_nothing,
          in_no_second_is_more_than_a_quarter_spent_however_it_is_used)
