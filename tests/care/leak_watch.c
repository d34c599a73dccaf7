// Looks for leaks while a daemon runs, because a daemon has no end of its own at which a sanitizer
// would look: trials end by SIGKILL. Linked into the daemons of a sanitizer build with
// --wrap for each function that waits. Memory that nothing points at any more, when the
// daemon begins to wait, is lost.
#include <stdio.h>
#include <unistd.h>

#include "clock/clock.h"

#define FIRST_WAIT 16 // initialisation is over; then again whenever twice as many have passed
#define SANITIZER_EXIT 99

int __lsan_do_recoverable_leak_check(void) __attribute__((weak)); // not in every sanitizer

enum status __real_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline);
enum status __wrap_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline);
void __real_clk_sleep_until(struct clk *clk, instant t);
void __wrap_clk_sleep_until(struct clk *clk, instant t);
uint64_t __real_clk_period_wait(struct clk *clk, struct clk_period *period);
uint64_t __wrap_clk_period_wait(struct clk *clk, struct clk_period *period);

static void look(void)
{
    static unsigned long waits, next = FIRST_WAIT;
    if (++waits < next || __lsan_do_recoverable_leak_check == NULL)
        return;
    next *= 2;
    if (__lsan_do_recoverable_leak_check() != 0) {
        fprintf(stderr, "leaked, as seen at wait %lu\n", waits);
        _exit(SANITIZER_EXIT);
    }
}

enum status __wrap_clk_wait(struct clk *clk, const struct clk_watch *watches, size_t n,
                            instant deadline)
{
    look();
    return __real_clk_wait(clk, watches, n, deadline);
}

uint64_t __wrap_clk_period_wait(struct clk *clk, struct clk_period *period)
{
    look();
    return __real_clk_period_wait(clk, period);
}

void __wrap_clk_sleep_until(struct clk *clk, instant t)
{
    look();
    __real_clk_sleep_until(clk, t);
}
