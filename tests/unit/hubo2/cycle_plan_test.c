// The table of who does what when: turns in order, with room for what must happen between them.
#include "tests/unit/common/unit.h"

#include "targets/hubo2/cycle_plan.h"

#define REFERENCES_ON_BUS_US 940 // of a cycle, at 1 Mbit/s (doc/reference/can.md)
#define POLLS_ON_BUS_US 2660     // requests and replies
#define CYCLE_ON_BUS_US 3530     // all of it
#define BUSES_COST_BELOW_HZ 500  // from there on they are taken to cost nothing

static int64_t share_us(const struct cycle_plan *plan, int percent)
{
    return cycle_share(cycle_period(plan), percent).ns / 1000;
}

START_TEST(in_every_plan_turns_follow_one_another)
{
    for (size_t i = 0; i < CYCLE_PLANS; i++) {
        const struct cycle_plan *plan = &cycle_plans[i];
        ck_assert_int_lt(0, plan->publish_percent);
        ck_assert_int_lt(plan->publish_percent, plan->answer_percent);
        ck_assert_int_lt(plan->publish_percent, plan->overrun_percent);
        ck_assert_int_lt(plan->answer_percent, 100);
        ck_assert_int_lt(plan->overrun_percent, 100);
        if (plan->mode == CYCLE_ONE_PERIOD)
            ck_assert_int_lt(plan->answer_percent, plan->send_percent);
    }
}
END_TEST

START_TEST(in_one_period_the_bus_is_done_in_time)
{
    for (size_t i = 0; i < CYCLE_PLANS; i++) {
        const struct cycle_plan *plan = &cycle_plans[i];
        if (plan->mode != CYCLE_ONE_PERIOD || plan->rate_hz >= BUSES_COST_BELOW_HZ)
            continue;
        ck_assert_int_ge(share_us(plan, plan->publish_percent), POLLS_ON_BUS_US);
        ck_assert_int_le(share_us(plan, plan->send_percent) + REFERENCES_ON_BUS_US,
                         share_us(plan, 100));
    }
}
END_TEST

START_TEST(in_two_periods_the_replies_are_there_when_the_state_is_due)
{
    for (size_t i = 0; i < CYCLE_PLANS; i++) {
        const struct cycle_plan *plan = &cycle_plans[i];
        if (plan->mode == CYCLE_TWO_PERIODS && plan->rate_hz < BUSES_COST_BELOW_HZ)
            ck_assert_int_ge(share_us(plan, plan->publish_percent), CYCLE_ON_BUS_US);
    }
}
END_TEST

START_TEST(a_period_gets_the_plan_of_the_slowest_rate_that_is_no_slower)
{
    static const struct {
        int64_t period_us;
        unsigned two_hz, one_hz;
    } expected[] = {{100000, 100, 100}, {10000, 100, 100}, {9999, 200, 200},   {5000, 200, 200},
                    {4000, 250, 500},   {2000, 500, 500},  {1000, 1000, 1000}, {1, 1000, 1000}};
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const duration period = duration_us(expected[i].period_us);
        const struct cycle_plan *two = cycle_plan_of(period, CYCLE_TWO_PERIODS),
                                *one = cycle_plan_of(period, CYCLE_ONE_PERIOD);
        ck_assert_uint_eq(two->rate_hz, expected[i].two_hz);
        ck_assert_uint_eq(one->rate_hz, expected[i].one_hz);
        ck_assert_int_eq(two->mode, CYCLE_TWO_PERIODS);
        ck_assert_int_eq(one->mode, CYCLE_ONE_PERIOD);
    }
}
END_TEST

UNIT_MAIN("cycle plan", in_every_plan_turns_follow_one_another,
          in_one_period_the_bus_is_done_in_time,
          in_two_periods_the_replies_are_there_when_the_state_is_due,
          a_period_gets_the_plan_of_the_slowest_rate_that_is_no_slower)
