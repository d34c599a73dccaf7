// What triggers and the trial's end look at: the newest ground truth, and where in its plan and
// gait cycle the robot is. Fed with every recorded event; pure otherwise.
#pragma once

#include <stdbool.h>

#include "base/time.h"
#include "harness/history/history.h"
#include "message/message.h"

struct world; // opaque; owned by the caller

// Topics are found by name ("truth", "balance-status", "segment"); a target without them has no
// truth or gait. NO_MEMORY.
enum status world_create(const struct history *history, struct world **world) MUST_CHECK;
void world_free(struct world *world);

void world_take(struct world *world, const struct event *event);

// Newest ground truth, NULL before the first.
const struct truth_message *world_truth(const struct world *world);

// Whether the pelvis is below 60 % of its first height or tilted over 45 degrees:
// "The failure table" of doc/explanation/architecture.md.
bool world_fallen(const struct world *world);

// Phase of the gait cycle of the sample that is being executed, 0..1. False while no walking
// segment is executed.
bool world_phase(const struct world *world, double *phase);

// Steps done in the plan that is being executed; 0 without one.
unsigned world_steps(const struct world *world);

// Whether the motion the operator asked for last is done, as the planner (a goal) or balance
// (steps, a turn) said. False if none was asked for.
bool world_completed(const struct world *world);

// A quantity of a trigger's condition: com_outside_m (distance of the centre of mass from the
// support polygon, negative inside), pelvis_height_m, tilt_rad, steps. False if it is not known
// now.
bool world_quantity(const struct world *world, const char *quantity, double *value);
