// The machine that trials run on, as it is now: goes with every trial into the database, so that
// figures are compared with figures of the same machine.
#pragma once

#include <stdbool.h>

struct machine_info {
    char cpu_model[128];
    char kernel[128];
    int cores;             // this process may use
    int memory_MB;         // 0: not known
    char preemption[24];   // the kernel's: "PREEMPT_RT", "PREEMPT_DYNAMIC", "PREEMPT", or "none"
    char clock_source[24]; // "tsc"
    char governor[24];     // of the first CPU's frequency; "none": the kernel does not set it
    char rt_limit[48];     // what real-time processes may use: "950000 of 1000000 us", "none"
    bool hypervisor;       // the CPU says that it is a virtual one
};

// "unknown" where the system does not say. Reads a few files of /proc and /sys; not real-time.
struct machine_info machine_info(void);
