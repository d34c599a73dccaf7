#include "clock/pace.h"

#include <time.h>

static int64_t cpu_now_ns(void)
{
    struct timespec used;
    (void)clock_gettime(CLOCK_THREAD_CPUTIME_ID, &used);
    return used.tv_sec * INT64_C(1000000000) + used.tv_nsec;
}

void clk_pace_slept(struct clk_pace *pace, const struct clk *clk, instant due)
{
    if (clk_mode(clk) == CLK_VIRTUAL)
        return;
    const int64_t cpu_ns = cpu_now_ns();
    pace->ideal_ns += cpu_ns - pace->cpu_ns;
    pace->ideal_ns = due.ns > pace->ideal_ns ? due.ns : pace->ideal_ns;
    pace->cpu_ns = cpu_ns;
}

duration clk_pace_kept(const struct clk_pace *pace, const struct clk *clk)
{
    if (clk_mode(clk) == CLK_VIRTUAL)
        return DURATION_ZERO;
    const int64_t kept_ns = clk_now(clk).ns - pace->ideal_ns - (cpu_now_ns() - pace->cpu_ns);
    return duration_ns(kept_ns > 0 ? kept_ns : 0);
}
