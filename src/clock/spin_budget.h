// Private to src/clock: how much of its time a process may spend spinning. A token bucket: in any
// interval of length T it spins at most SPIN_BURST_NS + T / SPIN_SHARE, so at most a quarter of any
// second. Pure; real-time safe.
//
// Why: the kernel takes a core from all its real-time processes for the rest of each second once
// they have used 95 % of it (sched_rt_runtime_us), and a loop that only looks is use.
#pragma once

#include <stdint.h>

#define SPIN_SHARE 5                          // a fifth
#define SPIN_BURST_NS (50 * INT64_C(1000000)) // what can be saved up

struct spin_budget {
    int64_t
        left_ns; // at the instant `at_ns`; below 0: overdrawn by a spin that took longer than it should
    int64_t at_ns;
};

// Nothing is saved up at `now_ns`: one who starts over and over gains nothing by it.
static inline struct spin_budget spin_budget_start(int64_t now_ns)
{
    return (struct spin_budget){.left_ns = 0, .at_ns = now_ns};
}

// How long it may spin from `now_ns` on, at most `wanted_ns`; 0: not at all.
int64_t spin_budget_allow(struct spin_budget *budget, int64_t now_ns, int64_t wanted_ns);

// It has spun for `spent_ns`.
void spin_budget_spend(struct spin_budget *budget, int64_t spent_ns);
