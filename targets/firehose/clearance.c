#include "targets/firehose/clearance.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "model/spatial.h"

#define HAND_M 0.032 // radius; the elbow's likewise
#define THIGH_M 0.055
#define TORSO_M 0.11
#define PELVIS_M 0.09

// Balls of the arms, and round stretches of the body, as the model's geoms are; the torso's box is
// rounded.
static const struct pair {
    const char *name, *link, *body;
    double ball_m[3], from_m[3], to_m[3];
    double apart_m; // both radii
} pairs[] = {
    {"right hand off thigh",
     "right_hand_sensor",
     "right_thigh",
     {0, 0, -0.07},
     {0, 0, -0.05},
     {0, 0, -0.24},
     HAND_M + THIGH_M},
    {"left hand off thigh",
     "left_hand_sensor",
     "left_thigh",
     {0, 0, -0.07},
     {0, 0, -0.05},
     {0, 0, -0.24},
     HAND_M + THIGH_M},
    {"left hand off pelvis",
     "left_hand_sensor",
     "pelvis",
     {0, 0, -0.07},
     {0, -0.06, 0.06},
     {0, 0.06, 0.06},
     HAND_M + PELVIS_M},
    {"left hand off torso",
     "left_hand_sensor",
     "torso",
     {0, 0, -0.07},
     {0, 0, 0.09},
     {0, 0, 0.13},
     HAND_M + TORSO_M},
    {"left elbow off torso",
     "left_forearm",
     "torso",
     {0, 0, 0},
     {0, 0, 0.09},
     {0, 0, 0.13},
     HAND_M + TORSO_M},
};

#define PAIRS (sizeof pairs / sizeof pairs[0])

enum status clearance_add(struct task_stack *stack, const struct robot_model *model, unsigned level)
{
    for (size_t i = 0; i < PAIRS; i++) {
        const struct pair *pair = &pairs[i];
        // Half of what is left in 0.1 s: it comes to rest before the margin.
        struct task task = {.kind = TASK_DISTANCE,
                            .level = level,
                            .link = robot_model_link(model, pair->link),
                            .based = true,
                            .base = robot_model_link(model, pair->body),
                            .gain = {7, 7, 0},
                            .distance_m = pair->apart_m + CLEARANCE_M};
        if (task.link < 0 || task.base < 0) {
            log_error("robot model: has no link %s; add it",
                      task.link < 0 ? pair->link : pair->body);
            return STATUS_INVALID;
        }
        (void)snprintf(task.name, sizeof task.name, "%s", pair->name);
        memcpy(task.point_m, pair->ball_m, sizeof task.point_m);
        memcpy(task.place_m, pair->from_m, sizeof task.place_m);
        vec_subtract(pair->to_m, pair->from_m, task.along_m);
        const enum status status = task_stack_add(stack, &task);
        if (status != STATUS_OK)
            return status;
    }
    return STATUS_OK;
}

static void place_of(const struct robot_pose *pose, int link, const double at_m[3],
                     double place_m[3])
{
    rotate(pose->rotation[link], at_m, place_m);
    vec_add(place_m, pose->origin_m[link], place_m);
}

static double distance_to_stretch(const double point[3], const double from[3], const double to[3])
{
    double along[3], away[3];
    vec_subtract(to, from, along);
    vec_subtract(point, from, away);
    const double share = fmin(fmax(vec_dot(away, along) / vec_dot(along, along), 0), 1);
    for (int i = 0; i < 3; i++)
        away[i] -= share * along[i];
    return sqrt(vec_dot(away, away));
}

double clearance_m(const struct robot_model *model, const struct robot_pose *pose)
{
    double least = INFINITY;
    for (size_t i = 0; i < PAIRS; i++) {
        const struct pair *pair = &pairs[i];
        const int body = robot_model_link(model, pair->body);
        double ball[3], from[3], to[3];
        place_of(pose, robot_model_link(model, pair->link), pair->ball_m, ball);
        place_of(pose, body, pair->from_m, from);
        place_of(pose, body, pair->to_m, to);
        least = fmin(least, distance_to_stretch(ball, from, to) - pair->apart_m);
    }
    return least;
}
