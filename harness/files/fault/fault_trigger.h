// When a fault strikes.
#pragma once

#include "harness/files/lengths.h"

// When a fault strikes: at a time; or at a gait phase after a time; or when a formula holds after a
// time. Ranges are drawn by the trial's seed.
enum trigger_kind { TRIGGER_TIME, TRIGGER_PHASE, TRIGGER_CONDITION };

struct trigger {
    enum trigger_kind kind;
    double time_min_s, time_max_s; // drawn uniformly; for PHASE and CONDITION: not before
    double phase_min, phase_max;   // PHASE: of the gait cycle, 0..1, drawn uniformly
    char when[FORMULA_TEXT_MAX];   // CONDITION: a formula of one instant, "tilt_rad > 0.1"
    double limit;                  // in the file: `above` or `below`; `when` says it, too
};
