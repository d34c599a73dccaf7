// play: repetitions, pages and exits come in their order, with velocities that do not overshoot.
#include "tests/unit/common/unit.h"

#include <math.h>

#include "targets/bioloid/play.h"

static struct movements *movements;
static struct play play;

// Pages 1 to 4 of two steps each, that end at `page` and `page` + 0.5 rad.
static void make(void)
{
    movements = calloc(1, sizeof *movements + 4 * sizeof movements->movement[0]);
    ck_assert_ptr_nonnull(movements);
    movements->count = 4;
    for (unsigned p = 0; p < 4; p++) {
        struct movement *movement = &movements->movement[p];
        movement->repeat = 1;
        movement->step_count = 2;
        for (unsigned s = 0; s < 2; s++) {
            movement->step[s] = (struct movement_step){.servos = 2, .duration_s = 1};
            movement->step[s].angle_rad[1] = p + 1 + 0.5 * s;
            movement->step[s].velocity_rad_s[1] = NAN;
        }
    }
}

static void expect(const double *angles)
{
    struct movement_step step;
    for (; *angles > 0; angles++) {
        ck_assert(play_next(&play, &step));
        ck_assert_double_eq(step.angle_rad[1], *angles);
    }
}

static void expect_end(void)
{
    struct movement_step step;
    ck_assert(!play_next(&play, &step));
    free(movements);
}

START_TEST(pages_are_repeated_and_go_on)
{
    make();
    movements->movement[0].repeat = 2;
    movements->movement[0].next = 3;
    play_start(&play, movements, &movements->movement[0], 0);
    expect((const double[]){1, 1.5, 1, 1.5, 3, 3.5, 0});
    ck_assert_uint_eq(play.played, 6);
    expect_end();
}
END_TEST

START_TEST(who_leaves_goes_by_the_exit)
{
    make();
    movements->movement[0].next = 1; // for ever
    movements->movement[0].exit = 4;
    play_start(&play, movements, &movements->movement[0], 0);
    expect((const double[]){1, 1.5, 1, 0});
    play_leave(&play);
    expect((const double[]){1.5, 4, 4.5, 0});
    expect_end();
}
END_TEST

START_TEST(empty_pages_in_a_circle_end)
{
    make();
    movements->movement[0].step_count = movements->movement[1].step_count = 0;
    movements->movement[0].next = 2;
    movements->movement[1].next = 1;
    play_start(&play, movements, &movements->movement[0], 0);
    expect_end();
}
END_TEST

START_TEST(velocities_are_those_of_a_curve_that_does_not_overshoot)
{
    struct movement_step step;
    make();
    movements->movement[0].next = 2;
    play_start(&play, movements, &movements->movement[0], 0);
    ck_assert(play_next(&play, &step)); // from wherever it is
    ck_assert_double_eq(step.velocity_rad_s[1], 0);
    ck_assert(play_next(&play, &step)); // 0.5 before, 0.5 behind
    ck_assert_double_eq(step.velocity_rad_s[1], 0.5);
    movements->movement[1].step[1].angle_rad[1] = 1; // back again
    ck_assert(play_next(&play, &step));
    ck_assert_double_eq(step.velocity_rad_s[1], 0);
    ck_assert(play_next(&play, &step)); // the end
    ck_assert_double_eq(step.velocity_rad_s[1], 0);
    expect_end();
}
END_TEST

UNIT_MAIN("play", pages_are_repeated_and_go_on, who_leaves_goes_by_the_exit,
          empty_pages_in_a_circle_end, velocities_are_those_of_a_curve_that_does_not_overshoot)
