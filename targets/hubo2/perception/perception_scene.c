#include "targets/hubo2/perception/perception_scene.h"

#include <math.h>

#include "model/spatial.h"

#define SIGHT_MAX_M 30.0
#define UNIT_NORM_SLACK 0.01

static bool all_finite(const double *value, unsigned n)
{
    for (unsigned i = 0; i < n; i++)
        if (!isfinite(value[i]))
            return false;
    return true;
}

static bool sane(const struct camera_message *image)
{
    double norm = 0;
    for (unsigned i = 0; i < 4; i++)
        norm += image->quaternion[i] * image->quaternion[i];
    return all_finite(image->position_m, 3) && all_finite(image->quaternion, 4) &&
           fabs(norm - 1) < UNIT_NORM_SLACK && all_finite(image->pelvis_in_camera_m, 3) &&
           isfinite(image->pelvis_yaw_in_camera_rad) &&
           image->obstacle_count <= ROBOT_OBSTACLES_MAX;
}

// World position on the floor of something seen at `seen_m`.
static void place(const struct camera_message *image, const double rotation[9],
                  const double seen_m[3], double *x_m, double *y_m)
{
    double turned[3];
    rotate(rotation, seen_m, turned);
    *x_m = image->position_m[0] + turned[0];
    *y_m = image->position_m[1] + turned[1];
}

static double distance(const double seen_m[3])
{
    return sqrt(vec_dot(seen_m, seen_m));
}

bool perception_scene(const struct camera_message *image, instant now,
                      struct perception_message *scene)
{
    if (!sane(image))
        return false;
    *scene = (struct perception_message){.time = now, .image_time = image->time};
    double rotation[9];
    rotation_quaternion(image->quaternion, rotation);
    const double camera_yaw = atan2(rotation[3], rotation[0]);

    place(image, rotation, image->pelvis_in_camera_m, &scene->robot.x_m, &scene->robot.y_m);
    scene->robot.yaw_rad = angle_wrap(camera_yaw + image->pelvis_yaw_in_camera_rad);
    if (!isfinite(scene->robot.x_m) || !isfinite(scene->robot.y_m)) // sums of numbers may be none
        return false;

    if (image->goal_visible && all_finite(image->goal_in_camera_m, 3) &&
        isfinite(image->goal_yaw_in_camera_rad) &&
        distance(image->goal_in_camera_m) <= SIGHT_MAX_M) {
        place(image, rotation, image->goal_in_camera_m, &scene->goal.x_m, &scene->goal.y_m);
        scene->goal.yaw_rad = angle_wrap(camera_yaw + image->goal_yaw_in_camera_rad);
        scene->goal_valid = 1;
    }
    for (unsigned i = 0; i < image->obstacle_count; i++) {
        const double *seen_m = image->obstacle_in_camera_m[i];
        if (!all_finite(seen_m, 3) || !isfinite(image->obstacle_radius_m[i]) ||
            image->obstacle_radius_m[i] < 0 || distance(seen_m) > SIGHT_MAX_M)
            continue;
        struct obstacle *obstacle = &scene->obstacle[scene->obstacle_count++];
        place(image, rotation, seen_m, &obstacle->x_m, &obstacle->y_m);
        obstacle->radius_m = image->obstacle_radius_m[i];
    }
    return true;
}
