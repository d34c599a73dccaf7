// The planner without its channels: what is to be done now, decided from what it was told and what
// it knows.
//
// A pure state machine over plans; the trajectories themselves are made in planner_walk.h.
//
//   no plan   -- balance stands, and has a request or a goal is pursued --> plan begun
//   plan      -- balance breaks it off (epoch), stands again, or never took it --> no plan
//   plan      -- the end of what was sent comes near, and perception is fresh (goals only)
//                --> extended
#pragma once

#include <stdbool.h>

#include "message/message.h"
#include "walk/steps/plan_life.h"

#define PLANNER_IMAGE_AGE_MAX_MS 500  // older perception is not fresh
#define PLANNER_STATUS_AGE_MAX_MS 100 // older balance status: balance is not there
#define PLANNER_TAKE_PATIENCE_MS 400  // a plan that balance has not taken by then was refused

enum planner_action {
    PLANNER_REST,   // nothing to do now
    PLANNER_BEGIN,  // begin a plan (planner.request_id tells what for; 0: the goal)
    PLANNER_EXTEND, // send further steps of the plan, if they are due
};

struct planner_input { // newest messages; the flags tell whether there are any
    instant now;
    bool status_known, perception_known, command_known;
    struct balance_status_message status;
    struct perception_message perception;
    struct planner_command_message command;
};

struct planner {
    uint64_t command_id; // goal pursued, 0: none
    uint64_t reached_id; // last goal completed
    uint64_t dropped_id; // last goal given up (halt, or balance was told to stop)
    uint64_t stop_id;    // last stop of balance that was seen
    enum gait gait;      // of the goal pursued

    enum plan_life life;
    struct plan_offer offer; // unless there is none
    uint64_t last_plan_id;
    uint64_t request_id; // what the plan is for; 0: the goal
    enum gait plan_gait; // set by planner_decide with PLANNER_BEGIN
    uint64_t segments;   // messages of steps of the plan
    bool complete;       // its last steps were final
    uint64_t segments_total;
};

// `last` (may be NULL): the last status of a predecessor, to go on from its plan numbers and
// reached goals.
void planner_init(struct planner *planner, const struct planner_status_message *last);

// Decides. Call every period with the newest input.
enum planner_action planner_decide(struct planner *planner, const struct planner_input *input);

// What was done: a plan's first steps were sent, further steps were sent; `final`: it completes
// the motion.
void planner_sent_first(struct planner *planner, const struct planner_input *input, bool final);
void planner_sent_next(struct planner *planner, bool final);
// The goal is reached: a plan that was to be begun needs no step.
void planner_arrived(struct planner *planner);

// Whether perception may be planned on.
bool planner_perception_fresh(const struct planner_input *input);
