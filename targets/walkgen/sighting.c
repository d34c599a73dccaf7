#include "targets/walkgen/sighting.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"

#define IMAGES_MIN 5
#define AWAY_MAX_M 20.0

enum status sighting_init(struct sighting *sighting, const struct robot_model *model)
{
    memset(sighting, 0, sizeof *sighting);
    const enum status right = leg_from_model(model, SIDE_RIGHT, &sighting->leg[SIDE_RIGHT]);
    return right != STATUS_OK ? right : leg_from_model(model, SIDE_LEFT, &sighting->leg[SIDE_LEFT]);
}

// The middle between the soles from under the pelvis, in the axes of the pelvis's yaw.
static struct pose2d middle_of_feet(const struct sighting *sighting,
                                    const struct state_message *state)
{
    double upright[9], sole_m[3], sole[9], level_m[3], turned[9];
    struct pose2d middle = {0, 0, 0};
    rotation_rpy(state->imu.roll_rad, state->imu.pitch_rad, 0, upright);
    for (enum side side = SIDE_RIGHT; side < SIDE_COUNT; side++) {
        double angle_rad[LEG_JOINTS];
        for (int i = 0; i < LEG_JOINTS; i++)
            angle_rad[i] = state->joint[sighting->leg[side].joint[i]].position_rad;
        leg_forward(&sighting->leg[side], angle_rad, sole_m, sole);
        rotate(upright, sole_m, level_m);
        rotation_product(upright, sole, turned);
        middle.x_m += 0.5 * level_m[0];
        middle.y_m += 0.5 * level_m[1];
        middle.yaw_rad += 0.5 * atan2(turned[3], turned[0]);
    }
    return middle;
}

// The box from under the pelvis, likewise. It looks the same from behind.
static struct pose2d box_from_pelvis(const struct sight_message *image)
{
    double camera[9], between_m[3], away_m[3], yaw[9], seen_m[3];
    rotation_quaternion(image->quaternion, camera);
    vec_subtract(image->box_in_camera_m, image->pelvis_in_camera_m, between_m);
    rotate(camera, between_m, away_m);
    rotation_z(atan2(camera[3], camera[0]) + image->pelvis_yaw_in_camera_rad, yaw);
    rotate_back(yaw, away_m, seen_m);
    return (struct pose2d){
        seen_m[0], seen_m[1],
        remainder(image->box_yaw_in_camera_rad - image->pelvis_yaw_in_camera_rad, M_PI)};
}

static struct pose2d seen_from(struct pose2d from, struct pose2d pose)
{
    const double c = cos(from.yaw_rad), s = sin(from.yaw_rad);
    const double dx = pose.x_m - from.x_m, dy = pose.y_m - from.y_m;
    return (struct pose2d){c * dx + s * dy, c * dy - s * dx,
                           remainder(pose.yaw_rad - from.yaw_rad, M_PI)};
}

bool sighting_add(struct sighting *sighting, const struct sight_message *image,
                  const struct state_message *state)
{
    const struct pose2d box = seen_from(middle_of_feet(sighting, state), box_from_pelvis(image));
    const double *size_m = image->box_size_m;
    if (!state->imu.valid || !(hypot(box.x_m, box.y_m) < AWAY_MAX_M) || !isfinite(box.yaw_rad) ||
        !(size_m[0] > 0 && size_m[1] > 0 && size_m[2] > 0) ||
        !isfinite(size_m[0] + size_m[1] + size_m[2]))
        return false;
    sighting->image[sighting->images++ % SIGHTING_IMAGES] =
        (struct obstacle_message){.image_time_ns = image->time.ns,
                                  .x_m = box.x_m,
                                  .y_m = box.y_m,
                                  .yaw_rad = box.yaw_rad,
                                  .height_m = size_m[2],
                                  .width_m = size_m[1],
                                  .depth_m = size_m[0]};
    return true;
}

bool sighting_obstacle(const struct sighting *sighting, struct obstacle_message *obstacle)
{
    const uint64_t count = sighting->images < SIGHTING_IMAGES ? sighting->images : SIGHTING_IMAGES;
    *obstacle = (struct obstacle_message){.images = count};
    for (uint64_t i = 0; i < count; i++) {
        const struct obstacle_message *image = &sighting->image[i];
        if (image->image_time_ns > obstacle->image_time_ns)
            obstacle->image_time_ns = image->image_time_ns;
        obstacle->x_m += image->x_m / (double)count;
        obstacle->y_m += image->y_m / (double)count;
        obstacle->yaw_rad += image->yaw_rad / (double)count;
        obstacle->height_m += image->height_m / (double)count;
        obstacle->width_m += image->width_m / (double)count;
        obstacle->depth_m += image->depth_m / (double)count;
    }
    return count >= IMAGES_MIN;
}
