#include "harness/history/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdbool.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/text.h"

struct whole_file {
    FILE *stream;
    char path[PATH_MAX];
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
    int fd = open(folder_of(file->path, folder), O_TMPFILE | O_WRONLY | O_CLOEXEC, 0666);
    if (fd >= 0 || (errno != EOPNOTSUPP && errno != EISDIR && errno != EINVAL))
        return fd;
    file->named = true;
    (void)unlink(file->part); // of a process of this number that died
    return open(file->part, O_WRONLY | O_CREAT | O_EXCL | O_NOFOLLOW | O_CLOEXEC, 0666);
}

enum status whole_file_start(const char *path, struct whole_file **file)
{
    *file = NULL;
    if (strlen(path) >= sizeof(*file)->path) {
        errno = ENAMETOOLONG;
        return STATUS_SYSTEM;
    }
    struct whole_file *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    text_copy(new->path, sizeof new->path, path);
    snprintf(new->part, sizeof new->part, "%s.%d.part", path, (int)getpid());
    int fd = open_unnamed(new);
    new->stream = fd < 0 ? NULL : fdopen(fd, "wb");
    if (new->stream == NULL) {
        int error = errno;
        if (fd >= 0)
            close(fd);
        if (fd >= 0 && new->named)
            unlink(new->part);
        free(new);
        errno = error;
        return STATUS_SYSTEM;
    }
    *file = new;
    return STATUS_OK;
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
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->path, AT_SYMLINK_FOLLOW) == 0)
            return 0;
        if (errno != EEXIST)
            return -1;
        (void)unlink(file->part); // of a process of this number that died in that moment
        if (linkat(AT_FDCWD, self, AT_FDCWD, file->part, AT_SYMLINK_FOLLOW) != 0)
            return -1;
        file->named = true;
    }
    if (rename(file->part, file->path) != 0)
        return -1;
    file->named = false;
    return 0;
}

enum status whole_file_commit(struct whole_file *file)
{
    errno = 0;
    bool good = fflush(file->stream) == 0 && ferror(file->stream) == 0 &&
                fsync(fileno(file->stream)) == 0 && take_place(file) == 0;
    // A stream that failed before does not say why any more: most likely the disk is full.
    int error = errno != 0 ? errno : ENOSPC;
    if (good)
        sync_folder(file->path);
    whole_file_drop(file);
    errno = good ? 0 : error;
    return good ? STATUS_OK : STATUS_SYSTEM;
}

void whole_file_drop(struct whole_file *file)
{
    if (file == NULL)
        return;
    (void)fclose(file->stream); // what it holds is given up
    if (file->named)
        unlink(file->part);
    free(file);
}
