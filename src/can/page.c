#include "can/page.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "can/bus.h"

#define BITRATE_MIN_BIT_S 10000u
#define BITRATE_MAX_BIT_S 100000000u

static bool bitrates_are_good(struct can_bitrates bitrates)
{
    return bitrates.nominal_bit_s >= BITRATE_MIN_BIT_S &&
           bitrates.nominal_bit_s <= BITRATE_MAX_BIT_S &&
           bitrates.data_bit_s >= bitrates.nominal_bit_s &&
           bitrates.data_bit_s <= BITRATE_MAX_BIT_S;
}

// What every page begins with. False: the bitrates cannot be.
static bool page_head(const struct can_bus_config *config, struct can_page *head)
{
    struct can_bitrates bitrates = config->bitrates;
    if (bitrates.data_bit_s == 0)
        bitrates.data_bit_s = bitrates.nominal_bit_s;
    *head = (struct can_page){.magic = CAN_PAGE_MAGIC,
                              .size_B = sizeof(struct can_page),
                              .bitrate_bit_s = bitrates.nominal_bit_s,
                              .data_bitrate_bit_s = bitrates.data_bit_s,
                              .medium = config->medium,
                              .patient = config->patient,
                              .host_outside = config->host_outside,
                              .node_count = CAN_HOST_NODES_MAX};
    if (config->host != NULL)
        text_copy(head->host_process, sizeof head->host_process, config->host);
    return bitrates_are_good(bitrates);
}

enum status can_bus_create(const char *cell, const char *name, const struct can_bus_config *config)
{
    static struct can_page head;
    char path[PATH_MAX], temporary[PATH_MAX];
    if (!page_head(config, &head))
        return STATUS_INVALID;
    int length = snprintf(temporary, sizeof temporary, "%s/buses", cell);
    if (length < 0 || (size_t)length + 16 + NAME_MAX >= sizeof path)
        return STATUS_INVALID;
    if (mkdir(temporary, 0755) < 0 && errno != EEXIST)
        return STATUS_SYSTEM;
    snprintf(path, sizeof path, "%s/buses/%.64s", cell, name);
    snprintf(temporary, sizeof temporary, "%s/buses/.%.64s.%d", cell, name, (int)getpid());

    int file = open(temporary, O_CREAT | O_EXCL | O_RDWR | O_CLOEXEC, 0644);
    if (file < 0)
        return STATUS_SYSTEM;
    static const size_t head_B = offsetof(struct can_page, disturbance);
    bool ok =
        ftruncate(file, sizeof head) == 0 && pwrite(file, &head, head_B, 0) == (ssize_t)head_B;
    close(file);
    ok = ok && rename(temporary, path) == 0; // nobody ever opens a half-made page
    if (!ok)
        unlink(temporary);
    return ok ? STATUS_OK : STATUS_SYSTEM;
}

enum status can_page_anonymous(const struct can_bus_config *config, struct can_page **page)
{
    void *memory = mmap(NULL, sizeof **page, PROT_READ | PROT_WRITE,
                        MAP_PRIVATE | MAP_ANONYMOUS | MAP_POPULATE, -1, 0);
    if (memory == MAP_FAILED)
        return STATUS_NO_MEMORY;
    *page = memory;
    if (page_head(config, *page))
        return STATUS_OK;
    can_page_unmap(*page);
    return STATUS_INVALID;
}

enum status can_page_map(const char *cell, const char *name, struct can_page **page)
{
    char path[PATH_MAX];
    int length = snprintf(path, sizeof path, "%s/buses/%s", cell, name);
    if (length < 0 || (size_t)length >= sizeof path)
        return STATUS_NOT_FOUND;
    int file = open(path, O_RDWR | O_CLOEXEC);
    if (file < 0)
        return errno == ENOENT ? STATUS_NOT_FOUND : STATUS_SYSTEM;
    struct stat info;
    if (fstat(file, &info) < 0 || info.st_size != (off_t)sizeof(struct can_page)) {
        close(file);
        return STATUS_CORRUPT;
    }
    void *memory = mmap(NULL, sizeof(struct can_page), PROT_READ | PROT_WRITE,
                        MAP_SHARED | MAP_POPULATE, file, 0);
    close(file);
    if (memory == MAP_FAILED)
        return STATUS_SYSTEM;
    struct can_page *mapped = memory;
    if (mapped->magic != CAN_PAGE_MAGIC || mapped->size_B != sizeof(struct can_page) ||
        mapped->bitrate_bit_s == 0 || mapped->data_bitrate_bit_s == 0) {
        can_page_unmap(mapped);
        return STATUS_CORRUPT;
    }
    *page = mapped;
    return STATUS_OK;
}

void can_page_unmap(struct can_page *page)
{
    munmap(page, sizeof *page);
}
