// trajectory: one joint between two states, by the methods of Lima et al. (motion/knee.h), angles
// in degrees; or motions of several joints in the least time (motion/trajectory.h). See
// trajectory(1).
#include <errno.h>
#include <getopt.h>
#include <math.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "motion/knee.h"
#include "targets/bioloid/paths.h"
#include "targets/bioloid/problems.h"

#define DEGREE (3.14159265358979323846 / 180)
#define NUMBERS_MIN 7                 // t1 t2 q1 q2 w1 w2 a_max
#define NUMBERS_MAX 8                 // and the inertia
#define INERTIA_DEFAULT_KG_M2 0.00232 // of the paper's example: 0.174 kg, 0.2 m
#define EXIT_INPUT 2

static const char usage[] =
    "usage: trajectory --method a-min|w-min|e-min [--energy electrical|paper|work|absolute]\n"
    "                  T1 T2 Q1 Q2 W1 W2 A_MAX [INERTIA]\n"
    "       trajectory --limits | --segments [--phase] [--to-velocity] [--duration-min S]\n"
    "                  [--period S] [--ranges] [--waypoints] <PROBLEMS\n"
    "       trajectory --path <PATH\n"
    "Seconds, degrees, degrees/s, degrees/s^2 (inf: no limit), kg m^2 (0.00232).\n"
    "Prints the knee tm wm, the accelerations a1 a2, and the four energies.\n"
    "PROBLEMS: a line each: joints, then per joint p v a, target p v a, v_max a_max j_max (or "
    "inf).\n"
    "--limits prints the least duration, --segments a line per joint, dt jerk dt jerk ...\n"
    "--phase: on a straight line; --to-velocity: at any position; --period: the duration is a\n"
    "multiple of it; --ranges: two more numbers per joint, its lowest and highest position;\n"
    "--waypoints: after all joints the number of points, and each joint's position at each.\n"
    "--path: the fastest way along a path; see trajectory(1).\n";

struct options {
    int method, energy;
    bool help, limits, segments, ranges, through, path;
    struct trajectory_problem asked;
};

// The number of `word` among `words`, which NULL ends; -1: it is none.
static int word_of(const char *const *words, const char *word)
{
    for (int i = 0; words[i] != NULL; i++)
        if (strcmp(words[i], word) == 0)
            return i;
    return -1;
}

static bool read_word(const char *option, const char *const *words, const char *word, int *value)
{
    *value = word_of(words, word);
    if (*value < 0)
        log_error("--%s %s: there is no such value; `trajectory --help` lists them", option, word);
    return *value >= 0;
}

static bool read_number(const char *text, double *number)
{
    char *end;
    errno = 0;
    *number = strtod(text, &end);
    if (end != text && *end == '\0' && !isnan(*number))
        return true;
    log_error("%s: is not a number; write for example 27.5", text);
    return false;
}

static bool read_seconds(const char *option, const char *text, double *seconds)
{
    if (!read_number(text, seconds))
        return false;
    if (*seconds >= 0 && isfinite(*seconds))
        return true;
    log_error("--%s %s: is not a time; write for example 0.01", option, text);
    return false;
}

// False, reported: the command line is not as it must be.
static bool read_options(int argc, char **argv, struct options *options)
{
    static const char *const methods[] = {"a-min", "w-min", "e-min", NULL};
    static const char *const energies[] = {"electrical", "paper", "work", "absolute", NULL};
    static const struct option known[] = {{"method", required_argument, NULL, 'm'},
                                          {"energy", required_argument, NULL, 'e'},
                                          {"limits", no_argument, NULL, 'l'},
                                          {"segments", no_argument, NULL, 's'},
                                          {"ranges", no_argument, NULL, 'r'},
                                          {"waypoints", no_argument, NULL, 'w'},
                                          {"path", no_argument, NULL, 'f'},
                                          {"phase", no_argument, NULL, 'p'},
                                          {"to-velocity", no_argument, NULL, 'v'},
                                          {"period", required_argument, NULL, 'P'},
                                          {"duration-min", required_argument, NULL, 'd'},
                                          {"help", no_argument, NULL, 'h'},
                                          {0}};
    *options = (struct options){.method = -1, .energy = KNEE_ELECTRICAL};
    opterr = 0;
    // "+": a negative number is no option
    for (int option; (option = getopt_long(argc, argv, "+", known, NULL)) != -1;) {
        options->help |= option == 'h';
        options->limits |= option == 'l';
        options->segments |= option == 's';
        options->ranges |= option == 'r';
        options->through |= option == 'w';
        options->path |= option == 'f';
        if (option == 'p')
            options->asked.synchronization = TRAJECTORY_IN_PHASE;
        if (option == 'v')
            options->asked.goal = TRAJECTORY_TO_VELOCITY;
        if ((option == 'm' && !read_word("method", methods, optarg, &options->method)) ||
            (option == 'e' && !read_word("energy", energies, optarg, &options->energy)) ||
            (option == 'P' && !read_seconds("period", optarg, &options->asked.period_s)) ||
            (option == 'd' &&
             !read_seconds("duration-min", optarg, &options->asked.duration_min_s)))
            return false;
        if (option == '?')
            break;
    }
    const bool stream = options->limits + options->segments + options->path == 1;
    if (options->help || (stream && options->method < 0 && argc == optind) ||
        (!stream && options->method >= 0 && argc - optind >= NUMBERS_MIN &&
         argc - optind <= NUMBERS_MAX))
        return true;
    fputs(usage, stderr);
    return false;
}

static void print(const struct knee_problem *problem, const struct knee *knee, double inertia)
{
    const double to_mJ = 1000 * inertia * DEGREE * DEGREE;
    printf("tm %.10g s\nwm %.10g deg/s\na1 %.10g deg/s^2\na2 %.10g deg/s^2\n", knee->tm_s, knee->wm,
           knee->a1, knee->a2);
    printf(
        "paper %.10g mJ\nwork %.10g mJ\nabsolute %.10g mJ\nelectrical %.10g deg^2/s^3\n",
        to_mJ * knee_cost(problem, knee, KNEE_PAPER), to_mJ * knee_cost(problem, knee, KNEE_WORK),
        to_mJ * knee_cost(problem, knee, KNEE_ABSOLUTE), knee_cost(problem, knee, KNEE_ELECTRICAL));
}

// A problem that is refused has its answer; a line that is none ends the program.
static int answer_problems(const struct options *options)
{
    static struct problem problem;
    problem.asked = options->asked;
    problem.ranges = options->ranges;
    problem.through = options->through;
    char *line = NULL;
    size_t size = 0;
    int code = 0;
    for (unsigned number = 1; code == 0 && getline(&line, &size, stdin) >= 0; number++) {
        const char *why;
        if (problem_read(line, &problem, &why)) {
            (void)problem_answer(&problem, options->segments, stdout);
            continue;
        }
        log_error("standard input:%u: %s", number, why);
        code = EXIT_INPUT;
    }
    free(line);
    return code;
}

static int plan_knee(int count, char **words, const struct options *options)
{
    double number[NUMBERS_MAX] = {[NUMBERS_MAX - 1] = INERTIA_DEFAULT_KG_M2};
    for (int i = 0; i < count; i++)
        if (!read_number(words[i], &number[i]))
            return EXIT_INPUT;
    const struct knee_problem problem = {number[0], number[1], number[2], number[3],
                                         number[4], number[5], number[6]};
    struct knee knee;
    const enum knee_refusal refusal = knee_plan(&problem, (enum knee_method)options->method,
                                                (enum knee_energy)options->energy, &knee);
    if (refusal != KNEE_OK) {
        log_error("refused: %s", knee_refusal_text(refusal));
        return EXIT_INPUT;
    }
    print(&problem, &knee, number[NUMBERS_MAX - 1]);
    return 0;
}

int main(int argc, char **argv)
{
    struct options options;
    log_program("trajectory");
    if (!read_options(argc, argv, &options))
        return EXIT_INPUT;
    if (options.help) {
        fputs(usage, stdout);
        return 0;
    }
    if (options.path)
        return paths_answer(stdin, "standard input", stdout) ? 0 : EXIT_INPUT;
    if (options.limits || options.segments)
        return answer_problems(&options);
    return plan_knee(argc - optind, argv + optind, &options);
}
