// harness/judge: the verdict of a trial from those of all oracles.
#include "tests/unit/common/synthetic.h"

#include "harness/judge/verdict.h"

START_TEST(a_sound_trial_passes_every_oracle)
{
    struct made_up *m = make_up();
    swing_until(m, 6, true, true);
    expect_all_pass(m);
    ck_assert(!judged(m)->observation.present);
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

START_TEST(what_a_job_adds_to_all_oracles_has_room)
{
    struct made_up *m = make_up();
    swing_until(m, 2, true, true);
    struct judgement *judgement = judged(m);
    ck_assert_uint_eq(judgement->count, ORACLE_COUNT);
    for (unsigned i = 1; i < ADDED_VERDICTS; i++)
        judgement_compare(judgement, "a", "a");
    ck_assert_int_eq(judgement->verdict, VERDICT_PASS);
    judgement_compare(judgement, "a", "b");
    ck_assert_uint_eq(judgement->count, ORACLE_COUNT + ADDED_VERDICTS);
    ck_assert_int_eq(judgement->verdict, VERDICT_ERROR);
    forget(m);
}
END_TEST

START_TEST(the_worst_verdict_counts_and_nothing_to_judge_is_no_pass)
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
        }
}
END_TEST

UNIT_MAIN("judge", a_sound_trial_passes_every_oracle, an_empty_history_is_an_error,
          a_broken_lab_outweighs_a_broken_target, what_a_job_adds_to_all_oracles_has_room,
          the_worst_verdict_counts_and_nothing_to_judge_is_no_pass)
