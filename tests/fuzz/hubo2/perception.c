// Channel contents, as the Perception daemon reads them. Whatever a camera publishes: the map holds
// finite numbers and no more obstacles than it has room for.
#include "tests/fuzz/fuzz.h"

#include "targets/hubo2/perception/perception_scene.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct fuzz_input input = {.data = data, .size = size};
    struct camera_message image = {.quaternion = {1}, .goal_in_camera_m = {1}, .goal_visible = 1};
    image.obstacle_count = fuzz_u8(&input) % (ROBOT_OBSTACLES_MAX + 1);
    fuzz_disturb(&input, &image, sizeof image);
    struct perception_message scene;
    if (!perception_scene(&image, instant_ns(0), &scene))
        return 0;
    fuzz_check(scene.obstacle_count <= ROBOT_OBSTACLES_MAX);
    fuzz_check(isfinite(scene.robot.x_m) && isfinite(scene.robot.y_m));
    fuzz_check(isfinite(scene.robot.yaw_rad));
    if (scene.goal_valid)
        fuzz_check(isfinite(scene.goal.x_m) && isfinite(scene.goal.y_m) &&
                   isfinite(scene.goal.yaw_rad));
    for (unsigned i = 0; i < scene.obstacle_count; i++)
        fuzz_check(isfinite(scene.obstacle[i].x_m) && isfinite(scene.obstacle[i].y_m) &&
                   isfinite(scene.obstacle[i].radius_m));
    return 0;
}
