// Deadlines and the loop before, during and after a fault, on chains made by hand: a state each 10
// ms, answered after 20 ms.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/files/target/target.h"
#include "harness/history/history.h"
#include "harness/bench/interference/interference.h"
#include "harness/machine/machine_floor.h"
#include "harness/files/target/chain_file.h"

#define PERIOD_MS 10
#define CHAINS 800
#define COUNTED_AFTER 89 // from 7 s on, but the ten periods before the last state, at 7.99 s

// The links of hubo2's loop.
enum { STATE, COMMAND, REFERENCE, SEND, LINKS };
#define ACQUIRED 6
static struct target *hubo2;
static const struct chain_config *loop;
static struct chain_instant chain[CHAINS];
static struct chain_record record;
static const struct interference_times times = {.applied = {3000000000}, .undone = {7000000000}};

static void make_record(void)
{
    if (hubo2 == NULL)
        ck_assert_int_eq(target_load("targets/hubo2/target.yaml", &hubo2), STATUS_OK);
    loop = chain_find(hubo2, "loop");
    record =
        (struct chain_record){.period = duration_ms(PERIOD_MS), .instant = chain, .count = CHAINS};
    for (size_t i = 0; i < CHAINS; i++) {
        chain[i] = (struct chain_instant){.number = (int64_t)i + 1};
        for (int p = 0; p < CHAIN_POINTS_MAX; p++)
            chain[i].at[p] = INSTANT_NEVER;
        chain[i].at[CHAIN_REACHED(STATE)] = instant_ns((int64_t)i * PERIOD_MS * 1000000);
        chain[i].at[CHAIN_REACHED(ACQUIRED)] =
            instant_add(chain[i].at[CHAIN_REACHED(STATE)], duration_ms(20));
    }
}

// Chains from `first` to before `last` are gone, as if their states had never been published.
static void lose(size_t first, size_t last)
{
    memmove(&chain[first], &chain[last], (CHAINS - last) * sizeof chain[0]);
    record.count = CHAINS - (last - first);
    chain[first].missed |= 1u << STATE;
}

static struct interference *measured(void)
{
    struct interference *interference = malloc(sizeof *interference);
    ck_assert_ptr_nonnull(interference);
    ck_assert_int_eq(interference_create(loop, interference), STATUS_OK);
    interference_add(interference, loop, &record, &times, NULL);
    return interference;
}

static void forget(struct interference *interference)
{
    interference_free(interference);
    free(interference);
}

static const struct chain_count *clean(const struct interference *interference,
                                       enum interference_window window, unsigned link)
{
    return &interference->window[window]->owed[link][CHAIN_CLEAN];
}

START_TEST(each_state_counts_for_the_window_it_was_due_in)
{
    make_record();
    struct interference *sum = measured();
    const uint64_t due[INTERFERENCE_WINDOWS] = {200, 400, COUNTED_AFTER};
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        for (int d = 0; d < LINKS; d++) {
            ck_assert_uint_eq(clean(sum, w, d)->due, due[w]);
            ck_assert_uint_eq(clean(sum, w, d)->missed, 0);
        }
        ck_assert_uint_eq(sum->window[w]->unanswered, 0);
        ck_assert_uint_eq(histogram_count(&sum->window[w]->corrected), due[w]);
    }
    forget(sum);
}
END_TEST

START_TEST(a_missed_answer_counts_for_its_process_and_window_alone)
{
    make_record();
    chain[350].missed = 1u << COMMAND;
    chain[351].missed = 1u << COMMAND | 1u << REFERENCE;
    chain[750].missed = 1u << SEND;
    chain[50].missed = 1u << COMMAND; // while the stack is starting
    struct interference *sum = measured();
    ck_assert_uint_eq(clean(sum, INTERFERENCE_DURING, COMMAND)->missed, 2);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_DURING, REFERENCE)->missed, 1);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_DURING, SEND)->missed, 0);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_AFTER, SEND)->missed, 1);
    for (int d = 0; d < LINKS; d++)
        ck_assert_uint_eq(clean(sum, INTERFERENCE_BEFORE, d)->missed, 0);
    forget(sum);
}
END_TEST

// The worst load is one under which nothing is published any more: the states that follow it must
// not be blamed.
START_TEST(states_that_were_never_published_count_where_they_were_due)
{
    make_record();
    lose(310, 720); // from 3.1 s to 7.2 s
    struct interference *sum = measured();
    ck_assert_uint_eq(clean(sum, INTERFERENCE_DURING, STATE)->due, 400);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_DURING, STATE)->missed, 390);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_DURING, COMMAND)->due,
                      10); // nothing to answer else
    ck_assert_uint_eq(clean(sum, INTERFERENCE_AFTER, STATE)->due, COUNTED_AFTER);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_AFTER, STATE)->missed, 20);
    ck_assert_uint_eq(clean(sum, INTERFERENCE_BEFORE, STATE)->missed, 0);
    // The first of them waited until the answer to the state of 7.2 s.
    ck_assert_int_eq(histogram_max(&sum->window[INTERFERENCE_DURING]->corrected),
                     (7220 - 3100) * INT64_C(1000000));
    forget(sum);
}
END_TEST

START_TEST(a_loop_that_never_closes_waits_for_the_next_that_does)
{
    make_record();
    chain[400].at[CHAIN_REACHED(ACQUIRED)] = INSTANT_NEVER;
    struct interference *sum = measured();
    ck_assert_uint_eq(sum->window[INTERFERENCE_DURING]->unanswered, 1);
    ck_assert_int_eq(histogram_max(&sum->window[INTERFERENCE_DURING]->corrected), 30000000);
    ck_assert_int_eq(histogram_max(&sum->window[INTERFERENCE_AFTER]->corrected), 20000000);
    forget(sum);
}
END_TEST

// The machine stood still from 3.505 s to 3.515 s: the states of 3.49, 3.50 and 3.51 s waited for
// their answers then.
START_TEST(states_that_a_stall_touched_are_counted_apart)
{
    static struct floor_record floor;
    const int64_t epoch_ns = INT64_C(5000000000);
    floor = (struct floor_record){.cores = 2};
    stall_list_add(&floor.core[1].stalls, epoch_ns + 3505000000, epoch_ns + 3515000000);
    make_record();
    chain[350].missed = 1u << COMMAND;
    chain[352].missed = 1u << COMMAND;
    struct interference sum;
    ck_assert_int_eq(interference_create(loop, &sum), STATUS_OK);
    const struct machine_trial machine = {&floor, epoch_ns};
    const struct chain_stalls stalls = {machine_trial_stalled, &machine};
    interference_add(&sum, loop, &record, &times, &stalls);
    const struct chain_figures *during = sum.window[INTERFERENCE_DURING];
    const struct chain_count *apart = during->owed[COMMAND];
    ck_assert_uint_eq(during->owed[STATE][CHAIN_STALLED].due, 3);
    ck_assert_uint_eq(apart[CHAIN_STALLED].missed, 1);
    ck_assert_uint_eq(apart[CHAIN_CLEAN].due, 397);
    ck_assert_uint_eq(apart[CHAIN_CLEAN].missed, 1);
    ck_assert_uint_eq(histogram_count(&during->corrected), 397);
    const struct chain_figures *before = sum.window[INTERFERENCE_BEFORE];
    ck_assert_uint_eq(before->owed[STATE][CHAIN_STALLED].due, 0);
    interference_free(&sum);
}
END_TEST

// Balance has 2 ms and needs 0.1 ms of it, Control likewise; each state of the seconds before the
// fault says so.
static struct interference *with_ways(void)
{
    make_record();
    for (size_t i = 0; i < CHAINS; i++) {
        const instant published = chain[i].at[CHAIN_REACHED(STATE)];
        chain[i].at[CHAIN_REACHED(COMMAND)] = instant_add(published, duration_us(100));
        chain[i].at[CHAIN_TAKEN(REFERENCE)] = instant_add(published, duration_us(2000));
        chain[i].at[CHAIN_REACHED(REFERENCE)] = instant_add(published, duration_us(2100));
        chain[i].at[CHAIN_REACHED(SEND)] = instant_add(published, duration_us(4000));
    }
    return measured();
}

static double expected(const struct interference *measured, int priority, unsigned link)
{
    static const struct target target = {
        .process_count = 3,
        .process = {{.name = "hardware", .component = "Hardware", .priority = 49},
                    {.name = "control", .component = "Control", .priority = 45},
                    {.name = "balance", .component = "Balance", .priority = 35}}};
    const struct interference_hog hog = {.period_ns = 8e6, .share = 0.5, .priority = priority};
    return interference_expected(&hog, &target, loop, measured, link);
}

// Of each 8 ms the hog has 4. Who comes in the first 2.1 ms of these is late, and so is who is
// interrupted in its 0.1 ms.
START_TEST(what_a_hog_makes_miss_is_computed_from_its_share)
{
    struct interference *measured = with_ways();
    ck_assert_double_eq_tol(expected(measured, 36, COMMAND), 2.2 / 8, 1e-9);
    ck_assert_double_eq_tol(expected(measured, 35, COMMAND), 2.1 / 8, 1e-9);
    ck_assert_double_eq_tol(expected(measured, 46, REFERENCE), 2.2 / 8, 1e-9);
    forget(measured);
}
END_TEST

START_TEST(a_hog_takes_nothing_from_who_goes_before_it)
{
    struct interference *measured = with_ways();
    ck_assert_double_eq(expected(measured, 34, COMMAND), 0);
    ck_assert_double_eq(expected(measured, 0, COMMAND), 0);
    ck_assert_double_eq(expected(measured, 36, REFERENCE), 0);
    ck_assert_double_eq(expected(measured, 46, STATE), 0);
    forget(measured);
}
END_TEST

START_TEST(nothing_is_expected_where_the_cycle_itself_begins_late_or_nothing_was_seen_before)
{
    struct interference *measured = with_ways();
    ck_assert(isnan(expected(measured, 50, REFERENCE)));
    measured->way[COMMAND].count = 0;
    ck_assert(isnan(expected(measured, 36, COMMAND)));
    forget(measured);
}
END_TEST

static void add_fault(struct history *history, unsigned topic, enum fault_event_kind kind,
                      bool proven, int64_t time_ms)
{
    const struct fault_event event = {
        .time = instant_ns(time_ms * 1000000), .kind = kind, .proven = proven};
    ck_assert_int_eq(history_append(history, topic, 0, event.time, &event, sizeof event),
                     STATUS_OK);
}

START_TEST(a_trial_whose_fault_was_not_both_applied_and_undone_has_no_windows)
{
    struct history *history;
    struct interference_times found;
    unsigned topic;
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, TOPIC_FAULT, "", &topic), STATUS_OK);
    add_fault(history, topic, FAULT_APPLIED, false, 2000);
    ck_assert(!interference_times_of(history, &found));
    add_fault(history, topic, FAULT_APPLIED, true, 3000);
    add_fault(history, topic, FAULT_APPLIED, true, 3100);
    ck_assert(!interference_times_of(history, &found));
    add_fault(history, topic, FAULT_UNDONE, true, 6000);
    add_fault(history, topic, FAULT_UNDONE, true, 6100);
    ck_assert(interference_times_of(history, &found));
    ck_assert_int_eq(found.applied.ns, 3000 * INT64_C(1000000));
    ck_assert_int_eq(found.undone.ns, 6100 * INT64_C(1000000));
    history_free(history);
}
END_TEST

UNIT_MAIN("interference", each_state_counts_for_the_window_it_was_due_in,
          a_missed_answer_counts_for_its_process_and_window_alone,
          states_that_were_never_published_count_where_they_were_due,
          a_loop_that_never_closes_waits_for_the_next_that_does,
          states_that_a_stall_touched_are_counted_apart,
          what_a_hog_makes_miss_is_computed_from_its_share,
          a_hog_takes_nothing_from_who_goes_before_it,
          nothing_is_expected_where_the_cycle_itself_begins_late_or_nothing_was_seen_before,
          a_trial_whose_fault_was_not_both_applied_and_undone_has_no_windows)
