// Semaphores and message queues of System V: the kernel is asked without blocking, and whoever
// changes one wakes those who wait for it. Those look again when a process has ended, too, because
// the kernel then undoes what it has done (SEM_UNDO).
#include <limits.h>
#include <stdarg.h>
#include <string.h>
#include <sys/ipc.h>
#include <sys/msg.h>
#include <sys/sem.h>

#include "shim/shim.h"

#define OPERATIONS_MAX 500 // of one call (SEMOPM)

static struct shim_wait wait_for_change(struct shim_object object, int64_t deadline_ns,
                                        enum shim_awaited_kind kind, int id)
{
    struct shim_wait wait = shim_wait_object(object, deadline_ns);
    wait.awaited = shim_awaits(kind, id, NULL);
    wait.io = true;
    return wait;
}

// False: with errno, what the call says.
static bool await_change(struct shim_wait *wait)
{
    const enum shim_woken woken = shim_block(wait);
    pthread_testcancel();
    shim_wait_again(wait);
    if (woken == SHIM_WOKEN || shim_was_woken())
        return true;
    errno = woken == SHIM_DEADLINE ? EAGAIN : EINTR; // whatever the handler asks for
    return false;
}

static void tell(struct shim_object object)
{
    const int error = errno;
    (void)shim_wake(object, UINT_MAX);
    shim_pace();
    errno = error;
}

// Of what is gone the kernel says that it never was; who has waited for it knows better.
static int failed(bool has_waited)
{
    if (has_waited && errno == EINVAL)
        errno = EIDRM;
    return -1;
}

// ---- semaphores ---------------------------------------------------------------------------------

// Whether the first operation that cannot be done is one that does not wait.
static bool is_impatient(int id, const struct sembuf *operations, size_t count)
{
    for (size_t i = 0; i < count; i++) {
        long value = KERNEL(SYS_semctl, id, operations[i].sem_num, GETVAL, 0);
        for (size_t j = 0; j < i; j++)
            if (operations[j].sem_num == operations[i].sem_num)
                value += operations[j].sem_op;
        const short by = operations[i].sem_op;
        if (by == 0 ? value != 0 : value + by < 0)
            return operations[i].sem_flg & IPC_NOWAIT;
    }
    return false;
}

static int operate(int id, struct sembuf *operations, size_t count, int64_t deadline_ns)
{
    struct sembuf asked[OPERATIONS_MAX];
    bool has_waited = false;
    struct shim_wait wait = wait_for_change(shim_semaphores(id), deadline_ns, SHIM_AWAITS_SET, id);
    if (count > OPERATIONS_MAX) {
        errno = E2BIG;
        return -1;
    }
    memcpy(asked, operations, count * sizeof asked[0]);
    for (size_t i = 0; i < count; i++)
        asked[i].sem_flg |= IPC_NOWAIT;
    for (;; has_waited = true) { // until all of it can be done
        if (KERNEL(SYS_semop, id, asked, count) == 0) {
            tell(wait.object);
            return 0;
        }
        if (errno != EAGAIN)
            return failed(has_waited);
        const bool impatient = is_impatient(id, operations, count);
        errno = EAGAIN;
        if (impatient || !await_change(&wait))
            return -1;
    }
}

PUBLIC int semop(int id, struct sembuf *operations, size_t count)
{
    return shim_on() ? operate(id, operations, count, SHIM_NEVER)
                     : (int)KERNEL(SYS_semop, id, operations, count);
}

PUBLIC int semtimedop(int id, struct sembuf *operations, size_t count, const struct timespec *t)
{
    if (!shim_on())
        return (int)KERNEL(SYS_semtimedop, id, operations, count, t);
    if (t != NULL && shim_ns_of(t) < 0) {
        errno = EINVAL;
        return -1;
    }
    return operate(id, operations, count, shim_after(t));
}

PUBLIC int semctl(int id, int number, int command, ...)
{
    va_list rest;
    va_start(rest, command);
    const long argument = va_arg(rest, long);
    va_end(rest);
    if (shim_on() && (command == GETNCNT || command == GETZCNT))
        shim_leak("semctl(): how many wait for a semaphore");
    const int result = (int)KERNEL(SYS_semctl, id, number, command, argument);
    if (result >= 0 && shim_on() && (command == SETVAL || command == SETALL || command == IPC_RMID))
        tell(shim_semaphores(id));
    return result;
}

// ---- message queues -----------------------------------------------------------------------------

PUBLIC int msgsnd(int id, const void *message, size_t size_B, int flags)
{
    if (!shim_on())
        return (int)KERNEL(SYS_msgsnd, id, message, size_B, flags);
    struct shim_wait wait = wait_for_change(shim_messages(id), SHIM_NEVER, SHIM_AWAITS_QUEUE, id);
    for (bool has_waited = false;; has_waited = true) { // until there is room
        if (KERNEL(SYS_msgsnd, id, message, size_B, flags | IPC_NOWAIT) == 0) {
            shim_record(IO_WRITE, id, (const char *)message + sizeof(long), size_B);
            tell(wait.object);
            return 0;
        }
        if (errno != EAGAIN)
            return failed(has_waited);
        if ((flags & IPC_NOWAIT) || !await_change(&wait))
            return -1;
    }
}

PUBLIC ssize_t msgrcv(int id, void *message, size_t size_B, long type, int flags)
{
    if (!shim_on())
        return KERNEL(SYS_msgrcv, id, message, size_B, type, flags);
    struct shim_wait wait = wait_for_change(shim_messages(id), SHIM_NEVER, SHIM_AWAITS_QUEUE, id);
    for (bool has_waited = false;; has_waited = true) { // until there is one
        const ssize_t got = KERNEL(SYS_msgrcv, id, message, size_B, type, flags | IPC_NOWAIT);
        if (got >= 0) {
            tell(wait.object);
            return got;
        }
        if (errno != ENOMSG)
            return failed(has_waited);
        if ((flags & IPC_NOWAIT) || !await_change(&wait))
            return -1;
    }
}

PUBLIC int msgctl(int id, int command, struct msqid_ds *about)
{
    const int result = (int)KERNEL(SYS_msgctl, id, command, about);
    if (result >= 0 && shim_on() && (command == IPC_RMID || command == IPC_SET))
        tell(shim_messages(id));
    return result;
}
