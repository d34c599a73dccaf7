// Canary: the Balance daemon, except that each of its cycles takes a fifth longer than it needs.
//
// Linked with the real daemon and --wrap=balance_cycle. On the wall clock no oracle has anything to say about it: only a comparison of
// measured latencies finds it (doc/benchmarks.md).
#include <stdint.h>
#include <time.h>

#include "targets/hubo2/balance_core.h"

#define SLOWER_BY 5 // a fifth

bool __real_balance_cycle(struct balance *balance, const struct state_message *state,
                          struct command_message *command);
bool __wrap_balance_cycle(struct balance *balance, const struct state_message *state,
                          struct command_message *command);

static int64_t now_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * 1000000000 + t.tv_nsec;
}

bool __wrap_balance_cycle(struct balance *balance, const struct state_message *state,
                          struct command_message *command)
{
    const int64_t begin_ns = now_ns();
    const bool commands = __real_balance_cycle(balance, state, command);
    const int64_t end_ns = now_ns();
    while (now_ns() - end_ns < (end_ns - begin_ns) / SLOWER_BY) // spinning, as work would
        ;
    return commands;
}
