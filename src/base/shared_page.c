#include "base/shared_page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

// The memory of a page that is no larger is taken when it is made: a full file system is an error
// then, and no SIGBUS later. Larger ones are hardly ever written as a whole.
#define TAKEN_MAX_B (1 << 20)

// False: it does not fit. `suffix`: of a file that is not there yet.
static bool name_file(const struct shared_page *page, const char *suffix, char path[PATH_MAX])
{
    const int length =
        snprintf(path, PATH_MAX, "%s/%s/%s%s", page->cell, page->folder, page->name, suffix);
    return length >= 0 && length < PATH_MAX;
}

static bool make_folder(const struct shared_page *page)
{
    char path[PATH_MAX];
    snprintf(path, sizeof path, "%s/%s", page->cell, page->folder);
    return mkdir(path, 0755) == 0 || errno == EEXIST;
}

static bool fill(const char *path, const struct shared_page *page, const void *head, size_t head_B)
{
    const int file = open(path, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0644);
    if (file < 0)
        return false;
    const bool ok =
        (page->size_B <= TAKEN_MAX_B ? posix_fallocate(file, 0, (off_t)page->size_B) == 0
                                     : ftruncate(file, (off_t)page->size_B) == 0) &&
        pwrite(file, head, head_B, 0) == (ssize_t)head_B;
    close(file);
    return ok;
}

enum status shared_page_create(const struct shared_page *page, const void *head, size_t head_B)
{
    char path[PATH_MAX], temporary[PATH_MAX], suffix[16];
    snprintf(suffix, sizeof suffix, ".%d", (int)getpid());
    if (!name_file(page, "", path) || !name_file(page, suffix, temporary))
        return STATUS_INVALID;
    if (!make_folder(page))
        return STATUS_SYSTEM;
    if (fill(temporary, page, head, head_B) && rename(temporary, path) == 0)
        return STATUS_OK;
    unlink(temporary);
    return STATUS_SYSTEM;
}

enum status shared_page_map(const struct shared_page *page, bool populate, void **memory)
{
    char path[PATH_MAX];
    struct stat about;
    if (!name_file(page, "", path))
        return STATUS_NOT_FOUND;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    if (fstat(file, &about) < 0 || about.st_size != (off_t)page->size_B) {
        close(file);
        return STATUS_CORRUPT;
    }
    void *mapped = mmap(NULL, page->size_B, PROT_READ | PROT_WRITE,
                        MAP_SHARED | (populate ? MAP_POPULATE : 0), file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return STATUS_SYSTEM;
    if (!page->is_sound(mapped)) {
        munmap(mapped, page->size_B);
        return STATUS_CORRUPT;
    }
    *memory = mapped;
    return STATUS_OK;
}

enum status shared_page_anonymous(size_t size_B, void **memory)
{
    void *mapped = mmap(NULL, size_B, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (mapped == MAP_FAILED)
        return STATUS_NO_MEMORY;
    *memory = mapped;
    return STATUS_OK;
}
