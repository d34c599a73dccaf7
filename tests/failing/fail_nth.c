// Loaded into `ukemi` by LD_PRELOAD: makes the n-th call of a family fail, alone or with all that
// follow it, in whatever process of the lab it is; counts them, and says from where they come.
//
// Programs that the lab starts are left alone: daemons get an environment without it, gnuplot is
// not called ukemi. Standard streams do not fail, as the lab's words are looked at. A stream's
// write happens within the C library, where nobody can step in between: fflush and fclose fail for
// it. poll does not fail: of a few descriptors the kernel needs no memory for it. Not libfiu: it
// fails by chance or by name, and cannot be told to fail the n-th call across forks.
#include "tests/failing/fail_nth.h"

#include <dirent.h>
#include <dlfcn.h>
#include <errno.h>
#include <execinfo.h>
#include <fcntl.h>
#include <sched.h>
#include <stdarg.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdio_ext.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/mount.h>
#include <sys/socket.h>
#include <sys/stat.h>
#include <unistd.h>

#define STREAM_FAILED 0x20 // _IO_ERR_SEEN of libio.h, which nobody else can set

void *__libc_malloc(size_t size);
void *__libc_calloc(size_t count, size_t size);
void *__libc_realloc(void *old, size_t size);
void *__libc_memalign(size_t alignment, size_t size);

static struct fail_table *table; // NULL: not the lab
static pid_t known;
static unsigned generation;
static __thread bool within;

// ---- which call -------------------------------------------------------------------------------

static void note_place(enum fail_family family, const char *call, uint64_t number)
{
    void *frame[FAIL_FRAMES + 3];
    const int depth = backtrace(frame, FAIL_FRAMES + 3);
    uint64_t hash = 14695981039346656037u + family + 16 * generation;
    for (int i = 3; i < depth; i++)
        hash = (hash ^ (uint64_t)(uintptr_t)frame[i]) * 1099511628211u;
    hash |= 1;
    for (uint64_t i = hash % FAIL_PLACES_MAX;; i = (i + 1) % FAIL_PLACES_MAX) {
        struct fail_place *place = &table->place[i];
        uint64_t stack = 0;
        if (atomic_load(&table->places_used) > FAIL_PLACES_MAX / 2)
            return;
        if (!atomic_compare_exchange_strong(&place->stack, &stack, hash)) {
            if (stack == hash)
                return;
            continue;
        }
        atomic_fetch_add(&table->places_used, 1);
        place->family = family;
        place->generation = generation;
        place->number = number;
        strncpy(place->call, call, sizeof place->call - 1);
        for (int f = 3; f < depth; f++)
            place->frame[f - 3] = frame[f];
        return;
    }
}

static __attribute__((noinline)) bool decide(enum fail_family family, const char *call)
{
    if (getpid() != known) {
        known = getpid();
        generation += generation < FAIL_GENERATIONS - 1;
    }
    const uint64_t number = atomic_fetch_add(&table->count[family][generation], 1) + 1;
    if (table->note_places)
        note_place(family, call, number);
    if (table->mode == FAIL_NEVER || table->family != family)
        return false;
    const bool now = table->generation == generation && table->number == number;
    const bool later = table->mode == FAIL_FOR_GOOD && atomic_load(&table->tripped) > 0;
    if (now || later)
        atomic_fetch_add(&table->tripped, 1);
    return now || later;
}

static __attribute__((noinline)) bool fails(enum fail_family family, const char *call, int error)
{
    if (table == NULL || within)
        return false;
    const int before = errno;
    within = true;
    const bool failed = decide(family, call);
    within = false;
    errno = failed ? error : before;
    return failed;
}

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv(FAIL_FILE);
    if (path == NULL || strcmp(program_invocation_short_name, "ukemi") != 0)
        return;
    within = true;
    void *frame[2];
    (void)backtrace(frame, 2); // loads what it needs
    const int file = open(path, O_RDWR | O_CLOEXEC);
    void *at = file < 0 ? MAP_FAILED
                        : mmap(NULL, sizeof *table, PROT_READ | PROT_WRITE, MAP_SHARED, file, 0);
    if (at == MAP_FAILED)
        _exit(99);
    close(file);
    known = getpid();
    table = at;
    within = false;
}

// ---- memory -----------------------------------------------------------------------------------

void *malloc(size_t size)
{
    return fails(FAIL_MEMORY, "malloc", ENOMEM) ? NULL : __libc_malloc(size);
}

void *calloc(size_t count, size_t size)
{
    return fails(FAIL_MEMORY, "calloc", ENOMEM) ? NULL : __libc_calloc(count, size);
}

void *realloc(void *old, size_t size)
{
    return fails(FAIL_MEMORY, "realloc", ENOMEM) ? NULL : __libc_realloc(old, size);
}

void *aligned_alloc(size_t alignment, size_t size)
{
    return fails(FAIL_MEMORY, "aligned_alloc", ENOMEM) ? NULL : __libc_memalign(alignment, size);
}

int posix_memalign(void **memory, size_t alignment, size_t size)
{
    *memory =
        fails(FAIL_MEMORY, "posix_memalign", ENOMEM) ? NULL : __libc_memalign(alignment, size);
    return *memory == NULL ? ENOMEM : 0;
}

// ---- everything else ----------------------------------------------------------------------------

#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (real == NULL)                                                                              \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

// A call that fails with `result` and `error`: its type, name, parameters, arguments.
#define CALL(family, type, name, parameters, arguments, result, error)                             \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        if (fails(family, #name, error))                                                           \
            return result;                                                                         \
        return real arguments;                                                                     \
    }
#define NOT_STANDARD(family, type, name, parameters, arguments, result, error)                     \
    type name parameters                                                                           \
    {                                                                                              \
        REAL(name);                                                                                \
        if (fd > STDERR_FILENO && fails(family, #name, error))                                     \
            return result;                                                                         \
        return real arguments;                                                                     \
    }

CALL(FAIL_MEMORY, void *, mmap,
     (void *at, size_t size, int protection, int flags, int fd, off_t from),
     (at, size, protection, flags, fd, from), MAP_FAILED, ENOMEM)
CALL(FAIL_MEMORY, void *, mmap64,
     (void *at, size_t size, int protection, int flags, int fd, off64_t from),
     (at, size, protection, flags, fd, from), MAP_FAILED, ENOMEM)

static mode_t mode_of(int flags, va_list more)
{
    return (flags & (O_CREAT | __O_TMPFILE)) != 0 ? va_arg(more, mode_t) : 0;
}

#define OPEN(name)                                                                                 \
    int name(const char *path, int flags, ...)                                                     \
    {                                                                                              \
        REAL(name);                                                                                \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        const mode_t mode = mode_of(flags, more);                                                  \
        va_end(more);                                                                              \
        return fails(FAIL_OPEN, #name, EMFILE) ? -1 : real(path, flags, mode);                     \
    }
#define OPEN_AT(name)                                                                              \
    int name(int folder, const char *path, int flags, ...)                                         \
    {                                                                                              \
        REAL(name);                                                                                \
        va_list more;                                                                              \
        va_start(more, flags);                                                                     \
        const mode_t mode = mode_of(flags, more);                                                  \
        va_end(more);                                                                              \
        return fails(FAIL_OPEN, #name, EMFILE) ? -1 : real(folder, path, flags, mode);             \
    }
OPEN(open)
OPEN(open64)
OPEN_AT(openat)
OPEN_AT(openat64)
CALL(FAIL_OPEN, FILE *, fopen, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
CALL(FAIL_OPEN, FILE *, fopen64, (const char *path, const char *mode), (path, mode), NULL, EMFILE)
CALL(FAIL_OPEN, FILE *, fdopen, (int fd, const char *mode), (fd, mode), NULL, ENOMEM)
CALL(FAIL_OPEN, DIR *, opendir, (const char *path), (path), NULL, EMFILE)
CALL(FAIL_OPEN, int, access, (const char *path, int how), (path, how), -1, EIO)
CALL(FAIL_OPEN, int, stat, (const char *path, struct stat *about), (path, about), -1, EIO)
CALL(FAIL_OPEN, int, stat64, (const char *path, struct stat64 *about), (path, about), -1, EIO)
CALL(FAIL_OPEN, int, lstat, (const char *path, struct stat *about), (path, about), -1, EIO)
CALL(FAIL_OPEN, int, lstat64, (const char *path, struct stat64 *about), (path, about), -1, EIO)
CALL(FAIL_OPEN, int, fstat, (int fd, struct stat *about), (fd, about), -1, EIO)
CALL(FAIL_OPEN, int, fstat64, (int fd, struct stat64 *about), (fd, about), -1, EIO)
CALL(FAIL_OPEN, char *, realpath, (const char *path, char *into), (path, into), NULL, EIO)
CALL(FAIL_OPEN, char *, getcwd, (char *into, size_t size), (into, size), NULL, EIO)
CALL(FAIL_OPEN, ssize_t, readlink, (const char *path, char *into, size_t size), (path, into, size),
     -1, EIO)

NOT_STANDARD(FAIL_READ, ssize_t, read, (int fd, void *into, size_t size), (fd, into, size), -1, EIO)
CALL(FAIL_READ, ssize_t, pread, (int fd, void *into, size_t size, off_t from),
     (fd, into, size, from), -1, EIO)
CALL(FAIL_READ, ssize_t, pread64, (int fd, void *into, size_t size, off64_t from),
     (fd, into, size, from), -1, EIO)

// A stream remembers that it failed.
static bool stream_fails(enum fail_family family, const char *call, FILE *stream, int error)
{
    if (stream == stdin || stream == stdout || stream == stderr || !fails(family, call, error))
        return false;
    stream->_flags |= STREAM_FAILED;
    return true;
}

size_t fread(void *into, size_t size, size_t count, FILE *stream)
{
    REAL(fread);
    return stream_fails(FAIL_READ, "fread", stream, EIO) ? 0 : real(into, size, count, stream);
}

char *fgets(char *into, int size, FILE *stream)
{
    REAL(fgets);
    return stream_fails(FAIL_READ, "fgets", stream, EIO) ? NULL : real(into, size, stream);
}

ssize_t getline(char **line, size_t *size, FILE *stream)
{
    REAL(getline);
    return stream_fails(FAIL_READ, "getline", stream, EIO) ? -1 : real(line, size, stream);
}

NOT_STANDARD(FAIL_WRITE, ssize_t, write, (int fd, const void *data, size_t size), (fd, data, size),
             -1, ENOSPC)
CALL(FAIL_WRITE, ssize_t, pwrite, (int fd, const void *data, size_t size, off_t at),
     (fd, data, size, at), -1, ENOSPC)
CALL(FAIL_WRITE, ssize_t, pwrite64, (int fd, const void *data, size_t size, off64_t at),
     (fd, data, size, at), -1, ENOSPC)
CALL(FAIL_WRITE, int, fsync, (int fd), (fd), -1, EIO)
CALL(FAIL_WRITE, int, fdatasync, (int fd), (fd), -1, EIO)
CALL(FAIL_WRITE, int, ftruncate, (int fd, off_t size), (fd, size), -1, ENOSPC)
CALL(FAIL_WRITE, int, ftruncate64, (int fd, off64_t size), (fd, size), -1, ENOSPC)
CALL(FAIL_WRITE, int, fallocate, (int fd, int how, off_t from, off_t size), (fd, how, from, size),
     -1, ENOSPC)
CALL(FAIL_WRITE, int, fallocate64, (int fd, int how, off64_t from, off64_t size),
     (fd, how, from, size), -1, ENOSPC)
CALL(FAIL_WRITE, int, posix_fallocate, (int fd, off_t from, off_t size), (fd, from, size), ENOSPC,
     ENOSPC)
CALL(FAIL_WRITE, int, rename, (const char *from, const char *to), (from, to), -1, ENOSPC)
CALL(FAIL_WRITE, int, linkat,
     (int from_folder, const char *from, int to_folder, const char *to, int flags),
     (from_folder, from, to_folder, to, flags), -1, ENOSPC)
CALL(FAIL_WRITE, int, mkdir, (const char *path, mode_t mode), (path, mode), -1, ENOSPC)

int fflush(FILE *stream)
{
    REAL(fflush);
    if (stream == NULL || !stream_fails(FAIL_WRITE, "fflush", stream, ENOSPC))
        return real(stream);
    __fpurge(stream);
    return EOF;
}

int fclose(FILE *stream)
{
    REAL(fclose);
    if (!stream_fails(FAIL_WRITE, "fclose", stream, ENOSPC))
        return real(stream);
    __fpurge(stream);
    (void)real(stream);
    errno = ENOSPC;
    return EOF;
}

int close(int fd)
{
    REAL(close);
    const int error = errno;
    const int result = real(fd);
    if (result != 0 || !fails(FAIL_WRITE, "close", EIO)) {
        errno = result == 0 ? error : errno;
        return result;
    }
    return -1;
}

CALL(FAIL_PROCESS, pid_t, fork, (void), (), -1, EAGAIN)
CALL(FAIL_PROCESS, int, pipe2, (int ends[2], int flags), (ends, flags), -1, EMFILE)
CALL(FAIL_PROCESS, int, socket, (int family, int type, int protocol), (family, type, protocol), -1,
     EMFILE)
CALL(FAIL_PROCESS, int, socketpair, (int family, int type, int protocol, int ends[2]),
     (family, type, protocol, ends), -1, EMFILE)
CALL(FAIL_PROCESS, int, memfd_create, (const char *name, unsigned flags), (name, flags), -1, EMFILE)
CALL(FAIL_PROCESS, int, dup, (int fd), (fd), -1, EMFILE)
CALL(FAIL_PROCESS, int, dup2, (int from, int to), (from, to), -1, EMFILE)
CALL(FAIL_PROCESS, int, unshare, (int what), (what), -1, ENOSPC)
CALL(FAIL_PROCESS, int, mount,
     (const char *source, const char *target, const char *type, unsigned long flags,
      const void *data),
     (source, target, type, flags, data), -1, ENOMEM)

#define CONTROL(name)                                                                              \
    int name(int fd, int command, ...)                                                             \
    {                                                                                              \
        REAL(name);                                                                                \
        va_list more;                                                                              \
        va_start(more, command);                                                                   \
        void *argument = va_arg(more, void *);                                                     \
        va_end(more);                                                                              \
        return fails(FAIL_LOCK, #name, EIO) ? -1 : real(fd, command, argument);                    \
    }
CONTROL(fcntl)
CONTROL(fcntl64)
