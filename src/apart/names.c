// Preloaded into the programs of a bare cell (harness/cell/cell_bare.h): POSIX shared memory and
// named semaphores have the names that the program gives them with the cell's before it, so that
// trials side by side do not share them, and the lab can remove them.
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

#define PUBLIC __attribute__((visibility("default")))
#define NEXT(call) ((__typeof__(call) *)dlsym(RTLD_NEXT, #call))

// "/name" becomes "/CELL.name". Without UKEMI_NAMES names stay as they are. False: too long, which
// errno says.
static int name_apart(const char *name, char apart[NAME_MAX + 2])
{
    const char *cell = getenv("UKEMI_NAMES");
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
    return name_apart(name, apart) ? NEXT(shm_open)(apart, flags, mode) : -1;
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
    return name_apart(name, apart) ? NEXT(sem_open)(apart, flags, mode, value) : SEM_FAILED;
}

PUBLIC int sem_unlink(const char *name)
{
    char apart[NAME_MAX + 2];
    return name_apart(name, apart) ? NEXT(sem_unlink)(apart) : -1;
}
