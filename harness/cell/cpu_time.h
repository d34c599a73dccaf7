// Whether the limit of CPU time that the lab was started with (`ulimit -t`) ended a process.
//
// Beyond the hard limit the kernel sends SIGKILL, beyond the soft one SIGXCPU, and so may anybody.
// It goes by a clock of its own: the ticks in which the process ran. They may be far from the time
// that it was given, which is what wait4 and /proc tell. A child that is not reaped still has that
// clock, so it can be asked. A limit that a target has set itself does not count.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

// Before any process of a trial is started, and before its limits are applied: notes the limits of
// the calling process. From here on what any of its descendants that call the lab's code see is
// remembered for all of them.
void cpu_time_begin(void);

// Whether that limit ended `child`, which `signal` has ended and which is not reaped.
bool cpu_time_look(pid_t child, int signal);

// Waits until `child` has ended, without reaping it, and looks.
bool cpu_time_await(pid_t child);

// Whether any look since the beginning has found one.
bool cpu_time_was_up(void);
