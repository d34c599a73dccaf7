// trial_end: when nothing more can be learnt of a trial.
#include "tests/unit/common/unit.h"

#include "harness/files/claims.h"
#include "harness/files/scenario.h"
#include "harness/trial/trial_end.h"

#define NEVER (-1) // s

static instant at_s(double time_s)
{
    return time_s < 0 ? INSTANT_NEVER : instant_s(time_s);
}

// A scenario of 30 s, watched for 5 s.
static const struct {
    const char *name;
    unsigned faults;
    bool must_complete, bench_ended, faults_done;
    double fault_last_s, fallen_s, motion_over_s, now_s;
    enum trial_end end;
} cases[] = {
    {"nothing happened", 0, false, false, true, 0, NEVER, NEVER, 29.99, TRIAL_GOES_ON},
    {"its duration", 0, false, false, true, 0, NEVER, NEVER, 30, TRIAL_TIME_UP},
    {"no simulated robot", 0, false, true, true, 0, NEVER, NEVER, 1, TRIAL_BENCH_ENDED},
    {"motion over for less than a second", 0, false, false, true, 0, NEVER, 10, 10.99,
     TRIAL_GOES_ON},
    {"motion over for a second", 0, false, false, true, 0, NEVER, 10, 11, TRIAL_DONE},
    {"fallen without a fault, not for long", 0, false, false, true, 0, 3, NEVER, 7.99,
     TRIAL_GOES_ON},
    {"fallen without a fault", 0, false, false, true, 0, 3, NEVER, 8, TRIAL_FELL},
    {"fault still to strike", 1, false, false, false, 0, NEVER, 2, 20, TRIAL_GOES_ON},
    {"fault that never strikes", 1, false, false, false, 0, NEVER, 2, 30, TRIAL_TIME_UP},
    {"fault not undone yet", 1, false, false, false, 4, NEVER, 2, 20, TRIAL_GOES_ON},
    {"fault not watched for long", 1, false, false, true, 4, NEVER, NEVER, 8.99, TRIAL_GOES_ON},
    {"fault watched, motion not awaited", 1, false, false, true, 4, NEVER, NEVER, 9, TRIAL_DONE},
    {"fault watched, motion awaited", 1, true, false, true, 4, NEVER, NEVER, 20, TRIAL_GOES_ON},
    {"fault watched, motion over just now", 1, true, false, true, 4, NEVER, 20, 20.5,
     TRIAL_GOES_ON},
    {"fault watched, motion over", 1, true, false, true, 4, NEVER, 20, 21, TRIAL_DONE},
    {"motion over before the fault was watched", 1, true, false, true, 9, NEVER, 5, 13,
     TRIAL_GOES_ON},
    {"fallen before any fault struck, not watched as long", 1, false, false, false, 0, 0, NEVER, 4,
     TRIAL_GOES_ON},
    {"fallen, and no fault has struck", 1, false, false, false, 0, 3, NEVER, 8, TRIAL_FELL},
    {"fallen, then struck", 2, false, false, false, 7, 3, NEVER, 11.99, TRIAL_GOES_ON},
    {"fallen, then struck and watched", 2, false, false, false, 7, 3, NEVER, 12, TRIAL_FELL},
    {"fallen though it must complete", 1, true, false, true, 4, 6, NEVER, 11, TRIAL_FELL},
    {"all at once: the bench first", 0, false, true, true, 0, 3, 10, 30, TRIAL_BENCH_ENDED},
    {"all at once: then the time", 0, false, false, true, 0, 3, 10, 30, TRIAL_TIME_UP},
};

// A trial whose motion has been over for a second at 11 s, with one promise.
static enum trial_end end_with(const struct promise *promise)
{
    const struct scenario scenario = {
        .duration_s = 30, .watch_s = 5, .promise_count = 1, .promise = {*promise}};
    const struct trial_facts facts = {.scenario = &scenario,
                                      .faults_done = true,
                                      .fallen = INSTANT_NEVER,
                                      .motion_over = instant_s(10)};
    return trial_end(&facts, instant_s(12));
}

START_TEST(only_a_promise_that_may_still_be_judged_keeps_a_trial_from_its_end)
{
    struct promise promise = {.operator= FORMULA_EVENTUALLY, .after_s = 1, .for_s = 10.5};
    strcpy(promise.formula[FORMULA_EVENTUALLY], "a.b > 1");
    ck_assert_int_eq(end_with(&promise), TRIAL_DONE);
    promise.for_s = 11; // to 12 s
    ck_assert_int_eq(end_with(&promise), TRIAL_GOES_ON);
    promise.for_s = 0; // to the end
    ck_assert_int_eq(end_with(&promise), TRIAL_GOES_ON);
    promise.for_s = 10.5;
    promise.from = FROM_FAULT;
    ck_assert_int_eq(end_with(&promise), TRIAL_GOES_ON);
    promise.from = FROM_START;
    strcpy(promise.formula[FORMULA_EVENTUALLY], "always[0, 9] a.b > 1");
    ck_assert_int_eq(end_with(&promise), TRIAL_GOES_ON);
}
END_TEST

START_TEST(a_trial_ends_when_nothing_more_can_be_learnt)
{
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct scenario scenario = {.duration_s = 30,
                                          .watch_s = 5,
                                          .fault_count = cases[i].faults,
                                          .must_complete = cases[i].must_complete};
        const struct trial_facts facts = {.scenario = &scenario,
                                          .bench_ended = cases[i].bench_ended,
                                          .fallen = at_s(cases[i].fallen_s),
                                          .motion_over = at_s(cases[i].motion_over_s),
                                          .faults_done = cases[i].faults_done,
                                          .fault_last = at_s(cases[i].fault_last_s)};
        const enum trial_end end = trial_end(&facts, at_s(cases[i].now_s));
        ck_assert_msg(end == cases[i].end, "%s: %d", cases[i].name, (int)end);
    }
}
END_TEST

START_TEST(a_fall_stays_one_and_a_motion_may_go_on)
{
    static const struct {
        bool fallen, motion_over;
        double fallen_s, motion_over_s; // after the look
    } looks[] = {
        {false, false, NEVER, NEVER}, {false, true, NEVER, 1}, {false, true, NEVER, 1},
        {false, false, NEVER, NEVER}, {true, false, 4, NEVER}, {false, true, 4, 5},
        {true, true, 4, 5},
    };
    static const struct scenario scenario = {.duration_s = 30, .watch_s = 5};
    struct trial_facts facts = trial_facts_begin(&scenario);
    ck_assert_int_eq(trial_end(&facts, at_s(0)), TRIAL_GOES_ON);
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++) {
        trial_facts_note(&facts, looks[i].fallen, looks[i].motion_over, at_s((double)i));
        ck_assert_int_eq(facts.fallen.ns, at_s(looks[i].fallen_s).ns);
        ck_assert_int_eq(facts.motion_over.ns, at_s(looks[i].motion_over_s).ns);
    }
}
END_TEST

UNIT_MAIN("trial_end", only_a_promise_that_may_still_be_judged_keeps_a_trial_from_its_end,
          a_trial_ends_when_nothing_more_can_be_learnt, a_fall_stays_one_and_a_motion_may_go_on)
