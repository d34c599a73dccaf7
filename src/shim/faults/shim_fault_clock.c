// Faults of clocks: what a program reads of a clock that the cell's page makes wrong. In virtual
// mode the clock itself is wrong (clock/skew.h); here is real time, and what the lab is told.
#include "clock/skew.h"
#include "shim/faults/shim_fault.h"

#define TOLD_NS 1000000

// That a wrong clock was read is told once in a while.
static void tell_clock(const struct clk *clk)
{
    static _Atomic int64_t told_ns = -TOLD_NS;
    const int64_t at_ns = shim_fault_true_ns(), last_ns = atomic_load(&told_ns);
    if (at_ns >= last_ns && at_ns - last_ns < TOLD_NS)
        return;
    atomic_store(&told_ns, at_ns);
    const struct tampering what = {.tag = clk_skew_tag(clk)};
    shim_fault_lock();
    shim_fault_tell_struck(&what, -1, NULL, 0);
    shim_fault_unlock();
}

// By how much a clock is wrong in wall mode.
static int64_t wall_error_ns(clockid_t id)
{
    const bool cpu = id == CLOCK_PROCESS_CPUTIME_ID || id == CLOCK_THREAD_CPUTIME_ID || id < 0;
    if (cpu || shim_fault_wall.clk == NULL || !clk_is_wrong(shim_fault_wall.clk))
        return 0;
    const bool steps = id == CLOCK_REALTIME || id == CLOCK_REALTIME_COARSE || id == CLOCK_TAI;
    return clk_error_ns(shim_fault_wall.clk) + (steps ? clk_step_ns(shim_fault_wall.clk) : 0);
}

int shim_struck_clock(clockid_t id, struct timespec *t)
{
    const int result = NEXT(clock_gettime)(id, t);
    const int64_t error_ns = result == 0 ? wall_error_ns(id) : 0;
    if (error_ns == 0)
        return result;
    *t = shim_timespec(shim_ns_of(t) + error_ns);
    tell_clock(shim_fault_wall.clk);
    return result;
}

int shim_struck_sleep(clockid_t id, int flags, const struct timespec *t, struct timespec *left)
{
    struct timespec now;
    if (shim_fault_wall.clk == NULL || !clk_is_wrong(shim_fault_wall.clk) || shim_ns_of(t) < 0 ||
        shim_struck_clock(id, &now) != 0)
        return NEXT(clock_nanosleep)(id, flags, t, left);
    const int64_t until_ns =
        flags & TIMER_ABSTIME ? shim_ns_of(t) : shim_ns_of(&now) + shim_ns_of(t);
    int result = 0;
    while (result == 0 && shim_ns_of(&now) < until_ns) { // until its own clock shows that
        const int64_t left_ns = until_ns - shim_ns_of(&now);
        const struct timespec step =
            shim_timespec(left_ns < SHIM_WALL_STEP_NS ? left_ns : SHIM_WALL_STEP_NS);
        result = NEXT(clock_nanosleep)(CLOCK_MONOTONIC, 0, &step, NULL);
        (void)shim_struck_clock(id, &now);
    }
    if (result == EINTR && left != NULL && !(flags & TIMER_ABSTIME))
        *left = shim_timespec(until_ns > shim_ns_of(&now) ? until_ns - shim_ns_of(&now) : 0);
    return result;
}

void shim_struck_realtime(void)
{
    if (clk_step_ns(shim.clk) != 0)
        tell_clock(shim.clk);
}
