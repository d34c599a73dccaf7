// Robust mutexes of a statically linked program. The kernel looks through one list of a thread's
// that dies, and the host's C library has one already. Both C libraries keep theirs alike, so that
// what is in the host's, the word by which the lab knows that the process lives, becomes the end of
// the program's.
#include <linux/futex.h>

#include "shim/static/shim_foreign.h"

// A list is doubly linked; entries are named by their second word (struct robust_list).
static struct robust_list **before(struct robust_list *entry)
{
    return (struct robust_list **)((char *)entry - sizeof(void *));
}

static void append(struct robust_list_head *to, struct robust_list_head *from)
{
    struct robust_list *const first = from->list.next;
    struct robust_list *last = first;
    if (first == &from->list)
        return;
    while (last->next != &from->list)
        last = last->next;
    last->next = &to->list;
    *before(first) = &to->list;
    to->list.next = first;
    from->list.next = *before(&from->list) = &from->list;
}

// By a thread or child that begins: its list is empty.
long foreign_robust_list(const long a[6])
{
    struct robust_list_head *const head = (struct robust_list_head *)a[0], *own = NULL;
    size_t size_B = 0;
    if (KERNEL(SYS_get_robust_list, 0, &own, &size_B) != 0 || own == NULL || own == head)
        return shim_kernel(SYS_set_robust_list, a[0], a[1], 0, 0, 0, 0);
    if ((size_t)a[1] != size_B || head->futex_offset != own->futex_offset ||
        head->list.next != &head->list) {
        shim_leak("robust mutexes of a static program without glibc");
        return 0;
    }
    append(head, own);
    foreign_self()->host_robust = own;
    return shim_kernel(SYS_set_robust_list, a[0], a[1], 0, 0, 0, 0);
}

void foreign_robust_end(void)
{
    const struct foreign *self = foreign_self();
    shim_abandon();
    if (self->host_robust != NULL)
        KERNEL(SYS_set_robust_list, self->host_robust, sizeof *self->host_robust);
}
