// The clock by which a thread waits for frames.
#include <pthread.h>
#include <unistd.h>

#include "ethernet/etherrt_private.h"

_Thread_local struct clk *etherrt_own_clock;

// A thread, but the process's first, joins by the name that it has been given (pthread_setname_np).
static enum status join(struct clk **clk)
{
    char name[16] = "";
    if (gettid() == getpid())
        return clk_join(clk);
    pthread_getname_np(pthread_self(), name, sizeof name);
    return clk_join_thread(name, clk);
}

struct clk *etherrt_clock(void)
{
    if (etherrt_own_clock == NULL && join(&etherrt_own_clock) != STATUS_OK)
        etherrt_own_clock = NULL;
    return etherrt_own_clock;
}

void EtherRTClock(struct clk *clk)
{
    etherrt_own_clock = clk;
}
