// The list of mechanisms, and what they have in common.
#include "tests/bench/channels/mechanism.h"

#include <errno.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>

#include "base/log.h"

const struct mechanism *const mechanisms[MECHANISM_COUNT] = {
    &mechanism_futex,  &mechanism_futex_timed, &mechanism_ukemi,   &mechanism_pipe,
    &mechanism_mqueue, &mechanism_seqpacket,   &mechanism_iceoryx, &mechanism_zeromq,
    &mechanism_lcm,    &mechanism_dds,
};

void bench_fail(const char *format, ...)
{
    const int error = errno;
    char text[256];
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(text, sizeof text, format, arguments);
    va_end(arguments);
    log_error("%s%s%s", text, error == 0 ? "" : ": ", error == 0 ? "" : strerror(error));
    _Exit(3);
}

void *bench_new(size_t size_B)
{
    void *memory = calloc(1, size_B);
    if (memory == NULL)
        bench_fail("no memory");
    return memory;
}

void *bench_shared(size_t size_B)
{
    void *memory = mmap(NULL, size_B, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (memory == MAP_FAILED)
        bench_fail("cannot map %zu B", size_B);
    return memory;
}
