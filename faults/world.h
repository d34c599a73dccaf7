// What faults of the simulated world share: they tell it by one channel what is to change, and see
// by another what is true.
#pragma once

#include <stddef.h>

#include "base/time.h"
#include "faults/fault_main.h"

// Marks the change that a fault makes, or undoes; a fault of the trial has its own tag.
uint64_t world_mark(const struct fault_asked *asked, bool undone);

// The newest frame of `channel`; *told: there is one. False, logged to standard error: the world
// has no such channel.
bool world_look(const struct fault_asked *asked, const char *channel, void *message, size_t size_B,
                bool *told);
// False, logged to standard error: the world cannot be told.
bool world_tell(const struct fault_asked *asked, const char *channel, const void *message,
                size_t size_B, instant t);
