// futex(2): what programs and language runtimes build their own locks of.
#include <limits.h>
#include <linux/futex.h>

#include "shim/shim.h"

// Whether the word is private the caller may say; what it does not say, its mappings do.
static struct shim_object of_word(const uint32_t *word, int operation)
{
    return shim_object_if(!(operation & FUTEX_PRIVATE_FLAG), word);
}

static int64_t deadline_of(int operation, const struct timespec *t)
{
    if (t == NULL || (operation & FUTEX_CMD_MASK) == FUTEX_WAIT)
        return shim_after(t);
    return shim_until(operation & FUTEX_CLOCK_REALTIME ? CLOCK_REALTIME : CLOCK_MONOTONIC, t);
}

// A robust mutex of a C library's: the end of its owner frees it, which nobody but the lab tells.
static bool has_owner(uint32_t value)
{
    return (value & FUTEX_WAITERS) && (value & FUTEX_TID_MASK) != 0;
}

static long wait_as_task(const uint32_t *word, int operation, uint32_t value,
                         const struct timespec *t)
{
    struct shim_wait wait = {0};
    while (*(const volatile uint32_t *)word == value) {
        if (wait.object.space == 0) {
            wait = shim_wait_object(of_word(word, operation), deadline_of(operation, t));
            wait.awaited = shim_awaits(SHIM_AWAITS_WORD, 0, word);
            wait.io = has_owner(value);
        } else {
            shim_wait_again(&wait);
        }
        const enum shim_woken woken = shim_block(&wait);
        if (shim_was_woken())
            return 0;
        if (woken == SHIM_WOKEN)
            continue;
        errno = woken == SHIM_DEADLINE ? ETIMEDOUT : EINTR;
        return -1;
    }
    errno = EAGAIN;
    return -1;
}

// Also those of the C library's own that sleep in the kernel.
static long wake_tasks(const uint32_t *word, int operation, unsigned n)
{
    const long woken = shim_wake(of_word(word, operation), n);
    const long others = KERNEL(SYS_futex, word, operation, n > INT_MAX ? INT_MAX : n);
    shim_pace();
    return woken + (others > 0 ? others : 0);
}

// Wakes some, and lets the others wait for another word.
static long requeue(const long a[6], int operation)
{
    const uint32_t *word = (const uint32_t *)a[0], *other = (const uint32_t *)a[4];
    if ((operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE &&
        *(const volatile uint32_t *)word != (uint32_t)a[5]) {
        errno = EAGAIN;
        return -1;
    }
    const unsigned woken = shim_wake(of_word(word, operation), (unsigned)a[2]);
    const unsigned moved =
        shim_requeue(of_word(word, operation), of_word(other, operation), (unsigned)a[3]);
    shim_pace();
    return (long)woken + ((operation & FUTEX_CMD_MASK) == FUTEX_CMP_REQUEUE ? (long)moved : 0);
}

static uint32_t changed(uint32_t old, unsigned how, uint32_t by)
{
    switch (how) {
    case FUTEX_OP_ADD:
        return old + by;
    case FUTEX_OP_OR:
        return old | by;
    case FUTEX_OP_ANDN:
        return old & ~by;
    case FUTEX_OP_XOR:
        return old ^ by;
    default:
        return by;
    }
}

static bool compares(int32_t old, unsigned how, int32_t with)
{
    switch (how) {
    case FUTEX_OP_CMP_EQ:
        return old == with;
    case FUTEX_OP_CMP_NE:
        return old != with;
    case FUTEX_OP_CMP_LT:
        return old < with;
    case FUTEX_OP_CMP_LE:
        return old <= with;
    case FUTEX_OP_CMP_GT:
        return old > with;
    default:
        return old >= with;
    }
}

// Twelve bits with a sign.
static int32_t signed_part(uint32_t code, unsigned shift)
{
    return (int32_t)(code << (20 - shift)) >> 20;
}

// Changes the second word, wakes those of the first, and those of the second if it was so.
static long wake_by_second(const long a[6], int operation)
{
    _Atomic uint32_t *second = (_Atomic uint32_t *)a[4];
    const uint32_t code = (uint32_t)a[5];
    const unsigned how = code >> 28;
    uint32_t by = (uint32_t)signed_part(code, 12);
    if (how & FUTEX_OP_OPARG_SHIFT)
        by = UINT32_C(1) << (by & 31);
    const uint32_t old = *second;
    *second = changed(old, how & 7, by);
    long woken = shim_wake(of_word((const uint32_t *)a[0], operation), (unsigned)a[2]);
    if (compares((int32_t)old, code >> 24 & 15, signed_part(code, 0)))
        woken += shim_wake(of_word((const uint32_t *)a[4], operation), (unsigned)a[3]);
    shim_pace();
    return woken;
}

#define ALL_BITS (-1)

long shim_futex(const long a[6])
{
    const uint32_t *word = (const uint32_t *)a[0];
    const int operation = (int)a[1], command = operation & FUTEX_CMD_MASK;
    if ((command == FUTEX_WAIT_BITSET || command == FUTEX_WAKE_BITSET) && (int)a[5] != ALL_BITS)
        shim_leak("futex with a set of bits");
    switch (command) {
    case FUTEX_WAIT:
    case FUTEX_WAIT_BITSET:
        return wait_as_task(word, operation, (uint32_t)a[2], (const struct timespec *)a[3]);
    case FUTEX_WAKE:
    case FUTEX_WAKE_BITSET:
        return wake_tasks(word, operation, (unsigned)a[2]);
    case FUTEX_REQUEUE:
    case FUTEX_CMP_REQUEUE:
        return requeue(a, operation);
    case FUTEX_WAKE_OP:
        return wake_by_second(a, operation);
    default:
        shim_leak("futex operation %d", command);
        return shim_kernel(SYS_futex, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
}
