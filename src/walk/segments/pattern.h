// Walking pattern generator: footsteps -> whole-body trajectory (struct segment_sample, 10 ms
// apart).
//
// Preview control of the cart-table model (Kajita et al., ICRA 2003) brings the centre of mass over
// a reference zero-moment point (ZMP); a dynamics filter (ibid., section V) then corrects the
// trajectory by the multi-body model's ZMP error, twice. Leg inverse kinematics is exact in the
// centre of mass. The generator works with a receding horizon: each call of pattern_extend appends
// steps to a plan that may already be under way, and fills a segment that starts ("splices in") at
// a sample still to come, and whose tail always closes the stance and ends at rest on both feet. So
// whoever executes segments walks on while the next one arrives in time, and stops stably when none
// does. Across the splice, positions, velocities and accelerations of the centre of mass and the
// feet are continuous.
//
// Not real-time: a segment costs a few milliseconds. Allocation only in pattern_create.
//
//   struct pattern *p;
//   pattern_create(robot_model, gait_parameters(GAIT_DYNAMIC), &p);
//   pattern_begin(p, &stance);                            // standing at rest; sample 0
//   n = footsteps_walk(gait, &stance, BALANCE_WALK_FORWARD, 3, 0, step, 8);
//   pattern_extend(p, 0, 0, step, n, &segment);           // first segment, from sample 0
//   ...  executing sample s (balance_status.sample); once per step:
//   earliest = s + 15;                                    // allow for delivery
//   k = pattern_free_step(p, earliest);                   // first step that can still be changed
//   stance = pattern_stance(p, k);                        // where the feet will be before it
//   n = footsteps_...(gait, &stance, ..., step, 3);
//   pattern_extend(p, earliest, k, step, n, &segment);    // n = 0: nothing more, close the stance
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "message/message.h"
#include "model/robot_model.h"
#include "walk/steps/footsteps.h"
#include "walk/steps/gait.h"

#define PATTERN_PERIOD_S 0.01 // distance of samples
#define PATTERN_LEAD_SAMPLES                                                                       \
    120 // a change of the ZMP reference must lie this far ahead of the splice

struct pattern;

// Creates a generator for one gait. The model is only read during this call. NO_MEMORY; INVALID if
// the model has no pair of six-joint legs (said on standard error). Free with pattern_free.
enum status pattern_create(const struct robot_model *model, const struct gait_parameters *gait,
                           struct pattern **pattern) MUST_CHECK;
void pattern_free(struct pattern *pattern);

// Starts a new plan: standing at rest in `stance`, sample 0, step 0, pelvis at standing height over
// the middle between the feet.
void pattern_begin(struct pattern *pattern, const struct stance *stance);

// First step whose landing may still be changed by a segment spliced in at sample `earliest`: it
// has not begun its swing, and its landing lies at least PATTERN_LEAD_SAMPLES after `earliest`. May
// be one past the last step held (then the walk starts anew from the final stance). Note that the
// automatic closing step counts as a step, and may be replaced.
unsigned pattern_free_step(const struct pattern *pattern, int64_t earliest);

// Whether steps after the `committed` ones must be given now for the walk to be continuous, to
// whoever splices at `earliest` and looks again within `slack` samples.
bool pattern_due(const struct pattern *pattern, unsigned committed, int64_t earliest,
                 int64_t slack);

// Stance before step number `step` of the plan (<= number of steps held).
struct stance pattern_stance(const struct pattern *pattern, unsigned step);

// First sample after which step `step` is over (its landing), or of the plan's end for a step
// beyond the last.
int64_t pattern_landing(const struct pattern *pattern, unsigned step);

// Number of steps in the plan since pattern_begin, the closing one included; last sample of the
// plan (at rest from there on).
unsigned pattern_step_count(const struct pattern *pattern);
int64_t pattern_last_sample(const struct pattern *pattern);

// Replaces steps from number `first_step` on by the `count` steps given (count may be 0) plus a
// closing step if the stance is then not side by side, and computes all samples from `earliest` to
// the end of the plan into segment->first, ->count and
// ->sample (the caller fills in the rest; `final` too). Samples before `earliest` are as sent
// before. Errors, the plan then being unchanged: INVALID: first_step is less than
// pattern_free_step(earliest) or beyond the steps held, earliest < 0 or before an earlier
// `earliest`, or a step swings the same foot twice running; TOO_LARGE: more than
// SEGMENT_SAMPLES_MAX samples or TIMELINE_STEPS_MAX steps (ask for fewer steps); UNREACHABLE: a leg
// is too short for a step somewhere (smaller steps are the remedy).
enum status pattern_extend(struct pattern *pattern, int64_t earliest, unsigned first_step,
                           const struct footstep *step, unsigned count,
                           struct segment_message *segment) MUST_CHECK;

// Height of the pelvis' origin above the floor while standing and walking, and of the centre of
// mass (LIPM's zc).
double pattern_pelvis_height_m(const struct pattern *pattern);
double pattern_com_height_m(const struct pattern *pattern);
