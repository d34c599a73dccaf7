// Opening files: those by which the machine would bring real time in are seen, and FIFOs wait by
// the clock.
#include <fcntl.h>
#include <stdarg.h>
#include <stdio.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "shim/shim.h"

// ---- FIFOs ----

static bool is_fifo(int folder, const char *path)
{
    struct stat file;
    const int error = errno;
    const bool fifo = KERNEL(SYS_newfstatat, folder, path, &file, 0) == 0 && S_ISFIFO(file.st_mode);
    errno = error;
    return fifo;
}

// A reader does not wait for a writer here, but when it reads. A writer waits for a reader.
static int open_fifo(int folder, const char *path, int flags)
{
    const struct shim_awaited awaited = shim_awaits(SHIM_AWAITS_DESCRIPTOR, -1, NULL);
    for (;;) { // until somebody reads
        struct shim_wait wait = shim_wait_io(SHIM_NEVER);
        wait.awaited = awaited;
        const int descriptor = (int)KERNEL(SYS_openat, folder, path, flags | O_NONBLOCK, 0);
        if (descriptor >= 0) {
            KERNEL(SYS_fcntl, descriptor, F_SETFL, flags & ~O_NONBLOCK);
            shim_record(IO_CONNECT, descriptor, NULL, 0);
            return descriptor;
        }
        if (errno != ENXIO)
            return -1;
        if (shim_block(&wait) == SHIM_INTERRUPTED && !shim_restarts) {
            errno = EINTR;
            return -1;
        }
    }
}

// ---- by descriptor ----

static int open_file(int folder, const char *path, int flags, mode_t mode)
{
    if (!shim_on())
        return (int)KERNEL(SYS_openat, folder, path, flags, mode);
    const int descriptor = !(flags & (O_NONBLOCK | O_PATH)) && is_fifo(folder, path)
                               ? open_fifo(folder, path, flags)
                               : (int)KERNEL(SYS_openat, folder, path, flags, mode);
    if (descriptor >= 0)
        shim_opened(descriptor);
    else if (errno == ENOENT && strcmp(path, "/dev/ptmx") == 0)
        shim_leak("opens /dev/ptmx: a cell has no pseudo-terminals");
    return descriptor;
}

// The mode is the caller's only where a file may be made.
#define MODE_OF(flags)                                                                             \
    ({                                                                                             \
        mode_t mode_ = 0;                                                                          \
        if ((flags) & (O_CREAT | __O_TMPFILE)) {                                                   \
            va_list arguments_;                                                                    \
            va_start(arguments_, flags);                                                           \
            mode_ = va_arg(arguments_, mode_t);                                                    \
            va_end(arguments_);                                                                    \
        }                                                                                          \
        mode_;                                                                                     \
    })

PUBLIC int open(const char *path, int flags, ...)
{
    return open_file(AT_FDCWD, path, flags, MODE_OF(flags));
}

PUBLIC int open64(const char *path, int flags, ...)
{
    return open_file(AT_FDCWD, path, flags, MODE_OF(flags));
}

PUBLIC int openat(int folder, const char *path, int flags, ...)
{
    return open_file(folder, path, flags, MODE_OF(flags));
}

PUBLIC int openat64(int folder, const char *path, int flags, ...)
{
    return open_file(folder, path, flags, MODE_OF(flags));
}

#define OPEN_CHECKED(name, parameters, folder)                                                     \
    PUBLIC int name parameters;                                                                    \
    PUBLIC int name parameters                                                                     \
    {                                                                                              \
        return open_file(folder, path, flags, 0);                                                  \
    }
OPEN_CHECKED(__open_2, (const char *path, int flags), AT_FDCWD)
OPEN_CHECKED(__open64_2, (const char *path, int flags), AT_FDCWD)
OPEN_CHECKED(__openat_2, (int folder, const char *path, int flags), folder)
OPEN_CHECKED(__openat64_2, (int folder, const char *path, int flags), folder)

// ---- as a stream ----

// A FIFO, or what is random: NULL if it is some other file.
static FILE *open_special(const char *path, const char *mode)
{
    const bool both = strchr(mode, '+') != NULL;
    if (!is_fifo(AT_FDCWD, path) && !shim_is_chance_path(path))
        return NULL;
    const int flags = both ? O_RDWR : mode[0] == 'r' ? O_RDONLY : O_WRONLY;
    const int descriptor = open_file(AT_FDCWD, path, flags, 0);
    return descriptor < 0 ? NULL : fdopen(descriptor, mode);
}

static FILE *opened(FILE *stream)
{
    if (stream != NULL && shim_on())
        shim_opened(fileno(stream));
    return stream;
}

PUBLIC FILE *fopen(const char *restrict path, const char *restrict mode)
{
    FILE *stream = shim_on() ? open_special(path, mode) : NULL;
    return stream != NULL ? stream : opened(NEXT(fopen)(path, mode));
}

PUBLIC FILE *fopen64(const char *restrict path, const char *restrict mode)
{
    FILE *stream = shim_on() ? open_special(path, mode) : NULL;
    return stream != NULL ? stream : opened(NEXT(fopen64)(path, mode));
}
