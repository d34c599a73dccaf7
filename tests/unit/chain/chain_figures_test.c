// What becomes of chains: which count, which a stall touched, what was omitted, what was missed.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

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
}

static void add(void)
{
    const struct machine_trial machine = {floor_seen, EPOCH_NS};
    const struct chain_stalls stalls = {machine_trial_stalled, &machine};
    chain_figures_add(figures, &three_links, &record, &stalls, CHAIN_WHOLE, sorted);
}

static void finish(void)
{
    free(figures);
    free(floor_seen);
}

static const struct histogram *loop(void)
{
    return &figures->stage[figures->stages.whole];
}

static uint64_t states(enum chain_sort sort)
{
    return figures->owed[STATE][sort].due;
}

START_TEST(the_first_second_and_the_last_states_do_not_count)
{
    start();
    add();
    ck_assert_uint_eq(states(CHAIN_CLEAN), COUNTED);
    ck_assert_uint_eq(histogram_count(loop()), COUNTED);
    ck_assert_int_eq(sorted[99], CHAIN_SORTS);
    ck_assert_int_eq(sorted[100], CHAIN_CLEAN);
    ck_assert_int_eq(sorted[CHAINS - CHAIN_TAIL_PERIODS - 2], CHAIN_CLEAN);
    ck_assert_int_eq(sorted[CHAINS - CHAIN_TAIL_PERIODS - 1], CHAIN_SORTS);
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
    chain[200].at[CHAIN_REACHED(ACQUIRED)] = instant_ns(2009 * MS);
    chain[200].missed = 1u << COMMAND;
    add();
    ck_assert_uint_eq(states(CHAIN_STALLED), 1);
    ck_assert_int_eq(sorted[200], CHAIN_STALLED);
    ck_assert_int_eq(sorted[199], CHAIN_CLEAN);
    ck_assert_int_eq(sorted[201], CHAIN_CLEAN);
    ck_assert_uint_eq(histogram_count(loop()), COUNTED - 1);
    ck_assert_uint_eq(histogram_count(&figures->corrected_all), COUNTED);
    ck_assert_uint_eq(figures->owed[COMMAND][CHAIN_CLEAN].missed, 0);
    ck_assert_uint_eq(figures->owed[COMMAND][CHAIN_STALLED].missed, 1);
    ck_assert_uint_eq(histogram_count(&figures->corrected), COUNTED - 1);
    finish();
}
END_TEST

START_TEST(a_state_that_was_not_answered_waited_for_the_next_answer)
{
    start();
    chain[200].at[CHAIN_REACHED(ACQUIRED)] = INSTANT_NEVER;
    chain[201].at[CHAIN_REACHED(ACQUIRED)] = INSTANT_NEVER;
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
        for (int p = 0; p < CHAIN_POINTS_MAX; p++)
            if (chain[i].at[p].ns != INSTANT_NEVER.ns)
                chain[i].at[p].ns += 3 * PERIOD_NS;
    chain[200].missed = 1u << STATE;
    add();
    const struct chain_count *state = &figures->owed[STATE][CHAIN_CLEAN];
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
    const struct chain_record empty = {.period = {PERIOD_NS}};
    chain_figures_add(figures, &three_links, &empty, NULL, CHAIN_WHOLE, NULL);
    ck_assert_uint_eq(states(CHAIN_CLEAN), 0);
    ck_assert(!chain_bound_is_met(&figures->corrected, &three_links.bound, 1e-3 * PERIOD_NS));
    finish();
}
END_TEST

START_TEST(the_bound_is_two_periods_at_999_of_1000)
{
    start();
    add();
    ck_assert(chain_bound_is_met(&figures->corrected, &three_links.bound, 1e-3 * PERIOD_NS));
    ck_assert(!chain_bound_is_met(&figures->corrected, &three_links.bound,
                                  0.5e-3 * PERIOD_NS));  // 12 ms, of 10
    chain[150].at[CHAIN_REACHED(ACQUIRED)].ns += 9 * MS; // 21 ms, one of 289
    add();
    ck_assert(!chain_bound_is_met(&figures->corrected, &three_links.bound, 1e-3 * PERIOD_NS));
    finish();
}
END_TEST

START_TEST(only_states_that_were_due_in_the_window_count)
{
    start();
    const struct chain_window window = {instant_s(2), instant_s(3)};
    chain_figures_add(figures, &three_links, &record, NULL, window, sorted);
    ck_assert_uint_eq(states(CHAIN_CLEAN), 100);
    ck_assert_int_eq(sorted[199], CHAIN_SORTS);
    ck_assert_int_eq(sorted[200], CHAIN_CLEAN);
    ck_assert_int_eq(sorted[300], CHAIN_SORTS);
    finish();
}
END_TEST

UNIT_MAIN("chain figures", the_first_second_and_the_last_states_do_not_count,
          what_a_stall_touched_is_apart_and_missed_deadlines_with_it,
          a_state_that_was_not_answered_waited_for_the_next_answer,
          states_that_were_never_published_count_as_missed_and_as_waiting,
          without_chains_nothing_was_measured_and_no_bound_is_met,
          the_bound_is_two_periods_at_999_of_1000, only_states_that_were_due_in_the_window_count)
