// The planner's trajectories: steps towards the goal as perceived, or as balance requested, made
// into segments.
//
// Every segment adds as few steps as a continuous walk needs and ends standing at rest; the next
// one is made as late as possible, so that it rests on the newest perception. Not real-time;
// allocates only in planner_walk_init.
#pragma once

#include <stddef.h>

#include "model/robot_model.h"
#include "targets/hubo2/planner_core.h"
#include "walk/pattern.h"
#include "walk/segment_buffer.h"

#define PLANNER_REQUEST_STEPS_MAX 128

enum made {
    MADE_NOTHING, // not due yet, or impossible (said on standard error)
    MADE_SEGMENT, // segment is to be sent
    MADE_ARRIVED, // no step is needed: the goal is reached
};

struct planner_walk {
    struct pattern *pattern[GAIT_COUNT];
    double pelvis_m[2];             // of the standing robot, from the middle between its feet
    struct segment_buffer sent;     // what was sent of the plan under way
    struct segment_message segment; // to be sent
    unsigned committed;             // steps given; a closing step may follow them
    struct footstep requested[PLANNER_REQUEST_STEPS_MAX]; // steps of balance's request
    unsigned requested_count, requested_given;
    unsigned failures; // segments that could not be made
};

enum status planner_walk_init(struct planner_walk *walk,
                              const struct robot_model *model) MUST_CHECK;

// Makes the first segment of the plan the planner decided to begin.
enum made planner_walk_begin(struct planner_walk *walk, const struct planner *planner,
                             const struct planner_input *input);

// Makes the next segment of the plan under way, if it is due.
enum made planner_walk_extend(struct planner_walk *walk, const struct planner *planner,
                              const struct planner_input *input);

// Size of walk->segment as it is to be sent.
size_t planner_walk_segment_size_B(const struct planner_walk *walk);
