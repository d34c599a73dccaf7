// The disturber's side of disturbances, and the look at a bus from outside.
#include <string.h>

#include "can/page.h"

enum status can_meddle_open(const char *cell, const char *bus, struct can_page **page)
{
    return can_page_map(cell, bus, page);
}

void can_meddle_close(struct can_page *page)
{
    if (page != NULL)
        can_page_unmap(page);
}

#define TRAITS(kind, name, place, change, trace)                                                   \
    [CAN_DISTURB_##kind] = {CAN_##place, CAN_CHANGE_##change, CAN_TRACE_##trace},
const struct can_disturbance_traits can_disturbance_traits[CAN_DISTURBANCE_KINDS] = {
    CAN_DISTURBANCE_LIST(TRAITS)};
#undef TRAITS

bool can_disturbance_is_sound(const struct can_disturbance *what)
{
    if (what->kind == CAN_DISTURB_NONE || what->kind >= CAN_DISTURBANCE_KINDS ||
        what->share_ppm > 1000000 || what->delay_ns < 0 ||
        what->delay_ns > (int64_t)3600 * 1000000000)
        return false;
    if (what->node != CAN_DISTURB_ANY_NODE && what->node >= CAN_BUS_NODES_TOTAL_MAX)
        return false;
    const struct can_disturbance_traits *traits = &can_disturbance_traits[what->kind];
    if (traits->where == CAN_AT_NODE && what->node == CAN_DISTURB_ANY_NODE)
        return false;
    if (what->kind == CAN_DISTURB_RESET && what->node < CAN_HOST_NODES_MAX)
        return false;
    return traits->change == CAN_CHANGE_NOTHING ||
           ((what->width_B == 1 || what->width_B == 2 || what->width_B == 4) &&
            what->first_B < CANFD_MAX_DLEN);
}

struct can_trouble can_meddle_trouble(const struct can_page *page)
{
    struct can_trouble sum = {0};
    for (unsigned i = 0; i < CAN_BUS_NODES_TOTAL_MAX; i++) {
        sum.failed += atomic_load(&page->node[i].failed);
        sum.lost += atomic_load(&page->node[i].lost);
        sum.times_off += atomic_load(&page->node[i].times_off);
    }
    return sum;
}

static struct disturbance_table table_of(const struct can_page *page)
{
    return (struct disturbance_table){.first = (void *)&page->disturbance,
                                      .slot_size_B = sizeof page->disturbance[0],
                                      .count = CAN_DISTURBANCES_MAX};
}

enum status can_meddle_put(struct can_page *page, const struct can_disturbance *disturbance,
                           unsigned *slot)
{
    if (!can_disturbance_is_sound(disturbance))
        return STATUS_INVALID;
    const struct disturbance_table table = table_of(page);
    const int i = disturbance_free(&table);
    if (i < 0)
        return STATUS_FULL;
    struct can_disturbance_slot *free = &page->disturbance[i];
    free->what = *disturbance;
    free->before = can_meddle_trouble(page);
    disturbance_begin(&free->entry, disturbance->tag, &page->disturbances);
    *slot = (unsigned)i;
    return STATUS_OK;
}

enum status can_meddle_take(struct can_page *page, unsigned slot)
{
    if (slot >= CAN_DISTURBANCES_MAX)
        return STATUS_NOT_FOUND;
    return disturbance_take(&page->disturbance[slot].entry);
}

int can_meddle_find(const struct can_page *page, uint64_t tag)
{
    const struct disturbance_table table = table_of(page);
    return disturbance_find(&table, tag);
}

struct can_disturbance_count can_meddle_count(const struct can_page *page, unsigned slot)
{
    if (slot >= CAN_DISTURBANCES_MAX)
        return (struct can_disturbance_count){0};
    const struct can_disturbance_slot *counted = &page->disturbance[slot];
    return (struct can_disturbance_count){.matched = atomic_load(&counted->entry.matched),
                                          .hit = atomic_load(&counted->entry.hit),
                                          .hit_when_taken =
                                              atomic_load(&counted->entry.hit_when_taken),
                                          .active = atomic_load(&counted->entry.active) != 0,
                                          .before = counted->before};
}

static void report_node(const struct can_node_status *status, struct can_node_report *node)
{
    memcpy(node->name, status->name, sizeof node->name);
    node->name[sizeof node->name - 1] = '\0';
    node->transmit_errors = atomic_load(&status->transmit_errors);
    node->receive_errors = atomic_load(&status->receive_errors);
    node->state = atomic_load(&status->state);
    node->times_off = atomic_load(&status->times_off);
    node->sent = atomic_load(&status->sent);
    node->received = atomic_load(&status->received);
    node->failed = atomic_load(&status->failed);
    node->lost = atomic_load(&status->lost);
}

void can_meddle_report(const struct can_page *page, struct can_bus_report *report)
{
    const uint32_t count = atomic_load(&page->node_count);
    *report = (struct can_bus_report){
        .frames = atomic_load(&page->frames),
        .error_frames = atomic_load(&page->error_frames),
        .busy_ns = atomic_load(&page->busy_ns),
        .time_ns = atomic_load(&page->time_ns),
        .node_count = count < CAN_BUS_NODES_TOTAL_MAX ? count : CAN_BUS_NODES_TOTAL_MAX,
    };
    for (unsigned i = 0; i < report->node_count; i++)
        report_node(&page->node[i], &report->node[i]);
}

int can_meddle_node(const struct can_page *page, const char *name)
{
    const uint32_t count = atomic_load(&page->node_count);
    for (uint32_t i = 0; i < count && i < CAN_BUS_NODES_TOTAL_MAX; i++)
        if (strncmp(page->node[i].name, name, sizeof page->node[i].name) == 0)
            return (int)i;
    return -1;
}
