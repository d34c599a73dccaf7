#include "targets/bioloid/problems.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

bool problem_number(const char **at, double *number)
{
    char *end;
    *number = strtod(*at, &end);
    const bool read = end != *at && (*end == '\0' || strchr(" \t\r\n", *end) != NULL);
    *at = end;
    return read;
}

static bool read_waypoints(const char **at, struct problem *problem, const char **why)
{
    double points;
    *why = "the number of way points must be a whole number from 0 to 32";
    if (!problem_number(at, &points) ||
        !(points >= 0 && points <= WAYPOINTS_MAX && points == floor(points)))
        return false;
    problem->waypoints = (unsigned)points;
    *why = "there must be a position for each joint at each way point, a number";
    for (unsigned i = 0; i < problem->waypoints * problem->asked.count; i++)
        if (!problem_number(at, &problem->waypoint[i]) || !isfinite(problem->waypoint[i]))
            return false;
    return true;
}

bool problem_read(const char *line, struct problem *problem, const char **why)
{
    double joints;
    *why = "the number of joints must be a whole number from 1 to 64";
    if (!problem_number(&line, &joints) ||
        !(joints >= 1 && joints <= TRAJECTORY_JOINTS_MAX && joints == floor(joints)))
        return false;
    problem->asked.count = (unsigned)joints;
    problem->asked.bounds = problem->bounds;
    problem->asked.start = problem->start;
    problem->asked.end = problem->end;
    problem->asked.range = problem->ranges ? problem->range : NULL;
    *why = problem->ranges ? "there must be eleven numbers for each joint"
                           : "there must be nine numbers for each joint";
    for (unsigned i = 0; i < problem->asked.count; i++) {
        double *const number[] = {
            &problem->start[i].position,     &problem->start[i].velocity,
            &problem->start[i].acceleration, &problem->end[i].position,
            &problem->end[i].velocity,       &problem->end[i].acceleration,
            &problem->bounds[i].velocity,    &problem->bounds[i].acceleration,
            &problem->bounds[i].jerk,        &problem->range[i].low,
            &problem->range[i].high,
        };
        for (size_t n = 0; n < (problem->ranges ? 11 : 9); n++)
            if (!problem_number(&line, number[n]))
                return false;
    }
    if (problem->through && !read_waypoints(&line, problem, why))
        return false;
    *why = "there is more than the numbers of its joints";
    return line[strspn(line, " \t\r\n")] == '\0';
}

static void print_segments(const struct trajectory *trajectory, bool jerks, bool more, FILE *out)
{
    for (unsigned i = 0; i < trajectory->count; i++) {
        const struct extremal_piece *piece = &trajectory->piece[i];
        fprintf(out, "%s%.17g %.17g", i > 0 || more ? " " : "", piece->duration_s,
                jerks ? piece->jerk : piece->acceleration);
    }
}

// Of each joint the pieces of all parts between way points.
static void print_joint(const struct waypoints_problem *ways, const struct motion_state *passed,
                        unsigned joint, FILE *out)
{
    static struct trajectory trajectory[TRAJECTORY_JOINTS_MAX];
    for (unsigned k = 0; k <= ways->count; k++) {
        const struct trajectory_problem part = waypoints_part(ways, passed, k);
        unsigned culprit;
        if (trajectory_plan(&part, trajectory, &culprit) == TRAJECTORY_OK)
            print_segments(&trajectory[joint], isfinite(part.bounds[joint].jerk), k > 0, out);
    }
    fputc('\n', out);
}

bool problem_answer(const struct problem *problem, bool segments, FILE *out)
{
    static struct motion_state passed[WAYPOINTS_MAX * TRAJECTORY_JOINTS_MAX];
    const struct waypoints_problem ways = {
        problem->asked, problem->through ? problem->waypoints : 0, problem->waypoint};
    double duration_s;
    unsigned culprit;
    const enum trajectory_refusal refusal = waypoints_plan(&ways, passed, &duration_s, &culprit);
    if (refusal != TRAJECTORY_OK)
        fprintf(out, "error joint %u: %s\n", culprit + 1, trajectory_refusal_text(refusal));
    else if (!segments)
        fprintf(out, "%.17g\n", duration_s);
    for (unsigned i = 0; segments && refusal == TRAJECTORY_OK && i < ways.ends.count; i++)
        print_joint(&ways, passed, i, out);
    if (segments)
        fputc('\n', out);
    return refusal == TRAJECTORY_OK;
}
