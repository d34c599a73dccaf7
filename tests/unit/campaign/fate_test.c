// fate: which runs of a trial are stored, lost, or want another run.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "harness/campaign/fate.h"

#define LAB_ERROR .outcome = TRIAL_LAB_ERROR
#define MACHINE_FAILED .outcome = TRIAL_MACHINE_FAILED
#define KILLED(what) .kill = TRIAL_KILL_PERHAPS, .killed = (what)
#define COUNT(rows) (sizeof(rows) / sizeof(rows)[0])

// What a run can be, by a letter.
static struct trial_result run_like(char kind)
{
    static const struct {
        char kind;
        struct trial_result result;
    } kinds[] = {
        {'.', {.outcome = TRIAL_RAN}},
        {'P', {.outcome = TRIAL_RAN, KILLED("planner")}},
        {'E', {LAB_ERROR, .reason = "the clock stood"}},
        {'S', {LAB_ERROR, KILLED("simulator")}},
        {'F', {LAB_ERROR, KILLED("fault program")}},
        {'K', {LAB_ERROR, .kill = TRIAL_KILL_SURE, .killed = "the cell's keeper"}},
        {'M', {MACHINE_FAILED, .reason = "no memory"}},
        {'N', {MACHINE_FAILED, .reason = "no process"}},
        {'O', {.outcome = TRIAL_RAN, KILLED("planner"), .shortage = TRIAL_SHORT_OF_MEMORY}},
        {'L', {MACHINE_FAILED, .reason = "no process", .shortage = TRIAL_SHORT_BY_LIMITS}},
        {'B', {MACHINE_FAILED, .reason = "no memory", KILLED("simulator")}},
    };
    for (size_t i = 0; i < COUNT(kinds); i++)
        if (kinds[i].kind == kind)
            return kinds[i].result;
    ck_abort_msg("no such kind of run: %c", kind);
}

static enum fate fate_of(const char *runs, bool trouble)
{
    struct trial_result run[FATE_RUNS_MAX];
    unsigned count = 0;
    for (; runs[count] != '\0'; count++)
        run[count] = run_like(runs[count]);
    return fate_of_runs(run, count, trouble);
}

START_TEST(the_runs_of_a_trial_decide_its_fate)
{
    static const struct {
        const char *name, *runs;
        bool trouble;
        enum fate fate;
    } cases[] = {
        {"it ran", ".", false, FATE_STORED},
        {"the kernel was short of memory", "O", false, FATE_MACHINE_FAILED},
        {"so it was later", "PPO", false, FATE_MACHINE_FAILED},
        {"a limit of its parent, whatever comes", "LLL", false, FATE_MACHINE_FAILED},
        {"an error of the lab", "E", false, FATE_STORED},
        {"trouble in the lab's own process", ".", true, FATE_MACHINE_FAILED},
        {"keeper killed", "K", false, FATE_DISTURBED},
        {"killed: once may be chance", "S", false, FATE_AGAIN},
        {"killed, then not", "S.", false, FATE_DISTURBED},
        {"killed, then the keeper is", "SK", false, FATE_DISTURBED},
        {"killed twice", "SS", false, FATE_AGAIN},
        {"killed three times", "SSS", false, FATE_BLAMED},
        {"killed twice, then not", "SSE", false, FATE_DISTURBED},
        {"planner killed three times: judged by its history", "PPP", false, FATE_STORED},
        {"another one killed in between", "SFS", false, FATE_AGAIN},
        {"the same for the third time at last", "SFFSS", false, FATE_BLAMED},
        {"some process killed in each of five runs", "SFPFP", false, FATE_BLAMED},
        {"some process killed in four runs", "SFPF", false, FATE_AGAIN},
        {"four killed, the fifth not", "SFPF.", false, FATE_DISTURBED},
        {"killed, and trouble since", "SSS", true, FATE_MACHINE_FAILED},
        {"killed once, trouble must wait", "S", true, FATE_AGAIN},
        {"killed from outside, and trouble", "S.", true, FATE_DISTURBED},
        {"machine failed once", "M", false, FATE_AGAIN},
        {"machine failed, then not", "M.", false, FATE_MACHINE_FAILED},
        {"machine failed in other words", "MN", false, FATE_MACHINE_FAILED},
        {"machine failed twice", "MM", false, FATE_AGAIN},
        {"machine failed so three times: an ERROR", "MMM", false, FATE_STORED},
        {"machine failed, and trouble", "M", true, FATE_MACHINE_FAILED},
        {"killed on a failing machine", "BBB", false, FATE_BLAMED},
        {"killed thrice, the machine failed once", "BSS", false, FATE_MACHINE_FAILED},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const enum fate fate = fate_of(cases[i].runs, cases[i].trouble);
        ck_assert_msg(fate == cases[i].fate, "%s: %d", cases[i].name, (int)fate);
    }
}
END_TEST

START_TEST(five_runs_tell_whatever_they_are)
{
    static const char kinds[] = ".EPSFKMNB";
    const unsigned each = sizeof kinds - 1;
    unsigned all = 1;
    for (unsigned i = 0; i < FATE_RUNS_MAX; i++)
        all *= each;
    for (unsigned number = 0; number < all; number++) {
        char runs[FATE_RUNS_MAX + 1] = "";
        for (unsigned i = 0, rest = number; i < FATE_RUNS_MAX; i++, rest /= each)
            runs[i] = kinds[rest % each];
        if (fate_of(runs, false) == FATE_AGAIN)
            ck_abort_msg("%s wants a sixth run", runs);
    }
}
END_TEST

START_TEST(a_second_run_for_the_hash_may_lose_the_trial)
{
    static const struct {
        const char *name;
        char first, again;
        bool trouble;
        enum fate fate;
    } cases[] = {
        {"both ran", '.', '.', false, FATE_STORED},
        {"the second one is an error of the lab: its hash will tell", '.', 'E', false, FATE_STORED},
        {"killed in the second run only", '.', 'P', false, FATE_DISTURBED},
        {"the target kills its planner in both", 'P', 'P', false, FATE_STORED},
        {"machine failed in the second run", '.', 'M', false, FATE_MACHINE_FAILED},
        {"trouble", '.', '.', true, FATE_MACHINE_FAILED},
        {"killed on a failing machine", '.', 'B', false, FATE_MACHINE_FAILED},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct trial_result first = run_like(cases[i].first),
                                  again = run_like(cases[i].again);
        const enum fate fate = fate_of_recheck(&first, &again, cases[i].trouble);
        ck_assert_msg(fate == cases[i].fate, "%s: %d", cases[i].name, (int)fate);
    }
}
END_TEST

START_TEST(a_run_without_a_history_has_a_verdict_too)
{
    static const struct {
        const char *name;
        struct trial_result result;
        enum verdict verdict;
    } cases[] = {
        {"this machine cannot", {.outcome = TRIAL_UNSUPPORTED}, VERDICT_SKIP},
        {"a bare cell is not for this target", {.outcome = TRIAL_UNTRUSTED}, VERDICT_SKIP},
        {"the target refused to start", {.outcome = TRIAL_REFUSED}, VERDICT_FAIL},
        {"killed before it was ready",
         {.outcome = TRIAL_REFUSED, KILLED("balance")},
         VERDICT_ERROR},
        {"the lab failed", {LAB_ERROR, .reason = "the clock stood"}, VERDICT_ERROR},
        {"the machine failed", {MACHINE_FAILED}, VERDICT_ERROR},
    };
    for (size_t i = 0; i < COUNT(cases); i++)
        ck_assert_msg(fate_verdict(&cases[i].result) == cases[i].verdict, "%s", cases[i].name);
}
END_TEST

START_TEST(what_the_machine_may_have_spoiled_is_in_doubt)
{
    static const struct {
        const char *name;
        double still_s, first_s, broken_s;
        enum verdict verdict;
        bool doubted;
    } cases[] = {
        {"failed since", 0.004, 5, 6, VERDICT_FAIL, true},
        {"failed, nobody knows when", 0.004, 5, (double)NAN, VERDICT_FAIL, true},
        {"an error", 0.004, 5, (double)NAN, VERDICT_ERROR, true},
        {"failed in a stretch that begins before", 0.004, 5, 4.5, VERDICT_FAIL, true},
        {"failed before", 0.004, 5, 3.9, VERDICT_FAIL, false},
        {"passed", 0.004, 5, (double)NAN, VERDICT_PASS, false},
        {"skipped", 0.004, 5, (double)NAN, VERDICT_SKIP, false},
        {"the machine ran on", 0, 0, 6, VERDICT_FAIL, false},
    };
    for (size_t i = 0; i < COUNT(cases); i++) {
        const struct trial_result result = {
            .watched = true, .still_s = cases[i].still_s, .still_first_s = cases[i].first_s};
        struct judgement judgement = {0};
        judgement_add(&judgement, "stands", cases[i].verdict, 0, "", "");
        judgement.oracle[0].broken_s = cases[i].broken_s;
        ck_assert_msg(fate_in_doubt(&result, &judgement) == cases[i].doubted, "%s", cases[i].name);
    }
}
END_TEST

UNIT_MAIN("fate", the_runs_of_a_trial_decide_its_fate, five_runs_tell_whatever_they_are,
          a_second_run_for_the_hash_may_lose_the_trial, a_run_without_a_history_has_a_verdict_too,
          what_the_machine_may_have_spoiled_is_in_doubt)
