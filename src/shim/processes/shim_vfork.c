// vfork: the child runs in its parent's place and memory, until it executes a program or ends.
//
// Meanwhile its calls go straight to the kernel, and nobody else of the program runs: the turn is
// its parent's. Only a program that it executes is a task.
#include <sys/wait.h>
#include <unistd.h>

#include "shim/shim.h"

_Thread_local bool shim_vforked __attribute__((tls_model("initial-exec")));

// Where to go on instead; NULL: here.
__attribute__((used)) void *shim_vfork_prepare(void);
void *shim_vfork_prepare(void)
{
    if (!shim_on())
        return shim_next("vfork");
    (void)shim_process(); // so that nobody asks as the child
    shim.page->handlers = 1;
    shim_vforked = true;
    KERNEL(SYS_prctl, PR_SET_SYSCALL_USER_DISPATCH, 0, 0, 0, 0); // for the instruction below
    return NULL;
}

// One that has ended is seen to have: else what the parent's first look shows is a matter of luck.
__attribute__((used)) pid_t shim_vfork_done(long child);
pid_t shim_vfork_done(long child)
{
    siginfo_t ended;
    shim_vforked = false;
    (void)shim_raw_begin();
    if (child < 0) {
        errno = (int)-child;
        return -1;
    }
    if (!shim_is_child((pid_t)child))
        KERNEL(SYS_waitid, P_PID, child, &ended, WEXITED | WNOWAIT, NULL);
    shim_record(IO_FORK, (int)child, NULL, 0);
    return (pid_t)child;
}

// The child returns first, and writes over the stack: the return address is kept in a register,
// which the kernel saves for the parent.
__asm__(".text\n"
        ".globl vfork\n"
        ".type vfork, @function\n"
        "vfork:\n"
        "    subq $8, %rsp\n"
        "    call shim_vfork_prepare\n"
        "    addq $8, %rsp\n"
        "    testq %rax, %rax\n"
        "    jz 1f\n"
        "    jmp *%rax\n"
        "1:  popq %rdi\n"
        "    movl $58, %eax\n" // SYS_vfork
        "    syscall\n"
        "    pushq %rdi\n"
        "    testq %rax, %rax\n"
        "    jz 2f\n"
        "    movq %rax, %rdi\n"
        "    subq $8, %rsp\n"
        "    call shim_vfork_done\n"
        "    addq $8, %rsp\n"
        "2:  ret\n"
        ".size vfork, .-vfork\n");
