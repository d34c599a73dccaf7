// Children that a program makes by clone(2), fork(2) or vfork(2) past the C library, as Go does:
// each is a copy, whatever the call shares. Where memory would be shared, the parent does not see
// what such a child writes, which only counts if it ends without having executed a program.
#include <sched.h>
#include <ucontext.h>
#include <unistd.h>

#include "shim/shim.h"

#define COPIES                                                                                     \
    (CSIGNAL | CLONE_VM | CLONE_VFORK | CLONE_PIDFD | CLONE_PARENT_SETTID | CLONE_CHILD_SETTID |   \
     CLONE_CHILD_CLEARTID)

static bool shares_nothing_seen; // this process is a copy that should not be one

// A child that shares memory with a parent that goes on is a thread of unknown origin.
static bool can_be_copied(long flags, long stack)
{
    const bool is_thread = (flags & CLONE_VM) && !(flags & CLONE_VFORK);
    return (flags & ~(long)COPIES) == 0 && (flags & CSIGNAL) == SIGCHLD && !is_thread &&
           (stack == 0 || shim_answered != NULL);
}

long shim_clone(const long a[6])
{
    const long flags = a[0];
    if (!can_be_copied(flags, a[1])) {
        shim_leak("clone(2) with flags %#lx past the C library", flags);
        return shim_kernel(SYS_clone, a[0], a[1], a[2], a[3], a[4], a[5]);
    }
    const pid_t child = fork();
    if (child > 0 && (flags & CLONE_PARENT_SETTID))
        *(int *)a[2] = child;
    if (child > 0 && (flags & CLONE_PIDFD))
        *(int *)a[2] = (int)KERNEL(SYS_pidfd_open, child, 0);
    if (child != 0)
        return child;
    shares_nothing_seen = (flags & CLONE_VFORK) != 0;
    if (a[1] != 0)
        shim_answered->uc_mcontext.gregs[REG_RSP] = a[1];
    if (flags & CLONE_CHILD_SETTID)
        *(int *)a[3] = (int)KERNEL(SYS_gettid);
    return 0;
}

long shim_raw_fork(const long a[6])
{
    (void)a;
    return shim_clone((const long[6]){SIGCHLD});
}

long shim_raw_vfork(const long a[6])
{
    (void)a;
    return shim_clone((const long[6]){CLONE_VM | CLONE_VFORK | SIGCHLD});
}

static void look_at_end(void)
{
    if (shares_nothing_seen)
        shim_leak("vfork: the parent does not see what its child wrote");
}

long shim_raw_exit(const long a[6])
{
    look_at_end();
    return shim_kernel(SYS_exit, a[0], 0, 0, 0, 0, 0);
}

long shim_raw_exit_group(const long a[6])
{
    look_at_end();
    _exit((int)a[0]);
}
