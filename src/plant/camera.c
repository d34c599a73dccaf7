#include "plant/camera.h"

#include <math.h>
#include <string.h>

// v turned by the inverse of the unit quaternion q: v + 2 u x (u x v + w v), u = -(x, y, z).
static void turn_back(const double q[4], const double v[3], double out[3])
{
    const double u[3] = {-q[1], -q[2], -q[3]};
    const double t[3] = {
        u[1] * v[2] - u[2] * v[1] + q[0] * v[0],
        u[2] * v[0] - u[0] * v[2] + q[0] * v[1],
        u[0] * v[1] - u[1] * v[0] + q[0] * v[2],
    };
    out[0] = v[0] + 2 * (u[1] * t[2] - u[2] * t[1]);
    out[1] = v[1] + 2 * (u[2] * t[0] - u[0] * t[2]);
    out[2] = v[2] + 2 * (u[0] * t[1] - u[1] * t[0]);
}

static void relative_position(const struct pose *camera, const double point_m[3], double out_m[3])
{
    const double offset_m[3] = {
        point_m[0] - camera->position_m[0],
        point_m[1] - camera->position_m[1],
        point_m[2] - camera->position_m[2],
    };
    turn_back(camera->quaternion, offset_m, out_m);
}

static double difference_rad(double a, double b)
{
    return remainder(a - b, 2 * M_PI);
}

void camera_see(const struct pose *camera, const struct pose *pelvis,
                const struct surroundings *surroundings, instant t, struct camera_message *message)
{
    *message = (struct camera_message){.time = t};
    memcpy(message->position_m, camera->position_m, sizeof message->position_m);
    memcpy(message->quaternion, camera->quaternion, sizeof message->quaternion);
    double camera_yaw_rad = pose_yaw_rad(camera->quaternion);
    relative_position(camera, pelvis->position_m, message->pelvis_in_camera_m);
    message->pelvis_yaw_in_camera_rad =
        difference_rad(pose_yaw_rad(pelvis->quaternion), camera_yaw_rad);
    if (surroundings->goal_present) {
        const double goal_m[3] = {surroundings->goal.x_m, surroundings->goal.y_m, 0};
        relative_position(camera, goal_m, message->goal_in_camera_m);
        message->goal_yaw_in_camera_rad =
            difference_rad(surroundings->goal.yaw_rad, camera_yaw_rad);
        message->goal_visible = 1;
    }
    message->obstacle_count = surroundings->obstacle_count;
    for (unsigned i = 0; i < surroundings->obstacle_count; i++) {
        const struct obstacle *obstacle = &surroundings->obstacle[i];
        const double place_m[3] = {obstacle->x_m, obstacle->y_m, 0};
        relative_position(camera, place_m, message->obstacle_in_camera_m[i]);
        message->obstacle_radius_m[i] = obstacle->radius_m;
    }
}
