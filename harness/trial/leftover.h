// The lab's own look at faults of load: at the process that such a fault leaves at work, and at a process that it took priority from. The
// fault's program proves its effect; this finds one that only claims it.
#pragma once

#include <stdint.h>

struct leftover {
    int pidfd;          // -1: none
    int clock;          // its CPU time
    int64_t applied_ns; // of that, when the fault was applied
};

void leftover_none(struct leftover *leftover);
// Forgets it; it is not ended.
void leftover_forget(struct leftover *leftover);

// What speaks against a fault whose program left process `left` (in the cell) at work when it answered `action`: "apply" remembers it;
// by "effect" it must have had CPU time; by "undo" and "settled" it must be gone. NULL: nothing. Waits at most a second.
const char *leftover_doubt(struct leftover *leftover, const char *action, int left);

// The same of a fault that took the real-time priority from process `pid`. Anywhere.
const char *demotion_doubt(const char *action, int pid);
