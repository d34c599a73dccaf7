#include "harness/history/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdlib.h>
#include <sys/stat.h>
#include <unistd.h>

// Up to `size` bytes, as many as there still are; false: errno says why.
static bool read_all(int fd, char *data, size_t size, size_t *taken)
{
    for (*taken = 0; *taken < size;) {
        const ssize_t got = read(fd, data + *taken, size - *taken);
        if (got < 0 && errno == EINTR)
            continue;
        if (got < 0)
            return false;
        if (got == 0)
            break;
        *taken += (size_t)got;
    }
    return true;
}

static enum status read_open(int fd, size_t max_B, char **data, size_t *size_B)
{
    struct stat about;
    if (fstat(fd, &about) != 0)
        return STATUS_SYSTEM;
    if (!S_ISREG(about.st_mode)) {
        errno = S_ISDIR(about.st_mode) ? EISDIR : ESPIPE;
        return STATUS_SYSTEM;
    }
    if (about.st_size < 0 || (uintmax_t)about.st_size > max_B)
        return STATUS_TOO_LARGE;
    *data = malloc((size_t)about.st_size + 1);
    if (*data == NULL)
        return STATUS_NO_MEMORY;
    if (read_all(fd, *data, (size_t)about.st_size, size_B)) {
        (*data)[*size_B] = '\0';
        return STATUS_OK;
    }
    free(*data);
    *data = NULL;
    return STATUS_SYSTEM;
}

enum status whole_file_read(const char *path, size_t max_B, char **data, size_t *size_B)
{
    *data = NULL;
    *size_B = 0;
    const int fd = open(path, O_RDONLY | O_NONBLOCK | O_CLOEXEC); // a FIFO would wait
    if (fd < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    const enum status status = read_open(fd, max_B, data, size_B);
    const int error = errno;
    close(fd);
    errno = error;
    return status;
}
