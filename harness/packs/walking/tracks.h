// Tracks of a biped (harness/judge/tracks.h): its ground truth around the first fault.
#pragma once

#include "harness/judge/tracks.h"

// Of the legs and arms, those that move most: 2 right leg, 1 left leg, 1 each arm.
#define TRACKED_JOINTS 5

// Three blocks. Block 0: time_s, then for each chosen joint its set point and position in degrees
// (named "RKN set point", "RKN"), then pelvis_m, tilt_deg, com_margin_mm, capture_margin_mm
// (clipped to [-200, 200]; NaN in the air), right_foot_m, left_foot_m (heights), com_x_m, com_y_m,
// right_x_m, right_y_m, left_x_m, left_y_m. Block 1: x_m, y_m of the support polygon's corners at
// the instant of the fault, closed. Block 2: x_m, y_m of the centre of mass and of the capture
// point at that instant. NOT_FOUND: the history has no ground truth.
enum status walking_tracks(const struct history *history, const struct description *description,
                           const struct tracks_frame *frame, FILE *out) MUST_CHECK;
