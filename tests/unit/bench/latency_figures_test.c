// What becomes of chains: which count, which a stall touched, what was omitted, what was missed.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/bench/latency/latency_results.h"
#include "harness/files/target/wire_config.h"

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
    latency_figures_add(figures, &record, EPOCH_NS, floor_seen, LATENCY_WHOLE, sorted);
}

static void finish(void)
{
    free(figures);
    free(floor_seen);
}

static const struct histogram *loop(void)
{
    return &figures->stage[LATENCY_STAGE_LOOP];
}

static uint64_t states(enum latency_sort sort)
{
    return figures->deadline[LATENCY_STATE_DUE][sort].due;
}

START_TEST(the_first_second_and_the_last_states_do_not_count)
{
    start();
    add();
    ck_assert_uint_eq(states(LATENCY_CLEAN), COUNTED);
    ck_assert_uint_eq(histogram_count(loop()), COUNTED);
    ck_assert_int_eq(sorted[99], LATENCY_SORTS);
    ck_assert_int_eq(sorted[100], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[CHAINS - LATENCY_TAIL_PERIODS - 2], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[CHAINS - LATENCY_TAIL_PERIODS - 1], LATENCY_SORTS);
    ck_assert_int_eq(histogram_max(loop()), 12 * MS);
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
    ck_assert_uint_eq(states(LATENCY_STALLED), 1);
    ck_assert_int_eq(sorted[200], LATENCY_STALLED);
    ck_assert_int_eq(sorted[199], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[201], LATENCY_CLEAN);
    ck_assert_uint_eq(histogram_count(loop()), COUNTED - 1);
    ck_assert_uint_eq(histogram_count(&figures->corrected_all), COUNTED);
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
    ck_assert_uint_eq(figures->unanswered, 2);
    ck_assert_uint_eq(histogram_count(loop()), COUNTED - 2);
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
    ck_assert_uint_eq(histogram_count(loop()), COUNTED);
    ck_assert_uint_eq(histogram_count(&figures->corrected), COUNTED + 3);
    ck_assert_int_eq(histogram_max(&figures->corrected), 42 * MS); // the first of the three
    finish();
}
END_TEST

START_TEST(without_chains_nothing_was_measured_and_no_bound_is_met)
{
    start();
    const struct latency_record empty = {.period = {PERIOD_NS}};
    latency_figures_add(figures, &empty, EPOCH_NS, NULL, LATENCY_WHOLE, NULL);
    ck_assert_uint_eq(states(LATENCY_CLEAN), 0);
    ck_assert(!latency_is_met(&figures->corrected, 1e-3 * PERIOD_NS));
    finish();
}
END_TEST

START_TEST(the_bound_is_two_periods_at_999_of_1000)
{
    start();
    add();
    ck_assert(latency_is_met(&figures->corrected, 1e-3 * PERIOD_NS));
    ck_assert(!latency_is_met(&figures->corrected, 0.5e-3 * PERIOD_NS)); // 12 ms, of 10
    chain[150].at[LATENCY_STATE_ACQUIRED].ns += 9 * MS;                  // 21 ms, one of 289
    add();
    ck_assert(!latency_is_met(&figures->corrected, 1e-3 * PERIOD_NS));
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
    ck_assert_uint_eq(histogram_count(&figures->floor[FLOOR_WAKE]), 99);
    ck_assert_int_eq(histogram_max(&figures->floor[FLOOR_WAKE]), 5000);
    ck_assert_uint_eq(histogram_count(&figures->floor[FLOOR_HOP]), 0); // none arrived
    ck_assert_uint_eq(figures->stalls, 1);
    finish();
}
END_TEST

START_TEST(only_states_that_were_due_in_the_window_count)
{
    start();
    const struct latency_window window = {instant_s(2), instant_s(3)};
    latency_figures_add(figures, &record, EPOCH_NS, floor_seen, window, sorted);
    ck_assert_uint_eq(states(LATENCY_CLEAN), 100);
    ck_assert_int_eq(sorted[199], LATENCY_SORTS);
    ck_assert_int_eq(sorted[200], LATENCY_CLEAN);
    ck_assert_int_eq(sorted[300], LATENCY_SORTS);
    finish();
}
END_TEST

// ---- as results -------------------------------------------------------------------------------

static const struct channel_config channels[LATENCY_ROLES] = {
    {.writer = "legs"}, {.writer = "head"}, {.writer = "spine"}};
static const struct latency_pipeline pipeline = {
    .channel = {&channels[LATENCY_SENSES], &channels[LATENCY_ANSWERS], &channels[LATENCY_DRIVES]}};

static void free_result(struct bench_result *result)
{
    for (unsigned i = 0; i < result->run.histogram_count; i++)
        free(result->distribution[i]);
    free(result->distribution);
    free(result->figure);
    free(result->sample);
}

START_TEST(stages_are_called_as_the_targets_processes_and_put_beside_the_machine)
{
    start();
    struct bench_result result = {0};
    for (int i = 0; i < 3; i++) {
        histogram_record(&figures->stage[LATENCY_STAGE_WAKES], 30000);
        histogram_record(&figures->floor[FLOOR_HOP], 20000);
        histogram_record(&figures->stage[LATENCY_STAGE_LOOP], 10 * MS + 100000);
        histogram_record(&figures->floor[FLOOR_WAKE], 50000);
    }
    latency_put_stages(&result, &pipeline, figures, 10000);
    ck_assert_double_eq_tol(bench_value(&result, "head wakes / machine hops median"), 1.5, 0.01);
    // Late at both ends, a loop is as long as planned: of its median nothing is said.
    ck_assert(isnan(bench_value(&result, "loop over schedule / machine wakes median")));
    ck_assert_double_eq_tol(bench_value(&result, "loop over schedule / machine wakes p99"), 2, 0.1);
    ck_assert(isnan(bench_value(&result, "head computes / machine computes median")));
    free_result(&result);
    finish();
}
END_TEST

START_TEST(without_a_plan_the_loop_is_not_put_beside_the_machine)
{
    start();
    struct bench_result result = {0};
    histogram_record(&figures->stage[LATENCY_STAGE_LOOP], 10 * MS);
    histogram_record(&figures->floor[FLOOR_WAKE], 50000);
    latency_put_stages(&result, &pipeline, figures, NAN);
    ck_assert(isnan(bench_value(&result, "loop over schedule / machine wakes p99")));
    free_result(&result);
    finish();
}
END_TEST

START_TEST(missed_deadlines_are_shares_of_what_each_process_owed)
{
    start();
    struct bench_result result = {0};
    chain[200].missed = 1u << LATENCY_COMMAND_DUE;
    chain[201].at[LATENCY_STATE_ACQUIRED] = INSTANT_NEVER;
    add();
    latency_put_missed(&result, &pipeline, figures, "during ");
    ck_assert_double_eq(bench_value(&result, "during states due"), COUNTED);
    ck_assert_double_eq_tol(bench_value(&result, "during head command missed"), 100.0 / COUNTED,
                            1e-9);
    ck_assert_double_eq(bench_value(&result, "during legs state missed"), 0);
    ck_assert_double_eq_tol(bench_value(&result, "during loops never closed"), 100.0 / COUNTED,
                            1e-9);
    free_result(&result);
    finish();
}
END_TEST

START_TEST(samples_near_the_median_are_thinned_out_and_others_kept)
{
    start();
    struct bench_result result = {0};
    chain[150].at[LATENCY_STATE_ACQUIRED] = INSTANT_NEVER;
    chain[151].at[LATENCY_STATE_ACQUIRED].ns += 9 * MS;
    add();
    latency_put_samples(&result, &record, figures, sorted);
    unsigned far = 0;
    for (unsigned i = 0; i < result.run.sample_count; i++)
        far += isnan(result.sample[i].value) || result.sample[i].value > 20000;
    ck_assert_uint_eq(far, 2);
    ck_assert_uint_gt(result.run.sample_count, 100);
    ck_assert_uint_lt(result.run.sample_count, COUNTED);
    free_result(&result);
    finish();
}
END_TEST

UNIT_MAIN("latency figures", the_first_second_and_the_last_states_do_not_count,
          what_a_stall_touched_is_apart_and_missed_deadlines_with_it,
          a_state_that_was_not_answered_waited_for_the_next_answer,
          states_that_were_never_published_count_as_missed_and_as_waiting,
          without_chains_nothing_was_measured_and_no_bound_is_met,
          the_bound_is_two_periods_at_999_of_1000, the_floors_samples_are_marked_as_the_targets_are,
          only_states_that_were_due_in_the_window_count,
          stages_are_called_as_the_targets_processes_and_put_beside_the_machine,
          without_a_plan_the_loop_is_not_put_beside_the_machine,
          missed_deadlines_are_shares_of_what_each_process_owed,
          samples_near_the_median_are_thinned_out_and_others_kept)
