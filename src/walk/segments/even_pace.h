// What of a plan's motion is the gait's rhythm: how far the pelvis is ahead of an even pace. A hand
// that moves by as much the other way goes evenly through the world. Pure; real-time safe.
#pragma once

#include "walk/segments/segment_buffer.h"

// How far the pelvis is ahead of its mean over a step, in metres, forward as it faces at plan index
// `index`. The mean is of step_samples (even, positive) about that sample: over a whole step it
// holds nothing of the rhythm and its multiples. Beyond the ends of what is held, the robot is at
// rest. 0 if nothing is held.
double even_pace_ahead_m(const struct segment_buffer *buffer, int64_t index, unsigned step_samples);
