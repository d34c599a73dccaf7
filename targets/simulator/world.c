#include "targets/simulator/world.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "base/log.h"

// Reads a number from the environment. false: it is not set; an unusable value makes *status
// INVALID.
static bool read_number(const char *name, double *value, enum status *status)
{
    const char *text = getenv(name);
    if (!text)
        return false;
    char *end;
    *value = strtod(text, &end);
    if (end == text || *end || !isfinite(*value)) {
        log_error("%s=%s: is not a finite number; write for example %s=1.5", name, text, name);
        *status = STATUS_INVALID;
    }
    return true;
}

static bool read_obstacle(unsigned number, struct obstacle *obstacle, enum status *status)
{
    char name[64];
    snprintf(name, sizeof name, "UKEMI_ENV_OBSTACLE%u_X_M", number);
    if (!read_number(name, &obstacle->x_m, status))
        return false;
    snprintf(name, sizeof name, "UKEMI_ENV_OBSTACLE%u_Y_M", number);
    read_number(name, &obstacle->y_m, status);
    snprintf(name, sizeof name, "UKEMI_ENV_OBSTACLE%u_RADIUS_M", number);
    if (read_number(name, &obstacle->radius_m, status) && obstacle->radius_m < 0) {
        log_error("%s=%g: is negative; write for example %s=0.1", name, obstacle->radius_m, name);
        *status = STATUS_INVALID;
    }
    return true;
}

enum status world_read(struct surroundings *surroundings)
{
    enum status status = STATUS_OK;
    *surroundings = (struct surroundings){0};
    surroundings->goal_present =
        read_number("UKEMI_ENV_GOAL_X_M", &surroundings->goal.x_m, &status);
    read_number("UKEMI_ENV_GOAL_Y_M", &surroundings->goal.y_m, &status);
    read_number("UKEMI_ENV_GOAL_YAW_RAD", &surroundings->goal.yaw_rad, &status);
    for (unsigned i = 0; i < ROBOT_OBSTACLES_MAX; i++)
        if (read_obstacle(i + 1, &surroundings->obstacle[surroundings->obstacle_count], &status))
            surroundings->obstacle_count++;
    return status;
}
