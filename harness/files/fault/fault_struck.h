// What of a target a kind of fault can strike.
#pragma once

#include "harness/files/fault/catalogue.h"

struct target;

// Names all that the kind can strike, at most `most`: processes (not the simulated world, which is
// the lab's, nor what is started for others), buses, networks, channels, or the machine. Returns
// how many. A bus is struck by the faults of its own kind alone, so a target with buses of several
// kinds has to be told: then there is none.
unsigned fault_struck_any(const struct fault_kind *kind, const struct target *target,
                          char (*name)[NAME_MAX_LENGTH], unsigned most);
