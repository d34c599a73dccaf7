// The whole Perception daemon: images of any content, size and time. What it publishes is finite.
#include "daemon.h"

int perception_main(int argc, char **argv);
#define main perception_main
#include "targets/hubo2/perception/perception.c"
#undef main

static struct perception pristine, perception;

static size_t daemon_message(const char *channel, void *message, size_t capacity_B)
{
    struct camera_message *image = message;
    (void)capacity_B;
    fuzz_check(strcmp(channel, "camera") == 0);
    *image = (struct camera_message){
        .time = daemon_now, .quaternion = {1}, .goal_in_camera_m = {1}, .goal_visible = 1};
    image->obstacle_count = fuzz_u8(&daemon_input) % (ROBOT_OBSTACLES_MAX + 1);
    return sizeof *image;
}

static void daemon_said(const char *channel, const void *frame, size_t size_B)
{
    const struct perception_message *scene = frame;
    fuzz_check(strcmp(channel, "perception") == 0 && size_B == sizeof *scene);
    fuzz_check(scene->obstacle_count <= ROBOT_OBSTACLES_MAX);
    fuzz_check(isfinite(scene->robot.x_m) && isfinite(scene->robot.y_m) &&
               isfinite(scene->robot.yaw_rad));
    if (scene->goal_valid)
        fuzz_check(isfinite(scene->goal.x_m) && isfinite(scene->goal.y_m) &&
                   isfinite(scene->goal.yaw_rad));
    for (unsigned i = 0; i < scene->obstacle_count; i++)
        fuzz_check(isfinite(scene->obstacle[i].x_m) && isfinite(scene->obstacle[i].y_m) &&
                   isfinite(scene->obstacle[i].radius_m));
    fuzz_check(!instant_before(daemon_now, scene->image_time)); // none from the future
}

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    if (pristine.clk == NULL)
        fuzz_check(start(&pristine) == STATUS_OK);
    daemon_begin(data, size);
    perception = pristine;
    if (setjmp(daemon_ended) == 0)
        for (;;) {
            clk_sleep_until(perception.clk, instant_add(daemon_now, duration_ns(PERIOD_NS)));
            look(&perception);
            daemon_pass();
        }
    return 0;
}
