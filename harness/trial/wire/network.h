// Networks of a cell: created by the cell's init before any process starts, and known to the clock.
#pragma once

#include "clock/coordinator.h"
#include "harness/files/scenario.h"

// Creates a network in CELL_FOLDER; wakes: in real time. INVALID, FULL (words of the clock),
// SYSTEM.
enum status network_create(const struct network_config *config, struct clk_coordinator *coordinator,
                           bool wakes) MUST_CHECK;
