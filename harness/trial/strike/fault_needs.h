// What the faults of a scenario need before a trial can begin: a clock that they mean something on,
// a file on a disk.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "clock/clock.h"

struct scenario;

// False with `reason`: a fault takes real time from the target, and `mode` has none.
bool fault_needs_met(const struct scenario *scenario, enum clk_mode mode, char *reason,
                     size_t size);

// Opens the file that a fault of load on the disk writes, if one is asked for: it has no name and
// lies on the file system of the present folder, where the lab keeps its results. In the cell
// nothing on a disk can be written; and what has no name is gone with the last process that has it
// open. The caller closes it. -1: none is wanted, or the file system has no such files.
int fault_needs_scratch(const struct scenario *scenario);
