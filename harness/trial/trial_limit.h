// What becomes of a trial that was ended because a limit of its cell was exceeded.
#pragma once

#include "harness/cell/limits.h"
#include "harness/trial/trial.h"

// In the cell's init, which has the clock, the channels and the buses mapped: from now on a file of
// these that a process cuts off is reported to `breach`, which must outlive the process, and ends
// it. A file on a tmpfs cannot be sealed against that.
void trial_limit_watch_files(struct breach *breach);

// A process of the target that used too much is the target's failure: the history gets its
// limit_event, the last one, and the oracles judge what was recorded until then. All else is the
// lab's failure, with the reason in the result: processes of the simulated world or of a fault,
// nobody's memory, a trial that only took too long. `result` must be filled but for that.
enum status trial_limit_exceeded(const struct breach *breach, const struct target *target,
                                 const struct scenario *scenario, struct history *history,
                                 struct trial_result *result) MUST_CHECK;
