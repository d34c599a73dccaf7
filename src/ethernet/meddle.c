// The disturber's side of disturbances, and the look at a network from outside.
#include <string.h>

#include "ethernet/page.h"

#define DELAY_MAX_NS (INT64_C(3600) * 1000000000)

enum status eth_meddle_open(const char *cell, const char *name, struct eth_page **page)
{
    return eth_page_map(cell, name, page);
}

void eth_meddle_close(struct eth_page *page)
{
    if (page != NULL)
        eth_page_unmap(page);
}

static struct disturbance_table table_of(const struct eth_page *page)
{
    return (struct disturbance_table){.first = (void *)&page->disturbance,
                                      .slot_size_B = sizeof page->disturbance[0],
                                      .count = ETH_DISTURBANCES_MAX};
}

static bool needs_cable(uint32_t kind)
{
    return kind >= ETH_DISTURB_CUT && kind <= ETH_DISTURB_SWAP;
}

bool eth_disturbance_is_sound(const struct eth_disturbance *what)
{
    if (what->kind == ETH_DISTURB_NONE || what->kind >= ETH_DISTURBANCE_KINDS ||
        what->share_ppm > 1000000 || what->delay_ns < 0 || what->delay_ns > DELAY_MAX_NS)
        return false;
    if ((what->cable != ETH_ANY && what->cable >= ETH_CABLES_MAX) ||
        (what->host != ETH_ANY && what->host >= ETH_HOSTS_MAX) || what->mask > 0xFF ||
        what->byte >= ETH_PAYLOAD_MAX_B)
        return false;
    if (needs_cable(what->kind))
        return what->cable != ETH_ANY &&
               (what->kind != ETH_DISTURB_SWAP || what->other < ETH_CABLES_MAX) &&
               (what->kind != ETH_DISTURB_FLAP || what->delay_ns > 0);
    return what->kind < ETH_DISTURB_DEAD || what->kind == ETH_DISTURB_FLOOD ||
           what->host != ETH_ANY;
}

enum status eth_meddle_put(struct eth_page *page, const struct eth_disturbance *what)
{
    if (!eth_disturbance_is_sound(what))
        return STATUS_INVALID;
    if (page->plan.medium == ETH_VETH && what->kind == ETH_DISTURB_RUNT)
        return STATUS_UNSUPPORTED;
    const struct disturbance_table table = table_of(page);
    const int i = disturbance_free(&table);
    if (i < 0)
        return STATUS_FULL;
    page->disturbance[i].what = *what;
    disturbance_begin(&page->disturbance[i].entry, what->tag, &page->disturbances);
    eth_page_bump(page, &page->activity);
    return STATUS_OK;
}

enum status eth_meddle_take(struct eth_page *page, uint64_t tag)
{
    const struct disturbance_table table = table_of(page);
    const int i = disturbance_find(&table, tag);
    if (i < 0)
        return STATUS_NOT_FOUND;
    const enum status status = disturbance_take(&page->disturbance[i].entry);
    eth_page_bump(page, &page->activity);
    return status;
}

bool eth_meddle_count(const struct eth_page *page, uint64_t tag,
                      struct eth_disturbance_count *count)
{
    const struct disturbance_table table = table_of(page);
    const int i = disturbance_find(&table, tag);
    *count = (struct eth_disturbance_count){0};
    if (i < 0)
        return false;
    const struct disturbance_entry *entry = &page->disturbance[i].entry;
    *count = (struct eth_disturbance_count){.matched = atomic_load(&entry->matched),
                                            .hit = atomic_load(&entry->hit),
                                            .hit_when_taken = atomic_load(&entry->hit_when_taken),
                                            .active = atomic_load(&entry->active) != 0};
    return true;
}

int eth_meddle_cable(const struct eth_page *page, const char *name)
{
    for (unsigned i = 0; i < page->plan.cable_count; i++)
        if (strcmp(page->plan.cable[i].name, name) == 0)
            return (int)i;
    return -1;
}

int eth_meddle_host(const struct eth_page *page, const char *name)
{
    for (unsigned i = 0; i < page->plan.host_count; i++)
        if (strcmp(page->plan.host[i].name, name) == 0)
            return (int)i;
    return -1;
}
