// The model of a body. Private to the plant.
#pragma once

#include <mujoco/mujoco.h>

#include "plant/body.h"

struct body {
    mjModel *model;
    mjData *data;
    struct body_robot {
        int root;                // its part that moves freely, -1: none does
        int free;                // where that one's joint stands in qpos, -1 likewise
        int axis[BODY_AXES_MAX]; // likewise, by the number of a position; -1: not in the model
    } robot[BODY_ROBOTS_MAX];
};

// Sets the robots' states and what follows from them alone: positions and orientations.
void body_place(struct body *body, const struct body_state *state, unsigned robots);
