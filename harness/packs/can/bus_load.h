// What a trial's buses carried, and how complete the states were that rest on them. Pure: from the
// history alone.
#pragma once

#include <stdbool.h>

#include "harness/history/history.h"
#include "message/message.h"
#include "model/description.h"

struct bus_load {
    double mean,
        peak; // share of the time the wire carried something: over the trial, and of its fullest
              // second
    uint64_t frames, error_frames;
    uint64_t strange; // frames that neither a board nor the target's host sent
};

struct bus_figures {
    bool known; // the simulated robot gave an account
    struct bus_load bus[BUS_LOG_BUSES];
    uint64_t states;     // published
    uint64_t incomplete; // of these, with a joint, force-torque sensor, IMU or tilt sensor of which
                         // nothing valid came in that cycle
};

void bus_figures(const struct history *history, const struct description *description,
                 struct bus_figures *figures);
