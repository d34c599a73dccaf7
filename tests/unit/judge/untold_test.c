// What the judge sees of a trial with a fault that it is not told of, and what is said of it.
#include "tests/unit/common/synthetic.h"

#include "harness/files/scenario.h"
#include "harness/judge/untold.h"

static const char *seen(struct made_up *m, const char *name)
{
    const struct observation *observation = judgement_observed(judged(m), name);
    return observation == NULL ? "-" : observation->text;
}

// A fault of Control, at once, that the judge is told of or not.
static void control_sleeps(struct made_up *m, bool untold)
{
    m->scenario.fault_count = 1;
    m->scenario.fault[0] = (struct fault_request){.kind = "stall",
                                                  .component = "Control",
                                                  .halts = HALTS_STOPPED,
                                                  .duration_s = 100,
                                                  .restart_after_s = -1,
                                                  .untold = untold};
}

START_TEST(a_fault_that_is_told_excuses_and_one_that_is_not_does_not)
{
    for (int untold = 0; untold < 2; untold++) {
        struct made_up *m = make_up();
        struct untold_view view;
        control_sleeps(m, untold != 0);
        until(m, 1);
        fault_happens(m, 0, FAULT_APPLIED, true);
        process_happens(m, "control", "Control", PROCESS_STOPPED, 19, 0);
        until(m, 2);
        ck_assert(untold_view_make(m->history, &m->scenario, &m->target, &view));
        const size_t left_out = history_length(m->history) - history_length(view.history);
        ck_assert_uint_eq(left_out, untold != 0 ? 2 : 0);
        ck_assert_uint_eq(view.scenario->fault_count, untold != 0 ? 0 : 1);
        untold_view_free(&view);
        expect_verdict(m, "fault-effective", untold != 0 ? VERDICT_SKIP : VERDICT_PASS);
        ck_assert_str_eq(seen(m, UNTOLD_OUTCOME), untold != 0 ? UNTOLD_PASSED : "-");
        forget(m);
    }
}
END_TEST

START_TEST(what_is_broken_notices_and_says_how_soon)
{
    struct made_up *m = make_up();
    control_sleeps(m, true);
    until(m, 1);
    fault_happens(m, 0, FAULT_APPLIED, true);
    until(m, 2);
    process_happens(m, "planner", "Planner", PROCESS_KILLED, 11, 0);
    until(m, 3);
    const struct judgement *judgement = judged(m);
    ck_assert_int_eq(judgement->verdict, VERDICT_FAIL);
    ck_assert_str_eq(judgement->observation[0].text, UNTOLD_NOTICED);
    ck_assert_str_eq(seen(m, UNTOLD_BY), "peers-survive");
    ck_assert_str_eq(seen(m, UNTOLD_AS), "FAIL");
    ck_assert_double_eq_tol(judgement_observed(judged(m), UNTOLD_AFTER)->value, 1, 0.02);
    expect_verdict(m, UNTOLD_EFFECTIVE, VERDICT_PASS);
    forget(m);
}
END_TEST

START_TEST(a_fault_without_effect_is_neither_noticed_nor_passed)
{
    for (int applied = 0; applied < 2; applied++) {
        struct made_up *m = make_up();
        control_sleeps(m, true);
        until(m, 1);
        if (applied != 0)
            fault_happens(m, 0, FAULT_APPLIED, false);
        process_happens(m, "planner", "Planner", PROCESS_KILLED, 11, 0);
        until(m, 2);
        ck_assert_str_eq(seen(m, UNTOLD_OUTCOME), UNTOLD_WITHOUT_EFFECT);
        ck_assert_str_eq(seen(m, UNTOLD_BY), "-");
        expect_verdict(m, UNTOLD_EFFECTIVE, VERDICT_ERROR);
        ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
        forget(m);
    }
}
END_TEST

// The view's events of a channel called "c": "put" or "got".
static const char *side_of(struct made_up *m, const struct scenario *scenario, const char *writer)
{
    struct untold_view view;
    static char text[8];
    m->target.channel_count = 1;
    m->target.channel[0] = (struct channel_config){.name = "c"};
    snprintf(m->target.channel[0].writer, NAME_MAX_LENGTH, "%s", writer);
    snprintf(m->target.world, NAME_MAX_LENGTH, "simulator");
    ck_assert(untold_view_make(m->history, scenario, &m->target, &view));
    const int topic = history_topic(view.history, "c");
    ck_assert_int_ge(topic, 0);
    for (size_t i = 0; i < history_length(view.history); i++)
        if (history_event(view.history, i)->topic == topic)
            memcpy(text, history_event(view.history, i)->data, 4);
    untold_view_free(&view);
    return text;
}

START_TEST(of_the_target_the_judge_sees_what_readers_got_and_of_the_world_what_was_put)
{
    struct made_up *m = make_up();
    m->scenario.fault_count = 1;
    m->scenario.fault[0] = (struct fault_request){
        .kind = "channel-drop", .component = "c", .struck = STRUCK_CHANNEL, .untold = true};
    publish(m, "c", "put", 4);
    publish(m, "c@readers", "got", 4);
    ck_assert_str_eq(side_of(m, &m->scenario, "control"), "got");
    ck_assert_str_eq(side_of(m, &m->scenario, "simulator"), "put");
    // One that the scenario has on the same channel is judged as ever.
    m->scenario.fault[m->scenario.fault_count++] =
        (struct fault_request){.kind = "channel-drop", .component = "c", .struck = STRUCK_CHANNEL};
    ck_assert_str_eq(side_of(m, &m->scenario, "control"), "put");
    forget(m);
}
END_TEST

UNIT_MAIN("untold", a_fault_that_is_told_excuses_and_one_that_is_not_does_not,
          what_is_broken_notices_and_says_how_soon,
          a_fault_without_effect_is_neither_noticed_nor_passed,
          of_the_target_the_judge_sees_what_readers_got_and_of_the_world_what_was_put)
