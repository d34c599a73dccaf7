// observe: what a target's file asks to be told of a trial, and why it cannot be told.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/scenario.h"
#include "harness/history/schema.h"
#include "harness/judge/observe.h"
#include "harness/packs/packs.h"

// 10 s of a pole whose angle is 0.1 rad a second, published every 0.5 s from 1 s on; at 8 s it is
// not a number. The controller was killed at 4 s, and started again at 5 s.
static struct history *fall(void)
{
    static const char *const topic[] = {"pole", TOPIC_FAULT, TOPIC_PROCESS, TOPIC_END};
    struct message_mistake mistake;
    struct history *history;
    unsigned number;
    ck_assert_int_eq(schema_declare("observed_pole", "float64 angle_rad\n", &mistake), STATUS_OK);
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    for (size_t i = 0; i < sizeof topic / sizeof topic[0]; i++)
        ck_assert_int_eq(
            history_add_topic(history, topic[i], i == 0 ? "observed_pole" : "", &number),
            STATUS_OK);
    for (int i = 2; i <= 20; i++) {
        const instant now = instant_s(0.5 * i);
        const double angle_rad = i == 16 ? NAN : 0.05 * i;
        const struct fault_event killed = {.time = now,
                                           .kind = FAULT_APPLIED,
                                           .proven = 1,
                                           .fault = "kill",
                                           .component = "Controller"};
        const struct process_event started = {
            .time = now, .kind = PROCESS_STARTED, .generation = 1, .component = "Controller"};
        ck_assert_int_eq(history_append(history, 0, 1, now, &angle_rad, sizeof angle_rad),
                         STATUS_OK);
        if (i == 8)
            ck_assert_int_eq(history_append(history, 1, 1, now, &killed, sizeof killed), STATUS_OK);
        if (i == 10)
            ck_assert_int_eq(history_append(history, 2, 1, now, &started, sizeof started),
                             STATUS_OK);
    }
    return history;
}

#define TELL(...)                                                                                  \
    {                                                                                              \
        .name = "it", __VA_ARGS__                                                                  \
    }
#define VALUE(which, term, ...)                                                                    \
    TELL(.kind = OBSERVE_VALUE, .of = (which), .value = (term), .unit = "rad", __VA_ARGS__)
#define UNTIL(formula, ...) TELL(.kind = OBSERVE_TIME, .time_until = (formula), __VA_ARGS__)
#define SAYS(...) TELL(.kind = OBSERVE_TEXT, __VA_ARGS__)

static const struct told {
    struct observation_config config;
    double value; // NAN: none
    const char *text, *reason;
} cases[] = {
    {VALUE(OF_LAST, "pole.angle_rad", .for_s = 7), 0.7, "", ""},
    {VALUE(OF_MIN, "lean_rad", .for_s = 7), 0.1, "", ""},
    {VALUE(OF_MAX, "lean_rad", .from = FROM_FAULT, .for_s = 1), 0.5, "", ""},
    // 0.1, 0.15, 0.2 and 0.25, each for 0.5 s
    {VALUE(OF_MEAN, "lean_rad", .after_s = 1, .for_s = 2), 0.175, "", ""},
    {VALUE(OF_LAST, "2 * lean_rad", .after_s = 9), 2, "", ""},
    {VALUE(OF_MAX, "lean_rad", .after_s = 7.5), NAN, "", "a value in its window is not a number"},
    {VALUE(OF_MAX, "lean_rad", .for_s = 0.5), NAN, "", "no sample of pole.angle_rad until 0.500 s"},
    {VALUE(OF_MAX, "lean_rad", .after_s = 11), NAN, "",
     "its window begins at 11.000 s, the trial ended at 10.000 s"},
    {VALUE(OF_MAX, "cart.angle_rad"), NAN, "", "1:1: there is no signal 'cart.angle_rad'"},
    {UNTIL("lean_rad > 0.22"), 2.5, "", ""},
    {UNTIL("lean_rad > 0.47", .from = FROM_FAULT), 1, "", ""},
    {UNTIL("lean_rad > 0.47", .from = FROM_FAULT_OVER), 0, "", ""},
    {UNTIL("lean_rad > 2"), NAN, "", "it did not hold until 10.000 s"},
    {UNTIL("lean_rad > 0.52", .for_s = 5), NAN, "", "it did not hold until 5.000 s"},
    {SAYS(.case_count = 3, .first_of = {{"Falls", "eventually[0, 6] lean_rad > 2"},
                                        {"Leans", "eventually[0, 6] lean_rad > 0.3"},
                                        {"Stands", ""}}),
     NAN, "Leans", ""},
    {SAYS(.case_count = 2,
          .first_of = {{"Falls", "eventually[0, 6] lean_rad > 2"}, {"Stands", ""}}),
     NAN, "Stands", ""},
    {SAYS(.case_count = 1, .first_of = {{"Falls", "eventually[0, 6] lean_rad > 2"}}), NAN, "",
     "none of its formulas holds"},
    {SAYS(.case_count = 2, .first_of = {{"Leans", "always[0, 20] lean_rad < 2"}, {"Stands", ""}}),
     NAN, "", "undecided from 1.000 s on: not all of it was recorded"},
};

// Of the history, as these are asked for: by the target, and by the scenario, if it asks for any.
static struct observation observed_by(const struct observation_config *config,
                                      const struct observation_config *own, unsigned faults)
{
    static struct target target;
    static struct scenario scenario;
    static struct judgement judgement;
    struct analysis analysis;
    struct history *history = fall();
    target = (struct target){.channel_count = 1,
                             .channel = {{.name = "pole", .message = "observed_pole"}},
                             .quantity_count = 1,
                             .quantity = {{.name = "lean_rad", .text = "abs(pole.angle_rad)"}},
                             .observation_count = 1,
                             .observation = {*config}};
    scenario = (struct scenario){.fault_count = faults, .duration_s = 10};
    if (own != NULL)
        scenario.observation[scenario.observation_count++] = *own;
    judgement = (struct judgement){0};
    ck_assert(analysis_start(
        &analysis, &(struct judged){history, &scenario, &target, NULL, all_packs, NULL, NULL}));
    observe_asked(&analysis, &judgement);
    analysis_free(&analysis);
    history_free(history);
    ck_assert_uint_eq(judgement.observation_count, 1);
    return judgement.observation[0];
}

static struct observation observed(const struct observation_config *config, unsigned faults)
{
    return observed_by(config, NULL, faults);
}

START_TEST(each_is_told_or_says_why_not)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct told *told = &cases[i];
        const struct observation row = observed(&told->config, 1);
        ck_assert_msg(isnan(told->value) ? isnan(row.value) : fabs(row.value - told->value) < 1e-9,
                      "case %zu: %g, %s", i, row.value, row.reason);
        ck_assert_str_eq(row.text, told->text);
        ck_assert_msg(strncmp(row.reason, told->reason, strlen(told->reason)) == 0 &&
                          (row.reason[0] == '\0') == (told->reason[0] == '\0'),
                      "case %zu: %s", i, row.reason);
        ck_assert_str_eq(row.name, "it");
        ck_assert_str_eq(row.unit, told->config.unit);
    }
}
END_TEST

START_TEST(what_counts_from_something_that_did_not_happen_is_not_told)
{
    const struct observation_config config = UNTIL("lean_rad > 0.2", .from = FROM_RESTART);
    const struct observation row = observed(&config, 0);
    ck_assert(isnan(row.value));
    ck_assert_str_eq(row.reason, "the event from which its window counts did not happen");
}
END_TEST

START_TEST(a_scenarios_own_takes_the_place_of_the_targets)
{
    const struct observation_config target = VALUE(OF_LAST, "2 * lean_rad"),
                                    own = VALUE(OF_LAST, "3 * lean_rad");
    ck_assert_double_eq_tol(observed_by(&target, &own, 0).value, 3, 1e-9);
    ck_assert_double_eq_tol(observed_by(&target, NULL, 0).value, 2, 1e-9);
}
END_TEST

UNIT_MAIN("observe", each_is_told_or_says_why_not, a_scenarios_own_takes_the_place_of_the_targets,
          what_counts_from_something_that_did_not_happen_is_not_told)
