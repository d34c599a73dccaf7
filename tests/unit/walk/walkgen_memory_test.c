// walkgen: nothing is allocated, and no page is missing.
#include "tests/unit/walk/walkgen_begin.h"

#include <limits.h>
#include <malloc.h>
#include <sys/resource.h>

// Bytes that are taken, and pages that were missing when they were used.
struct cost {
    size_t taken_B;
    long faults;
};

static struct cost cost_until_now(void)
{
    struct rusage usage;
    const struct mallinfo2 info = mallinfo2();
    ck_assert_int_eq(getrusage(RUSAGE_THREAD, &usage), 0);
    return (struct cost){info.uordblks + info.hblkhd, usage.ru_minflt + usage.ru_majflt};
}

// A walk with a change of strategy where it stands, each of its stages for 2000 ticks.
static struct cost walk_by_each_strategy(struct walkgen *walkgen)
{
    static const char *const line[] = {":StartOnLineStepSequencing",
                                       ":addstandardonlinestep 0.1 0 5",
                                       ":StopOnLineStepSequencing",
                                       ":SetAlgoForZmpTrajectory PBW",
                                       (LISTING_1),
                                       ":SetAlgoForZmpTrajectory Morisawa",
                                       (LISTING_1),
                                       ":SetAlgoForZmpTrajectory Herdt",
                                       ":HerdtOnline 0.1 0 0.1",
                                       ":stoppg",
                                       ":SetAlgoForZmpTrajectory Naveau",
                                       ":NaveauOnline 0.1 0 0.1",
                                       ":stoppg"};
    struct walkgen_output out;
    const struct cost before = cost_until_now();
    for (size_t i = 0; i < sizeof line / sizeof line[0]; i++) {
        command(walkgen, line[i]);
        if (line[i][1] != 'S' || line[i][2] == 't')
            for (unsigned n = 0; n < 4000 && walkgen_tick(walkgen, &out) && n < 3999; n++)
                walkgen_prepare(walkgen);
    }
    const struct cost after = cost_until_now();
    return (struct cost){after.taken_B - before.taken_B, after.faults - before.faults};
}

// The second of two runs: the first one brings in the program and its stack.
START_TEST(a_motion_allocates_nothing_and_finds_its_memory_there)
{
    long least = LONG_MAX;
    for (int run = 0; run < (SANITIZED ? 1 : 4) && least > 0; run++) {
        struct robot_model *model;
        struct walkgen *walkgen;
        ck_assert_int_eq(robot_model_load(HUBO2, &model), STATUS_OK);
        const size_t before_B = cost_until_now().taken_B;
        ck_assert_int_eq(walkgen_create(model, &walkgen), STATUS_OK);
        const size_t taken_B = cost_until_now().taken_B - before_B;
        if (!SANITIZED) {
            ck_assert_uint_ge(taken_B, walkgen_memory());
            ck_assert_uint_le(taken_B, walkgen_memory() + 16384); // malloc's own
        }
        const struct cost cost = walk_by_each_strategy(walkgen);
        ck_assert_uint_eq(walkgen_counts(walkgen).plans_failed, 0);
        ck_assert_uint_gt(walkgen_counts(walkgen).plans, 500);
        ck_assert_uint_eq(cost.taken_B, 0);
        least = run > 0 && cost.faults < least ? cost.faults : least;
        walkgen_free(walkgen);
        robot_model_free(model);
    }
    ck_assert(least == 0 || SANITIZED); // its shadow has pages of its own
}
END_TEST

UNIT_MAIN("walkgen_memory", a_motion_allocates_nothing_and_finds_its_memory_there)
