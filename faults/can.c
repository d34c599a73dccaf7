// Faults of a CAN bus: puts disturbances into it and proves from its counters what they did.
//
//   can apply|effect|undo|settled KIND bus=NAME tag=N seed=N [key=value...]       parameters:
//   faults/can.yaml
//
// apply: the disturbance stands in the bus's table. effect: it has acted, and the controllers' own
// counters say so where they can. undo: it is out. settled: it has not acted since.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "can/disturbance.h"
#include "faults/fault_main.h"

#define PPM 1e6
#define NS_PER_S 1e9
#define ALL_IDS (-1)
#define ID_MASK 0x7FFu

static bool find_node(const struct fault_asked *asked, struct can_page *page, uint32_t *node)
{
    const char *name = fault_find(asked, "board");
    *node = CAN_DISTURB_ANY_NODE;
    if (name == NULL || strcmp(name, "any") == 0)
        return true;
    const int found = can_meddle_node(page, name);
    if (found < 0)
        fprintf(stderr, "board=%s: there is no such node on this bus\n", name);
    *node = (uint32_t)found;
    return found >= 0;
}

static uint32_t kind_of(const struct fault_asked *asked)
{
    return *(const enum can_disturbance_kind *)asked->own;
}

static bool describe(const struct fault_asked *asked, struct can_page *page,
                     struct can_disturbance *what)
{
    *what = (struct can_disturbance){.tag = asked->tag, .kind = kind_of(asked)};
    const double id = fault_number_or(asked, "id", ALL_IDS);
    const bool flood = what->kind == CAN_DISTURB_FLOOD;
    if (!flood && id > ALL_IDS) {
        what->id = (uint32_t)id;
        what->id_mask = ID_MASK;
    }
    what->other_id = (uint32_t)(flood ? id : fault_number_or(asked, "other_id", 0));
    what->share_ppm = (uint32_t)(fault_number_or(asked, "share", 1) * PPM);
    what->burst = (uint32_t)fault_number_or(asked, "burst", 1);
    what->first_B = (uint32_t)fault_number_or(asked, "first_byte", 0);
    what->width_B = (uint32_t)fault_number_or(asked, "bytes", 1);
    what->value =
        (int64_t)(what->kind == CAN_DISTURB_PAYLOAD ? fault_number_or(asked, "mask", 0)
                                                    : fault_number_or(asked, "offset", 0));
    what->delay_ns =
        (int64_t)(fault_number_or(asked, flood ? "period_s" : "delay_s", 0) * NS_PER_S);
    what->seed = strtoull(fault_text(asked, "seed"), NULL, 10);
    return find_node(asked, page, &what->node);
}

// ---- what the controllers say -------------------------------------------------------------------

// Whether the bus's own counters agree with a disturbance of this kind having acted; kinds that
// leave no trace in them agree always.
static bool counters_agree(uint32_t kind, const struct can_trouble *since)
{
    switch (can_disturbance_traits[kind].trace) {
    case CAN_TRACE_LOST:
        return since->lost > 0;
    case CAN_TRACE_FAILED:
        return since->failed > 0;
    case CAN_TRACE_OFF:
        return since->times_off > 0;
    case CAN_TRACE_NONE:
        break;
    }
    return true;
}

// ---- the actions --------------------------------------------------------------------------------

static enum fault_exit apply(const struct fault_asked *asked)
{
    struct can_page *page = asked->place;
    struct can_disturbance what;
    unsigned slot;
    if (!describe(asked, page, &what))
        return FAULT_CALLED_WRONGLY;
    const enum status status = can_meddle_put(page, &what, &slot);
    if (status == STATUS_INVALID)
        return fault_no_sense(asked);
    const bool stands = status == STATUS_OK && can_meddle_find(page, asked->tag) == (int)slot &&
                        can_meddle_count(page, slot).active;
    fault_prove(stands, 0, stands ? "in the bus's table" : "the bus's table is full");
    return FAULT_DONE;
}

static enum fault_exit effect(const struct fault_asked *asked)
{
    struct can_page *page = asked->place;
    const int slot = can_meddle_find(page, asked->tag);
    const struct can_disturbance_count count = can_meddle_count(page, (unsigned)slot);
    const struct can_trouble now = can_meddle_trouble(page);
    const struct can_trouble since = {.failed = now.failed - count.before.failed,
                                      .lost = now.lost - count.before.lost,
                                      .times_off = now.times_off - count.before.times_off};
    fault_prove(slot >= 0 && count.hit > 0 && counters_agree(kind_of(asked), &since), 0,
                "acted on %" PRIu64 " of %" PRIu64 "; since then the nodes counted %" PRIu64
                " failed, %" PRIu64 " lost, %" PRIu64 " bus-off",
                count.hit, count.matched, since.failed, since.lost, since.times_off);
    return FAULT_DONE;
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    struct can_page *page = asked->place;
    const int slot = can_meddle_find(page, asked->tag);
    const bool out = slot >= 0 && can_meddle_take(page, (unsigned)slot) == STATUS_OK &&
                     !can_meddle_count(page, (unsigned)slot).active;
    fault_prove(out, 0, out ? "out of the bus's table" : "it was not there");
    return FAULT_DONE;
}

static enum fault_exit settled(const struct fault_asked *asked)
{
    struct can_page *page = asked->place;
    const int slot = can_meddle_find(page, asked->tag);
    const struct can_disturbance_count count = can_meddle_count(page, (unsigned)slot);
    return fault_prove_settled(slot >= 0 && !count.active, count.hit_when_taken, count.hit);
}

// ---- the table ----------------------------------------------------------------------------------

static void *open_place(const struct fault_asked *asked)
{
    struct can_page *page;
    const char *name = fault_text(asked, "bus");
    const enum status status = can_meddle_open(asked->cell, name, &page);
    if (status == STATUS_OK)
        return page;
    fprintf(stderr, "bus=%s: %s\n", name, status_text(status));
    return NULL;
}

static void close_place(void *place)
{
    can_meddle_close(place);
}

#define ENTRY(kind, name, where, change, trace)                                                    \
    {name, apply, undo, effect, settled, &(const enum can_disturbance_kind){CAN_DISTURB_##kind}},
static const struct fault_entry entries[] = {CAN_DISTURBANCE_LIST(ENTRY){0}};
#undef ENTRY

int main(int argc, char **argv)
{
    static const struct fault_place place = {open_place, close_place};
    return fault_main_at(argc, argv, FAULT_NEEDS_CELL, entries, &place);
}
