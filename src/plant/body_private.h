// The model of a body. Private to the plant.
#pragma once

#include <mujoco/mujoco.h>

#include "plant/body.h"

struct body {
    mjModel *model;
    mjData *data;
    int free;                // where the first free joint stands in qpos, -1: there is none
    int axis[BODY_AXES_MAX]; // likewise, by the number of a position; -1: not in the model
};

// Sets the state and what follows from it alone: positions and orientations.
void body_place(struct body *body, const struct body_state *state);
