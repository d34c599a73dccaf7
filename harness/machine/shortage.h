// What the machine, or who started the lab, withholds: memory of a cgroup or of the machine, and
// resource limits (`ulimit`). What ends by that says nothing about a target. Not real-time.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

// How many processes the kernel has ended so far because memory was short: in this process's own
// memory cgroup, or on the whole machine where that does not count them.
uint64_t shortage_oom_kills(void);

// Whether a limit that this process has inherited is below what a trial may use: so many processes
// and descriptors, file_MB of a file. None of these ends a process by SIGKILL, as that of CPU time
// does (cell/cpu_time.h): a target that ends itself does not hide behind them. `words` (as short as
// 96 bytes) say which.
bool shortage_of_limits(unsigned processes, unsigned open_files, unsigned file_MB, char *words,
                        size_t size);
