// A process and all that descends from it: what ends in a bare cell, where the kernel ends nothing
// by itself. Who has lost its parent becomes a child of the next process above it that has said so
// (PR_SET_CHILD_SUBREAPER), so that nobody leaves the family by setsid or a double fork.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// Living descendants of `ancestor`, without itself, in no order. Returns how many there are, of
// which `pids` holds the first `max`.
unsigned family_list(pid_t ancestor, pid_t *pids, unsigned max);

// Threads of the calling process's descendants but `spared` and those of this, with their first
// ones, which have the numbers of processes.
unsigned family_tasks(pid_t spared, pid_t *tasks, unsigned max);

// Children of the calling process, dead or alive: the first `max`.
unsigned family_children(pid_t *pids, unsigned max);

// Kills and reaps all descendants of the calling process, but the children in `spared` and what
// descends from these. Returns when there are none, or after 10 s at most.
void family_end(const pid_t *spared, unsigned spared_count);
