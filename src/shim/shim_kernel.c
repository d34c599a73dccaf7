// The way to the kernel and to the C library past our own functions.
#include <dlfcn.h>
#include <stdarg.h>
#include <stdlib.h>
#include <unistd.h>

#include "shim/shim.h"

#if !defined(__x86_64__)
#error "the shim makes system calls by itself: add this processor's way to shim_kernel.c"
#endif

// syscall() itself is one of the functions that are replaced.
long shim_kernel(long number, long a, long b, long c, long d, long e, long f)
{
    long result;
    register long r10 __asm__("r10") = d;
    register long r8 __asm__("r8") = e;
    register long r9 __asm__("r9") = f;
    __asm__ volatile("syscall"
                     : "=a"(result)
                     : "a"(number), "D"(a), "S"(b), "d"(c), "r"(r10), "r"(r8), "r"(r9)
                     : "rcx", "r11", "memory");
    if (result >= 0 || result < -4095)
        return result;
    errno = (int)-result;
    return -1;
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
