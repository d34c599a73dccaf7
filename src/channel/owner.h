// Private to src/channel: who owns a slot. A lock that is only ever tried, and that the kernel
// marks when its owner dies.
//
// It is the kernel's robust futex (Documentation/locking/robust-futex-ABI) without the C library's
// list of held mutexes: a writer holds one slot at a time, so the entry of the operation that is
// "pending" tells the kernel all it must know, from before the lock is taken until after it is
// given back. A robust pthread mutex does the same, but goes through twice as much memory and code,
// which a writer that has slept for a millisecond finds cold (doc/reference/channels.md).
//
// The word: 0 free; else its owner's thread id; FUTEX_OWNER_DIED: the owner died, whoever tries
// next gets it. The pending entry is the C library's, too, while it locks or unlocks a robust
// mutex: a signal handler that does so must not interrupt a put. A process made by a raw clone()
// must open its channels anew; after a fork that is seen to.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

typedef _Atomic uint32_t channel_owner;

// Before this process's first owner_try, by the thread that will own or by one before it forks:
// SYSTEM if the kernel tells no list of robust futexes. Not real-time safe.
enum status owner_prepare(void) MUST_CHECK;

// Whether the caller owns the slot now. False: another live one does. The thread must own no other
// slot. Real-time safe; after a fork, and in a new thread, the first call asks the kernel who it
// is.
bool owner_try(channel_owner *word);

// Gives back what owner_try gave. Real-time safe.
void owner_release(channel_owner *word);
