// Preloaded into the programs of a bare cell (harness/cell/cell_bare.h): POSIX shared memory and
// named semaphores have the names that the program gives them with the cell's before it, so that
// trials side by side do not share them, and the lab can remove them. UKEMI_NAMES is the cell's
// folder; its last part is that name. Where the machine refuses to make one, a file in the folder
// says so: it is no doing of the program.
#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <semaphore.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/msg.h>
#include <sys/sem.h>
#include <sys/shm.h>
#include <unistd.h>

#define PUBLIC __attribute__((visibility("default")))
#define NEXT(call) ((__typeof__(call) *)dlsym(RTLD_NEXT, #call))

// What the machine says where /dev/shm is missing, full, read-only or another's.
static int is_of_machine(int error)
{
    return error == EROFS || error == ENOSPC || error == EACCES || error == EPERM ||
           error == ENOENT || error == ENOSYS;
}

static void tell_refused(const char *call, int flags)
{
    const int error = errno;
    const char *cell = getenv("UKEMI_NAMES");
    char path[PATH_MAX];
    if (cell == NULL || (flags & O_CREAT) == 0 || !is_of_machine(error) ||
        snprintf(path, sizeof path, "%s/refused", cell) >= (int)sizeof path)
        return;
    const int file = open(path, O_CREAT | O_EXCL | O_WRONLY | O_CLOEXEC, 0600);
    if (file >= 0) {
        (void)!dprintf(file, "%s: %s", call, strerror(error));
        close(file);
    }
    errno = error;
}

// "/name" becomes "/CELL.name". Without UKEMI_NAMES names stay as they are. False: too long, which
// errno says.
static int name_apart(const char *name, char apart[NAME_MAX + 2])
{
    const char *cell = getenv("UKEMI_NAMES");
    cell = cell != NULL && strrchr(cell, '/') != NULL ? strrchr(cell, '/') + 1 : cell;
    name += strspn(name, "/");
    const int length = snprintf(apart, NAME_MAX + 2, "/%s%s%s", cell != NULL ? cell : "",
                                cell != NULL ? "." : "", name);
    if (length >= 0 && length < NAME_MAX + 2)
        return 1;
    errno = ENAMETOOLONG;
    return 0;
}

PUBLIC int shm_open(const char *name, int flags, mode_t mode)
{
    char apart[NAME_MAX + 2];
    if (!name_apart(name, apart))
        return -1;
    const int file = NEXT(shm_open)(apart, flags, mode);
    if (file < 0)
        tell_refused("shm_open", flags);
    return file;
}

PUBLIC int shm_unlink(const char *name)
{
    char apart[NAME_MAX + 2];
    return name_apart(name, apart) ? NEXT(shm_unlink)(apart) : -1;
}

PUBLIC sem_t *sem_open(const char *name, int flags, ...)
{
    char apart[NAME_MAX + 2];
    mode_t mode = 0;
    unsigned value = 0;
    if ((flags & O_CREAT) != 0) {
        va_list arguments;
        va_start(arguments, flags);
        mode = va_arg(arguments, mode_t);
        value = va_arg(arguments, unsigned);
        va_end(arguments);
    }
    if (!name_apart(name, apart))
        return SEM_FAILED;
    sem_t *semaphore = NEXT(sem_open)(apart, flags, mode, value);
    if (semaphore == SEM_FAILED)
        tell_refused("sem_open", flags);
    return semaphore;
}

PUBLIC int sem_unlink(const char *name)
{
    char apart[NAME_MAX + 2];
    return name_apart(name, apart) ? NEXT(sem_unlink)(apart) : -1;
}

// What System V's calls make would outlast the cell, whose filter knows no such call.
static int told(int made, const char *call)
{
    if (made < 0 && errno == ENOSYS)
        tell_refused(call, O_CREAT);
    return made;
}

PUBLIC int shmget(key_t key, size_t size, int flags)
{
    return told(NEXT(shmget)(key, size, flags), "shmget");
}

PUBLIC int semget(key_t key, int count, int flags)
{
    return told(NEXT(semget)(key, count, flags), "semget");
}

PUBLIC int msgget(key_t key, int flags)
{
    return told(NEXT(msgget)(key, flags), "msgget");
}
