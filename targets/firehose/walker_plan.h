// The walker without its channels: plans of one step after the other, by the walking task or
// straight on, leaning against the hose. Not real-time; allocates only in walker_plan_init.
#pragma once

#include <stddef.h>

#include "model/robot_model.h"
#include "walk/segments/pattern.h"
#include "walk/segments/segment_buffer.h"
#include "walk/segments/velocity_stack.h"
#include "walk/steps/plan_life.h"
#include "walk/steps/walking_task.h"

enum { WALKER_STAND, WALKER_PULL, WALKER_GOAL, WALKER_HAUL };

struct walker_wish { // what is to be done now
    int kind;
    bool pose_known; // a fresh pose of the chest in the world, taken so:
    struct pose2d chest;
    instant taken;
    struct pose2d goal;
    double pull_step_m, pull_steps;
    double gain;      // times the walking task's
    double lean_m[2]; // of the centre of mass now, beside the plan's, body frame; when the robot
                      // stops it is upright
    bool plans_lean;  // the plan is to take that over; only of a velocity
};

struct walker_plan {
    struct pattern *pattern;      // steps are given, one by one
    struct velocity_stack *stack; // ... or, without a pattern, velocities, each 0.1 s
    double pelvis_m[2];           // of the standing robot, from the middle between its feet
    struct walking_task task;
    struct pose2d line; // of a haul: where its first step began, and its direction
    struct segment_buffer sent;
    struct segment_message segment; // to be sent
    enum plan_life life;
    struct plan_offer offer; // unless there is none
    uint64_t segments, last_plan_id;
    unsigned committed;                       // steps of the plan; of a velocity: counted ones
    unsigned steps_total;                     // of all plans
    double step[TASK_AXES], error[TASK_AXES]; // the last
    bool reached;                             // the committed steps end within tolerance
};

// by_velocity: which of both generators walks.
enum status walker_plan_init(struct walker_plan *plan, const struct robot_model *model,
                             bool by_velocity) MUST_CHECK;

// A new command: the integral and what was reached begin anew.
void walker_plan_forget(struct walker_plan *plan);

// Whether plan->segment is to be sent, now.
bool walker_plan_look(struct walker_plan *plan, const struct balance_status_message *status,
                      const struct walker_wish *wish, instant now);

size_t walker_plan_segment_size_B(const struct walker_plan *plan);
// The sample that is executed at `when`; NULL: none.
const struct segment_sample *walker_plan_at(const struct walker_plan *plan,
                                            const struct balance_status_message *status,
                                            instant when);
// How far the plan lets the centre of mass lean there, body frame.
void walker_plan_lean(const struct walker_plan *plan, const struct balance_status_message *status,
                      instant when, double lean_m[2]);
