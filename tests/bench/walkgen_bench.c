// The walking pattern generator on HUBO2: times of a tick and of one more step, of one in closed
// form, of a solve of the
// velocity-driven walk, of a plan of six steps, page faults, size, and the ZMP errors of the
// paper's first listing, also on HRP-2 and with toes. Processor time. Prints a line per figure (see
// harness/bench/compare/figures.h).
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/resource.h>
#include <time.h>

#include "walk/zmp/velocity_walk.h"
#include "walk/generator/walkgen.h"
#include "walk/zmp/zmp_pbw.h"

static const struct sole soles[2] = {{-0.105, 0.105, -0.065, 0.065},
                                     {-0.105, 0.105, -0.065, 0.065}};

#define TICKS 20000
#define SOLVES 2000
#define COLD 200    // solves without one before
#define SAMPLES 900 // of a plan of six steps of 0.8 s, standing before and after, each 10 ms
#define STEP 80     // samples
#define BOTH 2      // of them on both feet
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
    (void)now_us(); // its code, too, is there now
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

// Steps on the spot with a centre of mass in closed form: the tick that makes one solves for it.
static bool closed_form(struct walkgen *walkgen)
{
    struct walkgen_output out;
    unsigned steps = 0;
    if (walkgen_reset(walkgen, NULL) != STATUS_OK ||
        walkgen_command(walkgen, ":SetAlgoForZmpTrajectory Morisawa") != STATUS_OK ||
        walkgen_command(walkgen, ":StartOnLineStepSequencing") != STATUS_OK)
        return false;
    for (unsigned i = 0; i < TICKS; i++) {
        const uint64_t before = walkgen_counts(walkgen).dry;
        const double start_us = now_us();
        walkgen_prepare(walkgen);
        const double taken_us = now_us() - start_us;
        if (walkgen_counts(walkgen).dry > before)
            step_us[steps++] = taken_us;
        (void)walkgen_tick(walkgen, &out);
    }
    print_times("one more step in closed form", step_us, steps);
    return true;
}

// After a first command, if any; then without the pendulum's errors, which depend on little else.
static bool listing(const char *robot, const char *path, const char *first)
{
    static const char *const name[3] = {"pendulum", "multi-body", "multi-body without filter"};
    struct robot_model *model;
    struct walkgen *walkgen;
    struct walkgen_output out;
    double square[3] = {0}, most[3] = {0};
    unsigned count = 0;
    if (robot_model_load(path, &model) != STATUS_OK ||
        walkgen_create(model, &walkgen) != STATUS_OK ||
        (first != NULL && walkgen_command(walkgen, first) != STATUS_OK) ||
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
    for (int k = first == NULL ? 0 : 1; k < 3; k++)
        printf("%s%s\tZMP error rms\tmm\tless\t%.2f\n%s%s\tZMP error most\tmm\tless\t%.2f\n",
               name[k], robot, 1e3 * sqrt(square[k] / count), name[k], robot, 1e3 * most[k]);
    walkgen_free(walkgen);
    robot_model_free(model);
    return true;
}

// Six steps straight on: where the ZMP may be and should be.
static bool lay_out(struct pbw_polygon *polygon, double (*reference_m)[2])
{
    static const double margin_m[2] = {0.07, 0.05};
    struct pose2d foot[2] = {{0, -0.095, 0}, {0, 0.095, 0}};
    bool ok = true;
    for (unsigned i = 0; i < SAMPLES; i++) {
        const unsigned step = i / STEP, phase = i % STEP, carries = step % 2;
        const bool walks = step >= 1 && step <= 6, both = !walks || phase < BOTH;
        if (walks && step > 1 && phase == 0)
            foot[carries].x_m = 0.2 * step;
        ok &= both ? pbw_support(foot, soles, 2, margin_m, &polygon[i])
                   : pbw_support(&foot[carries], soles, 1, margin_m, &polygon[i]);
        reference_m[i][0] = walks ? foot[carries].x_m : (foot[0].x_m + foot[1].x_m) / 2;
        reference_m[i][1] = walks ? foot[carries].y_m : 0;
    }
    return ok;
}

// By equation 20, N 150 and T 0.01 as in the third listing, and all at once.
static bool plan(double com_height_m)
{
    static struct pbw_polygon polygon[SAMPLES];
    static double reference_m[SAMPLES][2], jerk[SAMPLES][2];
    const struct pbw_config config = {.period_s = 0.01,
                                      .com_height_m = com_height_m,
                                      .alpha = 200,
                                      .beta = 1000,
                                      .terminal = 1e4,
                                      .samples_max = SAMPLES};
    struct pbw *pbw;
    double com[2][3] = {{0}, {0}};
    bool ok = lay_out(polygon, reference_m) && pbw_create(&config, &pbw) == STATUS_OK;
    if (!ok)
        return false;
    double begin = now_us();
    for (unsigned i = 0; i + 150 < SAMPLES && ok; i++) {
        ok = pbw_solve(pbw, 150, (const double(*)[3])com, polygon + i,
                       (const double(*)[2])(reference_m + i), jerk)
                 .solved;
        pbw_advance(pbw, com, jerk[0]);
    }
    printf("plan of six steps\treceding\tms\tless\t%.0f\n", 1e-3 * (now_us() - begin));
    memset(com, 0, sizeof com);
    begin = now_us();
    ok &= pbw_solve(pbw, SAMPLES, (const double(*)[3])com, polygon, (const double(*)[2])reference_m,
                    jerk)
              .solved;
    printf("plan of six steps\tas one program\tms\tless\t%.1f\n", 1e-3 * (now_us() - begin));
    pbw_free(pbw);
    return ok;
}

// yaw_weight: 0, or yaws are found, too.
static enum status velocity_create(double com_height_m, double yaw_weight,
                                   struct velocity_walk *walk)
{
    struct velocity_walk_config config = velocity_walk_defaults(com_height_m);
    config.weight_yaw = yaw_weight;
    config.yaw_inward_max_rad = 0.1;
    const double half_m = config.stance_width_m / 2, wanted[3] = {0.2, 0, 0.1};
    const enum status status = velocity_walk_create(&config, (struct pose2d){0, -half_m, 0},
                                                    (struct pose2d){0, half_m, 0}, walk);
    return status == STATUS_OK && !velocity_walk_set(walk, wanted) ? STATUS_INVALID : status;
}

static bool velocity_cold(double com_height_m)
{
    struct velocity_walk walk;
    for (unsigned i = 0; i < COLD; i++) {
        if (velocity_create(com_height_m, 0, &walk) != STATUS_OK)
            return false;
        const double begin = now_us();
        (void)velocity_walk_step(&walk);
        us[i] = now_us() - begin;
        velocity_walk_free(&walk);
    }
    print_times("velocity-driven solve, cold", us, COLD);
    return true;
}

static bool velocity(const char *name, double com_height_m, double yaw_weight)
{
    struct velocity_walk walk;
    if (velocity_create(com_height_m, yaw_weight, &walk) != STATUS_OK)
        return false;
    for (unsigned i = 0; i < SOLVES; i++) {
        const double begin = now_us();
        (void)velocity_walk_step(&walk);
        us[i] = now_us() - begin;
    }
    print_times(name, us, SOLVES);
    printf("%s\tabandoned\tperiods\tless\t%u\n", name, walk.abandoned);
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
    const double height_m = walkgen_com_height_m(walkgen);
    const bool ok =
        ticks(walkgen) && closed_form(walkgen) && listing("", "targets/hubo2/robot.xml", NULL) &&
        listing(" of HRP-2", "targets/walkgen/hrp2.xml", ":comheight 0.814") &&
        listing(" on toes", "targets/walkgen-toe/robot.xml", ":SetAlgoForZmpTrajectory Toe") &&
        listing(" in closed form", "targets/hubo2/robot.xml",
                ":SetAlgoForZmpTrajectory Morisawa") &&
        plan(height_m) && velocity("velocity-driven solve", height_m, 0) &&
        velocity("velocity-driven solve with yaws", height_m, 10) && velocity_cold(height_m);
    walkgen_free(walkgen);
    robot_model_free(model);
    return ok ? 0 : 3;
}
