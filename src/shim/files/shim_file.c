// Waiting for files: their locks, and news of their changes.
#include <fcntl.h>
#include <stdarg.h>
#include <sys/fanotify.h>
#include <sys/file.h>
#include <sys/inotify.h>
#include <unistd.h>

#include "shim/shim.h"

// ---- locks of files ----

static struct shim_awaited awaits_lock(int descriptor)
{
    struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_FILE_LOCK, descriptor, NULL);
    awaited.for_good = true;
    return awaited;
}

// Waits by asking again, as nobody tells when one is given back.
#define LOCK_STEP_NS 1000000

static bool await_lock(const struct shim_awaited *awaited)
{
    struct shim_wait wait = shim_wait_object(SHIM_NOTHING, shim_after_ns(LOCK_STEP_NS));
    wait.awaited = *awaited;
    if (shim_block(&wait) != SHIM_INTERRUPTED)
        return true;
    errno = EINTR;
    return false;
}

PUBLIC int flock(int descriptor, int operation)
{
    if (!shim_on())
        return (int)KERNEL(SYS_flock, descriptor, operation);
    const struct shim_awaited awaited = awaits_lock(descriptor);
    for (;;) { // until it is had
        const int result = (int)KERNEL(SYS_flock, descriptor, operation | LOCK_NB);
        if (result == 0 || errno != EWOULDBLOCK || (operation & LOCK_NB) || !await_lock(&awaited))
            return result;
    }
}

// Locks of records (fcntl): the call that waits, as one that does not.
static int without_waiting(int command)
{
    return command == F_SETLKW ? F_SETLK : command == F_OFD_SETLKW ? F_OFD_SETLK : -1;
}

// Who has the lock that a process waits for; 0: it does not wait.
static int awaited_by(int pid)
{
    for (unsigned i = 0; i < SHIM_LOCKERS_MAX; i++)
        if (shim.cell->locker[i].pid == pid)
            return shim.cell->locker[i].holder;
    return 0;
}

// Whether the holder waits in the end for us, as the kernel asks before a process waits. Locks of
// open files (OFD) belong to no process (holder -1).
static bool is_circle(int holder)
{
    for (unsigned i = 0; holder > 0 && i < SHIM_LOCKERS_MAX; i++) {
        if (holder == shim_process())
            return true;
        holder = awaited_by(holder);
    }
    return false;
}

// Of the dead there is nobody to take himself off the list.
static struct shim_locker *new_locker(void)
{
    for (unsigned i = 0; i < SHIM_LOCKERS_MAX; i++) {
        struct shim_locker *locker = &shim.cell->locker[i];
        if (locker->pid == 0 || locker->pid == shim_process() || shim_process_is_dead(locker->pid))
            return locker;
    }
    return NULL;
}

static int holder_of(int descriptor, const struct flock *lock)
{
    struct flock found = *lock;
    if (KERNEL(SYS_fcntl, descriptor, F_GETLK, &found) != 0 || found.l_type == F_UNLCK)
        return 0;
    return found.l_pid;
}

static bool await_records(int descriptor, const struct flock *lock,
                          const struct shim_awaited *awaited)
{
    const int holder = holder_of(descriptor, lock);
    if (is_circle(holder)) {
        errno = EDEADLK;
        return false;
    }
    struct shim_locker *const own = new_locker();
    if (own != NULL)
        *own = (struct shim_locker){shim_process(), holder};
    const bool had = await_lock(awaited);
    if (own != NULL)
        own->pid = 0;
    return had;
}

static int lock_records(int descriptor, int command, const void *lock)
{
    const struct shim_awaited awaited = awaits_lock(descriptor);
    for (;;) { // until it is had
        const int result = (int)KERNEL(SYS_fcntl, descriptor, command, lock);
        if (result == 0 || (errno != EAGAIN && errno != EACCES) ||
            !(command == F_SETLK ? await_records(descriptor, lock, &awaited)
                                 : await_lock(&awaited)))
            return result;
    }
}

static int control(int descriptor, int command, void *argument)
{
    if (shim_on() && without_waiting(command) >= 0)
        return lock_records(descriptor, without_waiting(command), argument);
    int sealed;
    if (shim_on() && shim_memory_control(descriptor, command, argument, &sealed))
        return sealed;
    const int result = NEXT(fcntl)(descriptor, command, argument);
    if (command == F_DUPFD || command == F_DUPFD_CLOEXEC)
        shim_chance_copied(descriptor, result);
    return result;
}

#define CONTROL                                                                                    \
    va_list arguments;                                                                             \
    va_start(arguments, command);                                                                  \
    void *const argument = va_arg(arguments, void *);                                              \
    va_end(arguments);                                                                             \
    return control(descriptor, command, argument);

PUBLIC int fcntl(int descriptor, int command, ...){CONTROL}

PUBLIC int fcntl64(int descriptor, int command, ...){CONTROL}

PUBLIC int lockf(int descriptor, int command, off_t size_B)
{
    const struct flock lock = {.l_type = F_WRLCK, .l_whence = SEEK_CUR, .l_len = size_B};
    if (!shim_on() || command != F_LOCK)
        return NEXT(lockf)(descriptor, command, size_B);
    return lock_records(descriptor, F_SETLK, &lock);
}

PUBLIC int lockf64(int descriptor, int command, off64_t size_B)
{
    return lockf(descriptor, command, size_B);
}

// ---- changes of files ----

// Nobody tells who changes a file. Who wants to know looks again and again.
bool shim_watches;

PUBLIC int inotify_init1(int flags)
{
    shim_watches = true;
    return (int)KERNEL(SYS_inotify_init1, flags);
}

PUBLIC int inotify_init(void)
{
    return inotify_init1(0);
}

PUBLIC int fanotify_init(unsigned flags, unsigned event_flags)
{
    shim_watches = true;
    return (int)KERNEL(SYS_fanotify_init, flags, event_flags);
}
