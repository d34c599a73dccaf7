#include "base/epoch.h"

#include <stdatomic.h>
#include <stdbool.h>
#include <time.h>

#define NS_PER_S 1000000000

static _Atomic int64_t begun_ns; // 0: not yet

static int64_t now_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

int64_t epoch_begin_ns(void)
{
    const int64_t ns = now_ns();
    atomic_store_explicit(&begun_ns, ns, memory_order_relaxed);
    return ns;
}

int64_t epoch_ns(void)
{
    int64_t begun = atomic_load_explicit(&begun_ns, memory_order_relaxed);
    if (begun != 0)
        return begun;
    const int64_t ns = now_ns();
    const bool begins = atomic_compare_exchange_strong(&begun_ns, &begun, ns);
    return begins ? ns : begun; // another thread's, if that was quicker
}
