// Was a process of the cell killed by something that is no part of the trial?
//
// SIGKILL is what `kill -9`, a service manager and the kernel short of memory send; the kernel
// tells nobody who it was. What a process does wrong by itself ends it by another signal, so those
// count as the target's own. A SIGKILL counts as from outside if no fault of the scenario had
// struck the process since it was started, and the lab had not ended it for keeping its turn. That
// leaves a target that kills itself or its peers so: see fate.h.
#pragma once

#include <stdbool.h>

#include "harness/files/fault/catalogue.h"
#include "harness/history/history.h"

// Name of the first process of the history that was, in `name`. A pure function. Not real-time.
bool killed_from_outside(const struct history *history, const struct catalogue *catalogue,
                         char *name, size_t size);
