// The planner's steps: towards the goal as perceived, or as balance requested.
//
// Every message adds as few steps as a continuous walk needs; the next one is made as late as
// possible, so that it rests on the newest perception. When each step is walked is the gait's, so
// that the planner knows it as well as balance, which makes the trajectory. Not real-time.
#pragma once

#include <stddef.h>

#include "model/robot_model.h"
#include "targets/hubo2/planner/planner_core.h"
#include "walk/segments/segment_buffer.h"
#include "walk/steps/timeline.h"

#define PLANNER_REQUEST_STEPS_MAX 128

enum made {
    MADE_NOTHING, // not due yet, or impossible (logged to standard error)
    MADE_STEPS,   // `steps` are to be sent
    MADE_ARRIVED, // no step is needed: the goal is reached
};

struct planner_walk {
    double pelvis_m[2];              // of the standing robot, from the middle between its feet
    struct timeline timeline, trial; // of the steps sent; of those being made
    struct segment_buffer held;      // what balance has said that it holds
    struct footsteps_message steps;  // to be sent
    unsigned committed;              // steps given; a closing step may follow them
    struct footstep requested[PLANNER_REQUEST_STEPS_MAX]; // steps of balance's request
    unsigned requested_count, requested_given;
    unsigned failures; // steps that could not be made
};

enum status planner_walk_init(struct planner_walk *walk,
                              const struct robot_model *model) MUST_CHECK;

// Takes a segment that balance has published.
void planner_walk_hear(struct planner_walk *walk, const struct segment_message *segment);

// Makes the first steps of the plan the planner decided to begin.
enum made planner_walk_begin(struct planner_walk *walk, const struct planner *planner,
                             const struct planner_input *input);

// Makes the next steps of the plan under way, if they are due.
enum made planner_walk_extend(struct planner_walk *walk, const struct planner *planner,
                              const struct planner_input *input);

// Size of walk->steps as they are to be sent.
size_t planner_walk_size_B(const struct planner_walk *walk);
