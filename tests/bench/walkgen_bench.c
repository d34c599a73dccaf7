// The walking pattern generator on HUBO2: times of a tick and of one more step, of a solve of the
// velocity-driven walk, page faults, size, and the ZMP errors of the paper's first
// listing. Processor time. Prints a line per figure (see harness/bench/compare/figures.h).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "walk/velocity_walk.h"
#include "walk/walkgen.h"

#define TICKS 20000
#define SOLVES 2000
#define LISTING_1                                                                                  \
    ":stepseq 0.0 -0.095 0.0  0.2 0.19 0.0  0.2 -0.19 0.0  0.2 0.19 0.0  0.2 -0.19 0.0  "          \
    "0.2 0.19 0.0  0.0 -0.19 0.0"

static double us[TICKS], step_us[TICKS];

static double now_us(void)
{
    struct timespec t;
    (void)clock_gettime(CLOCK_PROCESS_CPUTIME_ID, &t);
    return (double)t.tv_sec * 1e6 + (double)t.tv_nsec * 1e-3;
}

static int by_size(const void *a, const void *b)
{
    const double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

static void print_times(const char *name, double *time_us, unsigned count)
{
    qsort(time_us, count, sizeof *time_us, by_size);
    printf("%s\tp50\tus\tless\t%.1f\n%s\tp99\tus\tless\t%.1f\n", name, time_us[count / 2], name,
           time_us[count * 99 / 100]);
}

// Steps on the spot, each made outside the tick.
static bool ticks(struct walkgen *walkgen)
{
    struct walkgen_output out;
    struct rusage before, after;
    unsigned steps = 0;
    if (walkgen_command(walkgen, ":StartOnLineStepSequencing") != STATUS_OK)
        return false;
    memset(us, 1, sizeof us); // touched before it counts
    memset(step_us, 1, sizeof step_us);
    for (unsigned i = 0; i < 1000; i++) {
        walkgen_prepare(walkgen);
        (void)walkgen_tick(walkgen, &out);
    }
    getrusage(RUSAGE_SELF, &before);
    for (unsigned i = 0; i < TICKS; i++) {
        const uint64_t dry = walkgen_counts(walkgen).dry;
        double begin = now_us();
        walkgen_prepare(walkgen);
        const double prepared = now_us() - begin;
        if (walkgen_counts(walkgen).dry > dry)
            step_us[steps++] = prepared;
        begin = now_us();
        (void)walkgen_tick(walkgen, &out);
        us[i] = now_us() - begin;
    }
    getrusage(RUSAGE_SELF, &after);
    print_times("tick", us, TICKS);
    print_times("one more step", step_us, steps);
    printf("tick\tpage faults\tfaults\tless\t%ld\n",
           after.ru_minflt - before.ru_minflt + after.ru_majflt - before.ru_majflt);
    printf("generator\tsize\tB\tless\t%zu\n", walkgen_memory());
    return true;
}

static bool listing(struct walkgen *walkgen)
{
    static const char *const name[3] = {"pendulum", "multi-body", "multi-body without filter"};
    struct walkgen_output out;
    double square[3] = {0}, most[3] = {0};
    unsigned count = 0;
    if (walkgen_reset(walkgen, NULL) != STATUS_OK ||
        walkgen_command(walkgen, LISTING_1) != STATUS_OK)
        return false;
    for (; walkgen_tick(walkgen, &out); count++) {
        const double *zmp[3] = {out.first_zmp_m, out.zmp_multibody_m, out.zmp_unfiltered_m};
        for (int k = 0; k < 3; k++) {
            const double error = hypot(zmp[k][0] - out.zmp_m[0], zmp[k][1] - out.zmp_m[1]);
            square[k] += error * error;
            most[k] = fmax(most[k], error);
        }
    }
    for (int k = 0; k < 3; k++)
        printf("%s\tZMP error rms\tmm\tless\t%.2f\n%s\tZMP error most\tmm\tless\t%.2f\n", name[k],
               1e3 * sqrt(square[k] / count), name[k], 1e3 * most[k]);
    return true;
}

static bool velocity(double com_height_m)
{
    const struct velocity_walk_config config = velocity_walk_defaults(com_height_m);
    const double half_m = config.stance_width_m / 2, wanted[3] = {0.2, 0, 0.1};
    struct velocity_walk walk;
    if (velocity_walk_create(&config, (struct pose2d){0, -half_m, 0}, (struct pose2d){0, half_m, 0},
                             &walk) != STATUS_OK ||
        !velocity_walk_set(&walk, wanted))
        return false;
    for (unsigned i = 0; i < SOLVES; i++) {
        const double begin = now_us();
        (void)velocity_walk_step(&walk);
        us[i] = now_us() - begin;
    }
    print_times("velocity-driven solve", us, SOLVES);
    printf("velocity-driven solve\tabandoned\tperiods\tless\t%u\n", walk.abandoned);
    velocity_walk_free(&walk);
    return true;
}

int main(void)
{
    struct robot_model *model;
    struct walkgen *walkgen;
    if (robot_model_load("targets/hubo2/robot.xml", &model) != STATUS_OK ||
        walkgen_create(model, &walkgen) != STATUS_OK)
        return 2;
    const bool ok = ticks(walkgen) && listing(walkgen) && velocity(walkgen_com_height_m(walkgen));
    walkgen_free(walkgen);
    robot_model_free(model);
    return ok ? 0 : 3;
}
