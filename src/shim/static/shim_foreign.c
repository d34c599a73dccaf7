// The system calls of a statically linked program. Those that mean the same to any process are
// answered as the C library's (shim_syscall.c); here are those that mean the calling process's own
// memory, threads and C library.
#include <asm/hwcap2.h>
#include <asm/prctl.h>
#include <fcntl.h>
#include <limits.h>
#include <sched.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "shim/spin/shim_spin.h"
#include "shim/static/shim_foreign.h"

#define BREAK_ROOM_B (UINT64_C(1) << 30) // for the program's heap
#define SIGNAL_STACK_B (UINT64_C(256) << 10)
#define PAGE_B 4096
#define FOREIGN_NOT_RUN 125
#define LOOKS_MAX 8 // a look at a clock costs 100 times as much as by the C library

static char program_path[PATH_MAX];
static struct foreign first_thread;

// ---- its heap -----------------------------------------------------------------------------------

static struct {
    char *from, *now, *end;
} heap;

static void heap_begin(void)
{
    void *const room = mmap(NULL, BREAK_ROOM_B, PROT_READ | PROT_WRITE,
                            MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (room == MAP_FAILED)
        return; // programs then ask for other memory
    heap.from = heap.now = room;
    heap.end = heap.from + BREAK_ROOM_B;
}

static long set_break(char *wanted)
{
    if (wanted < heap.from || wanted > heap.end)
        return (long)heap.now;
    char *const kept = heap.from + (wanted - heap.from + PAGE_B - 1) / PAGE_B * PAGE_B;
    if (wanted < heap.now) { // memory that comes anew is zero
        memset(wanted, 0, (size_t)((kept < heap.now ? kept : heap.now) - wanted));
        if (kept < heap.now)
            (void)madvise(kept, (size_t)(heap.now - kept), MADV_DONTNEED);
    }
    heap.now = wanted;
    return (long)heap.now;
}

// ---- who it is ----------------------------------------------------------------------------------

static bool is_self(const char *path)
{
    return program_path[0] != '\0' && strcmp(path, "/proc/self/exe") == 0;
}

const char *shim_own_path(const char *path)
{
    return is_self(path) ? program_path : path;
}

static long read_link(long number, const long a[6], const char *path, char *text, size_t size_B)
{
    if (!is_self(path))
        return shim_kernel(number, a[0], a[1], a[2], a[3], 0, 0);
    const size_t length = strlen(program_path);
    const size_t own_B = length < size_B ? length : size_B;
    memcpy(text, program_path, own_B);
    return (long)own_B;
}

static long set_register(const long a[6])
{
    if (a[0] == ARCH_SET_FS) {
        foreign_self()->program_fs = (uint64_t)a[1];
        return 0;
    }
    if (a[0] == ARCH_GET_FS) {
        *(uint64_t *)a[1] = foreign_self()->program_fs;
        return 0;
    }
    if (a[0] == ARCH_SET_GS)
        shim_leak("sets GS, which the lab has taken");
    return shim_kernel(SYS_arch_prctl, a[0], a[1], 0, 0, 0, 0);
}

static long set_cleared(int *word)
{
    foreign_self()->cleared = word;
    return shim_kernel(SYS_gettid, 0, 0, 0, 0, 0, 0);
}

static long refuse(int error)
{
    errno = error;
    return -1;
}

// ---- calls --------------------------------------------------------------------------------------

static long answer_call(long number, const long a[6], ucontext_t *context)
{
    switch (number) {
    case SYS_brk:
        return set_break((char *)a[0]);
    case SYS_arch_prctl:
        return set_register(a);
    case SYS_set_tid_address:
        return set_cleared((int *)a[0]);
    case SYS_set_robust_list:
        return foreign_robust_list(a);
    case SYS_rseq: // the host's C library has it; clone3: the program then asks for clone
    case SYS_clone3:
        return refuse(ENOSYS);
    case SYS_readlink:
        return read_link(number, a, (const char *)a[0], (char *)a[1], (size_t)a[2]);
    case SYS_readlinkat:
        return read_link(number, a, (const char *)a[1], (char *)a[2], (size_t)a[3]);
    case SYS_clone:
        return foreign_clone(a, context);
    case SYS_fork:
        return foreign_fork((const long[6]){0}, context);
    case SYS_vfork:
        return foreign_fork((const long[6]){CLONE_VFORK}, context);
    case SYS_exit:
        foreign_exit((int)a[0]);
    case SYS_exit_group:
        if (foreign_vforked)
            shim_leak("vfork: the parent does not see what its child wrote");
        _exit((int)a[0]);
    case SYS_rt_sigaction:
        return foreign_sigaction(a);
    case SYS_rt_sigprocmask:
        return shim_raw_sigprocmask(a, context);
    case SYS_sigaltstack:
        return foreign_sigaltstack(a);
    default:
        return shim_answer(number, a, "an instruction of its own");
    }
}

static __attribute__((noinline)) void answer_signal(const siginfo_t *info, ucontext_t *context)
{
    greg_t *r = context->uc_mcontext.gregs;
    const long a[] = {r[REG_RDI], r[REG_RSI], r[REG_RDX], r[REG_R10], r[REG_R8], r[REG_R9]};
    const int error = errno;
    errno = 0;
    const long result = answer_call(info->si_syscall, a, context);
    r[REG_RAX] = result == -1 && errno != 0 ? -errno : result;
    errno = error;
}

static uint64_t fs_of(bool from_program)
{
    return from_program ? foreign_self()->program_fs : foreign_self()->host_fs;
}

static EITHER void answer(int number, siginfo_t *info, void *context)
{
    const bool from_program = foreign_to_host();
    (void)number;
    if (!shim_spin_asked(info, context, fs_of(from_program)))
        answer_signal(info, context);
    if (from_program)
        foreign_to_program();
}

static EITHER void trap(int number, siginfo_t *info, void *context)
{
    const bool from_program = foreign_to_host();
    shim_spin_trap(number, info, context, fs_of(from_program));
    if (from_program)
        foreign_to_program();
}

// ---- beginning ----------------------------------------------------------------------------------

bool foreign_take(struct foreign *thread)
{
    thread->signal_stack = mmap(NULL, SIGNAL_STACK_B, PROT_READ | PROT_WRITE,
                                MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    const stack_t stack = {.ss_sp = thread->signal_stack, .ss_size = SIGNAL_STACK_B};
    if (thread->signal_stack == MAP_FAILED || KERNEL(SYS_sigaltstack, &stack, NULL) != 0)
        return false;
    __asm__ volatile("rdfsbase %0" : "=r"(thread->host_fs));
    __asm__ volatile("wrgsbase %0" : : "r"(thread) : "memory");
    return true;
}

void foreign_drop(struct foreign *thread)
{
    if (thread->signal_stack != MAP_FAILED)
        (void)munmap(thread->signal_stack, SIGNAL_STACK_B);
}

void shim_foreign_begin(const char *path)
{
    if (!(getauxval(AT_HWCAP2) & HWCAP2_FSGSBASE)) {
        shim_leak("statically linked: needs FSGSBASE");
        _exit(FOREIGN_NOT_RUN); // the trial has ended
    }
    text_copy(program_path, sizeof program_path, path);
    heap_begin();
    shim_looks_max = LOOKS_MAX;
    if (!foreign_take(&first_thread) || !shim_raw_begin())
        shim_leak("statically linked: its calls are not seen");
    shim_raw_handler(answer);
    shim_spin_begin(trap);
    foreign_signals_begin();
}

// Its own FS is 0 until it has one.
_Noreturn void shim_foreign_enter(uint64_t entry, const void *stack)
{
    const gregset_t registers = {[REG_RIP] = (greg_t)entry, [REG_RSP] = (greg_t)stack};
    foreign_go(registers, 0);
}

// All registers but R11 and RCX, which system calls change anyway.
EITHER _Noreturn void foreign_go(const greg_t *registers, uint64_t fs)
{
    __asm__ volatile("wrfsbase %1\n\t"
                     "movq %c[rsp](%0), %%rsp\n\t"
                     "movq %c[rbx](%0), %%rbx\n\t"
                     "movq %c[rbp](%0), %%rbp\n\t"
                     "movq %c[r12](%0), %%r12\n\t"
                     "movq %c[r13](%0), %%r13\n\t"
                     "movq %c[r14](%0), %%r14\n\t"
                     "movq %c[r15](%0), %%r15\n\t"
                     "movq %c[rdi](%0), %%rdi\n\t"
                     "movq %c[rsi](%0), %%rsi\n\t"
                     "movq %c[rdx](%0), %%rdx\n\t"
                     "movq %c[r8](%0), %%r8\n\t"
                     "movq %c[r9](%0), %%r9\n\t"
                     "movq %c[r10](%0), %%r10\n\t"
                     "movq %c[rip](%0), %%rcx\n\t"
                     "xorl %%eax, %%eax\n\t"
                     "cld\n\t"
                     "jmp *%%rcx"
                     :
                     : "a"(registers), "c"(fs), [rsp] "i"(8 * REG_RSP), [rbx] "i"(8 * REG_RBX),
                       [rbp] "i"(8 * REG_RBP), [r12] "i"(8 * REG_R12), [r13] "i"(8 * REG_R13),
                       [r14] "i"(8 * REG_R14), [r15] "i"(8 * REG_R15), [rdi] "i"(8 * REG_RDI),
                       [rsi] "i"(8 * REG_RSI), [rdx] "i"(8 * REG_RDX), [r8] "i"(8 * REG_R8),
                       [r9] "i"(8 * REG_R9), [r10] "i"(8 * REG_R10), [rip] "i"(8 * REG_RIP)
                     : "memory");
    __builtin_unreachable();
}
