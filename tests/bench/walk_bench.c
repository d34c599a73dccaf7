// walk_bench: does the robot walk? Pattern generator and stabiliser against MuJoCo through an
// emulation of the control chain.
//
//   walk_bench [ROBOT.xml]                  all gaits, then the falls when the joints freeze
//   walk_bench ROBOT.xml GAIT KIND STEPS    one walk (gait 0 or 1; kind as enum
//                                           balance_command_kind), traced on standard output
#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "tests/bench/walk_simulation.h"

#define STEPS_MAX 200
#define VELOCITY_MAX_RAD_S 7.0
#define ACCELERATION_MAX_RAD_S2 120.0 // as in hubo2.xml

static struct simulation_options options_for(const char *path, enum gait gait)
{
    return (struct simulation_options){.robot_xml = path,
                                       .gait = gait,
                                       .stabilise = true,
                                       .arms_move = true,
                                       .noise = true,
                                       .velocity_max_rad_s = VELOCITY_MAX_RAD_S,
                                       .acceleration_max_rad_s2 = ACCELERATION_MAX_RAD_S2,
                                       .loss_sample = -1};
}

// WALK_TUNE=capture point,integral,ankle,pelvis,force difference,decay,delay
static void tune(struct stabilizer_parameters *p)
{
    const char *text = getenv("WALK_TUNE");
    if (text != NULL)
        sscanf(text, "%lf,%lf,%lf,%lf,%lf,%lf,%u", &p->capture_point_gain,
               &p->capture_point_integral, &p->ankle_admittance, &p->com_admittance,
               &p->force_difference_admittance, &p->correction_decay_1_s, &p->delay_samples);
}

static struct simulation_result walk(const struct simulation_options *options,
                                     enum balance_command_kind kind, unsigned steps, double watch_s)
{
    struct footstep step[STEPS_MAX];
    struct stance stance = footsteps_stance((struct pose2d){0});
    const struct gait_parameters *gait = gait_parameters(options->gait);
    unsigned count = footsteps_walk(gait, &stance, kind, steps, steps * 0.1, step, STEPS_MAX);
    struct simulation *simulation = simulation_create(options);
    if (simulation == NULL)
        exit(3);
    tune(simulation_parameters(simulation));
    struct simulation_result result = simulation_walk(simulation, step, count, watch_s);
    simulation_free(simulation);
    return result;
}

static void print_result(const char *name, const struct simulation_result *r)
{
    printf("%-34s %-5s %3u steps %6.2f s, com margin %6.1f mm, outside %4.1f %%, tilt %4.1f deg, "
           "torque "
           "%3.0f Nm, limited %u, unreachable %u, off %.0f mm, %.1f us/step\n",
           name, r->fell ? "FELL" : "ok", r->steps, r->time_s, 1e3 * r->com_margin_m,
           100.0 * r->outside_share, r->tilt_max_rad * 180.0 / M_PI, r->torque_max_Nm, r->limited,
           r->unreachable, 1e3 * r->position_error_m, r->step_us);
    printf("%34s peak rad/s  ", "");
    for (int i = 0; i < LEG_JOINTS; i++)
        printf(" %6.2f", r->peak_velocity_rad_s[i]);
    printf("\n%34s peak rad/s2 ", "");
    for (int i = 0; i < LEG_JOINTS; i++)
        printf(" %6.1f", r->peak_acceleration_rad_s2[i]);
    printf("   (HY HR HP KN AP AR)\n");
    fflush(stdout);
}

static const char *const kind_name[] = {"", "", "forward", "backward", "left", "right", "turn"};

static void all_walks(const char *path)
{
    for (enum gait gait = GAIT_QUASI_STATIC; gait < GAIT_COUNT; gait++) {
        for (enum balance_command_kind kind = BALANCE_WALK_FORWARD; kind <= BALANCE_TURN; kind++) {
            struct simulation_options options = options_for(path, gait);
            char name[64];
            snprintf(name, sizeof name, "%s %s", gait_parameters(gait)->name, kind_name[kind]);
            unsigned steps = kind == BALANCE_WALK_FORWARD ? 40 : 12;
            struct simulation_result result = walk(&options, kind, steps, 3.0);
            print_result(name, &result);
        }
    }
}

// Falls when commands cease at 20 phases of a two-step cycle in the middle of a walk.
static void falls(const char *path, enum gait gait, enum loss loss, const char *name)
{
    const struct gait_parameters *g = gait_parameters(gait);
    double begin =
        g->wait_s + g->initial_double_support_s - g->double_support_s + 6.0 * g->period_s;
    unsigned fell = 0, outside = 0, both = 0;
    printf("%-13s %-14s ", g->name, name);
    for (int phase = 0; phase < 20; phase++) {
        struct simulation_options options = options_for(path, gait);
        options.loss = loss;
        options.loss_sample =
            (int64_t)lround((begin + 2.0 * g->period_s * phase / 20.0) / PATTERN_PERIOD_S);
        struct simulation_result result = walk(&options, BALANCE_WALK_FORWARD, 12, 3.0);
        fell += result.fell;
        outside += result.loss_margin_m < 0.0;
        both += result.fell && result.loss_margin_m < 0.0;
        putchar(result.fell ? 'F' : result.loss_margin_m < 0.0 ? 'o' : '.');
        fflush(stdout);
    }
    printf("  fell %u of 20, centre of mass outside %u, both %u\n", fell, outside, both);
}

int main(int argc, char **argv)
{
    const char *path = argc > 1 ? argv[1] : "targets/hubo2/robot.xml";
    if (argc > 4) {
        struct simulation_options options = options_for(path, (enum gait)atoi(argv[2]));
        options.trace = stdout;
        options.stabilise = getenv("WALK_PLAIN") == NULL;
        options.push_N = argc > 6 ? atof(argv[5]) : 0.0;
        options.push_s = argc > 6 ? atof(argv[6]) : 0.0;
        struct simulation_result result =
            walk(&options, (enum balance_command_kind)atoi(argv[3]), (unsigned)atoi(argv[4]), 3.0);
        print_result("walk", &result);
        return result.fell ? EXIT_FAILURE : EXIT_SUCCESS;
    }
    all_walks(path);
    for (enum gait gait = GAIT_QUASI_STATIC; gait < GAIT_COUNT; gait++) {
        falls(path, gait, LOSS_FREEZE, "freeze");
        falls(path, gait, LOSS_HOLD_VELOCITY, "hold velocity");
    }
    return EXIT_SUCCESS;
}
