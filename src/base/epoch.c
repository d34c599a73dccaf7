#include "base/epoch.h"

#include <stdatomic.h>
#include <time.h>

#define NS_PER_S 1000000000

static _Atomic int64_t begun_ns; // 0: not yet

int64_t epoch_begin_ns(void)
{
    struct timespec now;
    clock_gettime(CLOCK_MONOTONIC, &now);
    const int64_t now_ns = (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
    atomic_store_explicit(&begun_ns, now_ns, memory_order_relaxed);
    return now_ns;
}

int64_t epoch_ns(void)
{
    const int64_t ns = atomic_load_explicit(&begun_ns, memory_order_relaxed);
    return ns != 0 ? ns : epoch_begin_ns();
}
