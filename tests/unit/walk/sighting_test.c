// The lookout's estimate: exact for exact images, however camera and pelvis stand; a mean of the
// newest; and what makes no sense is passed over.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "model/spatial.h"
#include "targets/walkgen/sighting.h"

static struct sighting sighting;
static struct state_message state;

// A robot that stands in the model's pose.
static void stand(void)
{
    struct robot_model *model;
    ck_assert_int_eq(robot_model_load("targets/hubo2/robot.xml", &model), STATUS_OK);
    ck_assert_int_eq(sighting_init(&sighting, model), STATUS_OK);
    memset(&state, 0, sizeof state);
    state.imu.valid = 1;
    for (unsigned j = 0; j < model->joint_count; j++)
        state.joint[j].position_rad = model->stand_rad[j];
    robot_model_free(model);
}

// The image of a box at (x, y, yaw) in the world, the pelvis being at `pelvis`, its middle between
// the feet 0.0278 m ahead of it, and the camera tilted.
static struct sight_message see(struct pose2d pelvis, double x_m, double y_m, double yaw_rad)
{
    double camera[9], at_m[3] = {pelvis.x_m + 0.05, pelvis.y_m + 0.01, 1.1};
    const double ground_m[3] = {x_m, y_m, 0}, root_m[3] = {pelvis.x_m, pelvis.y_m, 0.605};
    double away_m[3];
    struct sight_message image = {.box_size_m = {0.05, 1, 0.15}};
    rotation_rpy(0.02, 0.4, pelvis.yaw_rad + 0.1, camera);
    quaternion_rotation(camera, image.quaternion);
    vec_subtract(root_m, at_m, away_m);
    rotate_back(camera, away_m, image.pelvis_in_camera_m);
    vec_subtract(ground_m, at_m, away_m);
    rotate_back(camera, away_m, image.box_in_camera_m);
    image.pelvis_yaw_in_camera_rad = -0.1;
    image.box_yaw_in_camera_rad = yaw_rad - pelvis.yaw_rad - 0.1;
    return image;
}

START_TEST(an_exact_image_gives_the_place_from_between_the_feet)
{
    const struct pose2d pelvis = {2, -1, 0.7};
    const double c = cos(0.7), s = sin(0.7);
    struct obstacle_message obstacle;
    stand();
    for (int i = 0; i < 5; i++) {
        ck_assert(!sighting_obstacle(&sighting, &obstacle)); // too few as yet
        // 0.8 m ahead of the feet and 0.1 to the left; turned by half a turn it is the same box.
        const double x = 0.8 + 0.0278, y = 0.1;
        const struct sight_message image =
            see(pelvis, 2 + c * x - s * y, -1 + s * x + c * y, 0.7 + 0.2 + (i % 2) * M_PI);
        ck_assert(sighting_add(&sighting, &image, &state));
    }
    ck_assert(sighting_obstacle(&sighting, &obstacle));
    ck_assert_uint_eq(obstacle.images, 5);
    ck_assert_double_eq_tol(obstacle.x_m, 0.8, 5e-4);
    ck_assert_double_eq_tol(obstacle.y_m, 0.1, 1e-6);
    ck_assert_double_eq_tol(obstacle.yaw_rad, 0.2, 1e-9);
    ck_assert_double_eq_tol(obstacle.height_m, 0.15, 1e-12);
    ck_assert_double_eq_tol(obstacle.depth_m, 0.05, 1e-12);
}
END_TEST

START_TEST(only_the_newest_ten_count)
{
    const struct pose2d pelvis = {0, 0, 0};
    struct obstacle_message obstacle;
    stand();
    for (int i = 0; i < 25; i++) {
        struct sight_message image = see(pelvis, i < 15 ? 5 : 1 + 0.0278, 0, 0);
        image.time.ns = i;
        ck_assert(sighting_add(&sighting, &image, &state));
    }
    ck_assert(sighting_obstacle(&sighting, &obstacle));
    ck_assert_uint_eq(obstacle.images, SIGHTING_IMAGES);
    ck_assert_double_eq_tol(obstacle.x_m, 1, 5e-4);
    ck_assert_int_eq(obstacle.image_time_ns, 24);
}
END_TEST

START_TEST(what_makes_no_sense_is_passed_over)
{
    const struct pose2d pelvis = {0, 0, 0};
    stand();
    struct sight_message image = see(pelvis, 1, 0, 0);
    image.box_in_camera_m[1] = NAN;
    ck_assert(!sighting_add(&sighting, &image, &state));
    image = see(pelvis, 100, 0, 0);
    ck_assert(!sighting_add(&sighting, &image, &state));
    image = see(pelvis, 1, 0, 0);
    image.box_size_m[2] = 0;
    ck_assert(!sighting_add(&sighting, &image, &state));
    image = see(pelvis, 1, 0, 0);
    state.imu.valid = 0;
    ck_assert(!sighting_add(&sighting, &image, &state));
    state.imu.valid = 1;
    state.joint[20].position_rad = INFINITY;
    ck_assert(!sighting_add(&sighting, &image, &state));
    ck_assert_uint_eq(sighting.images, 0);
}
END_TEST

UNIT_MAIN("sighting", an_exact_image_gives_the_place_from_between_the_feet,
          only_the_newest_ten_count, what_makes_no_sense_is_passed_over)
