// robot, start of a program: what the environment may ask of it.
#include "unit.h"

#include "robot/participant.h"

static enum status join_with(const char *spin_us)
{
    struct clk *clk = NULL;
    unsetenv("UKEMI_CELL"); // stands alone
    setenv("UKEMI_ENV_SPIN_US", spin_us, 1);
    const enum status status = participant_join(1, &clk);
    if (status == STATUS_OK)
        clk_leave(clk);
    return status;
}

START_TEST(waits_spin_only_as_long_as_a_number_in_range_says)
{
    ck_assert_int_eq(join_with("0"), STATUS_OK);
    ck_assert_int_eq(join_with("100"), STATUS_OK);
    ck_assert_int_eq(join_with("10000"), STATUS_OK);
    const char *const wrong[] = {"", "-1", "10001", "99999999999999999999", "100us", "soon"};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++)
        ck_assert_int_eq(join_with(wrong[i]), STATUS_INVALID);
}
END_TEST

START_TEST(a_program_without_options_refuses_arguments)
{
    char name[] = "build/daemon", option[] = "--rate-hz";
    char *alone[] = {name, NULL}, *more[] = {name, option, NULL};
    ck_assert_int_eq(participant_begin(1, alone), STATUS_OK);
    ck_assert_int_eq(participant_begin(2, more), STATUS_INVALID);
}
END_TEST

UNIT_MAIN("participant", waits_spin_only_as_long_as_a_number_in_range_says,
          a_program_without_options_refuses_arguments)
