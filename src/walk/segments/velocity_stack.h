// Walking by a velocity, as segments: each period of 0.1 s the velocity may be another one, and
// what is held always ends at rest.
//
// The generator (walkgen.h) ticks what has been given. A segment is those samples, and behind them
// what its rehearsal makes of a stop: one step more after the one that swings. The next segment
// begins where the given samples end, so it joins them exactly.
//
//   velocity_stack_begin(stack, feet);                        // standing; sample 0
//   velocity_stack_give(stack, (double[]){0.1, 0, 0}, &segment);
//   ...  before sample stack->ticked is carried out:
//   velocity_stack_give(stack, velocity, &segment);
//
// Not real-time: a segment costs some milliseconds. Memory is taken by velocity_stack_create.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "message/message.h"
#include "model/robot_model.h"
#include "walk/zmp/geometry.h"
#include "walk/body/walk_body.h"
#include "walk/generator/walkgen.h"

#define VELOCITY_STACK_SAMPLES 10 // of a period

struct velocity_stack {
    struct walkgen *walkgen;
    struct walk_body body;
    double stand_rad[ROBOT_JOINTS_MAX];
    struct pose2d origin;          // of walkgen's frame in the odometry's
    int64_t ticked;                // samples given: the first of the next segment
    struct pose2d end[SIDE_COUNT]; // where the feet stand if no further velocity is given
    unsigned steps;                // lifted by then, but for the one that closes the stance
    double load_m[2];              // to write: see velocity_walk.h; body frame, forward and left
    double lean_m[SEGMENT_SAMPLES_MAX][2]; // by it, body frame, of the samples given: [index % so]
    bool broken;                           // the last period could not be made
};

// NO_MEMORY; INVALID as walkgen_create. Free with velocity_stack_free. The model is only read
// during this call.
enum status velocity_stack_create(const struct robot_model *model,
                                  struct velocity_stack **stack) MUST_CHECK;
void velocity_stack_free(struct velocity_stack *stack);

// A walk from standing on these feet, the centre of mass between them. UNREACHABLE: nobody stands
// so.
enum status velocity_stack_begin(struct velocity_stack *stack,
                                 const struct pose2d foot[SIDE_COUNT]) MUST_CHECK;

// One period more, at a velocity: forward and left (m/s), turn (rad/s). Fills in segment->first,
// ->count and ->sample. INVALID: no such velocity, nothing has changed. UNREACHABLE: a leg is too
// short on the way; TOO_LARGE: it does not come to rest within a segment. What was given before
// then ends the walk, and every further period is INVALID.
enum status velocity_stack_give(struct velocity_stack *stack, const double velocity[3],
                                struct segment_message *segment) MUST_CHECK;
