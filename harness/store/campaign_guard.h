// A campaign is run by one ukemi at a time: two would run the same trials, and each would sweep
// away what the other is about to name.
//
// The kernel holds the guard, for the process that took it and those it forks, so that it ends with
// the last of them, however they end. Not real-time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "base/time.h"

// Takes the guard of a campaign of this database. Waits for `patience`, since what was killed may
// take a moment to end. BUSY, reported: another has it. SYSTEM, reported. In any case `*guard` is a
// descriptor, or -1, to be closed after the database: closing any descriptor of its file makes
// SQLite lose its locks.
enum status campaign_guard_take(const char *database, int64_t campaign_id, duration patience,
                                int *guard) MUST_CHECK;

// The same in steps, for one who runs several. *guard is a descriptor that guards nothing yet;
// closed as above. SYSTEM, reported.
enum status campaign_guard_open(const char *database, int *guard) MUST_CHECK;
// Takes the guard of one more campaign, at once. False: another has it, or (errno) it cannot be
// locked.
bool campaign_guard_hold(int guard, int64_t campaign_id) MUST_CHECK;
void campaign_guard_release(int guard, int64_t campaign_id);
