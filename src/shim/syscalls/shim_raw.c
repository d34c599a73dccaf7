// System calls that a program makes with an instruction of its own: the kernel hands them over
// (syscall user dispatch, Linux 5.11), and they are answered as those by way of syscall() are.
//
// Whatever the C library does is let through. The kernel forgets the arrangement in each new thread
// and process.
#include <link.h>
#include <string.h>
#include <sys/prctl.h>
#include <ucontext.h>

#include "shim/shim.h"
#include "shim/spin/shim_site.h"
#include "shim/spin/shim_spin.h"

struct range {
    uintptr_t within, from, size_B;
};

// The code of the object that holds an address.
static int find_code(struct dl_phdr_info *object, size_t size_B, void *context)
{
    struct range *range = context;
    (void)size_B;
    for (unsigned i = 0; i < object->dlpi_phnum; i++) {
        const ElfW(Phdr) *segment = &object->dlpi_phdr[i];
        const uintptr_t from = object->dlpi_addr + segment->p_vaddr;
        if (segment->p_type != PT_LOAD || !(segment->p_flags & PF_X) || range->within < from ||
            range->within - from >= segment->p_memsz)
            continue;
        range->from = from;
        range->size_B = segment->p_memsz;
        return 1;
    }
    return 0;
}

// What it asks for holds when the call has returned.
long shim_raw_sigprocmask(const long a[6], ucontext_t *context)
{
    sigset_t set, old;
    sigemptyset(&set);
    if (a[1] != 0)
        memcpy(&set, (const void *)a[1], sizeof(uint64_t));
    if (sigprocmask((int)a[0], a[1] != 0 ? &set : NULL, &old) != 0)
        return -1;
    if (a[2] != 0)
        memcpy((void *)a[2], &old, sizeof(uint64_t));
    sigset_t now;
    KERNEL(SYS_rt_sigprocmask, SIG_SETMASK, NULL, &now, sizeof(uint64_t));
    memcpy(&context->uc_sigmask, &now, sizeof(uint64_t));
    return 0;
}

static uint64_t own_fs(void)
{
    return (uint64_t)(uintptr_t)__builtin_thread_pointer();
}

static void trap(int number, siginfo_t *info, void *context)
{
    shim_spin_trap(number, info, context, own_fs());
}

static void answer(int number, siginfo_t *info, void *context)
{
    if (shim_spin_asked(info, context, own_fs()))
        return;
    greg_t *r = ((ucontext_t *)context)->uc_mcontext.gregs;
    struct ucontext_t *const before = shim_answered;
    const int error = errno;
    (void)number;
    errno = 0;
    shim_answered = context;
    const long a[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
    const long result = info->si_syscall == SYS_rt_sigprocmask && shim_on()
                            ? shim_raw_sigprocmask(a, context)
                            : shim_answer(info->si_syscall, a, "an instruction of its own");
    r[REG_RAX] = result == -1 && errno != 0 ? -errno : result;
    errno = error;
    shim_answered = before;
}

void shim_raw_handler(void (*handler)(int, siginfo_t *, void *))
{
    const struct sigaction action = {.sa_sigaction = handler,
                                     .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    (void)NEXT(sigaction)(SIGSYS, &action, NULL);
}

// The code of what holds the address. Once for all.
static struct range code_of(const void *within)
{
    struct range range = {.within = (uintptr_t)within};
    (void)dl_iterate_phdr(find_code, &range);
    shim_site_library((const void *)range.from, range.size_B);
    return range;
}

bool shim_raw_begin(void)
{
    static struct range range;
    const struct sigaction action = {.sa_sigaction = answer,
                                     .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK | SA_RESTART};
    if (range.size_B == 0) {
        range = code_of(shim_next("syscall"));
        (void)code_of((const void *)shim_raw_begin);
        (void)NEXT(sigaction)(SIGSYS, &action, NULL);
        shim_spin_begin(trap);
    }
    shim_spin_listens(true);
    // A kernel without it lets such calls go unseen; `ukemi doctor` says so.
    return range.size_B > 0 && KERNEL(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, PR_SYS_DISPATCH_ON,
                                      range.from, range.size_B, NULL) == 0;
}
