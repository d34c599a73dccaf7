// The disturber's side of disturbances, and the look at a line from outside.
#include <string.h>

#include "dynamixel/page.h"

#define DELAY_MAX_NS INT64_C(3600000000000)

enum status dxl_meddle_open(const char *cell, const char *line, struct dxl_page **page)
{
    return dxl_page_map(cell, line, page);
}

void dxl_meddle_close(struct dxl_page *page)
{
    if (page != NULL)
        dxl_page_unmap(page);
}

static bool is_of_device(uint32_t kind)
{
    return kind >= DXL_DISTURB_MUTE && kind < DXL_DISTURB_VOLTAGE;
}

// Only devices answer.
static bool is_of_host(const struct dxl_disturbance *what)
{
    return what->node < DXL_HOSTS_MAX;
}

static bool has_bytes(uint32_t kind)
{
    return kind == DXL_DISTURB_TRUNCATE || kind == DXL_DISTURB_INSERT ||
           kind == DXL_DISTURB_COLLIDE;
}

bool dxl_disturbance_is_sound(const struct dxl_disturbance *what)
{
    if (what->kind == DXL_DISTURB_NONE || what->kind >= DXL_DISTURBANCE_KINDS ||
        what->share_ppm > 1000000 || what->delay_ns < 0 || what->delay_ns > DELAY_MAX_NS)
        return false;
    if (what->node != DXL_ANY_NODE && what->node >= DXL_NODES_MAX)
        return false;
    if (is_of_device(what->kind) && (what->node == DXL_ANY_NODE || is_of_host(what)))
        return false;
    if (what->kind == DXL_DISTURB_STICK && is_of_host(what))
        return false;
    if (what->kind == DXL_DISTURB_NOISE && what->delay_ns < 10000)
        return false;
    if (has_bytes(what->kind) && (what->count == 0 || what->count > DXL_DISTURB_BYTES_MAX))
        return false;
    return what->kind != DXL_DISTURB_REGISTER || dxl_row_at(what->address) != NULL;
}

static struct disturbance_table table_of(const struct dxl_page *page)
{
    return (struct disturbance_table){.first = (void *)&page->disturbance,
                                      .slot_size_B = sizeof page->disturbance[0],
                                      .count = DXL_DISTURBANCES_MAX};
}

enum status dxl_meddle_put(struct dxl_page *page, const struct dxl_disturbance *disturbance,
                           unsigned *slot)
{
    if (!dxl_disturbance_is_sound(disturbance))
        return STATUS_INVALID;
    const struct disturbance_table table = table_of(page);
    const int i = disturbance_free(&table);
    if (i < 0)
        return STATUS_FULL;
    page->disturbance[i].what = *disturbance;
    disturbance_begin(&page->disturbance[i].entry, disturbance->tag, &page->disturbances);
    *slot = (unsigned)i;
    return STATUS_OK;
}

enum status dxl_meddle_take(struct dxl_page *page, unsigned slot)
{
    if (slot >= DXL_DISTURBANCES_MAX)
        return STATUS_NOT_FOUND;
    return disturbance_take(&page->disturbance[slot].entry);
}

int dxl_meddle_find(const struct dxl_page *page, uint64_t tag)
{
    const struct disturbance_table table = table_of(page);
    return disturbance_find(&table, tag);
}

struct dxl_disturbance_count dxl_meddle_count(const struct dxl_page *page, unsigned slot)
{
    if (slot >= DXL_DISTURBANCES_MAX)
        return (struct dxl_disturbance_count){0};
    const struct disturbance_entry *counted = &page->disturbance[slot].entry;
    return (struct dxl_disturbance_count){.matched = atomic_load(&counted->matched),
                                          .hit = atomic_load(&counted->hit),
                                          .hit_when_taken = atomic_load(&counted->hit_when_taken),
                                          .active = atomic_load(&counted->active) != 0};
}

int dxl_meddle_node(const struct dxl_page *page, const char *name)
{
    for (int i = 0; i < (int)DXL_NODES_MAX; i++)
        if (page->node[i].name[0] != '\0' &&
            strncmp(page->node[i].name, name, sizeof page->node[i].name) == 0)
            return i;
    return -1;
}

void dxl_meddle_report(const struct dxl_page *page, unsigned node, struct dxl_node_report *report)
{
    *report = (struct dxl_node_report){0};
    if (node >= DXL_NODES_MAX)
        return;
    const struct dxl_node_status *status = &page->node[node];
    uint64_t word[DXL_TABLE_WORDS];
    memcpy(report->name, status->name, sizeof report->name);
    report->name[sizeof report->name - 1] = '\0';
    report->sent = atomic_load(&status->sent);
    report->heard = atomic_load(&status->heard);
    report->broken = atomic_load(&status->broken);
    report->unframed = atomic_load(&status->unframed);
    for (unsigned i = 0; i < DXL_TABLE_WORDS; i++)
        word[i] = atomic_load(&status->table[i]);
    memcpy(report->table, word, sizeof report->table);
}
