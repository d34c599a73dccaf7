// Networks of a cell: created by the cell's init before any process starts, and known to the clock.
#pragma once

#include "clock/coordinator.h"

struct network_config;

struct network_making {
    struct clk_coordinator *coordinator;
    bool wakes;          // in real time
    bool through_kernel; // by interfaces of the kernel, which are made
};

// Creates a network in CELL_FOLDER. INVALID, FULL (words of the clock), UNSUPPORTED (this kernel
// has no such interfaces), SYSTEM; `why` says what the kernel refused.
enum status network_create(const struct network_config *config, const struct network_making *making,
                           char *why, size_t size) MUST_CHECK;
