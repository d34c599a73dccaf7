#include "harness/history/file_place.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"

#define LINKS_MAX 40 // on the way, as the kernel has it

// The descriptor of this process that a path names, else -1. It is not opened anew, which would
// begin a file at its start, and which a socket refuses.
static int descriptor_of(const char *path)
{
    static const char *const folder[] = {"/dev/fd/", "/proc/self/fd/", "/proc/thread-self/fd/"};
    for (size_t i = 0; i < sizeof folder / sizeof folder[0]; i++) {
        char *end;
        const char *number = path + strlen(folder[i]);
        if (strncmp(path, folder[i], strlen(folder[i])) != 0)
            continue;
        const long fd = strtol(number, &end, 10);
        return *number >= '0' && *number <= '9' && *end == '\0' && fd <= INT_MAX ? (int)fd : -1;
    }
    return -1;
}

// What the link says, from the folder that it is in.
static int join(char path[PATH_MAX], const char *link)
{
    char *slash = strrchr(path, '/');
    const size_t folder = *link == '/' || slash == NULL ? 0 : (size_t)(slash + 1 - path);
    if (folder + strlen(link) >= PATH_MAX) {
        errno = ENAMETOOLONG;
        return -1;
    }
    text_copy(path + folder, PATH_MAX - folder, link);
    return 0;
}

// Follows links until `path` is none, or is a descriptor of this process, which is then returned;
// else -1. Those of /proc lead to what their text does not name: see opened_in_place.
static int follow(char path[PATH_MAX])
{
    char link[PATH_MAX];
    for (unsigned links = 0; links < LINKS_MAX; links++) {
        const int fd = descriptor_of(path);
        if (fd >= 0)
            return fd;
        const ssize_t length = readlink(path, link, sizeof link - 1);
        if (length < 0)
            return -1;
        link[length] = '\0';
        if (join(path, link) != 0)
            return -1;
    }
    return -1;
}

static bool is_same(const struct stat *one, const struct stat *other)
{
    return one->st_dev == other->st_dev && one->st_ino == other->st_ino;
}

// What is there. 0: a regular file at `end`, or nothing; 1: to be written into; -1: errno.
static int look(const char *path, const char *end)
{
    struct stat about, there;
    if (stat(path, &about) != 0)
        return errno == ENOENT ? 0 : -1;
    if (S_ISDIR(about.st_mode) || S_ISBLK(about.st_mode)) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : ENOTBLK;
        return -1;
    }
    return !S_ISREG(about.st_mode) || lstat(end, &there) != 0 || !is_same(&about, &there);
}

// Not to wait for the reader of a FIFO; but then for it to read.
static int open_to_write(const char *path)
{
    const int fd = open(path, O_WRONLY | O_NONBLOCK | O_NOCTTY | O_CLOEXEC);
    const int flags = fd < 0 ? -1 : fcntl(fd, F_GETFL);
    if (fd >= 0 && (flags < 0 || fcntl(fd, F_SETFL, flags & ~O_NONBLOCK) != 0)) {
        close(fd);
        return -1;
    }
    return fd;
}

enum status file_place_find(const char *path, struct file_place *place)
{
    place->fd = -1;
    if (strlen(path) >= sizeof place->path) {
        errno = ENAMETOOLONG;
        return STATUS_SYSTEM;
    }
    text_copy(place->path, sizeof place->path, path);
    const int own = follow(place->path);
    const int found = own >= 0 ? 1 : look(path, place->path);
    if (found == 1)
        place->fd = own >= 0 ? fcntl(own, F_DUPFD_CLOEXEC, STDERR_FILENO + 1) : open_to_write(path);
    return found < 0 || (found == 1 && place->fd < 0) ? STATUS_SYSTEM : STATUS_OK;
}

enum status file_place_check(const char *path)
{
    char end[PATH_MAX];
    if (strlen(path) >= sizeof end) {
        errno = ENAMETOOLONG;
        return STATUS_SYSTEM;
    }
    text_copy(end, sizeof end, path);
    const int own = follow(end);
    if (own >= 0)
        return fcntl(own, F_GETFL) >= 0 ? STATUS_OK : STATUS_SYSTEM;
    const int found = look(path, end);
    if (found != 0)
        return found > 0 && access(path, W_OK) == 0 ? STATUS_OK : STATUS_SYSTEM;
    char *slash = strrchr(end, '/');
    if (slash != NULL)
        slash[slash == end] = '\0';
    return access(slash != NULL ? end : ".", W_OK | X_OK) == 0 ? STATUS_OK : STATUS_SYSTEM;
}

const char *file_place_why(int error)
{
    return error == ENXIO     ? "it is a FIFO that no program reads, or a socket"
           : error == ENOTBLK ? "it is a block device, which may hold a file system"
                              : strerror(error);
}

bool file_place_is_stdout(const char *path)
{
    struct stat there, out;
    return stat(path, &there) == 0 && fstat(STDOUT_FILENO, &out) == 0 && is_same(&there, &out) &&
           !S_ISCHR(out.st_mode);
}
