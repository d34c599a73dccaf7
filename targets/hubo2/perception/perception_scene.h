// Perception daemon: from a camera image (here: what is where relative to the camera) to a map of
// the floor. Pure.
#pragma once

#include <stdbool.h>

#include "message/message.h"

// Where robot, goal and obstacles lie in the world. False, and *scene is not to be used, if the
// image contains what is not a number or an impossible orientation. A goal that is not visible, or
// that lies further away than a camera can see, is not valid.
bool perception_scene(const struct camera_message *image, instant now,
                      struct perception_message *scene);
