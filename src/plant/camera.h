// What the simulated head camera reports: itself, the robot, the goal marker and the obstacles,
// relative to the camera. Pure; real-time safe.
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "plant/physics.h"

// What stands around the robot. World frame, on the floor.
struct surroundings {
    bool goal_present;
    struct pose2d goal;
    unsigned obstacle_count; // at most ROBOT_OBSTACLES_MAX
    struct obstacle obstacle[ROBOT_OBSTACLES_MAX];
};

// Fills the whole message. The camera's frame: x along its view, y left, z up.
void camera_see(const struct pose *camera, const struct pose *pelvis,
                const struct surroundings *surroundings, instant t, struct camera_message *message);
