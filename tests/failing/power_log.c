// Loaded into `ukemi` by LD_PRELOAD: logs what it does to the files of one folder, in order, over
// all its processes, so that power.c can cut the power at any of it. SQLite's files by their
// writes; a history, which a stream writes, by its content at the time of its fsync: before, it may
// be anything.
#include "tests/failing/power_log.h"

#include <dlfcn.h>
#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <unistd.h>

static int out = -1;
static char folder[512];
static bool unnamed_synced; // the file that is about to get its name

__attribute__((constructor)) static void begin(void)
{
    const char *path = getenv(POWER_LOG), *of = getenv(POWER_FOLDER);
    if (path == NULL || of == NULL || strcmp(program_invocation_short_name, "ukemi") != 0)
        return;
    snprintf(folder, sizeof folder, "%s/", of);
    const int file = open(path, O_WRONLY | O_APPEND | O_CLOEXEC);
    out = fcntl(file, F_DUPFD_CLOEXEC, 500); // out of the way
    close(file);
}

// The name within the folder; NULL: it is elsewhere, or memory shared by connections.
static const char *name_of(const char *path)
{
    const size_t length = strlen(folder);
    const char *ending = strrchr(path, '-');
    if (out < 0 || strncmp(path, folder, length) != 0 || (ending && strcmp(ending, "-shm") == 0))
        return NULL;
    return path + length;
}

static void note(enum power_kind kind, const char *name, long long offset, const void *data,
                 size_t size_B)
{
    struct power_entry entry = {.kind = kind, .offset = offset, .size_B = size_B};
    const int error = errno;
    snprintf(entry.name, sizeof entry.name, "%s", name);
    const struct iovec part[2] = {{&entry, sizeof entry}, {(void *)data, size_B}};
    if (writev(out, part, 2) != (ssize_t)(sizeof entry + size_B))
        abort();
    errno = error;
}

static void note_of(int fd, enum power_kind kind, long long offset, const void *data, size_t size_B)
{
    char link[64], path[1024];
    snprintf(link, sizeof link, "/proc/self/fd/%d", fd);
    const ssize_t length = out < 0 ? -1 : readlink(link, path, sizeof path - 1);
    if (length <= 0)
        return;
    path[length] = '\0';
    const char *name = name_of(path);
    if (name != NULL && strstr(name, " (deleted)") != NULL)
        unnamed_synced |= kind == POWER_SYNC;
    else if (name != NULL)
        note(kind, name, offset, data, size_B);
}

#define REAL(name)                                                                                 \
    static __typeof__(name) *real;                                                                 \
    if (real == NULL)                                                                              \
    real = (__typeof__(name) *)dlsym(RTLD_NEXT, #name)

ssize_t pwrite64(int fd, const void *data, size_t size, off64_t at)
{
    REAL(pwrite64);
    const ssize_t written = real(fd, data, size, at);
    if (written > 0)
        note_of(fd, POWER_WRITE, at, data, (size_t)written);
    return written;
}

int ftruncate64(int fd, off64_t size)
{
    REAL(ftruncate64);
    const int result = real(fd, size);
    if (result == 0)
        note_of(fd, POWER_TRUNCATE, size, NULL, 0);
    return result;
}

static void note_sync(int fd)
{
    if (getenv(POWER_DEAF) == NULL)
        note_of(fd, POWER_SYNC, 0, NULL, 0);
}

int fsync(int fd)
{
    REAL(fsync);
    const int result = real(fd);
    if (result == 0)
        note_sync(fd);
    return result;
}

int fdatasync(int fd)
{
    REAL(fdatasync);
    const int result = real(fd);
    if (result == 0)
        note_sync(fd);
    return result;
}

int unlink(const char *path)
{
    REAL(unlink);
    const int result = real(path);
    const char *name = name_of(path);
    if (result == 0 && name != NULL)
        note(POWER_UNLINK, name, 0, NULL, 0);
    return result;
}

// A file gets its name: a history, whole. Synchronised before or not, it is logged with its
// content.
static void note_name(const char *path, bool synced)
{
    const char *name = name_of(path);
    static char data[1 << 22];
    const int fd = name == NULL ? -1 : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0)
        return;
    const ssize_t size = read(fd, data, sizeof data);
    close(fd);
    if (size >= 0)
        note(synced ? POWER_NAMED_SYNCED : POWER_NAMED, name, 0, data, (size_t)size);
}

int linkat(int from_folder, const char *from, int to_folder, const char *to, int flags)
{
    REAL(linkat);
    const int result = real(from_folder, from, to_folder, to, flags);
    if (result == 0)
        note_name(to, unnamed_synced);
    unnamed_synced = false;
    return result;
}

int link(const char *from, const char *to)
{
    REAL(link);
    const int result = real(from, to);
    if (result == 0)
        note_name(to, true); // a history's second name: it was synchronised with its first
    return result;
}

int rename(const char *from, const char *to)
{
    REAL(rename);
    const int result = real(from, to);
    const char *name = name_of(from);
    if (result == 0)
        note_name(to, true);
    if (result == 0 && name != NULL)
        note(POWER_UNLINK, name, 0, NULL, 0);
    return result;
}
