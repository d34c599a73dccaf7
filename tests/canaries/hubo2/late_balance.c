// Canary: the Balance daemon, except that it oversleeps every tenth state by more than a cycle.
//
// Linked with the real daemon and --wrap=clk_wait. The latency benchmark must report the deadlines
// that it misses, and on the virtual clock exactly these.
#include "clock/clock.h"

#define OVERSLEEPS_EVERY 10
#define OVERSLEEP_MS 12

enum status __real_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline);
enum status __wrap_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline);

enum status __wrap_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline)
{
    static unsigned states;
    const enum status status = __real_clk_wait(clk, watches, n, deadline);
    if (status == STATUS_OK && ++states % OVERSLEEPS_EVERY == 0)
        clk_sleep_until(clk, instant_add(clk_now(clk), duration_ms(OVERSLEEP_MS)));
    return status;
}
