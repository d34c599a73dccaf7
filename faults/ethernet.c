// Faults of a network: puts disturbances into it and proves from its counters what they did.
//
//   ethernet apply|effect|undo|settled KIND network=NAME tag=N seed=N [key=value...]
//
// Parameters: faults/ethernet.yaml. apply: the disturbance stands in the network's table. effect:
// it has acted. undo: it is out. settled: it has not acted since.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "ethernet/disturbance.h"
#include "faults/fault_main.h"

#define PPM 1e6
#define NS_PER_S 1e9

// Number of what `key` names, ETH_ANY if this kind has no such parameter. False: there is no such
// thing, and that was said.
static bool find(const struct fault_asked *asked, const struct eth_page *page, const char *key,
                 int (*number_of)(const struct eth_page *page, const char *name), uint32_t *number)
{
    const char *name = fault_find(asked, key);
    *number = ETH_ANY;
    if (name == NULL || strcmp(name, "any") == 0)
        return true;
    const int found = number_of(page, name);
    if (found < 0)
        fprintf(stderr, "%s=%s: the network has none of that name\n", key, name);
    *number = (uint32_t)found;
    return found >= 0;
}

static bool describe(const struct fault_asked *asked, const struct eth_page *page,
                     struct eth_disturbance *what)
{
    *what = (struct eth_disturbance){
        .kind = *(const enum eth_disturbance_kind *)asked->own,
        .share_ppm = (uint32_t)(fault_number_or(asked, "share", 1) * PPM),
        .byte = (uint32_t)fault_number_or(asked, "byte", 0),
        .mask = (uint32_t)fault_number_or(asked, "mask", 0),
        .delay_ns = (int64_t)(fault_number_or(asked, "delay_s", 0) * NS_PER_S),
        .seed = strtoull(fault_text(asked, "seed"), NULL, 10),
        .tag = asked->tag,
    };
    return find(asked, page, "cable", eth_meddle_cable, &what->cable) &&
           find(asked, page, "other_cable", eth_meddle_cable, &what->other) &&
           find(asked, page, "host", eth_meddle_host, &what->host);
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    struct eth_page *page = asked->place;
    struct eth_disturbance what;
    struct eth_disturbance_count count;
    if (!describe(asked, page, &what))
        return FAULT_CALLED_WRONGLY;
    const enum status status = eth_meddle_put(page, &what);
    if (status == STATUS_INVALID)
        return fault_no_sense(asked);
    if (status == STATUS_UNSUPPORTED) {
        fprintf(stderr, "the kernel's interfaces send no frame without a header; "
                        "--ethernet embedded has such frames\n");
        return FAULT_UNSUPPORTED;
    }
    const bool stands =
        status == STATUS_OK && eth_meddle_count(page, asked->tag, &count) && count.active;
    fault_prove(stands, 0, stands ? "in the network's table" : "the network's table is full");
    return FAULT_DONE;
}

static enum fault_exit effect(const struct fault_asked *asked)
{
    struct eth_page *page = asked->place;
    struct eth_disturbance_count count;
    const bool found = eth_meddle_count(page, asked->tag, &count);
    fault_prove(found && count.hit > 0, 0, "acted on %" PRIu64 " of %" PRIu64, count.hit,
                count.matched);
    return FAULT_DONE;
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    struct eth_page *page = asked->place;
    struct eth_disturbance_count count;
    const bool out = eth_meddle_take(page, asked->tag) == STATUS_OK &&
                     eth_meddle_count(page, asked->tag, &count) && !count.active;
    fault_prove(out, 0, out ? "out of the network's table" : "it was not there");
    return FAULT_DONE;
}

static enum fault_exit settled(const struct fault_asked *asked)
{
    struct eth_page *page = asked->place;
    struct eth_disturbance_count count;
    const bool found = eth_meddle_count(page, asked->tag, &count);
    return fault_prove_settled(found && !count.active, count.hit_when_taken, count.hit);
}

// ---- the table ----------------------------------------------------------------------------------

static void *open_place(const struct fault_asked *asked)
{
    struct eth_page *page;
    const char *name = fault_text(asked, "network");
    const enum status status = eth_meddle_open(asked->cell, name, &page);
    if (status == STATUS_OK)
        return page;
    fprintf(stderr, "network=%s: %s\n", name, status_text(status));
    return NULL;
}

static void close_place(void *place)
{
    eth_meddle_close(place);
}

#define ENTRY(name, disturbance)                                                                   \
    {                                                                                              \
        name, apply, undo, effect, settled, &(const enum eth_disturbance_kind)                     \
        {                                                                                          \
            disturbance                                                                            \
        }                                                                                          \
    }

static const struct fault_entry entries[] = {
    ENTRY("ethernet-loss", ETH_DISTURB_LOSE),
    ENTRY("ethernet-corruption", ETH_DISTURB_CORRUPT),
    ENTRY("ethernet-payload", ETH_DISTURB_PAYLOAD),
    ENTRY("ethernet-stuck", ETH_DISTURB_STICK),
    ENTRY("ethernet-delay", ETH_DISTURB_DELAY),
    ENTRY("ethernet-reordering", ETH_DISTURB_REORDER),
    ENTRY("ethernet-duplication", ETH_DISTURB_DUPLICATE),
    ENTRY("ethernet-spoof", ETH_DISTURB_SPOOF),
    ENTRY("cable-cut", ETH_DISTURB_CUT),
    ENTRY("cable-cut-one-way", ETH_DISTURB_ONE_WAY),
    ENTRY("cable-flapping", ETH_DISTURB_FLAP),
    ENTRY("cables-swapped", ETH_DISTURB_SWAP),
    ENTRY("node-dead", ETH_DISTURB_DEAD),
    ENTRY("relay-stalled", ETH_DISTURB_STALL),
    ENTRY("relay-slow", ETH_DISTURB_SLOW),
    ENTRY("babbling-node", ETH_DISTURB_BABBLE),
    ENTRY("ethernet-stranger", ETH_DISTURB_STRANGER),
    ENTRY("oversize-frames", ETH_DISTURB_OVERSIZE),
    ENTRY("runt-frames", ETH_DISTURB_RUNT),
    ENTRY("hub-without-table", ETH_DISTURB_FLOOD),
    {0},
};

int main(int argc, char **argv)
{
    static const struct fault_place place = {open_place, close_place};
    return fault_main_at(argc, argv, FAULT_NEEDS_CELL, entries, &place);
}
