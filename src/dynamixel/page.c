#include "dynamixel/page.h"

#include <sys/mman.h>

#include "base/shared_page.h"
#include "dynamixel/line.h"

static bool page_head(unsigned bitrate_bit_s, struct dxl_page *head)
{
    head->magic = DXL_PAGE_MAGIC;
    head->size_B = sizeof *head;
    head->bitrate_bit_s = bitrate_bit_s;
    return bitrate_bit_s >= DXL_BITRATE_MIN_BIT_S && bitrate_bit_s <= DXL_BITRATE_MAX_BIT_S;
}

static bool is_sound(const void *memory)
{
    const struct dxl_page *page = memory;
    return page->magic == DXL_PAGE_MAGIC && page->size_B == sizeof *page &&
           page->bitrate_bit_s >= DXL_BITRATE_MIN_BIT_S &&
           page->bitrate_bit_s <= DXL_BITRATE_MAX_BIT_S;
}

static struct shared_page page_of(const char *cell, const char *name)
{
    return (struct shared_page){cell, "buses", name, sizeof(struct dxl_page), is_sound};
}

enum status dxl_line_create(const char *cell, const char *name, unsigned bitrate_bit_s)
{
    static struct dxl_page head;
    const struct shared_page page = page_of(cell, name);
    return page_head(bitrate_bit_s, &head)
               ? shared_page_create(&page, &head, offsetof(struct dxl_page, disturbance))
               : STATUS_INVALID;
}

enum status dxl_page_anonymous(unsigned bitrate_bit_s, struct dxl_page **page)
{
    void *memory;
    const enum status status = shared_page_anonymous(sizeof **page, &memory);
    if (status != STATUS_OK)
        return status;
    *page = memory;
    if (page_head(bitrate_bit_s, *page))
        return STATUS_OK;
    dxl_page_unmap(*page);
    return STATUS_INVALID;
}

enum status dxl_page_map(const char *cell, const char *name, struct dxl_page **page)
{
    const struct shared_page mapped = page_of(cell, name);
    void *memory;
    const enum status status = shared_page_map(&mapped, true, &memory);
    if (status == STATUS_OK)
        *page = memory;
    return status;
}

void dxl_page_unmap(struct dxl_page *page)
{
    munmap(page, sizeof *page);
}
