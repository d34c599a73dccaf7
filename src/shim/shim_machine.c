// What the machine tells of itself: how busy it is, how long it has run, where a program runs, and
// what the kernel has measured of its connections.
#include <limits.h>
#include <linux/sockios.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sched.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ioctl.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <sys/sysinfo.h>
#include <unistd.h>

#include "shim/shim.h"

#define UP_NS (1000 * SHIM_NS_PER_S) // when the trial begins, as of CLOCK_MONOTONIC

// How much of a program is in memory is a matter of luck, by some pages.
long shim_resident(long real)
{
    long rough = 1;
    while (rough < real && rough <= LONG_MAX / 2)
        rough *= 2;
    return rough;
}

// A turn takes no time: what the processor did is what has passed.
void shim_usage(struct rusage *usage)
{
    *usage = (struct rusage){.ru_maxrss = shim_resident(usage->ru_maxrss)};
    usage->ru_utime.tv_sec = shim_now_ns() / SHIM_NS_PER_S;
    usage->ru_utime.tv_usec = shim_now_ns() % SHIM_NS_PER_S / 1000;
}

// The most that was told so far.
static long most_resident_kB(long real_kB)
{
    static long most_kB;
    const long now_kB = shim_resident_kB(KERNEL(SYS_getpid), real_kB);
    if (now_kB > most_kB)
        most_kB = now_kB;
    return most_kB;
}

PUBLIC int getrusage(__rusage_who_t who, struct rusage *usage)
{
    const int result = (int)KERNEL(SYS_getrusage, who, usage);
    if (result != 0 || !shim_on())
        return result;
    shim_usage(usage);
    if (who == RUSAGE_SELF)
        usage->ru_maxrss = most_resident_kB(usage->ru_maxrss);
    return result;
}

// How long the machine has run and what it is busy with are of real time.
PUBLIC int sysinfo(struct sysinfo *info)
{
    const int result = (int)KERNEL(SYS_sysinfo, info);
    if (result != 0 || !shim_on())
        return result;
    info->uptime = (UP_NS + shim_now_ns()) / SHIM_NS_PER_S;
    memset(info->loads, 0, sizeof info->loads);
    info->freeram = info->totalram / 2;
    info->sharedram = info->bufferram = info->freeswap = info->totalswap = 0;
    info->procs = 1;
    return 0;
}

PUBLIC long get_avphys_pages(void)
{
    return shim_on() ? get_phys_pages() / 2 : NEXT(get_avphys_pages)();
}

PUBLIC long sysconf(int name)
{
    return name == _SC_AVPHYS_PAGES ? get_avphys_pages() : NEXT(sysconf)(name);
}

PUBLIC int getloadavg(double *load, int count)
{
    if (!shim_on())
        return NEXT(getloadavg)(load, count);
    const int known = count < 3 ? count : 3;
    for (int i = 0; i < known; i++)
        load[i] = 0;
    return known;
}

// Which processor it is depends on everybody else.
PUBLIC int sched_getcpu(void)
{
    return shim_on() ? 0 : NEXT(sched_getcpu)();
}

PUBLIC int getcpu(unsigned *processor, unsigned *node)
{
    const int result = (int)KERNEL(SYS_getcpu, processor, node, NULL);
    if (result == 0 && shim_on() && processor != NULL)
        *processor = 0;
    return result;
}

// ---- connections ----

static void forget_times(struct tcp_info *info)
{
    info->tcpi_rto = info->tcpi_ato = 0;
    info->tcpi_last_data_sent = info->tcpi_last_ack_sent = 0;
    info->tcpi_last_data_recv = info->tcpi_last_ack_recv = 0;
    info->tcpi_rtt = info->tcpi_rttvar = info->tcpi_rcv_rtt = 0;
}

// What the kernel has measured of a connection is of real time: no time has passed on it.
PUBLIC int getsockopt(int descriptor, int level, int option, void *restrict value,
                      socklen_t *restrict size_B)
{
    const int result = (int)KERNEL(SYS_getsockopt, descriptor, level, option, value, size_B);
    if (result != 0 || !shim_on() || level != IPPROTO_TCP || option != TCP_INFO)
        return result;
    struct tcp_info info = {0}; // the rest of what newer kernels tell is rates
    const size_t told_B = *size_B < sizeof info ? *size_B : sizeof info;
    memcpy(&info, value, told_B);
    forget_times(&info);
    memset(value, 0, *size_B);
    memcpy(value, &info, told_B);
    return 0;
}

bool shim_is_stamp_request(unsigned long request)
{
    return request == SIOCGSTAMP_OLD || request == SIOCGSTAMPNS_OLD || request == SIOCGSTAMP_NEW ||
           request == SIOCGSTAMPNS_NEW;
}
