// harness/judge: the verdict of a trial from those of all oracles.
#include "tests/unit/common/synthetic.h"

#include "harness/judge/claim.h"
#include "harness/judge/pack.h"
#include "harness/packs/packs.h"

START_TEST(a_sound_trial_passes_every_oracle)
{
    struct made_up *m = make_up();
    swing_until(m, 6, true, true);
    expect_all_pass(m);
    ck_assert_uint_eq(judged(m)->observation_count, 0);
    forget(m);
}
END_TEST

START_TEST(an_empty_history_is_an_error)
{
    struct made_up *m = make_up();
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_broken_lab_outweighs_a_broken_target)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->truth.physics_warning = 1;
    lie_down(m);
    until(m, 2);
    ck_assert_int_eq(judged(m)->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

// Of the lab and of all packs, each name only once.
static unsigned count_oracles(void)
{
    const char *name[VERDICTS_MAX];
    unsigned count = 0;
    const struct pack *pack = &pack_lab;
    for (unsigned i = 0; pack != NULL; pack = all_packs[i++])
        for (const struct oracle *o = pack->oracle; o != NULL && o->name != NULL; o++) {
            for (unsigned n = 0; n < count; n++)
                ck_assert_str_ne(o->name, name[n]);
            name[count++] = o->name;
        }
    return count;
}

START_TEST(what_a_job_adds_to_all_oracles_has_room)
{
    struct made_up *m = make_up();
    swing_until(m, 2, true, true);
    struct judgement *judgement = judged(m);
    ck_assert_uint_eq(judgement->count, count_oracles() + CLAIM_VERDICTS);
    for (unsigned i = 1; i < ADDED_VERDICTS; i++)
        judgement_compare(judgement, "a", "a");
    ck_assert_int_eq(judgement->verdict, VERDICT_PASS);
    judgement_compare(judgement, "a", "b");
    ck_assert_uint_eq(judgement->count, count_oracles() + CLAIM_VERDICTS + ADDED_VERDICTS);
    ck_assert_int_eq(judgement->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(a_target_is_judged_by_the_packs_it_names_and_by_no_other)
{
    struct made_up *m = make_up();
    swing_until(m, 2, true, true);
    m->target.pack_count = 0;
    struct judgement *judgement = judged(m);
    ck_assert_int_eq(judgement->verdict, VERDICT_PASS);
    for (unsigned i = 0; i + CLAIM_VERDICTS < judgement->count; i++)
        ck_assert_str_eq(judgement->oracle[i].oracle, pack_lab.oracle[i].name);
    m->target.pack_count = 1;
    strcpy(m->target.pack[0], "joints");
    expect_verdict(m, "state-truth", VERDICT_SKIP); // no state
    for (unsigned i = 0; i < judged(m)->count; i++)
        ck_assert_str_ne(judged(m)->oracle[i].oracle, "upright-without-fault");
    forget(m);
}
END_TEST

START_TEST(ground_truth_is_owed_where_there_is_a_simulated_world)
{
    struct made_up *m = make_up();
    until(m, 1);
    m->truth.physics_warning = 1;
    until(m, 2);
    expect_verdict(m, "lab-physics", VERDICT_ERROR);
    m->target.world[0] = '\0';
    expect_verdict(m, "lab-physics", VERDICT_SKIP);
    forget(m);
}
END_TEST

START_TEST(the_worst_verdict_counts_and_nothing_to_judge_is_no_pass)
{
    static const struct {
        const char *name;
        unsigned count[VERDICT_COUNT];
        enum verdict worst;
    } cases[] = {
        {"nothing at all", {0}, VERDICT_SKIP},
        {"nothing was judged", {[VERDICT_SKIP] = 7}, VERDICT_SKIP},
        {"one holds", {[VERDICT_SKIP] = 7, [VERDICT_PASS] = 1}, VERDICT_PASS},
        {"one fails", {[VERDICT_PASS] = 7, [VERDICT_FAIL] = 1}, VERDICT_FAIL},
        {"the lab is broken", {[VERDICT_PASS] = 7, [VERDICT_ERROR] = 1}, VERDICT_ERROR},
        {"both are", {[VERDICT_FAIL] = 7, [VERDICT_ERROR] = 1}, VERDICT_ERROR},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++)
        ck_assert_msg(verdict_worst(cases[i].count) == cases[i].worst, "%s", cases[i].name);
}
END_TEST

START_TEST(a_judgement_is_its_worst_oracle_wherever_that_stands)
{
    struct judgement judgement = {.count = 2};
    static const enum verdict from_best[] = {VERDICT_SKIP, VERDICT_PASS, VERDICT_FAIL,
                                             VERDICT_ERROR};
    for (unsigned a = 0; a < 4; a++)
        for (unsigned b = 0; b < 4; b++) {
            judgement.oracle[0].verdict = from_best[a];
            judgement.oracle[1].verdict = from_best[b];
            judge_conclude(&judgement);
            ck_assert_int_eq(judgement.verdict, from_best[a > b ? a : b]);
            ck_assert_ptr_eq(judgement_decisive(&judgement), &judgement.oracle[b > a]);
            ck_assert_int_eq(verdict_is_bad(judgement.verdict), a > 1 || b > 1);
        }
    judgement = (struct judgement){.verdict = VERDICT_ERROR};
    ck_assert_ptr_null(judgement_decisive(&judgement));
}
END_TEST

START_TEST(the_promise_broken_first_decides)
{
    struct judgement judgement = {.count = 4,
                                  .oracle = {{"passes", VERDICT_PASS, .broken_s = 0.5},
                                             {"says-nothing", VERDICT_FAIL, .broken_s = NAN},
                                             {"later", VERDICT_FAIL, .broken_s = 3},
                                             {"first", VERDICT_FAIL, .broken_s = 2}}};
    judge_conclude(&judgement);
    ck_assert_str_eq(judgement_decisive(&judgement)->oracle, "first");
    judgement.count = 2;
    ck_assert_str_eq(judgement_decisive(&judgement)->oracle, "says-nothing");
}
END_TEST

START_TEST(hashes_of_one_seed_are_the_same_or_the_lab_is_broken)
{
    static const struct {
        const char *again;
        enum verdict verdict;
        double margin;
    } cases[] = {{"e1f1", VERDICT_PASS, 1}, {"7220", VERDICT_ERROR, 0}, {"", VERDICT_ERROR, 0}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct judgement judgement = {0};
        judgement_add(&judgement, "upright", VERDICT_FAIL, -1, "1", "it fell");
        judgement_compare(&judgement, "e1f1", cases[i].again);
        ck_assert_str_eq(judgement.oracle[1].oracle, "determinism");
        ck_assert_int_eq(judgement.oracle[1].verdict, cases[i].verdict);
        ck_assert_double_eq(judgement.oracle[1].margin, cases[i].margin);
        ck_assert_int_eq(judgement.verdict, i == 0 ? VERDICT_FAIL : VERDICT_ERROR);
    }
}
END_TEST

UNIT_MAIN("judge", a_sound_trial_passes_every_oracle, an_empty_history_is_an_error,
          a_broken_lab_outweighs_a_broken_target, what_a_job_adds_to_all_oracles_has_room,
          a_target_is_judged_by_the_packs_it_names_and_by_no_other,
          ground_truth_is_owed_where_there_is_a_simulated_world,
          the_worst_verdict_counts_and_nothing_to_judge_is_no_pass,
          a_judgement_is_its_worst_oracle_wherever_that_stands, the_promise_broken_first_decides,
          hashes_of_one_seed_are_the_same_or_the_lab_is_broken)
