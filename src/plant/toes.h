// Passive toes of the simulated robot: joints RTO and LTO, which no motor drives. Real-time safe.
#pragma once

#include <mujoco/mujoco.h>

#include "message/message.h"

struct toes {
    int joint[SIDE_COUNT], body[SIDE_COUNT]; // of the model; -1: it has none
    double force_N[SIDE_COUNT];              // vertical, of the ground, in the last observed step
};

void toes_find(struct toes *toes, const mjModel *model);
// What is true; time is left to the caller.
void toes_truth(const struct toes *toes, const mjModel *model, const mjData *data,
                struct toe_message *message);
