// What a process's death does to the robust mutexes it holds, done to a copy of the shared memory
// they are in, while the process still stands there.
//
// The rules are the kernel's (futex(2), "Robust futexes"; Documentation/locking/robust-futex-ABI;
// exit_robust_list and handle_futex_death of kernel/futex/core.c). They use nothing but what is
// read here as well: the list that the process has registered, the entry it was just adding or
// removing, and the mutex words.
//   - Every entry of the list is handled, except the pending one, which comes last whether it is in
//   the list or not.
//   - A word is changed only if the thread that dies is its owner: FUTEX_OWNER_DIED is set, the
//   owner is cleared, FUTEX_WAITERS
//     stays.
// The kill tests compare the result with what a real SIGKILL at the same place leaves, byte by
// byte.
#pragma once

#include <check.h>
#include <linux/futex.h>
#include <stdint.h>
#include <string.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <unistd.h>

// The words that change when `pid` dies are below `memory`; both processes have it at the same
// address (a fork's).
struct dying {
    pid_t pid;
    const unsigned char *memory;
    unsigned char *copy; // changed
    size_t size_B;
    unsigned marked; // words that were its own
};

static inline void read_of(pid_t pid, const void *address, void *result, size_t size_B)
{
    struct iovec here = {.iov_base = result, .iov_len = size_B};
    struct iovec there = {.iov_base = (void *)(uintptr_t)address, .iov_len = size_B};
    ck_assert_int_eq(process_vm_readv(pid, &here, 1, &there, 1, 0), (ssize_t)size_B);
}

static inline void mark_owner_dead(struct dying *d, const struct robust_list *entry, long offset)
{
    uintptr_t at = (uintptr_t)entry + (uintptr_t)offset - (uintptr_t)d->memory;
    uint32_t word;
    ck_assert_uint_eq((uintptr_t)entry & 1, 0); // no priority inheritance here
    if (at > d->size_B - sizeof word)
        return; // in some other memory
    memcpy(&word, d->copy + at, sizeof word);
    if ((word & FUTEX_TID_MASK) != (uint32_t)d->pid)
        return;
    word = (word & FUTEX_WAITERS) | FUTEX_OWNER_DIED;
    memcpy(d->copy + at, &word, sizeof word);
    d->marked++;
}

static inline void emulate_death(struct dying *d)
{
    struct robust_list_head *there, head;
    size_t length;
    ck_assert_int_eq(syscall(SYS_get_robust_list, d->pid, &there, &length), 0);
    if (there == NULL)
        return;
    read_of(d->pid, there, &head, sizeof head);
    struct robust_list *entry = head.list.next;
    for (int i = 0; entry != &there->list && i < 2048; i++) { // the kernel's own bound
        struct robust_list link;
        read_of(d->pid, (const void *)((uintptr_t)entry & ~(uintptr_t)1), &link, sizeof link);
        if (entry != head.list_op_pending)
            mark_owner_dead(d, entry, head.futex_offset);
        entry = link.next;
    }
    if (head.list_op_pending != NULL)
        mark_owner_dead(d, head.list_op_pending, head.futex_offset);
}
