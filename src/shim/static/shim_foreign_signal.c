// Signals of a statically linked program: its handlers are called by one of ours, with the
// program's FS.
#include <string.h>

#include "shim/static/shim_foreign.h"

#define SIGNALS 64
#define RESERVED_MIN 32
#define RESERVED_MAX 33
#define HAS_RESTORER 0x04000000UL // SA_RESTORER

// As the kernel has it (rt_sigaction).
struct kernel_action {
    void *handler;
    unsigned long flags;
    void *restorer;
    uint64_t mask;
};

static struct kernel_action actions[SIGNALS + 1];       // what the program has asked for
static void (*counter_fault)(int, siginfo_t *, void *); // reading the counter (shim_counter.c)

// ---- handlers -----------------------------------------------------------------------------------

// FS is the host's. Not if the handler leaves by a jump: then it is the program's, as it must be.
static EITHER void call_handler(int number, siginfo_t *info, void *context)
{
    void (*const handler)(int, siginfo_t *, void *) = actions[number].handler;
    foreign_to_program();
    handler(number, info, context);
    (void)foreign_to_host();
}

static EITHER void deliver(int number, siginfo_t *info, void *context)
{
    const bool from_program = foreign_to_host();
    call_handler(number, info, context);
    if (from_program)
        foreign_to_program();
}

static EITHER void deliver_fault(int number, siginfo_t *info, void *context)
{
    const bool from_program = foreign_to_host();
    counter_fault(number, info, context);
    if (from_program)
        foreign_to_program();
}

void foreign_signals_begin(void)
{
    struct sigaction action;
    if (!shim_takes_faults() || NEXT(sigaction)(SIGSEGV, NULL, &action) != 0)
        return;
    counter_fault = action.sa_sigaction;
    action.sa_sigaction = deliver_fault;
    (void)NEXT(sigaction)(SIGSEGV, &action, NULL);
}

// ---- calls --------------------------------------------------------------------------------------

static bool is_handler(const struct kernel_action *action)
{
    return action->handler != (void *)SIG_DFL && action->handler != (void *)SIG_IGN;
}

// Those of the C library itself, which the host's does not let anybody have.
static int take_reserved(int number, const struct sigaction *action,
                         const struct kernel_action *asked)
{
    struct kernel_action ours;
    if (KERNEL(SYS_rt_sigaction, SIGSYS, NULL, &ours, sizeof(uint64_t)) != 0)
        return -1;
    ours.handler = (void *)action->sa_sigaction;
    ours.flags = asked->flags | SA_SIGINFO | HAS_RESTORER;
    ours.mask = asked->mask & ~(UINT64_C(1) << (SIGSYS - 1));
    shim_note_handler(number, action);
    return (int)KERNEL(SYS_rt_sigaction, number, &ours, NULL, sizeof(uint64_t));
}

static int take(int number, const struct sigaction *action, const struct kernel_action *asked)
{
    if (number >= RESERVED_MIN && number <= RESERVED_MAX)
        return take_reserved(number, action, asked);
    return sigaction(number, action, NULL);
}

long foreign_sigaction(const long a[6])
{
    const int number = (int)a[0];
    const struct kernel_action *asked = (const void *)a[1];
    struct kernel_action *old = (void *)a[2], before;
    struct sigaction action = {.sa_handler = SIG_DFL};
    if (number < 1 || number > SIGNALS || a[3] != sizeof(uint64_t)) {
        errno = EINVAL;
        return -1;
    }
    before = actions[number];
    if (asked != NULL) {
        action.sa_flags = (int)asked->flags | SA_SIGINFO;
        action.sa_sigaction = deliver;
        memcpy(&action.sa_mask, &asked->mask, sizeof asked->mask);
        if (!is_handler(asked)) {
            action.sa_flags = (int)asked->flags & ~SA_SIGINFO;
            action.sa_handler = (sighandler_t)asked->handler;
        }
        actions[number] = *asked;
        if (take(number, &action, asked) != 0) {
            actions[number] = before;
            return -1;
        }
    }
    if (old != NULL)
        *old = before;
    return 0;
}

// It has one of ours already, on which it may run, too.
long foreign_sigaltstack(const long a[6])
{
    if (a[1] != 0)
        KERNEL(SYS_sigaltstack, NULL, a[1]);
    return 0;
}
