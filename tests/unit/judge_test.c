// harness/judge: the verdict of a trial from those of all oracles.
#include "synthetic.h"

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

UNIT_MAIN("judge", a_sound_trial_passes_every_oracle, an_empty_history_is_an_error,
          a_broken_lab_outweighs_a_broken_target)
