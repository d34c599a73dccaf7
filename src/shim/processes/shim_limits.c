// Memory that stays in memory, and limits of real time: as for a user who may have both. In virtual
// time they mean nothing (shim_schedule.c).
#include <sys/mman.h>
#include <sys/resource.h>
#include <unistd.h>

#include "shim/shim.h"

#define PRIORITY_MAX 99
#define NICE_MAX 40 // 20 - nice: as low as -20

// ---- memory ------------------------------------------------------------------------------------

// The kernel is asked for nothing: under its limit, what a program maps later would be refused.
PUBLIC int mlockall(int flags)
{
    if (!shim_on())
        return (int)KERNEL(SYS_mlockall, flags);
    if ((flags & (MCL_CURRENT | MCL_FUTURE)) != 0 &&
        (flags & ~(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT)) == 0)
        return 0;
    errno = EINVAL;
    return -1;
}

// ENOMEM, if it is no memory of the program's.
static int check_mapped(const void *from, size_t size_B)
{
    const uintptr_t page_B = (uintptr_t)sysconf(_SC_PAGESIZE), in_page_B = (uintptr_t)from % page_B;
    return (int)KERNEL(SYS_msync, (uintptr_t)from - in_page_B, size_B + in_page_B, MS_ASYNC);
}

PUBLIC int mlock(const void *from, size_t size_B)
{
    return shim_on() ? check_mapped(from, size_B) : (int)KERNEL(SYS_mlock, from, size_B);
}

PUBLIC int mlock2(const void *from, size_t size_B, unsigned flags)
{
    return shim_on() ? check_mapped(from, size_B) : (int)KERNEL(SYS_mlock2, from, size_B, flags);
}

// ---- limits ------------------------------------------------------------------------------------

// What limits.conf gives to such users. What the program sets is read back.
static struct {
    __rlimit_resource_t resource;
    struct rlimit limit;
} limits[] = {{RLIMIT_RTPRIO, {PRIORITY_MAX, PRIORITY_MAX}},
              {RLIMIT_NICE, {NICE_MAX, NICE_MAX}},
              {RLIMIT_RTTIME, {RLIM_INFINITY, RLIM_INFINITY}},
              {RLIMIT_MEMLOCK, {RLIM_INFINITY, RLIM_INFINITY}}};

static struct rlimit *limit_of(__rlimit_resource_t resource)
{
    for (size_t i = 0; shim_on() && i < sizeof limits / sizeof limits[0]; i++)
        if (limits[i].resource == resource)
            return &limits[i].limit;
    return NULL;
}

PUBLIC int prlimit(pid_t pid, __rlimit_resource_t resource, const struct rlimit *new,
                   struct rlimit *old)
{
    struct rlimit *limit = pid == 0 || pid == getpid() ? limit_of(resource) : NULL;
    if (limit == NULL)
        return (int)KERNEL(SYS_prlimit64, pid, resource, new, old);
    const struct rlimit before = *limit;
    if (new != NULL &&new->rlim_cur > new->rlim_max) {
        errno = EINVAL;
        return -1;
    }
    if (new != NULL)
        *limit = *new;
    if (old != NULL)
        *old = before;
    return 0;
}

PUBLIC int getrlimit(__rlimit_resource_t resource, struct rlimit *limit)
{
    return prlimit(0, resource, NULL, limit);
}

PUBLIC int setrlimit(__rlimit_resource_t resource, const struct rlimit *limit)
{
    return prlimit(0, resource, limit, NULL);
}

// The same on a machine of 64 bits.
PUBLIC int prlimit64(pid_t pid, __rlimit_resource_t resource, const struct rlimit64 *new,
                     struct rlimit64 *old)
{
    return prlimit(pid, resource, (const struct rlimit *)new, (struct rlimit *)old);
}

PUBLIC int getrlimit64(__rlimit_resource_t resource, struct rlimit64 *limit)
{
    return prlimit(0, resource, NULL, (struct rlimit *)limit);
}

PUBLIC int setrlimit64(__rlimit_resource_t resource, const struct rlimit64 *limit)
{
    return prlimit(0, resource, (const struct rlimit *)limit, NULL);
}
