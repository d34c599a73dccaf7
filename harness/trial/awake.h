// A core that never rests. Between two cycles of a stack a core with nothing to do halts; on a
// virtual machine the host then gives it away, and the next cycle begins with cold caches, on
// whatever core it gets back: the same cycle takes one to four times as long, differently from run
// to run. A process that counts at idle priority (SCHED_IDLE: whoever wants the core gets it at
// once) keeps it. Latencies measured so are too good; comparisons of what a program computes are
// ten times as sharp (doc/reference/benchmarks.md).
#pragma once

#include <sys/types.h>

#include "base/status.h"

// The core that comparisons use: the last one that this process may use.
int awake_core(void);

// Starts the process; it ends with the lab. SYSTEM, logged to standard error.
enum status awake_start(int core, pid_t *pid) MUST_CHECK;
void awake_stop(pid_t pid); // 0: does nothing
