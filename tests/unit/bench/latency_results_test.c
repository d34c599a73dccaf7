// What becomes of chains as results of a benchmark, beside the machine.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/bench/latency/latency_results.h"
#include "tests/unit/chain/three_links.h"

#define MS 1000000
#define PERIOD_NS (10 * MS)
#define EPOCH_NS 5000000000 // the trial's time 0 by the machine's clock
#define CHAINS 400          // 4 s: the first second and the last ten do not count
#define COUNTED (CHAINS - 100 - CHAIN_TAIL_PERIODS - 1)

static struct chain_instant chain[CHAINS];
static struct chain_record record = {.period = {PERIOD_NS}, .count = CHAINS, .instant = chain};
static struct floor_record *floor_seen;
static struct chain_figures *figures;
static struct latency_floor seen;
static enum chain_sort sorted[CHAINS];

// Chains every period, each closed after 12 ms.
static void start(void)
{
    memset(chain, 0, sizeof chain);
    for (int i = 0; i < CHAINS; i++) {
        for (int p = 0; p < CHAIN_POINTS_MAX; p++)
            chain[i].at[p] = INSTANT_NEVER;
        chain[i].at[CHAIN_REACHED(STATE)] = instant_ns((int64_t)i * PERIOD_NS);
        chain[i].at[CHAIN_REACHED(ACQUIRED)] = instant_ns((int64_t)i * PERIOD_NS + 12 * MS);
    }
    floor_seen = calloc(1, sizeof *floor_seen);
    figures = chain_figures_create(&three_links);
    ck_assert_ptr_nonnull(floor_seen);
    ck_assert_ptr_nonnull(figures);
    floor_seen->cores = 2;
    latency_floor_fill(&seen, NULL);
}

static void add(void)
{
    const struct machine_trial machine = {floor_seen, EPOCH_NS};
    const struct chain_stalls stalls = {machine_trial_stalled, &machine};
    chain_figures_add(figures, &three_links, &record, &stalls, CHAIN_WHOLE, sorted);
    latency_floor_fill(&seen, floor_seen);
}

static void finish(void)
{
    free(figures);
    free(floor_seen);
}

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
    ck_assert_uint_eq(histogram_count(&seen.part[FLOOR_WAKE]), 99);
    ck_assert_int_eq(histogram_max(&seen.part[FLOOR_WAKE]), 5000);
    ck_assert_uint_eq(histogram_count(&seen.part[FLOOR_HOP]), 0); // none arrived
    ck_assert_uint_eq(seen.stalls, 1);
    finish();
}
END_TEST

// ---- as results -------------------------------------------------------------------------------

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
        histogram_record(&figures->stage[figures->stages.wakes], 30000);
        histogram_record(&seen.part[FLOOR_HOP], 20000);
        histogram_record(&figures->stage[figures->stages.whole], 10 * MS + 100000);
        histogram_record(&seen.part[FLOOR_WAKE], 50000);
    }
    latency_put_stages(&result, figures, &seen, 10000);
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
    histogram_record(&figures->stage[figures->stages.whole], 10 * MS);
    histogram_record(&seen.part[FLOOR_WAKE], 50000);
    latency_put_stages(&result, figures, &seen, NAN);
    ck_assert(isnan(bench_value(&result, "loop over schedule / machine wakes p99")));
    free_result(&result);
    finish();
}
END_TEST

START_TEST(missed_deadlines_are_shares_of_what_each_process_owed)
{
    start();
    struct bench_result result = {0};
    chain[200].missed = 1u << COMMAND;
    chain[201].at[CHAIN_REACHED(ACQUIRED)] = INSTANT_NEVER;
    add();
    latency_put_missed(&result, &three_links, figures, "during ");
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
    chain[150].at[CHAIN_REACHED(ACQUIRED)] = INSTANT_NEVER;
    chain[151].at[CHAIN_REACHED(ACQUIRED)].ns += 9 * MS;
    add();
    latency_put_samples(&result, "state to acquired", &record, figures, sorted);
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

UNIT_MAIN("latency results", the_floors_samples_are_marked_as_the_targets_are,
          stages_are_called_as_the_targets_processes_and_put_beside_the_machine,
          without_a_plan_the_loop_is_not_put_beside_the_machine,
          missed_deadlines_are_shares_of_what_each_process_owed,
          samples_near_the_median_are_thinned_out_and_others_kept)
