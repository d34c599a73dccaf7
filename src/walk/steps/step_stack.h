// A stack of steps, and what a walking pattern generator makes of it: the trajectory from where the
// robot will be in a moment to the end at rest.
//
// The generator (walkgen.h) ticks a lead of samples ahead of what is carried out. Steps that come
// are tried on its rehearsal, which runs on until the robot rests: a piece in each cycle. What
// comes out is a segment, to be carried out and published. Once it is taken, the generator takes
// the same steps, and ticks the same samples. So what is held always ends at rest, and whoever
// brings no further steps stops nothing.
//
//   step_stack_begin(stack, model's joints, stance, gait);   // standing; sample 0
//   step_stack_try(stack, 0, step, 1);
//   while ((status = step_stack_go_on(stack)) == STATUS_BUSY) ... a cycle later
//   step_stack_settle(stack, taken);        // stack->segment: first, count, sample
//   step_stack_follow(stack, executing);    // each cycle
//   step_stack_try(stack, 1, &next, 1);     // from step 1 on, others
//
// Memory is taken by step_stack_create; everything else is real-time safe, each call bounded.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "message/message.h"
#include "model/robot_model.h"
#include "walk/steps/footsteps.h"
#include "walk/steps/gait.h"
#include "walk/steps/timeline.h"
#include "walk/generator/walkgen.h"

#define STEP_STACK_LEAD 30 // samples from the one carried out to the first that steps may change

struct step_stack {
    struct walkgen *walkgen;
    const struct gait_parameters *gait;            // borrowed
    struct pose2d origin;                          // of walkgen's frame in the odometry's
    struct timeline timeline, trial;               // of the steps held; of those that are tried
    int64_t ticked;                                // samples that the generator has said
    bool trying, whole;                            // whole: the trial's segment
    unsigned first, count;                         // of the steps that are tried
    struct walk_step step[TIMELINE_STEPS_MAX + 1]; // they, and one that closes the stance
    struct walkgen *rehearsal;
    struct segment_message segment; // first, count and sample are filled in
};

// NO_MEMORY; INVALID as walkgen_create. Free with step_stack_free. Not real-time.
enum status step_stack_create(const struct robot_model *model,
                              struct step_stack **stack) MUST_CHECK;
void step_stack_free(struct step_stack *stack);

// A walk from standing: joint_rad (model order) is how, the feet being at `stance` in the
// odometry's frame. UNREACHABLE: it does not stand on both feet.
enum status step_stack_begin(struct step_stack *stack, const double *joint_rad,
                             const struct stance *stance,
                             const struct gait_parameters *gait) MUST_CHECK;

// Tries steps in place of those from number `first` on; a step that closes the stance is added.
// INVALID: that is too late, or a step is impossible (step_stack_reason); another trial is under
// way. TOO_LARGE: too many. Nothing has changed then.
enum status step_stack_try(struct step_stack *stack, unsigned first, const struct footstep *step,
                           unsigned count) MUST_CHECK;
const char *step_stack_reason(const struct step_stack *stack);

// The trial, a piece further. BUSY: not yet at rest; OK: the segment is whole. UNREACHABLE: a leg
// is too short on the way; TOO_LARGE: longer than a segment. The trial is then given up.
enum status step_stack_go_on(struct step_stack *stack);

// The trial's end: its steps are taken, or forgotten.
void step_stack_settle(struct step_stack *stack, bool taken);

// Ticks on to a lead before the sample that is carried out. Not while something is tried.
void step_stack_follow(struct step_stack *stack, int64_t executing);

// What a generator says, as a sample in the frame whose `origin` its own is.
void step_stack_sample(const struct walkgen_output *out, struct pose2d origin,
                       struct segment_sample *sample);
