// What the motion PC does with the whole body: from what is asked to a reference for each joint,
// every 5 ms. No network, no clock. Not real-time while it plans a walk, which is when a task
// comes.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "model/description.h"
#include "model/robot_model.h"
#include "targets/hrp3p/sensing.h"
#include "walk/segments/pattern.h"
#include "walk/balance/stabilizer.h"

enum motion_task { MOTION_STAND, MOTION_WALK, MOTION_ARMS, MOTION_TASKS };
enum motion_phase { MOTION_WAIT, MOTION_READY, MOTION_DO };

struct motion_core {
    const struct robot_model *model;
    struct stabilizer stabilizer;
    double roll_rad, pitch_rad; // of the pelvis, from rates and specific force
    struct pattern *pattern[GAIT_COUNT];
    enum motion_phase phase;
    enum motion_task task;
    int64_t task_id;
    int64_t cycle; // of the phase or task
    struct segment_sample stand;
    struct segment_message plan; // of the walk
    double from_rad[ROBOT_JOINTS_MAX];
    double stand_rad[ROBOT_JOINTS_MAX];
    double reference_rad[ROBOT_JOINTS_MAX];    // the answer
    double leg_rad[2][SIDE_COUNT][LEG_JOINTS]; // of this sample, and of the next
    bool unreachable;                          // a leg of the plan could not reach
};

// The model must outlive it. INVALID as pattern_create.
enum status motion_core_init(struct motion_core *core, const struct robot_model *model) MUST_CHECK;
// What to do next. Taken up when the robot stands ready; false: not now, or nonsense.
bool motion_core_ask(struct motion_core *core, int64_t id, enum motion_task task, int steps,
                     int gait);
// A cycle. `measured_rad`: joints as the nodes found them last; NULL until all are known.
void motion_core_step(struct motion_core *core, const double *measured_rad,
                      const struct sensed *sensed);
