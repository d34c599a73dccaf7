#include "harness/history/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/history/file_place.h"

struct whole_file {
    FILE *stream;
    struct file_place place;  // into which a stream in memory is copied, or
    char part[PATH_MAX + 32]; // a name of its own for the moment, in the same folder
    bool named;               // it has that name already
};

static const char *folder_of(const char *path, char folder[PATH_MAX])
{
    const char *slash = strrchr(path, '/');
    size_t length = slash == NULL ? 0 : slash == path ? 1 : (size_t)(slash - path);
    memcpy(folder, path, length);
    folder[length] = '\0';
    return length == 0 ? "." : folder;
}

static int open_unnamed(struct whole_file *file)
{
    char folder[PATH_MAX];
    if (file->place.fd >= 0) // what is written into gets all of it or nothing, too
        return memfd_create("whole_file", MFD_CLOEXEC);
    int fd = open(folder_of(file->place.path, folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    file->named = true;
    (void)unlink(file->part); // of a process of this number that died
    return open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

static enum status start(struct whole_file *file, const char *path)
{
    const enum status status = file_place_find(path, &file->place);
    if (status != STATUS_OK)
        return status;
    snprintf(file->part, sizeof file->part, "%s.%d.part", file->place.path, (int)getpid());
    int fd = open_unnamed(file);
    file->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (file->stream != NULL)
        return STATUS_OK;
    int error = errno;
    if (fd >= 0)
        close(fd);
    if (fd >= 0 && file->named)
        unlink(file->part);
    if (file->place.fd >= 0)
        close(file->place.fd);
    errno = error;
    return STATUS_SYSTEM;
}

enum status whole_file_start(const char *path, struct whole_file **file)
{
    *file = NULL;
    struct whole_file *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    const enum status status = start(new, path);
    if (status == STATUS_OK) {
        *file = new;
        return STATUS_OK;
    }
    int error = errno;
    free(new);
    errno = error;
    return status;
}

FILE *whole_file_stream(struct whole_file *file)
{
    return file->stream;
}

// The name is on the disk only when the folder is. Best effort: not every file system can.
static void sync_folder(const char *path)
{
    char folder[PATH_MAX];
    int fd = open(folder_of(path, folder), O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0)
        return;
    (void)fsync(fd);
    close(fd);
}

// Gives the file its place. An unnamed one cannot take that of another file in one step: it gets a
// name beside it first, for the moment between two calls.
static int take_place(struct whole_file *file)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", fileno(file->stream));
    if (!file->named) {
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->place.path, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST)
            return -1;
        (void)unlink(file->part); // of a process of this number that died in that moment
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->part, AT_SYMLINK_FOLLOW) != 0)
            return -1;
        file->named = true;
    }
    if (rename(file->part, file->place.path) != 0)
        return -1;
    file->named = false;
    return 0;
}

// All of the stream in memory into what is not replaced.
static int pour(struct whole_file *file)
{
    static char some[1 << 16];
    const int from = fileno(file->stream);
    ssize_t got, put = 0;
    if (fflush(stdout) != 0 || lseek(from, 0, SEEK_SET) != 0) // it may go there, too
        return -1;
    while ((got = read(from, some, sizeof some)) > 0)
        for (ssize_t done = 0; done < got; done += put) {
            put = write(file->place.fd, some + done, (size_t)(got - done));
            if (put < 0 && errno != EINTR)
                return -1;
            put = put < 0 ? 0 : put;
        }
    return got < 0 ? -1 : 0;
}

static int put_on_disk(struct whole_file *file)
{
    return fsync(fileno(file->stream)) == 0 ? take_place(file) : -1;
}

enum status whole_file_commit(struct whole_file *file)
{
    errno = 0;
    const bool into = file->place.fd >= 0;
    bool good = fflush(file->stream) == 0 && ferror(file->stream) == 0 &&
                (into ? pour(file) : put_on_disk(file)) == 0;
    // A stream that failed before does not say why any more: most likely the disk is full.
    int error = errno != 0 ? errno : ENOSPC;
    if (good && !into)
        sync_folder(file->place.path);
    whole_file_drop(file);
    errno = good ? 0 : error;
    return good ? STATUS_OK : STATUS_SYSTEM;
}

void whole_file_drop(struct whole_file *file)
{
    if (file == NULL)
        return;
    (void)fclose(file->stream); // what it holds is given up
    if (file->place.fd >= 0)
        close(file->place.fd);
    if (file->named)
        unlink(file->part);
    free(file);
}
