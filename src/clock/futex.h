// The futex system calls the clock and the channels use: thin wrappers, errno as the kernel set it.
// Real-time safe.
//
// All words are in shared memory, so none of the calls is "private".
#pragma once

#include <errno.h>
#include <linux/futex.h>
#include <stdatomic.h>
#include <stdint.h>
#include <sys/syscall.h>
#include <time.h>
#include <unistd.h>

_Static_assert(__BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__,
               "the low half of a 64-bit word is waited on at the word's own address");

// Wakes up to n sleepers on the word. A read-only mapping is enough.
static inline void futex_wake(const volatile void *word, int n)
{
    syscall(SYS_futex, word, FUTEX_WAKE, n, NULL, NULL, 0);
}

// Sleeps while *word == expected, for at most `timeout` (relative, NULL: no limit). 0, or -1 with
// EAGAIN, EINTR, ETIMEDOUT.
static inline long futex_wait(const _Atomic uint32_t *word, uint32_t expected,
                              const struct timespec *timeout)
{
    return syscall(SYS_futex, word, FUTEX_WAIT, expected, timeout, NULL, 0);
}

// Sleeps while the 32 bits at `word` are as expected, until `deadline` (absolute, CLOCK_MONOTONIC).
// Returns as futex_wait does.
static inline long futex_wait_until(const volatile void *word, uint32_t expected,
                                    const struct timespec *deadline)
{
    return syscall(SYS_futex, word, FUTEX_WAIT_BITSET, expected, deadline, NULL,
                   FUTEX_BITSET_MATCH_ANY);
}

// Sleeps while all n words have their expected values (struct futex_waitv, low 32 bits), until
// `deadline` (absolute, CLOCK_MONOTONIC). Index of a woken word, or -1 with EAGAIN, EINTR,
// ETIMEDOUT, ENOSYS.
static inline long futex_wait_any(const struct futex_waitv *words, unsigned n,
                                  const struct timespec *deadline)
{
    return syscall(SYS_futex_waitv, words, n, 0, deadline, CLOCK_MONOTONIC);
}

static inline struct futex_waitv futex_expect(const volatile void *word, uint32_t expected)
{
    return (struct futex_waitv){.val = expected, .uaddr = (uintptr_t)word, .flags = FUTEX_32};
}

#define NS_PER_S 1000000000

static inline int64_t monotonic_ns(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (int64_t)t.tv_sec * NS_PER_S + t.tv_nsec;
}

// Of a non-negative number of nanoseconds.
static inline struct timespec timespec_of_ns(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}
