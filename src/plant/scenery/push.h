// Somebody who pushes the simulated robot: a horizontal force on one of its bodies, at that body's
// centre of mass, from one change to the next.
#pragma once

#include <mujoco/mujoco.h>

#include "message/message.h"

struct push {
    int body; // of the model that is pushed; 0: nobody pushes
    struct push_message truth;
};

// yaw_rad: of the robot, from which the direction counts. A change seen before makes no difference.
// A body that the model has not is refused, and counted.
void push_change(struct push *push, const mjModel *model, mjData *data, double yaw_rad,
                 const struct push_change_message *change);

// Pushes for the step that is to come.
void push_step(struct push *push, const mjModel *model, mjData *data);
