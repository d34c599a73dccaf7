// outcome: what each finding makes of a run that was taken for something else.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "harness/trial/outcome.h"

#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

// By a letter: what it was taken for, and what each finding makes of it, in the order of the
// findings: refusal, end, broken off, machine, unsupported, untrusted, judgeable, broken
// invariant.
static const char letters[] = "ERFMUT"; // lab error, ran, refused, machine failed, ... untrusted
static const struct {
    char was;
    const char *becomes;
} table[] = {
    {'E', "FREMUTRE"}, // nothing was known
    {'R', "FREMUTRE"}, // it had come to its end in the cell
    {'F', "FRFMUTRE"}, // that it broke off is no news
    {'M', "MMMMUTRE"}, // whatever else is said: it had no memory
    {'U', "UUUUUTRE"}, {'T', "TTTTTTRE"},
};

START_TEST(each_finding_leads_to_its_outcome)
{
    ck_assert_uint_eq(COUNT(table), TRIAL_OUTCOME_COUNT);
    for (size_t i = 0; i < COUNT(table); i++) {
        const enum trial_outcome was = (unsigned)(strchr(letters, table[i].was) - letters);
        ck_assert_uint_eq(strlen(table[i].becomes), FINDING_COUNT);
        for (unsigned f = 0; f < FINDING_COUNT; f++) {
            const char is = letters[trial_outcome_step(was, f)];
            ck_assert_msg(is == table[i].becomes[f], "%c, finding %u: %c, not %c", table[i].was, f,
                          is, table[i].becomes[f]);
        }
    }
}
END_TEST

START_TEST(nothing_found_is_an_error_of_the_lab)
{
    const struct trial_result result = {0};
    ck_assert_int_eq(result.outcome, TRIAL_LAB_ERROR);
    ck_assert_int_eq(result.kill, TRIAL_KILL_NONE);
}
END_TEST

START_TEST(a_status_tells_whose_failure_it_is)
{
    static const struct {
        enum status status;
        enum trial_finding finding;
    } cases[] = {
        {STATUS_OK, FINDING_END},
        {STATUS_NO_MEMORY, FINDING_MACHINE_FAILURE},
        {STATUS_SYSTEM, FINDING_MACHINE_FAILURE},
        {STATUS_UNSUPPORTED, FINDING_UNSUPPORTED},
        {STATUS_TIMEOUT, FINDING_BROKEN_OFF},
        {STATUS_DEAD, FINDING_BROKEN_OFF},
        {STATUS_CORRUPT, FINDING_BROKEN_OFF},
        {STATUS_INVALID, FINDING_BROKEN_OFF},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(trial_finding_of(cases[i].status) == cases[i].finding, "%s",
                      status_text(cases[i].status));
}
END_TEST

START_TEST(the_first_kill_counts_unless_a_later_one_is_sure)
{
    struct trial_result result = {0};
    trial_note_kill(&result, TRIAL_KILL_PERHAPS, "fault program");
    trial_note_kill(&result, TRIAL_KILL_PERHAPS, "planner");
    ck_assert_int_eq(result.kill, TRIAL_KILL_PERHAPS);
    ck_assert_str_eq(result.killed, "fault program");
    trial_note_kill(&result, TRIAL_KILL_SURE, "the cell's init");
    trial_note_kill(&result, TRIAL_KILL_PERHAPS, "planner");
    ck_assert_int_eq(result.kill, TRIAL_KILL_SURE);
    ck_assert_str_eq(result.killed, "the cell's init");
}
END_TEST

UNIT_MAIN("outcome", each_finding_leads_to_its_outcome, nothing_found_is_an_error_of_the_lab,
          a_status_tells_whose_failure_it_is, the_first_kill_counts_unless_a_later_one_is_sure)
