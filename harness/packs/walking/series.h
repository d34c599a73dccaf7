// Time series of a trial, for plots: ground truth around the first fault, from its history. Not
// real-time; makes no verdict.
#pragma once

#include <stdio.h>

#include "harness/history/history.h"
#include "model/description.h"

#define SERIES_JOINTS                                                                              \
    5 // of the legs and arms, those that move most: 2 right leg, 1 left leg, 1 each arm

struct series_frame { // what of the trial is shown
    double from_s, to_s;
    double fault_s;  // first fault, NAN: none
    double repair_s; // its component was ready again, or the fault undone; to_s if neither
    char fault[48];  // its kind in the catalogue, "": none
};

// From 2.5 s before the first fault to 5 s after it; the whole trial if there is none or it is
// short.
struct series_frame series_frame(const struct history *history);

// Three blocks for gnuplot, tab-separated, each with a line of column names, "NaN" where nothing is
// known. Block 0, one row per 20 ms: time_s, then for each chosen joint its set point and position
// in degrees (named "RKN set point", "RKN"), then pelvis_m, tilt_deg, com_margin_mm,
// capture_margin_mm (clipped to [-200, 200]; NaN in the air), right_foot_m, left_foot_m (heights),
// com_x_m, com_y_m, right_x_m, right_y_m, left_x_m, left_y_m. Block 1: x_m, y_m of the support
// polygon's corners at the instant of the fault, closed. Block 2: x_m, y_m of the centre of mass
// and of the capture point at that instant.
enum status series_write(const struct history *history, const struct description *description,
                         struct series_frame frame, FILE *out) MUST_CHECK;
