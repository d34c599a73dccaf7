// walkgen: runs a command file through the walking pattern generator alone, and writes what comes
// out as CSV.
//
//   walkgen [--model ROBOT.xml] FILE
//   walkgen --model ROBOT.urdf [--srdf ROBOT.srdf] FILE
//
// A line per period on standard output; the first names the columns. See walkgen(1).
#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "targets/walkgen/script.h"
#include "walk/generator/walkgen.h"

#define TIME_MAX_S 3600.0 // of a motion

struct run {
    const char *file;
    struct script *script;
    struct robot_model *model;
    struct walkgen *walkgen;
    struct walkgen_output out;
    double square[3][2], most[3][2]; // ZMP errors by axis: pendulum, postures, those unfiltered
    uint64_t lines;
};

// The model beside the target's files: of the build, of an installation, or told by the lab.
static bool find_model(char path[PATH_MAX])
{
    static const char *const from_program[] = {"../../share/ukemi/targets/walkgen/robot.xml",
                                               "../../../../share/ukemi/targets/walkgen/robot.xml"};
    char program[PATH_MAX / 2];
    const ssize_t length = readlink("/proc/self/exe", program, sizeof program - 1);
    if (length <= 0)
        return false;
    program[length] = '\0';
    *strrchr(program, '/') = '\0';
    for (size_t i = 0; i < sizeof from_program / sizeof from_program[0]; i++) {
        snprintf(path, PATH_MAX, "%s/%s", program, from_program[i]);
        if (access(path, R_OK) == 0)
            return true;
    }
    return false;
}

static void print_head(const struct run *run)
{
    printf("t,zmp_ref_x,zmp_ref_y,com1_x,com1_y,com_x,com_y,com_z,yaw_deg,"
           "left_x,left_y,left_z,left_yaw_deg,right_x,right_y,right_z,right_yaw_deg,"
           "zmp_mb_x,zmp_mb_y");
    for (unsigned j = 0; j < run->model->joint_count; j++)
        printf(",%s", run->model->joint[j].name);
    putchar('\n');
}

static void print_foot(const struct walk_foot *foot)
{
    printf(",%.9g,%.9g,%.9g,%.9g", foot->position_m[0], foot->position_m[1], foot->position_m[2],
           foot->yaw_rad * 180 / M_PI);
}

static void print_line(const struct run *run)
{
    const struct walkgen_output *out = &run->out;
    printf("%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g,%.9g", out->time_s, out->zmp_m[0],
           out->zmp_m[1], out->first_com_m[0], out->first_com_m[1], out->com_m[0], out->com_m[1],
           out->com_m[2], out->waist_yaw_rad * 180 / M_PI);
    print_foot(&out->foot[SIDE_LEFT]);
    print_foot(&out->foot[SIDE_RIGHT]);
    printf(",%.9g,%.9g", out->zmp_multibody_m[0], out->zmp_multibody_m[1]);
    for (unsigned j = 0; j < run->model->joint_count; j++)
        printf(",%.9g", out->joint_rad[j]);
    putchar('\n');
}

// One period; false: the motion has ended.
static bool tick(struct run *run)
{
    const bool goes_on = walkgen_tick(run->walkgen, &run->out);
    if (!goes_on)
        return false;
    const struct walkgen_output *out = &run->out;
    print_line(run);
    const double *zmp[3] = {out->first_zmp_m, out->zmp_multibody_m, out->zmp_unfiltered_m};
    for (int i = 0; i < 3; i++)
        for (int a = 0; a < 2; a++) {
            const double error = fabs(zmp[i][a] - out->zmp_m[a]);
            run->square[i][a] += error * error;
            run->most[i][a] = fmax(run->most[i][a], error);
        }
    run->lines++;
    return true;
}

// ":step x y yaw_rad" is a step as numbers, which the target's operator sends as a message.
static enum status take(struct run *run, const char *text)
{
    double x_m, y_m, yaw_rad;
    char line[128];
    if (sscanf(text, ":step %lf %lf %lf", &x_m, &y_m, &yaw_rad) != 3)
        return walkgen_command(run->walkgen, text);
    snprintf(line, sizeof line, ":addstandardonlinestep %.17g %.17g %.17g", x_m, y_m,
             yaw_rad * 180 / M_PI);
    return walkgen_command(run->walkgen, line);
}

static enum status run_item(struct run *run, const struct script_item *item)
{
    if (item->kind == SCRIPT_COMMAND) {
        const enum status status = take(run, item->text);
        if (walkgen_reason(run->walkgen)[0] != '\0')
            log_error("%s:%u: %s%s", run->file, item->line, status == STATUS_OK ? "note: " : "",
                      walkgen_reason(run->walkgen));
        return status;
    }
    const double period_s = walkgen_period_s(run->walkgen);
    const double wait_s = item->kind == SCRIPT_WAIT ? item->wait_s : TIME_MAX_S;
    const long ticks = lround(wait_s / period_s);
    for (long i = 0; i < ticks; i++)
        if (!tick(run) && item->kind == SCRIPT_WAIT_END)
            return STATUS_OK;
    if (item->kind == SCRIPT_WAIT)
        return STATUS_OK;
    log_error("%s:%u: the motion has not ended after %.0f s", run->file, item->line, TIME_MAX_S);
    return STATUS_INVALID;
}

static enum status run_all(struct run *run)
{
    static const struct script_item end = {.kind = SCRIPT_WAIT_END};
    enum status status = STATUS_OK;
    print_head(run);
    for (unsigned i = 0; i < run->script->count && status == STATUS_OK; i++)
        status = run_item(run, &run->script->item[i]);
    if (status == STATUS_OK)
        status = run_item(run, &end);
    return status;
}

static void print_summary(const struct run *run)
{
    static const char *const name[3] = {"pendulum", "multi-body", "without filter"};
    const double n = run->lines > 0 ? (double)run->lines : 1;
    const struct walkgen_counts counts = walkgen_counts(run->walkgen);
    fprintf(stderr, "%llu periods of %.4g s, %u steps\n", (unsigned long long)run->lines,
            walkgen_period_s(run->walkgen), run->out.step);
    for (int i = 0; i < 3; i++)
        fprintf(stderr, "ZMP error, %-14s rms %6.2f %6.2f mm, most %6.1f %6.1f mm\n", name[i],
                1e3 * sqrt(run->square[i][0] / n), 1e3 * sqrt(run->square[i][1] / n),
                1e3 * run->most[i][0], 1e3 * run->most[i][1]);
    if (counts.unreachable > 0)
        log_error("%s: in %llu periods a leg was too short", run->file,
                  (unsigned long long)counts.unreachable);
}

static bool is_urdf(const char *path)
{
    const size_t length = path != NULL ? strlen(path) : 0;
    return length > 5 && strcmp(path + length - 5, ".urdf") == 0;
}

static bool read_arguments(int argc, char **argv, const char **model, const char **srdf,
                           const char **file)
{
    *model = *srdf = *file = NULL;
    for (int i = 1; i < argc; i++) {
        if (strcmp(argv[i], "--model") == 0 && i + 1 < argc)
            *model = argv[++i];
        else if (strcmp(argv[i], "--srdf") == 0 && i + 1 < argc)
            *srdf = argv[++i];
        else if (argv[i][0] != '-' && *file == NULL)
            *file = argv[i];
        else
            return false;
    }
    return *file != NULL && (*srdf == NULL || is_urdf(*model));
}

int main(int argc, char **argv)
{
    static struct run run;
    char found[PATH_MAX];
    const char *model, *srdf;
    log_program("walkgen");
    if (!read_arguments(argc, argv, &model, &srdf, &run.file)) {
        fprintf(
            stderr,
            "usage: walkgen [--model ROBOT.xml | --model ROBOT.urdf [--srdf ROBOT.srdf]] FILE\n");
        return 2;
    }
    if (model == NULL && !find_model(found)) {
        log_error("no robot.xml is beside this program; name one with --model");
        return 2;
    }
    enum status status = is_urdf(model)
                             ? robot_model_load_urdf(model, srdf, &run.model)
                             : robot_model_load(model != NULL ? model : found, &run.model);
    if (status == STATUS_OK)
        status = script_load(run.file, &run.script);
    if (status == STATUS_OK)
        status = walkgen_create(run.model, &run.walkgen);
    if (status == STATUS_OK)
        status = run_all(&run);
    if (status == STATUS_OK)
        print_summary(&run);
    walkgen_free(run.walkgen);
    script_free(run.script);
    robot_model_free(run.model);
    if (status == STATUS_OK && (fflush(stdout) != 0 || ferror(stdout))) {
        log_error("standard output: %s", strerror(errno));
        return 3;
    }
    return status == STATUS_OK ? 0 : 2;
}
