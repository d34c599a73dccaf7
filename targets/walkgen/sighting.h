// From images of a box and the joints' angles to an obstacle as seen from between the feet, the
// mean of the newest images. For a robot that stands. Pure; real-time safe.
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "model/leg_ik.h"
#include "obstacle.h"

#define SIGHTING_IMAGES 10 // that a mean is of, at most

struct sighting {
    struct leg leg[SIDE_COUNT];
    struct obstacle_message image[SIGHTING_IMAGES]; // a ring
    uint64_t images;
};

// INVALID as leg_from_model.
enum status sighting_init(struct sighting *sighting, const struct robot_model *model) MUST_CHECK;

// Takes an image and the state at that time. false: one of them is not finite, or not of a robot
// that stands, and is passed over.
bool sighting_add(struct sighting *sighting, const struct sight_message *image,
                  const struct state_message *state);

// The mean of what was seen. false: too few images as yet.
bool sighting_obstacle(const struct sighting *sighting, struct obstacle_message *obstacle);
