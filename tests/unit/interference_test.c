// Deadlines and the loop before, during and after a fault, on chains made by hand: a state each 10 ms, answered after 20 ms.
#include "unit.h"

#include <string.h>

#include "harness/history.h"
#include "harness/interference_print.h"

#define PERIOD_MS 10
#define CHAINS 800
#define COUNTED_AFTER 89 // from 7 s on, but the ten periods before the last state, at 7.99 s

static struct latency_chain chain[CHAINS];
static struct latency_record record;
static const struct interference_times times = {.applied = {3000000000}, .undone = {7000000000}};

static void make_record(void)
{
    record = (struct latency_record){
        .period = duration_ms(PERIOD_MS), .chain = chain, .chain_count = CHAINS};
    for (size_t i = 0; i < CHAINS; i++) {
        chain[i] = (struct latency_chain){.cycle = i + 1};
        for (int p = 0; p < LATENCY_POINTS; p++)
            chain[i].at[p] = INSTANT_NEVER;
        chain[i].at[LATENCY_STATE_PUBLISHED] = instant_ns((int64_t)i * PERIOD_MS * 1000000);
        chain[i].at[LATENCY_STATE_ACQUIRED] =
            instant_add(chain[i].at[LATENCY_STATE_PUBLISHED], duration_ms(20));
    }
}

// Chains from `first` to before `last` are gone, as if their states had never been published.
static void lose(size_t first, size_t last)
{
    memmove(&chain[first], &chain[last], (CHAINS - last) * sizeof chain[0]);
    record.chain_count = CHAINS - (last - first);
    chain[first].missed |= 1u << LATENCY_STATE_DUE;
}

static struct interference *measured(void)
{
    struct interference *interference = interference_create();
    ck_assert_ptr_nonnull(interference);
    interference_add(interference, &record, &times);
    return interference;
}

START_TEST(each_state_counts_for_the_window_it_was_due_in)
{
    make_record();
    struct interference *sum = measured();
    const uint64_t due[INTERFERENCE_WINDOWS] = {200, 400, COUNTED_AFTER};
    for (int w = 0; w < INTERFERENCE_WINDOWS; w++) {
        for (int d = 0; d < LATENCY_DEADLINES; d++) {
            ck_assert_uint_eq(sum->window[w].deadline[d].due, due[w]);
            ck_assert_uint_eq(sum->window[w].deadline[d].missed, 0);
        }
        ck_assert_uint_eq(sum->window[w].unanswered, 0);
        ck_assert_uint_eq(histogram_count(&sum->window[w].loop), due[w]);
    }
    free(sum);
}
END_TEST

START_TEST(a_missed_answer_counts_for_its_process_and_window_alone)
{
    make_record();
    chain[350].missed = 1u << LATENCY_COMMAND_DUE;
    chain[351].missed = 1u << LATENCY_COMMAND_DUE | 1u << LATENCY_REFERENCE_DUE;
    chain[750].missed = 1u << LATENCY_SEND_DUE;
    chain[50].missed = 1u << LATENCY_COMMAND_DUE; // while the stack is starting
    struct interference *sum = measured();
    ck_assert_uint_eq(sum->window[INTERFERENCE_DURING].deadline[LATENCY_COMMAND_DUE].missed, 2);
    ck_assert_uint_eq(sum->window[INTERFERENCE_DURING].deadline[LATENCY_REFERENCE_DUE].missed, 1);
    ck_assert_uint_eq(sum->window[INTERFERENCE_DURING].deadline[LATENCY_SEND_DUE].missed, 0);
    ck_assert_uint_eq(sum->window[INTERFERENCE_AFTER].deadline[LATENCY_SEND_DUE].missed, 1);
    for (int d = 0; d < LATENCY_DEADLINES; d++)
        ck_assert_uint_eq(sum->window[INTERFERENCE_BEFORE].deadline[d].missed, 0);
    free(sum);
}
END_TEST

// The worst load is one under which nothing is published any more: the states that follow it must not be blamed.
START_TEST(states_that_were_never_published_count_where_they_were_due)
{
    make_record();
    lose(310, 720); // from 3.1 s to 7.2 s
    struct interference *sum = measured();
    const struct interference_figures *during = &sum->window[INTERFERENCE_DURING];
    const struct interference_figures *after = &sum->window[INTERFERENCE_AFTER];
    ck_assert_uint_eq(during->deadline[LATENCY_STATE_DUE].due, 400);
    ck_assert_uint_eq(during->deadline[LATENCY_STATE_DUE].missed, 390);
    ck_assert_uint_eq(during->deadline[LATENCY_COMMAND_DUE].due, 10); // nothing to answer else
    ck_assert_uint_eq(after->deadline[LATENCY_STATE_DUE].due, COUNTED_AFTER);
    ck_assert_uint_eq(after->deadline[LATENCY_STATE_DUE].missed, 20);
    ck_assert_uint_eq(sum->window[INTERFERENCE_BEFORE].deadline[LATENCY_STATE_DUE].missed, 0);
    // The first of them waited until the answer to the state of 7.2 s.
    ck_assert_int_eq(histogram_max(&during->loop), (7220 - 3100) * INT64_C(1000000));
    free(sum);
}
END_TEST

START_TEST(a_loop_that_never_closes_waits_for_the_next_that_does)
{
    make_record();
    chain[400].at[LATENCY_STATE_ACQUIRED] = INSTANT_NEVER;
    struct interference *sum = measured();
    ck_assert_uint_eq(sum->window[INTERFERENCE_DURING].unanswered, 1);
    ck_assert_int_eq(histogram_max(&sum->window[INTERFERENCE_DURING].loop), 30000000);
    ck_assert_int_eq(histogram_max(&sum->window[INTERFERENCE_AFTER].loop), 20000000);
    free(sum);
}
END_TEST

START_TEST(figures_for_the_database_have_names_of_their_own)
{
    make_record();
    chain[350].missed = 1u << LATENCY_COMMAND_DUE;
    struct interference *sum = measured();
    struct figure figure[INTERFERENCE_FIGURES];
    const unsigned count = interference_figures(sum, figure);
    ck_assert_uint_eq(count, INTERFERENCE_FIGURES);
    for (unsigned i = 0; i < count; i++) {
        for (unsigned k = 0; k < i; k++)
            ck_assert_str_ne(figure[i].metric, figure[k].metric);
        if (strcmp(figure[i].metric, "during balance command missed") == 0)
            ck_assert_double_eq(figure[i].value, 0.25);
    }
    free(sum);
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
          figures_for_the_database_have_names_of_their_own,
          a_trial_whose_fault_was_not_both_applied_and_undone_has_no_windows)
