#include "dynamixel/page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "dynamixel/line.h"

static bool page_head(unsigned bitrate_bit_s, struct dxl_page *head)
{
    head->magic = DXL_PAGE_MAGIC;
    head->size_B = sizeof *head;
    head->bitrate_bit_s = bitrate_bit_s;
    return bitrate_bit_s >= DXL_BITRATE_MIN_BIT_S && bitrate_bit_s <= DXL_BITRATE_MAX_BIT_S;
}

enum status dxl_line_create(const char *cell, const char *name, unsigned bitrate_bit_s)
{
    static struct dxl_page head;
    char path[PATH_MAX], temporary[PATH_MAX];
    if (!page_head(bitrate_bit_s, &head))
        return STATUS_INVALID;
    const int length = snprintf(temporary, sizeof temporary, "%s/buses", cell);
    if (length < 0 || (size_t)length + 16 + NAME_MAX >= sizeof path)
        return STATUS_INVALID;
    if (mkdir(temporary, 0755) < 0 && errno != EEXIST)
        return STATUS_SYSTEM;
    snprintf(path, sizeof path, "%s/buses/%.64s", cell, name);
    snprintf(temporary, sizeof temporary, "%s/buses/.%.64s.%d", cell, name, (int)getpid());

    const int file = open(temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0644);
    if (file < 0)
        return STATUS_SYSTEM;
    static const size_t head_B = offsetof(struct dxl_page, disturbance);
    bool ok =
        ftruncate(file, sizeof head) == 0 && pwrite(file, &head, head_B, 0) == (ssize_t)head_B;
    close(file);
    ok = ok && rename(temporary, path) == 0; // nobody ever opens a half-made page
    if (!ok)
        unlink(temporary);
    return ok ? STATUS_OK : STATUS_SYSTEM;
}

enum status dxl_page_anonymous(unsigned bitrate_bit_s, struct dxl_page **page)
{
    void *memory = mmap(NULL, sizeof **page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return STATUS_NO_MEMORY;
    *page = memory;
    if (page_head(bitrate_bit_s, *page))
        return STATUS_OK;
    dxl_page_unmap(*page);
    return STATUS_INVALID;
}

enum status dxl_page_map(const char *cell, const char *name, struct dxl_page **page)
{
    char path[PATH_MAX];
    const int length = snprintf(path, sizeof path, "%s/buses/%s", cell, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return STATUS_NOT_FOUND;
    const int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    struct stat info;
    if (fstat(file, &info) < 0 || info.st_size != (off_t)sizeof(struct dxl_page)) {
        close(file);
        return STATUS_CORRUPT;
    }
    struct dxl_page *mapped =
        mmap(NULL, sizeof *mapped, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    if (mapped == MAP_FAILED)
        return STATUS_SYSTEM;
    if (mapped->magic != DXL_PAGE_MAGIC || mapped->size_B != sizeof *mapped ||
        mapped->bitrate_bit_s < DXL_BITRATE_MIN_BIT_S ||
        mapped->bitrate_bit_s > DXL_BITRATE_MAX_BIT_S) {
        dxl_page_unmap(mapped);
        return STATUS_CORRUPT;
    }
    *page = mapped;
    return STATUS_OK;
}

void dxl_page_unmap(struct dxl_page *page)
{
    munmap(page, sizeof *page);
}
