// A box that lies on the floor of the simulated world, fixed: something to step over. Whatever
// touches the floor touches it, too.
//
// Only box_extend allocates; the rest is real-time safe.
#pragma once

#include <libxml/tree.h>
#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "base/random.h"
#include "base/status.h"
#include "message/message.h"
#include "plant/physics.h"

#define BOX_NEAR_M 0.05 // links farther from the box than this are not looked at

struct box_config {
    bool present;
    double position_m[2], yaw_rad; // of its middle, in the world
    double size_m[3];              // along its yaw, across, upwards
    double noise_m, noise_rad;     // of the camera's measurements: standard deviations
    uint64_t seed;                 // of the noise
};

// Moves the box by up to so much along x and y and in yaw, drawn from its seed.
void box_scatter(struct box_config *config, double spread_m, double spread_rad);

// Adds the box to the world of a robot's model.
void box_extend(xmlNode *root, const struct box_config *config);

struct box {
    struct box_config config;
    int geom;                    // of the model; -1: there is no box
    int leg_body[SIDE_COUNT][3]; // hip pitch, knee, ankle pitch; -1: the model has no such joint
    uint64_t touched;            // steps in which something touched it
    double nearest_m, force_N;   // since what is true was told last: the least, the most
    bool told;
    struct random_stream noise;
};

// In a model that has it. config NULL: no box.
void box_start(struct box *box, const mjModel *model, const struct box_config *config);
// After each step: what is near it, and what presses on it. told: what is true is told after this
// step.
void box_observe(struct box *box, const mjModel *model, const mjData *data, bool told);
// What is true; time is left to the caller.
void box_truth(const struct box *box, const mjData *data, struct box_message *message);
// What the camera measures of it, with noise; time is left to the caller.
void box_sight(struct box *box, const struct pose *camera, const struct pose *pelvis,
               struct sight_message *message);
