// What a trial needs of a cell that a bare one (harness/cell/cell_bare.h) has not. In the cell's
// init; not real-time.
#pragma once

#include "base/status.h"
#include "clock/clock.h"

struct scenario;
struct target;

// OK; UNSUPPORTED with `why`: what is missing, and what needs it, by name.
enum status bare_needs_met(const struct target *target, const struct scenario *scenario, char *why,
                           size_t size) MUST_CHECK;

// Waits until no other trial in a bare cell has the machine's ports, and keeps them until this
// process ends; at once if nothing of the target can use any. UNSUPPORTED with `why`: a port that
// the target names is somebody else's.
enum status bare_take_ports(const struct target *target, char *why, size_t size) MUST_CHECK;
