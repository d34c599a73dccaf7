#include "faults/asking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PPM 1e6
#define NS_PER_S 1e9

static struct tampering begin(const struct fault_asked *asked)
{
    return (struct tampering){.tag = asked->tag,
                              .kind = ((const struct asking *)asked->own)->kind,
                              .share_ppm = (uint32_t)(fault_number_or(asked, "share", 1) * PPM),
                              .burst = (uint32_t)fault_number_or(asked, "burst", 1),
                              .most = (uint32_t)fault_number_or(asked, "limit", 0),
                              .amount = (uint32_t)fault_number_or(asked, "amount", 0),
                              .value = fault_number_or(asked, "value", 0),
                              .delay_ns =
                                  (int64_t)(fault_number_or(asked, "delay_s", 0) * NS_PER_S),
                              .seed = strtoull(fault_text(asked, "seed"), NULL, 10)};
}

enum fault_exit asking_apply(const struct fault_asked *asked)
{
    struct tamper_page *page = asked->place;
    const struct asking *asking = asked->own;
    struct tampering what = begin(asked);
    unsigned slot;
    if (!asking->describe(asked, &what))
        return FAULT_CALLED_WRONGLY;
    const enum status status = tamper_put(page, &what, &slot);
    if (status == STATUS_INVALID)
        return fault_no_sense(asked);
    const bool stands = status == STATUS_OK && tamper_count(page, slot).active;
    fault_prove(stands, 0, stands ? "asked for" : "the page is full");
    return FAULT_DONE;
}

enum fault_exit asking_effect(const struct fault_asked *asked)
{
    struct tamper_page *page = asked->place;
    const struct tampering_count count =
        tamper_count(page, (unsigned)tamper_find(page, asked->tag));
    fault_prove(count.hit > 0, 0, "acted on %" PRIu64, count.hit);
    return FAULT_DONE;
}

enum fault_exit asking_undo(const struct fault_asked *asked)
{
    struct tamper_page *page = asked->place;
    const int slot = tamper_find(page, asked->tag);
    const bool out = slot >= 0 && tamper_take(page, (unsigned)slot) == STATUS_OK;
    fault_prove(out, 0, out ? "no longer asked for" : "it was not there");
    return FAULT_DONE;
}

enum fault_exit asking_settled(const struct fault_asked *asked)
{
    struct tamper_page *page = asked->place;
    const int slot = tamper_find(page, asked->tag);
    const struct tampering_count count = tamper_count(page, (unsigned)slot);
    return fault_prove_settled(slot >= 0 && !count.active, count.hit_when_taken, count.hit);
}

static void *open_page(const struct fault_asked *asked)
{
    struct tamper_page *page;
    const char *name = ((const struct asking *)asked->own)->page(asked);
    const enum status status = tamper_open(asked->cell, name, &page);
    if (status == STATUS_OK)
        return page;
    fprintf(stderr, "%s: nobody answers there: %s\n", name, status_text(status));
    return NULL;
}

static void close_page(void *place)
{
    tamper_close(place);
}

int asking_main(int argc, char **argv, const struct fault_entry *entries)
{
    static const struct fault_place place = {open_page, close_page};
    return fault_main_at(argc, argv, FAULT_NEEDS_CELL, entries, &place);
}
