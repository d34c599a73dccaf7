// The oscillator that a participant's clock goes by: where it starts, how fast it is, and how that
// wanders. Pure, real-time safe.
//
// A clock that is not told otherwise shows the trial's time. Faults of a clock (clock/skew.h) come
// on top of its oscillator.
#pragma once

#include <stdint.h>

#define CLK_DRIFT_MAX_PPB 1000000 // beyond: no quartz

struct clk_oscillator {
    int64_t offset_ns;        // what it shows at the trial's time 0
    int64_t drift_ppb;        // gained in a second, on average
    int64_t wander_ppb;       // the rate goes up and down by this, in a triangle
    int64_t wander_period_ns; // 0: it does not wander
    double wander_phase;      // of the triangle at the trial's time 0: 0 to 1
};

// What it shows at an instant of the trial.
int64_t clk_oscillator_local_ns(const struct clk_oscillator *oscillator, int64_t true_ns);
// The first instant of the trial at which it shows local_ns, or more; INT64_MAX stays so.
int64_t clk_oscillator_true_ns(const struct clk_oscillator *oscillator, int64_t local_ns);
