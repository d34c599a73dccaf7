// Robust mutexes lose their owner when its thread has ended. The kernel marks those of a process
// that dies, before anybody else has the turn. A thread gives its turn away while it still lives,
// so what it holds is marked here, in the kernel's own way (get_robust_list(2)).
#include <linux/futex.h>

#include "shim/shim.h"

#define LOCKS_MAX 2048 // as the kernel has it
#define PRIORITY_BIT 1UL

static struct robust_list_head *own_list(void)
{
    struct robust_list_head *head = NULL;
    size_t size_B = 0;
    const int error = errno;
    if (KERNEL(SYS_get_robust_list, 0, &head, &size_B) != 0 || size_B != sizeof *head)
        head = NULL;
    errno = error;
    return head;
}

static struct robust_list *entry_of(struct robust_list *link)
{
    return (struct robust_list *)((uintptr_t)link & ~PRIORITY_BIT);
}

static void mark(_Atomic uint32_t *word, uint32_t owner)
{
    uint32_t now = *word;
    while ((now & FUTEX_TID_MASK) == owner &&
           !atomic_compare_exchange_weak(word, &now, (now & FUTEX_WAITERS) | FUTEX_OWNER_DIED))
        continue;
}

// Those who wait look again: other tasks of the program, and of other programs.
static void tell(void)
{
    shim_nudge();
    if (shim.cell->sleepers > 0)
        shim_put(&(struct io_message){.call = IO_WAKE});
}

void shim_abandon(void)
{
    struct robust_list_head *const head = own_list();
    if (head == NULL || entry_of(head->list.next) == &head->list)
        return;
    const uint32_t owner = (uint32_t)KERNEL(SYS_gettid);
    struct robust_list *entry = entry_of(head->list.next);
    for (unsigned i = 0; i < LOCKS_MAX && entry != &head->list; i++) {
        struct robust_list *const next = entry_of(entry->next);
        mark((_Atomic uint32_t *)((char *)entry + head->futex_offset), owner);
        entry = next;
    }
    head->list.next = &head->list;
    tell();
}

// The participant's own process always holds one, by which the lab knows that it lives.
void shim_abandon_by_exec(void)
{
    const struct robust_list_head *const head = own_list();
    unsigned count = shim_is_main() ? 0 : 1;
    const struct robust_list *entry = head == NULL ? NULL : entry_of(head->list.next);
    for (; entry != NULL && entry != &head->list && count < 2; entry = entry_of(entry->next))
        count++;
    shim.cell->abandoned = count > 1;
}

void shim_abandoned(void)
{
    if (shim.cell->abandoned)
        tell();
    shim.cell->abandoned = 0;
}
