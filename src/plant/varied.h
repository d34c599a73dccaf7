// What varies of a simulated robot from trial to trial (base/variation.h), put into its physics:
// what its links weigh, where its joints' zeros are, how the floor holds it, how it was set down,
// what its sensors add.
//
// A joint's zero is that of its encoder: the joint's link is turned by so much from where the
// encoder, and all who read it, believe it to be. So position readings stay exact, and what is
// built on them is off, as on a robot that was calibrated with this error.
#pragma once

#include <mujoco/mujoco.h>
#include <stdbool.h>

#include "base/random.h"
#include "base/status.h"
#include "base/variation.h"

struct sensor_truth;

struct varied {
    struct variation of[VARIATION_COUNT];
    struct random_stream noise; // of the sensors
};

// As the lab has drawn it; nothing varies outside a trial. `seed` is the noise's.
enum status varied_read(struct varied *varied, uint64_t seed) MUST_CHECK;

// Whether the quantity varies in this trial.
bool varied_has(const struct varied *varied, enum variation_number number);

// Element i, as variation_at.
double varied_at(const struct varied *varied, enum variation_number number, unsigned i);

// Puts masses, friction, zeros and strengths into the model of a robot whose free joint is the
// model's first. `data` is used up. INVALID, said: a row of target.yaml has another number of
// values than the robot has joints or links.
enum status varied_model(const struct varied *varied, const char *path, mjModel *model,
                         mjData *data) MUST_CHECK;

// Sets the robot down: in the pose that `data` has, elsewhere by so much, not deeper in the floor
// than it would be there.
void varied_start(const struct varied *varied, const mjModel *model, mjData *data);

// What the sensors read in place of the truth: zeros and shares, without noise.
void varied_sensors(const struct varied *varied, struct sensor_truth *sensors);
// Adds the noise of those that say one; of robots whose boards add none (hrp3p).
void varied_noise(struct varied *varied, struct sensor_truth *sensors);
