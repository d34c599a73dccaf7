#include "harness/campaign/core.h"

#include <sched.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>
#include <sys/socket.h>
#include <sys/un.h>
#include <unistd.h>

// An abstract socket's name is held by one process at a time, and the kernel lets go of it.
static bool claim(int core)
{
    struct sockaddr_un name = {.sun_family = AF_UNIX};
    const int length =
        snprintf(name.sun_path + 1, sizeof name.sun_path - 1, "ukemi/core/%d", core) + 1;
    const int held = socket(AF_UNIX, SOCK_DGRAM | SOCK_CLOEXEC, 0);
    if (held >= 0 &&
        bind(held, (struct sockaddr *)&name,
             (socklen_t)(offsetof(struct sockaddr_un, sun_path) + (size_t)length)) == 0)
        return true; // until this process ends
    if (held >= 0)
        close(held);
    return false;
}

int core_after(int core)
{
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (core < 0 || sched_getaffinity(0, sizeof mine, &mine) != 0)
        return -1;
    int next = core;
    do
        next = (next + 1) % CPU_SETSIZE;
    while (!CPU_ISSET(next, &mine) && next != core);
    return next;
}

int core_claim(void)
{
    static int last = CPU_SETSIZE - 1;
    const int first = core_after(last);
    int core = first;
    while (core >= 0 && !claim(core)) {
        core = core_after(core);
        if (core == first)
            break;
    }
    if (core >= 0)
        last = core;
    return core;
}
