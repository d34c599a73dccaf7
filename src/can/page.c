#include "can/page.h"

#include <sys/mman.h>

#include "base/shared_page.h"
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

static bool is_sound(const void *memory)
{
    const struct can_page *page = memory;
    return page->magic == CAN_PAGE_MAGIC && page->size_B == sizeof *page &&
           page->bitrate_bit_s > 0 && page->data_bitrate_bit_s > 0;
}

static struct shared_page page_of(const char *cell, const char *name)
{
    return (struct shared_page){cell, "buses", name, sizeof(struct can_page), is_sound};
}

enum status can_bus_create(const char *cell, const char *name, const struct can_bus_config *config)
{
    static struct can_page head;
    const struct shared_page page = page_of(cell, name);
    return page_head(config, &head)
               ? shared_page_create(&page, &head, offsetof(struct can_page, disturbance))
               : STATUS_INVALID;
}

enum status can_page_anonymous(const struct can_bus_config *config, struct can_page **page)
{
    void *memory;
    const enum status status = shared_page_anonymous(sizeof **page, &memory);
    if (status != STATUS_OK)
        return status;
    *page = memory;
    if (page_head(config, *page))
        return STATUS_OK;
    can_page_unmap(*page);
    return STATUS_INVALID;
}

enum status can_page_map(const char *cell, const char *name, struct can_page **page)
{
    const struct shared_page mapped = page_of(cell, name);
    void *memory;
    const enum status status = shared_page_map(&mapped, true, &memory);
    if (status == STATUS_OK)
        *page = memory;
    return status;
}

void can_page_unmap(struct can_page *page)
{
    munmap(page, sizeof *page);
}
