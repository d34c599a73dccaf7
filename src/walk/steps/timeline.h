// When each foot swings and where the reference ZMP is: a plan's steps laid out in time. Pure; no
// allocation.
//
// Samples are numbered from the plan's start, PATTERN_PERIOD_S apart. Step i: double support
// [start, lift), swing [lift, landing). Steps follow each other without a gap, except where the
// walk starts anew after it had come to an end.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "walk/steps/footsteps.h"
#include "walk/steps/gait.h"

#define TIMELINE_STEPS_MAX 64

struct timeline_step {
    struct footstep step;
    int64_t start, lift, landing;
    double zmp_from_m[2], zmp_to_m[2]; // the reference moves between these in double support
};

struct timeline {
    const struct gait_parameters *gait; // borrowed
    struct stance base;                 // before the first step held
    double base_zmp_m[2];
    int64_t base_landing; // when the weight began to move to the middle of the base stance
    unsigned first;       // number of the first step held
    unsigned count;       // steps held
    struct timeline_step step[TIMELINE_STEPS_MAX];
};

// Where and how a foot is at a sample; which step is going on.
struct timeline_sample {
    double foot_m[SIDE_COUNT][3];
    double foot_yaw_rad[SIDE_COUNT];
    double zmp_m[2];
    enum support support;
    unsigned step;
    double phase;
};

// Starts a timeline standing in `stance`.
void timeline_begin(struct timeline *timeline, const struct gait_parameters *gait,
                    const struct stance *stance);

// Stance before step number `step` (first <= step <= first + count).
struct stance timeline_stance(const struct timeline *timeline, unsigned step);

// Number of the first step that a splice at `earliest` may change (see pattern.h).
unsigned timeline_free_step(const struct timeline *timeline, int64_t earliest, int64_t lead);

// Drops the steps from number `step` on.
void timeline_truncate(struct timeline *timeline, unsigned step);

// Appends a step. It starts when the one before it lands or, `from_rest`, when the weight has moved
// to the middle after that, and the gait's wait after that or `earliest` is over. The first step of
// all is from rest. Returns false if there is no room.
bool timeline_append(struct timeline *timeline, struct footstep step, int64_t earliest,
                     bool from_rest);

// First sample after which step number `step` is over; of the end for a step beyond the last.
int64_t timeline_landing(const struct timeline *timeline, unsigned step);

// Whether steps from number `step` on begin anew from rest, for a splice at `earliest`.
bool timeline_rests(const struct timeline *timeline, unsigned step, int64_t earliest);

// Whether steps after the `committed` ones must be given now for the walk to be continuous, to
// whoever splices at `earliest` and looks again within `slack` samples.
bool timeline_due(const struct timeline *timeline, unsigned committed, int64_t earliest,
                  int64_t slack);

// Replaces the steps from number `first` on by `count` others, and one that closes the stance if
// the feet are then not side by side, for a splice at `earliest`; forgets what landed before
// `past`. INVALID: `first` may not be changed any more, or a step swings the same foot twice
// running; TOO_LARGE: too many steps. The timeline is then to be thrown away.
enum status timeline_change(struct timeline *timeline, int64_t earliest, int64_t past,
                            unsigned first, const struct footstep *step, unsigned count) MUST_CHECK;

// Forgets steps that landed before `sample`.
void timeline_forget(struct timeline *timeline, int64_t sample);

// Last sample: the robot has come to rest.
int64_t timeline_last_sample(const struct timeline *timeline);

// The middle between the feet of the last stance: where the centre of mass comes to rest.
void timeline_final_zmp(const struct timeline *timeline, double zmp_m[2]);

void timeline_sample(const struct timeline *timeline, int64_t sample, struct timeline_sample *out);
