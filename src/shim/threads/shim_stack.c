// The stacks on which the library's handlers run: natively a system call uses nothing of its
// caller's, which may be a fiber's or a goroutine's of a few kilobytes.
//
// Each thread has one, unless the program gives it a stack for signals that is large enough for
// both. What the program asks about its stack for signals, it is told as if ours was not there.
#include <sys/mman.h>
#include <ucontext.h>

#include "shim/shim.h"

#define STACK_B (64 << 10)
#define LARGE_B (32 << 10) // as Go's are
// Far from where the kernel puts what the program maps, which lies as if there was none of them.
#define APART UINT64_C(0x200000000000)
#define BELOW_B 256 // of a program's stack: more than what functions use unasked

_Thread_local struct ucontext_t *shim_answered __attribute__((tls_model("initial-exec")));
static _Thread_local void *own __attribute__((tls_model("initial-exec")));
static _Thread_local stack_t theirs
    __attribute__((tls_model("initial-exec"))) = {.ss_flags = SS_DISABLE};

static stack_t ours(void)
{
    return (stack_t){.ss_sp = own, .ss_size = STACK_B};
}

void shim_stack_begin(void)
{
    if (own != NULL) // a fork's, which has it from its parent
        return;
    const uintptr_t place = APART + (uintptr_t)shim_self * 2 * STACK_B;
    void *const memory = mmap((void *)place, STACK_B, PROT_READ | PROT_WRITE,
                              MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE, -1, 0);
    if (memory == MAP_FAILED)
        return; // then they run on their caller's
    own = memory;
    const stack_t stack = ours();
    KERNEL(SYS_sigaltstack, &stack, NULL);
}

// A thread that ends within a handler keeps it.
void shim_stack_end(void)
{
    const stack_t none = {.ss_flags = SS_DISABLE};
    if (own == NULL || KERNEL(SYS_sigaltstack, &none, NULL) != 0)
        return;
    (void)munmap(own, STACK_B);
    own = NULL;
}

// The kernel refuses to change a stack that is in use, as ours is while an instruction is answered.
// So it is asked from the program's own stack, below what the program uses of it.
static int change_from(uintptr_t program_stack, const stack_t *stack)
{
    long (*const call)(long, ...) = NEXT(syscall);
    const uintptr_t from = (program_stack - BELOW_B) & ~(uintptr_t)15;
    long result;
    __asm__ volatile("movq %%rsp, %%rbx\n"
                     "movq %[from], %%rsp\n"
                     "call *%[call]\n"
                     "movq %%rbx, %%rsp"
                     : "=&a"(result)
                     : [from] "r"(from), [call] "r"(call), "D"((long)SYS_sigaltstack), "S"(stack),
                       "d"(NULL)
                     : "rbx", "rcx", "r8", "r9", "r10", "r11", "memory", "cc");
    return (int)result;
}

static int change(const stack_t *stack)
{
    if (shim_answered == NULL)
        return (int)KERNEL(SYS_sigaltstack, stack, NULL);
    if (change_from((uintptr_t)shim_answered->uc_mcontext.gregs[REG_RSP], stack) != 0)
        return -1;
    shim_answered->uc_stack = *stack; // the kernel sets it once more when the answer ends
    return 0;
}

static int take(const stack_t *asked)
{
    const bool none = (asked->ss_flags & SS_DISABLE) != 0;
    if (!none && asked->ss_size < (size_t)MINSIGSTKSZ) {
        errno = ENOMEM;
        return -1;
    }
    const stack_t stack = none || asked->ss_size < LARGE_B ? ours() : *asked;
    if (change(&stack) != 0)
        return -1;
    theirs = *asked;
    return 0;
}

PUBLIC int sigaltstack(const stack_t *restrict asked, stack_t *restrict old)
{
    stack_t now, was = theirs;
    if (own == NULL || shim_vforked)
        return (int)KERNEL(SYS_sigaltstack, asked, old);
    KERNEL(SYS_sigaltstack, NULL, &now);
    if (shim_answered == NULL && !(was.ss_flags & SS_DISABLE))
        was.ss_flags |= now.ss_flags & SS_ONSTACK;
    if (asked != NULL && take(asked) != 0)
        return -1;
    if (old != NULL)
        *old = was;
    return 0;
}
