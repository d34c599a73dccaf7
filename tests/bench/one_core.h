// For benchmarks of hand-overs between processes.
#pragma once

#include <sched.h>

#include "base/log.h"

// The caller and its children share the core that it is on.
static inline void pin_to_one_core(void)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    CPU_SET(sched_getcpu(), &set);
    if (sched_setaffinity(0, sizeof set, &set) != 0)
        log_info("not pinned to one core: expect twice the cost");
}
