#include "targets/bioloid/paths.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "motion/path.h"
#include "targets/bioloid/problems.h"

#define JOINTS_MAX 64
#define OF_JOINT 5 // numbers at each point

struct paths {
    unsigned joints, count;
    double velocity[JOINTS_MAX], acceleration[JOINTS_MAX], torque[JOINTS_MAX];
    struct path_point *point;
    struct path_row *row; // two for each joint and point
    double *speed, *time_s;
};

static bool ends(const char *line)
{
    return line[strspn(line, " \t\r\n")] == '\0';
}

static bool read_bounds(const char *line, struct paths *paths, const char **why)
{
    double joints;
    *why = "the number of joints must be a whole number from 1 to 64";
    if (!problem_number(&line, &joints) ||
        !(joints >= 1 && joints <= JOINTS_MAX && joints == floor(joints)))
        return false;
    paths->joints = (unsigned)joints;
    *why = "each joint must have a greatest velocity, acceleration and torque, above 0 or inf";
    for (unsigned i = 0; i < paths->joints; i++)
        if (!problem_number(&line, &paths->velocity[i]) ||
            !problem_number(&line, &paths->acceleration[i]) ||
            !problem_number(&line, &paths->torque[i]) ||
            !(paths->velocity[i] > 0 && paths->acceleration[i] > 0 && paths->torque[i] > 0))
            return false;
    return ends(line);
}

static bool make_room(struct paths *paths)
{
    const unsigned count = paths->count;
    if ((count & (count - 1)) != 0)
        return true; // doubled when it is a power of two
    const size_t room = count == 0 ? 1 : 2 * (size_t)count;
    struct path_point *point = realloc(paths->point, room * sizeof *point);
    if (point == NULL)
        return false;
    paths->point = point;
    struct path_row *row = realloc(paths->row, room * 2 * paths->joints * sizeof *row);
    if (row == NULL)
        return false;
    paths->row = row;
    return true;
}

static bool read_point(const char *line, struct paths *paths, const char **why)
{
    double s, number[OF_JOINT];
    *why = "there are too many points; at most 100000";
    if (paths->count == PATHS_POINTS_MAX || !make_room(paths))
        return false;
    struct path_point *const point = &paths->point[paths->count];
    *why = "a point must have s, and five finite numbers for each joint";
    if (!problem_number(&line, &s))
        return false;
    *point = (struct path_point){.s = s, .speed_max = INFINITY, .rows = 2 * paths->joints};
    struct path_row *row = &paths->row[(size_t)paths->count * point->rows];
    for (unsigned i = 0; i < paths->joints; i++, row += 2) {
        for (unsigned k = 0; k < OF_JOINT; k++)
            if (!problem_number(&line, &number[k]) || !isfinite(number[k]))
                return false;
        const double a = paths->acceleration[i], torque = paths->torque[i], weight = number[4];
        if (number[0] != 0)
            point->speed_max = fmin(point->speed_max, paths->velocity[i] / fabs(number[0]));
        row[0] = (struct path_row){number[0], number[1], -a, a};
        row[1] = (struct path_row){number[2], number[3], -torque - weight, torque - weight};
    }
    paths->count++;
    return ends(line);
}

static bool read_all(FILE *in, const char *name, struct paths *paths)
{
    char *line = NULL;
    size_t size = 0;
    bool sound = true;
    for (unsigned number = 1; sound && getline(&line, &size, in) >= 0; number++) {
        const char *why;
        sound = number == 1 ? read_bounds(line, paths, &why) : read_point(line, paths, &why);
        if (!sound)
            log_error("%s:%u: %s", name, number, why);
    }
    free(line);
    return sound;
}

static bool plan(const char *name, struct paths *paths)
{
    unsigned culprit;
    paths->speed = calloc(paths->count + 1, sizeof *paths->speed);
    paths->time_s = calloc(paths->count + 1, sizeof *paths->time_s);
    if (paths->speed == NULL || paths->time_s == NULL)
        return false;
    for (unsigned k = 0; k < paths->count; k++)
        paths->point[k].row = &paths->row[(size_t)k * 2 * paths->joints];
    const enum path_refusal refusal =
        path_plan(paths->count, paths->point, 0, 0, paths->speed, paths->time_s, &culprit);
    if (refusal != PATH_OK)
        log_error("%s:%u: %s", name, culprit + 2, path_refusal_text(refusal));
    return refusal == PATH_OK;
}

bool paths_answer(FILE *in, const char *name, FILE *out)
{
    struct paths paths = {0};
    const bool planned = read_all(in, name, &paths) && plan(name, &paths);
    for (unsigned k = 0; planned && k < paths.count; k++)
        fprintf(out, "%.17g %.17g %.17g\n", paths.time_s[k], paths.point[k].s, paths.speed[k]);
    free(paths.point);
    free(paths.row);
    free(paths.speed);
    free(paths.time_s);
    return planned;
}
