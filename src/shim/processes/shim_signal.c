// Signals reach the program only in its turn: while it waits they are pending.
#include <pthread.h>
#include <unistd.h>

#include "shim/shim.h"
#include "shim/spin/shim_spin.h"

_Thread_local bool shim_restarts;

// Of this process: signals with a handler, and with one that lets calls be restarted.
static uint64_t handled, restarted;

#define KERNEL_MASK_B sizeof(uint64_t)

static uint64_t bit(int number)
{
    return UINT64_C(1) << (number - 1);
}

static uint64_t bits(const sigset_t *set)
{
    return *(const uint64_t *)set->__val;
}

// ---- what is pending ----

bool shim_handles_signals(void)
{
    return shim.page->handlers != 0;
}

bool shim_signal_pending(const sigset_t *mask, bool *restarts)
{
    uint64_t pending = 0;
    KERNEL(SYS_rt_sigpending, &pending, KERNEL_MASK_B);
    pending &= ~bits(mask) & handled; // others are ignored, or end the process
    *restarts = (pending & ~restarted) == 0;
    return pending != 0;
}

// ---- handlers and masks ----

void shim_note_handler(int number, const struct sigaction *action)
{
    if (number < 1 || number > 64 || shim_vforked) // a child's own
        return;
    const bool own = action->sa_handler != SIG_DFL && action->sa_handler != SIG_IGN;
    handled = own ? handled | bit(number) : handled & ~bit(number);
    restarted =
        own && (action->sa_flags & SA_RESTART) ? restarted | bit(number) : restarted & ~bit(number);
    if (own && shim.page != NULL)
        shim.page->handlers = 1;
}

// The set without the signals by which system calls, spins and looks at the counter come to us.
static sigset_t without_ours(const sigset_t *set)
{
    sigset_t own = *set;
    sigdelset(&own, SIGSYS);
    sigdelset(&own, SIGTRAP);
    if (shim_takes_faults())
        sigdelset(&own, SIGSEGV);
    return own;
}

static int take_action(int number, const struct sigaction *action, struct sigaction *old)
{
    if (number == SIGSYS)
        return NEXT(sigaction)(number, NULL, old);
    if (number == SIGTRAP)
        return shim_take_trap(action, old);
    if (number == SIGSEGV && shim_takes_faults())
        return shim_take_fault(action, old);
    if (action == NULL)
        return NEXT(sigaction)(number, NULL, old);
    struct sigaction own = *action;
    own.sa_mask = without_ours(&action->sa_mask);
    return NEXT(sigaction)(number, &own, old);
}

PUBLIC int sigaction(int number, const struct sigaction *restrict action,
                     struct sigaction *restrict old)
{
    const int result =
        shim.clk != NULL ? take_action(number, action, old) : NEXT(sigaction)(number, action, old);
    if (result == 0 && action != NULL)
        shim_note_handler(number, action);
    return result;
}

PUBLIC sighandler_t signal(int number, sighandler_t handler)
{
    struct sigaction action = {.sa_handler = handler, .sa_flags = SA_RESTART}, old;
    sigemptyset(&action.sa_mask);
    return sigaction(number, &action, &old) == 0 ? old.sa_handler : SIG_ERR;
}

static void note_mask(int how, const sigset_t *set)
{
    if (set != NULL && how != SIG_UNBLOCK && bits(set) != 0 && shim.page != NULL)
        shim.page->handlers = 1;
}

// The set without ours, in *own; NULL stays what it is.
static const sigset_t *noted(int how, const sigset_t *set, sigset_t *own)
{
    note_mask(how, set);
    if (set == NULL || how == SIG_UNBLOCK)
        return set;
    *own = without_ours(set);
    return own;
}

PUBLIC int sigprocmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    sigset_t own;
    return NEXT(sigprocmask)(how, noted(how, set, &own), old);
}

PUBLIC int pthread_sigmask(int how, const sigset_t *restrict set, sigset_t *restrict old)
{
    sigset_t own;
    return NEXT(pthread_sigmask)(how, noted(how, set, &own), old);
}

// ---- sending ----

PUBLIC int kill(pid_t pid, int number)
{
    if (shim_is_stop(number) && shim_on())
        return shim_stop(pid, number);
    const int result = (int)KERNEL(SYS_kill, pid, number);
    if (result != 0 || number == 0 || !shim_on())
        return result;
    shim_record(IO_KILL, pid, &number, sizeof number);
    if (number == SIGKILL && pid != (pid_t)KERNEL(SYS_getpid))
        shim_await_death(pid);
    return result;
}

PUBLIC int killpg(pid_t group, int number)
{
    return kill(-group, number);
}

// The C library's own way to the kernel is not seen.
PUBLIC int raise(int number)
{
    if (shim_is_stop(number) && shim_on())
        return shim_stop((pid_t)KERNEL(SYS_getpid), number);
    return NEXT(raise)(number);
}

PUBLIC int sigqueue(pid_t pid, int number, const union sigval value)
{
    if (shim_is_stop(number) && shim_on())
        return shim_stop(pid, number);
    const int result = NEXT(sigqueue)(pid, number, value);
    if (result == 0 && number != 0 && shim_on())
        shim_record(IO_KILL, pid, &number, sizeof number);
    return result;
}

// Within a process: not recorded, but time passes for those who do nothing else.
static void tell_thread(void)
{
    const int error = errno;
    shim_nudge();
    shim.page->puts++;
    shim_pace();
    errno = error;
}

PUBLIC int pthread_kill(pthread_t thread, int number)
{
    if (shim_is_stop(number) && shim_on()) // of all threads
        return shim_stop((pid_t)KERNEL(SYS_getpid), number);
    const int result = NEXT(pthread_kill)(thread, number);
    if (result == 0 && number != 0 && shim_on())
        tell_thread();
    return result;
}

PUBLIC int tgkill(pid_t pid, pid_t thread, int number)
{
    if (shim_is_stop(number) && shim_on())
        return shim_stop(pid, number);
    const int result = (int)KERNEL(SYS_tgkill, pid, thread, number);
    if (result == 0 && number != 0 && shim_on())
        tell_thread();
    return result;
}

// ---- waiting for signals ----

PUBLIC int sigsuspend(const sigset_t *mask)
{
    if (!shim_on())
        return NEXT(sigsuspend)(mask);
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_SIGNAL, 0, NULL);
    for (;;) { // until a handler has run
        struct shim_wait wait = shim_wait_io(SHIM_NEVER);
        wait.awaited = awaited;
        wait.mask = mask;
        if (shim_block(&wait) == SHIM_INTERRUPTED)
            break;
    }
    errno = EINTR;
    return -1;
}

PUBLIC int pause(void)
{
    sigset_t mask;
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, KERNEL_MASK_B);
    return sigsuspend(&mask);
}

// Of System V: with a signal that is not blocked meanwhile.
PUBLIC int sigpause(int number)
{
    sigset_t mask;
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &mask, KERNEL_MASK_B);
    return sigdelset(&mask, number) == 0 ? sigsuspend(&mask) : -1;
}

// Of BSD: with all that are blocked meanwhile. The header gives its name to the other.
int shim_sigpause(int blocked) __asm__("sigpause");
PUBLIC int shim_sigpause(int blocked)
{
    sigset_t mask;
    sigemptyset(&mask);
    mask.__val[0] = (unsigned)blocked;
    return sigsuspend(&mask);
}

PUBLIC int sigtimedwait(const sigset_t *restrict set, siginfo_t *restrict info,
                        const struct timespec *restrict t)
{
    static const struct timespec zero;
    if (!shim_on())
        return NEXT(sigtimedwait)(set, info, t);
    if (t != NULL && shim_ns_of(t) < 0) {
        errno = EINVAL;
        return -1;
    }
    const int64_t deadline_ns = shim_after(t);
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_SIGNAL, 0, NULL);
    shim.page->handlers = 1;
    for (bool last = t != NULL && shim_ns_of(t) == 0;;) {
        struct shim_wait wait = shim_wait_io(deadline_ns);
        wait.awaited = awaited;
        const int got = (int)KERNEL(SYS_rt_sigtimedwait, set, info, &zero, KERNEL_MASK_B);
        if (got > 0 && info != NULL)
            shim_timer_taken(info);
        if (got > 0 || last || errno != EAGAIN)
            return got;
        const enum shim_woken woken = shim_block(&wait);
        if (woken == SHIM_INTERRUPTED) {
            errno = EINTR;
            return -1;
        }
        last = woken == SHIM_DEADLINE;
    }
}

PUBLIC int sigwaitinfo(const sigset_t *restrict set, siginfo_t *restrict info)
{
    return sigtimedwait(set, info, NULL);
}

PUBLIC int sigwait(const sigset_t *restrict set, int *restrict number)
{
    int got;
    do
        got = sigtimedwait(set, NULL, NULL);
    while (got < 0 && errno == EINTR);
    if (got < 0)
        return errno;
    *number = got;
    return 0;
}
