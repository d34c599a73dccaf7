// strike_course: when a fault is applied, undone and asked for a later proof.
#include "tests/unit/common/unit.h"

#include "harness/trial/strike/strike_course.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])
#define NEVER (-1) // s

static instant at_s(double time_s)
{
    return time_s < 0 ? INSTANT_NEVER : instant_s(time_s);
}

START_TEST(a_fault_is_undone_as_its_kind_and_the_scenario_say)
{
    static const struct {
        const char *name;
        enum fault_undo undo;
        double duration_s, restart_after_s;
        bool proven;
        double due_s; // of the undoing, after it struck at 3 s
    } cases[] = {
        {"never", UNDO_NEVER, 2, 2, true, NEVER},
        {"by its program", UNDO_PROGRAM, 2, NEVER, true, 5},
        {"by its program at once", UNDO_PROGRAM, 0, NEVER, true, 3},
        {"by a restart", UNDO_RESTART, 0.5, NEVER, true, 3.5},
        {"by a restart without down time", UNDO_RESTART, 0, NEVER, true, 3},
        {"by a restart that is asked for", UNDO_RESTART_ASKED, 0, 0.25, true, 3.25},
        {"by one at once", UNDO_RESTART_ASKED, 0, 0, true, 3},
        {"by one that nobody asked for", UNDO_RESTART_ASKED, 2, NEVER, true, NEVER},
        {"there was no effect to undo", UNDO_PROGRAM, 2, NEVER, false, NEVER},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct fault_kind kind = {.undo = cases[i].undo};
        const struct fault_request request = {.duration_s = cases[i].duration_s,
                                              .restart_after_s = cases[i].restart_after_s};
        struct strike_course course = strike_course_begin(&kind, &request, at_s(3));
        strike_course_applied(&course, cases[i].proven, at_s(3));
        ck_assert_msg(course.due.ns == at_s(cases[i].due_s).ns, "%s", cases[i].name);
        ck_assert_msg(course.stage == (cases[i].due_s < 0 ? STRIKE_OVER : STRIKE_APPLIED), "%s",
                      cases[i].name);
        ck_assert_int_eq(course.last.ns, at_s(3).ns);
    }
}
END_TEST

START_TEST(each_step_is_due_once_and_not_before_its_time)
{
    static const struct {
        const char *name;
        enum strike_stage stage;
        double due_s, now_s;
        enum strike_step step;
    } cases[] = {
        {"before its time", STRIKE_WAITING, 3, 2.99, STRIKE_STEP_NONE},
        {"at its time", STRIKE_WAITING, 3, 3, STRIKE_STEP_APPLY},
        {"late", STRIKE_WAITING, 3, 9, STRIKE_STEP_APPLY},
        {"its trigger has seen nothing", STRIKE_WAITING, NEVER, 1e6, STRIKE_STEP_NONE},
        {"in force", STRIKE_APPLIED, 5, 4.99, STRIKE_STEP_NONE},
        {"to be undone", STRIKE_APPLIED, 5, 5, STRIKE_STEP_UNDO},
        {"over", STRIKE_OVER, NEVER, 1e6, STRIKE_STEP_NONE},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct strike_course course = {.stage = cases[i].stage, .due = at_s(cases[i].due_s)};
        const enum strike_step step = strike_course_step(&course, at_s(cases[i].now_s));
        ck_assert_msg(step == cases[i].step, "%s: %d", cases[i].name, (int)step);
    }
}
END_TEST

START_TEST(a_restart_without_down_time_strikes_and_is_undone_at_one_instant)
{
    const struct fault_kind kind = {.undo = UNDO_RESTART};
    const struct fault_request request = {.duration_s = 0};
    struct strike_course course = strike_course_begin(&kind, &request, INSTANT_NEVER);
    ck_assert_int_eq(strike_course_step(&course, at_s(3)), STRIKE_STEP_NONE);
    course.due = at_s(3); // its trigger saw its cause
    ck_assert_int_eq(strike_course_step(&course, at_s(3)), STRIKE_STEP_APPLY);
    strike_course_applied(&course, true, at_s(3));
    ck_assert_int_eq(strike_course_step(&course, at_s(3)), STRIKE_STEP_UNDO);
    strike_course_undoing(&course, at_s(3));
    ck_assert_int_eq(strike_course_step(&course, at_s(1e6)), STRIKE_STEP_NONE);
    ck_assert_int_eq(course.stage, STRIKE_OVER);
    ck_assert_int_eq(course.last.ns, at_s(3).ns);
}
END_TEST

START_TEST(a_later_proof_is_asked_for_once_and_only_of_what_was_proven_first)
{
    static const struct {
        const char *name;
        bool proof_later, applied, asked, undone, asked_settled;
        bool effect, settled;
    } cases[] = {
        {"proven at once", false, true, false, true, false, false, false},
        {"in force", true, true, false, false, false, true, false},
        {"asked already", true, true, true, false, false, false, false},
        {"not applied", true, false, false, false, false, false, false},
        {"undone, never asked", true, true, false, true, false, true, true},
        {"asked, then undone", true, true, true, true, false, false, true},
        {"asked for both", true, true, true, true, true, false, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct strike_course course = {.proof_later = cases[i].proof_later,
                                             .stage =
                                                 cases[i].undone ? STRIKE_OVER : STRIKE_APPLIED,
                                             .applied = cases[i].applied,
                                             .asked = cases[i].asked,
                                             .undone = cases[i].undone,
                                             .asked_settled = cases[i].asked_settled};
        ck_assert_msg(strike_course_asks_effect(&course) == cases[i].effect, "%s", cases[i].name);
        ck_assert_msg(strike_course_asks_settled(&course) == cases[i].settled, "%s", cases[i].name);
    }
}
END_TEST

START_TEST(a_trial_goes_on_until_what_was_struck_has_come_out)
{
    struct strike_course course = {.proof_later = true, .stage = STRIKE_APPLIED, .applied = true};
    strike_course_undoing(&course, at_s(3));
    strike_course_awaits(&course, duration_s(0.5), at_s(3));
    ck_assert_int_eq(course.last.ns, at_s(3.5).ns);
    ck_assert(strike_course_asks_effect(&course));
    strike_course_awaits(&course, duration_ns(INT64_MAX), at_s(3)); // nobody knows for how long
    ck_assert_int_eq(course.last.ns, at_s(3).ns);
}
END_TEST

UNIT_MAIN("strike_course", a_trial_goes_on_until_what_was_struck_has_come_out,
          a_fault_is_undone_as_its_kind_and_the_scenario_say,
          each_step_is_due_once_and_not_before_its_time,
          a_restart_without_down_time_strikes_and_is_undone_at_one_instant,
          a_later_proof_is_asked_for_once_and_only_of_what_was_proven_first)
