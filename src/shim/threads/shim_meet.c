// Who of a cell waits for objects in shared memory: threads, children and other programs meet there
// in the order in which they came. The table is written by whoever has the turn.
//
// A task of the waker's own program is ready at once. Those of other programs sleep by the clock
// and wait for a frame on `io`: one says how many of them were woken.
#include <limits.h>

#include "shim/shim.h"

static struct shim_sleeper *sleeper_at(uint32_t number)
{
    return &shim.cell->sleeper[(number - 1) % SHIM_SLEEPERS_MAX];
}

static unsigned sleeper_count(void)
{
    const unsigned count = shim.cell->sleeper_count;
    return count < SHIM_SLEEPERS_MAX ? count : SHIM_SLEEPERS_MAX;
}

static void free_sleeper(struct shim_sleeper *sleeper)
{
    sleeper->state = SHIM_SLEEPER_FREE;
    if (shim.cell->sleepers > 0)
        shim.cell->sleepers--;
}

// The lab has seen to it that nothing is left of a program that has ended, before anybody else has
// a turn (shims_end_children).
static bool is_gone(const struct shim_sleeper *sleeper)
{
    return sleeper->participant != shim_participant() && KERNEL(SYS_kill, sleeper->pid, 0) != 0 &&
           errno == ESRCH;
}

static struct shim_sleeper *new_sleeper(void)
{
    for (unsigned i = 0; i < SHIM_SLEEPERS_MAX; i++) {
        struct shim_sleeper *sleeper = &shim.cell->sleeper[i];
        const bool gone = sleeper->state != SHIM_SLEEPER_FREE && i < sleeper_count() &&
                          shim.cell->sleepers > SHIM_SLEEPERS_MAX / 2 && is_gone(sleeper);
        if (gone)
            free_sleeper(sleeper);
        if (i >= sleeper_count())
            shim.cell->sleeper_count = i + 1;
        if (sleeper->state == SHIM_SLEEPER_FREE)
            return sleeper;
    }
    return NULL;
}

uint64_t shim_meet_ticket(void)
{
    return ++shim.cell->sleeper_tickets;
}

uint32_t shim_meet_begin(const struct shim_wait *wait)
{
    const int error = errno;
    struct shim_sleeper *sleeper = new_sleeper();
    errno = error;
    if (sleeper == NULL) {
        shim_leak("more than %d tasks wait at shared memory", SHIM_SLEEPERS_MAX);
        return 0;
    }
    *sleeper = (struct shim_sleeper){.object = wait->object,
                                     .ticket = wait->ticket,
                                     .pid = (int)KERNEL(SYS_getpid),
                                     .participant = shim_participant(),
                                     .task = (uint32_t)shim_self,
                                     .state = SHIM_SLEEPER_WAITS};
    shim.cell->sleepers++;
    return (uint32_t)(sleeper - shim.cell->sleeper) + 1;
}

bool shim_meet_is_woken(uint32_t number)
{
    return sleeper_at(number)->state == SHIM_SLEEPER_WOKEN;
}

bool shim_meet_end(uint32_t number)
{
    const bool woken = shim_meet_is_woken(number);
    free_sleeper(sleeper_at(number));
    return woken;
}

static bool waits_for(const struct shim_sleeper *sleeper, const struct shim_object *object)
{
    return sleeper->state == SHIM_SLEEPER_WAITS && shim_is_same(&sleeper->object, object);
}

// Who has waited the longest; NULL: nobody is left.
static struct shim_sleeper *find_first(const struct shim_object *object)
{
    struct shim_sleeper *first = NULL;
    for (unsigned i = 0; i < sleeper_count(); i++) {
        struct shim_sleeper *sleeper = &shim.cell->sleeper[i];
        if (!waits_for(sleeper, object))
            continue;
        if (is_gone(sleeper))
            free_sleeper(sleeper);
        else if (first == NULL || sleeper->ticket < first->ticket)
            first = sleeper;
    }
    return first;
}

unsigned shim_meet_wake(struct shim_object object, unsigned n)
{
    const int error = errno;
    unsigned woken = 0, others = 0;
    for (; woken < n && shim.cell->sleepers > 0; woken++) {
        struct shim_sleeper *first = find_first(&object);
        if (first == NULL)
            break;
        first->state = SHIM_SLEEPER_WOKEN;
        if (first->participant == shim_participant())
            shim_task_stir((int)first->task);
        else
            others++;
    }
    if (others > 0)
        shim_put(&(struct io_message){.call = IO_WAKE, .descriptor = (int32_t)others});
    errno = error;
    return woken;
}

unsigned shim_meet_requeue(struct shim_object from, struct shim_object to, unsigned n)
{
    unsigned moved = 0;
    for (unsigned i = 0; i < sleeper_count() && moved < n; i++)
        if (waits_for(&shim.cell->sleeper[i], &from)) {
            shim.cell->sleeper[i].object = to;
            moved++;
        }
    return moved;
}

unsigned shim_meet_count(struct shim_object object)
{
    unsigned count = 0;
    for (unsigned i = 0; i < sleeper_count(); i++)
        count += waits_for(&shim.cell->sleeper[i], &object);
    return count;
}

void shim_meet_forget(int pid)
{
    for (unsigned i = 0; shim.cell->sleepers > 0 && i < sleeper_count(); i++) {
        struct shim_sleeper *sleeper = &shim.cell->sleeper[i];
        if (sleeper->state == SHIM_SLEEPER_FREE || sleeper->pid != pid)
            continue;
        const bool woken = sleeper->state == SHIM_SLEEPER_WOKEN;
        free_sleeper(sleeper);
        if (woken)
            (void)shim_meet_wake(sleeper->object, 1);
    }
}
