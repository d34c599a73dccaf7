// What the packs of a target see of a trial while it runs: for triggers, and for the trial's end.
// Fed with every recorded event; pure otherwise.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "harness/history/history.h"

struct target;

struct watch; // opaque; owned by the caller

// The history has all its topics. A target without packs shows nothing. NO_MEMORY.
enum status watch_create(const struct target *target, const struct history *history,
                         struct watch **watch) MUST_CHECK;
void watch_free(struct watch *watch);

void watch_take(struct watch *watch, const struct event *event);

// A quantity of a pack (list.h). False if it is not known now.
bool watch_quantity(const struct watch *watch, const char *name, double *value);

// Robustness of a formula of one instant over the newest messages and what packs know
// ("lean_rad > 0.05"). False if it is not known now: a channel that it reads was silent so far. At
// most two texts a fault, which stay where they are.
bool watch_formula(struct watch *watch, const char *text, double *robustness);

// Phase of the cycle that the target is in, 0..1. False if it is in none.
bool watch_phase(const struct watch *watch, double *phase);

// Whether the target cannot go on: the robot has fallen.
bool watch_given_up(const struct watch *watch);

// Whether the motion that was asked for last is done, as the target says. False if none was asked
// for.
bool watch_completed(const struct watch *watch);
