// The way to the kernel and to the C library past our own functions.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim/shim.h"

// syscall() itself is one of the functions that are replaced. By the C library's, because the
// kernel lets nothing else through (shim_raw.c).
long shim_kernel(long number, long a, long b, long c, long d, long e, long f)
{
    return NEXT(syscall)(number, a, b, c, d, e, f);
}

void *shim_next(const char *name)
{
    void *function = dlsym(RTLD_NEXT, name);
    if (function == NULL) {
        shim_leak("no %s in the C library", name);
        abort();
    }
    return function;
}

// What the clock and the channels call by the name of syscall (programs.mk).
long shim_syscall(long number, ...);
long shim_syscall(long number, ...)
{
    va_list arguments;
    long argument[6];
    va_start(arguments, number);
    for (int i = 0; i < 6; i++)
        argument[i] = va_arg(arguments, long);
    va_end(arguments);
    return shim_kernel(number, argument[0], argument[1], argument[2], argument[3], argument[4],
                       argument[5]);
}

// The same for clock_gettime: the lab's own time is never wrong.
int shim_clock_gettime(clockid_t id, struct timespec *t);
int shim_clock_gettime(clockid_t id, struct timespec *t)
{
    return (int)KERNEL(SYS_clock_gettime, id, t);
}
