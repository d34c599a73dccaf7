// What becomes of chains: which count, which a stall touched, what was omitted, what was missed.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/bench/latency/latency_ratio.h"

#define MS 1000000
#define PERIOD_NS (10 * MS)
#define EPOCH_NS 5000000000 // the trial's time 0 by the machine's clock
#define CHAINS 400          // 4 s: the first second and the last ten do not count
#define COUNTED (CHAINS - 100 - LATENCY_TAIL_PERIODS - 1)

static struct latency_chain chain[CHAINS];
static struct latency_record record = {
    .period = {PERIOD_NS}, .chain_count = CHAINS, .chain = chain};
static struct floor_record *floor_seen;
static struct latency_figures *figures;
static enum latency_sort sorted[CHAINS];

// Chains every period, each closed after 12 ms.
static void start(void)
{
    memset(chain, 0, sizeof chain);
    for (int i = 0; i < CHAINS; i++) {
        for (int p = 0; p < LATENCY_POINTS; p++)
            chain[i].at[p] = INSTANT_NEVER;
        chain[i].at[LATENCY_STATE_PUBLISHED] = instant_ns((int64_t)i * PERIOD_NS);
        chain[i].at[LATENCY_STATE_ACQUIRED] = instant_ns((int64_t)i * PERIOD_NS + 12 * MS);
    }
    floor_seen = calloc(1, sizeof *floor_seen);
    figures = latency_figures_create();
    ck_assert_ptr_nonnull(floor_seen);
    ck_assert_ptr_nonnull(figures);
    floor_seen->cores = 2;
}

static void add(void)
{
    latency_figures_add(figures, &record, EPOCH_NS, floor_seen, sorted);
}

static void finish(void)
{
    free(figures);
    free(floor_seen);
}

static const struct histogram *loop(enum latency_sort sort)
{
    return &figures->stage[LATENCY_STAGE_LOOP][sort];
}

START_TEST(the_first_second_and_the_last_states_do_not_count)
{
    start();
    add();
    ck_assert_uint_eq(figures->states[LATENCY_CLEAN], COUNTED);
    ck_assert_uint_eq(histogram_count(loop(LATENCY_CLEAN)), COUNTED);
    ck_assert_int_eq(sorted[99], LATENCY_SORTS);
    ck_assert_int_eq(sorted[100], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[CHAINS - LATENCY_TAIL_PERIODS - 2], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[CHAINS - LATENCY_TAIL_PERIODS - 1], LATENCY_SORTS);
    ck_assert_int_eq(histogram_max(loop(LATENCY_CLEAN)), 12 * MS);
    ck_assert_uint_eq(histogram_count(&figures->corrected), COUNTED);
    finish();
}
END_TEST

START_TEST(what_a_stall_touched_is_apart_and_missed_deadlines_with_it)
{
    start();
    // 3 ms within chain 200; no other is under way: 199 ends at 2002 ms, 201 begins at 2010 ms.
    stall_list_add(&floor_seen->core[1].stalls, EPOCH_NS + 2004 * MS, EPOCH_NS + 2007 * MS);
    chain[200].at[LATENCY_STATE_ACQUIRED] = instant_ns(2009 * MS);
    chain[200].missed = 1u << LATENCY_COMMAND_DUE;
    add();
    ck_assert_uint_eq(figures->states[LATENCY_STALLED], 1);
    ck_assert_int_eq(sorted[200], LATENCY_STALLED);
    ck_assert_int_eq(sorted[199], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[201], LATENCY_CLEAN);
    ck_assert_uint_eq(histogram_count(loop(LATENCY_STALLED)), 1);
    ck_assert_uint_eq(figures->deadline[LATENCY_COMMAND_DUE][LATENCY_CLEAN].missed, 0);
    ck_assert_uint_eq(figures->deadline[LATENCY_COMMAND_DUE][LATENCY_STALLED].missed, 1);
    ck_assert_uint_eq(histogram_count(&figures->corrected), COUNTED - 1);
    finish();
}
END_TEST

START_TEST(a_state_that_was_not_answered_waited_for_the_next_answer)
{
    start();
    chain[200].at[LATENCY_STATE_ACQUIRED] = INSTANT_NEVER;
    chain[201].at[LATENCY_STATE_ACQUIRED] = INSTANT_NEVER;
    add();
    ck_assert_uint_eq(figures->unanswered[LATENCY_CLEAN], 2);
    ck_assert_uint_eq(histogram_count(loop(LATENCY_CLEAN)), COUNTED - 2);
    ck_assert_uint_eq(histogram_count(&figures->corrected), COUNTED);
    ck_assert_int_eq(histogram_max(&figures->corrected), 32 * MS);
    finish();
}
END_TEST

START_TEST(states_that_were_never_published_count_as_missed_and_as_waiting)
{
    start();
    for (int i = 200; i < CHAINS; i++) // three are missing before chain 200
        for (int p = 0; p < LATENCY_POINTS; p++)
            if (chain[i].at[p].ns != INSTANT_NEVER.ns)
                chain[i].at[p].ns += 3 * PERIOD_NS;
    chain[200].missed = 1u << LATENCY_STATE_DUE;
    add();
    const struct latency_count *state = &figures->deadline[LATENCY_STATE_DUE][LATENCY_CLEAN];
    ck_assert_uint_eq(state->missed, 3);
    ck_assert_uint_eq(state->due, COUNTED + 3);
    ck_assert_uint_eq(histogram_count(loop(LATENCY_CLEAN)), COUNTED);
    ck_assert_uint_eq(histogram_count(&figures->corrected), COUNTED + 3);
    ck_assert_int_eq(histogram_max(&figures->corrected), 42 * MS); // the first of the three
    finish();
}
END_TEST

START_TEST(without_chains_nothing_was_measured_and_no_bound_is_met)
{
    start();
    const struct latency_record empty = {.period = {PERIOD_NS}};
    latency_figures_add(figures, &empty, EPOCH_NS, NULL, NULL);
    const struct latency_verdict verdict = latency_judge(figures);
    ck_assert(!verdict.measured && !verdict.met);
    finish();
}
END_TEST

START_TEST(the_bound_is_two_periods_at_999_of_1000)
{
    start();
    add();
    ck_assert(latency_judge(figures).met);
    ck_assert_int_eq(latency_judge(figures).bound.ns, 2 * PERIOD_NS);
    chain[150].at[LATENCY_STATE_ACQUIRED].ns += 9 * MS; // 21 ms, one of 289
    add();
    ck_assert(!latency_judge(figures).met);
    finish();
}
END_TEST

START_TEST(the_floors_samples_are_marked_as_the_targets_are)
{
    start();
    for (int i = 0; i < 100; i++)
        floor_seen->sample[i] = (struct floor_sample){.due_ns = EPOCH_NS + (int64_t)i * PERIOD_NS,
                                                      .part_ns = {5000, 20000, -1}};
    floor_seen->samples = 100;
    floor_seen->sample[7].part_ns[FLOOR_WAKE] = 3 * MS;
    stall_list_add(&floor_seen->core[0].stalls, EPOCH_NS + 71 * MS, EPOCH_NS + 72 * MS);
    add();
    ck_assert_uint_eq(figures->floor_samples[LATENCY_STALLED], 1);
    ck_assert_uint_eq(histogram_count(&figures->floor[FLOOR_WAKE]), 99);
    ck_assert_int_eq(histogram_max(&figures->floor[FLOOR_WAKE]), 5000);
    ck_assert_uint_eq(histogram_count(&figures->floor[FLOOR_HOP]), 0); // none arrived
    ck_assert_uint_eq(figures->stalls, 1);
    finish();
}
END_TEST

START_TEST(merged_figures_are_those_of_all_runs)
{
    start();
    add();
    struct latency_figures *all = latency_figures_create();
    ck_assert_ptr_nonnull(all);
    latency_figures_merge(all, figures);
    latency_figures_merge(all, figures);
    ck_assert_uint_eq(all->states[LATENCY_CLEAN], 2 * COUNTED);
    ck_assert_uint_eq(histogram_count(&all->corrected), 2 * COUNTED);
    ck_assert_uint_eq(all->deadline[LATENCY_SEND_DUE][LATENCY_CLEAN].due, 2 * COUNTED);
    ck_assert_int_eq(all->period.ns, PERIOD_NS);
    free(all);
    finish();
}
END_TEST

START_TEST(a_ratio_needs_both_figures_and_spreads_over_runs)
{
    static struct latency_result result = {.run_count = 3};
    const struct latency_ratio *hop = &latency_ratios[0];
    for (unsigned run = 0; run < 2; run++) { // the third has no floor
        result.run[run].floor[hop->part] = (struct latency_spot){.count = 1, .median_ns = 10000};
        result.run[run].stage[hop->stage] =
            (struct latency_spot){.count = 1, .median_ns = 10000 * (run + 1)};
    }
    const struct latency_spread spread = latency_ratio_over(&result, hop, LATENCY_MEDIAN);
    ck_assert_uint_eq(spread.count, 2);
    ck_assert_double_eq_tol(spread.median, 1.5, 1e-12);
    ck_assert_double_eq_tol(spread.low, 1, 1e-12);
    ck_assert_double_eq_tol(spread.high, 2, 1e-12);
    ck_assert(isnan(latency_ratio_in(&result, 2, hop, LATENCY_MEDIAN)));
    ck_assert_uint_eq(latency_ratio_over(&result, hop, LATENCY_P99).count, 0); // a floor of 0
}
END_TEST

START_TEST(a_loop_is_put_beside_the_machine_by_what_it_takes_over_its_schedule)
{
    static struct latency_result result = {.run_count = 1};
    const struct latency_ratio *over = &latency_ratios[2];
    ck_assert(over->over);
    result.schedule_ns[over->stage] = 10 * MS;
    result.run[0].floor[over->part] = (struct latency_spot){.count = 1, .p99_ns = 50000};
    result.run[0].stage[over->stage] =
        (struct latency_spot){.count = 1, .p99_ns = 10 * MS + 100000};
    ck_assert_double_eq_tol(latency_ratio_in(&result, 0, over, LATENCY_P99), 2, 1e-12);
    result.schedule_ns[over->stage] = -1;
    ck_assert(isnan(latency_ratio_in(&result, 0, over, LATENCY_P99)));
}
END_TEST

UNIT_MAIN("latency figures", the_first_second_and_the_last_states_do_not_count,
          what_a_stall_touched_is_apart_and_missed_deadlines_with_it,
          a_state_that_was_not_answered_waited_for_the_next_answer,
          states_that_were_never_published_count_as_missed_and_as_waiting,
          without_chains_nothing_was_measured_and_no_bound_is_met,
          the_bound_is_two_periods_at_999_of_1000, the_floors_samples_are_marked_as_the_targets_are,
          merged_figures_are_those_of_all_runs, a_ratio_needs_both_figures_and_spreads_over_runs,
          a_loop_is_put_beside_the_machine_by_what_it_takes_over_its_schedule)
