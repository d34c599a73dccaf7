#include "channel/owner.h"

#include <linux/futex.h>
#include <pthread.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/invariant.h"

// This thread, as the kernel knows it. Thread id 0: not asked yet.
static _Thread_local struct {
    struct robust_list_head *robust; // registered by the C library when the thread began
    uint32_t thread_id;
} self;

static bool know_self(void)
{
    size_t size_B;
    if (syscall(SYS_get_robust_list, 0, &self.robust, &size_B) != 0 || self.robust == NULL)
        return false;
    self.thread_id = (uint32_t)syscall(SYS_gettid);
    return true;
}

// A fork's thread has another id, but a copy of this memory.
static void forget_self(void)
{
    self.thread_id = 0;
}

static void forget_self_in_forks(void)
{
    (void)pthread_atfork(NULL, NULL, forget_self);
}

enum status owner_prepare(void)
{
    static pthread_once_t once = PTHREAD_ONCE_INIT;
    pthread_once(&once, forget_self_in_forks);
    return know_self() ? STATUS_OK : STATUS_SYSTEM;
}

// The kernel looks at it when this thread dies: at any instruction, so the compiler may not move
// it.
static void set_pending(channel_owner *word)
{
    expects(self.robust != NULL);
    void *entry = word == NULL ? NULL : (unsigned char *)word - self.robust->futex_offset;
    atomic_signal_fence(memory_order_seq_cst);
    *(struct robust_list *volatile *)&self.robust->list_op_pending = entry;
    atomic_signal_fence(memory_order_seq_cst);
}

bool owner_try(channel_owner *word)
{
    if (self.thread_id == 0 && !know_self())
        return false;
    uint32_t held_by = atomic_load_explicit(word, memory_order_relaxed);
    if ((held_by & FUTEX_TID_MASK) != 0)
        return false;
    set_pending(word);
    if (atomic_compare_exchange_strong_explicit(word, &held_by, self.thread_id,
                                                memory_order_acquire, memory_order_relaxed))
        return true;
    set_pending(NULL);
    return false;
}

void owner_release(channel_owner *word)
{
    expects(self.thread_id != 0);                         // whoever holds it knows itself
    atomic_store_explicit(word, 0, memory_order_release); // nobody ever sleeps on it
    set_pending(NULL);
}
