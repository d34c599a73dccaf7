// Whether a scenario, or a square of a campaign, looks at what its faults do, and has the events
// from which its promises count. Private to the loaders.
#pragma once

#include "harness/files/fault/catalogue.h"

struct promise;
struct scenario;
struct target;

// Of a trial after a fault, or after a restart: some control cycles.
#define WATCHED_MIN_S 0.05

// False: `why` says what is wrong with fault number `number`, and what to do.
bool fault_watched(const struct scenario *scenario, unsigned number, char *why, size_t size);
// Likewise of a promise: what it counts from cannot happen, or not within the trial.
bool promise_anchored(const struct scenario *scenario, const struct target *target,
                      const struct promise *promise, char *why, size_t size);
