#include "faults/asking.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#define PPM 1e6
#define NS_PER_S 1e9

double asking_number(const struct fault_asked *asked, const char *key, double neutral)
{
    return fault_find(asked, key) == NULL ? neutral : fault_number(asked, key);
}

static struct tampering begin(const struct fault_asked *asked)
{
    return (struct tampering){.tag = asked->tag,
                              .kind = ((const struct asking *)asked->own)->kind,
                              .share_ppm = (uint32_t)(asking_number(asked, "share", 1) * PPM),
                              .burst = (uint32_t)asking_number(asked, "burst", 1),
                              .most = (uint32_t)asking_number(asked, "limit", 0),
                              .amount = (uint32_t)asking_number(asked, "amount", 0),
                              .value = asking_number(asked, "value", 0),
                              .delay_ns = (int64_t)(asking_number(asked, "delay_s", 0) * NS_PER_S),
                              .seed = strtoull(fault_text(asked, "seed"), NULL, 10)};
}

static enum fault_exit apply_to(const struct fault_asked *asked, struct tamper_page *page)
{
    const struct asking *asking = asked->own;
    struct tampering what = begin(asked);
    unsigned slot;
    if (!asking->describe(asked, &what))
        return FAULT_CALLED_WRONGLY;
    const enum status status = tamper_put(page, &what, &slot);
    if (status == STATUS_INVALID) {
        fprintf(stderr, "%s: these parameters make no sense together\n", asked->kind);
        return FAULT_CALLED_WRONGLY;
    }
    const bool stands = status == STATUS_OK && tamper_count(page, slot).active;
    fault_prove(stands, 0, stands ? "asked for" : "the page is full");
    return FAULT_DONE;
}

static enum fault_exit effect_on(const struct fault_asked *asked, struct tamper_page *page)
{
    const struct tampering_count count =
        tamper_count(page, (unsigned)tamper_find(page, asked->tag));
    fault_prove(count.hit > 0, 0, "acted on %" PRIu64, count.hit);
    return FAULT_DONE;
}

static enum fault_exit undo_on(const struct fault_asked *asked, struct tamper_page *page)
{
    const int slot = tamper_find(page, asked->tag);
    const bool out = slot >= 0 && tamper_take(page, (unsigned)slot) == STATUS_OK;
    fault_prove(out, 0, out ? "no longer asked for" : "it was not there");
    return FAULT_DONE;
}

static enum fault_exit settled_on(const struct fault_asked *asked, struct tamper_page *page)
{
    const int slot = tamper_find(page, asked->tag);
    const struct tampering_count count = tamper_count(page, (unsigned)slot);
    fault_prove(slot >= 0 && !count.active && count.hit == count.hit_when_taken, 0,
                "acted on %" PRIu64 " when it was taken out, on %" PRIu64 " now",
                count.hit_when_taken, count.hit);
    return FAULT_DONE;
}

// ---- the actions -------------------------------------------------------------------------------

static enum fault_exit with_page(const struct fault_asked *asked,
                                 enum fault_exit (*act)(const struct fault_asked *asked,
                                                        struct tamper_page *page))
{
    struct tamper_page *page;
    const char *name = ((const struct asking *)asked->own)->page(asked);
    const enum status status = tamper_open(asked->cell, name, &page);
    if (status != STATUS_OK) {
        fprintf(stderr, "%s: nobody there who could be asked: %s\n", name, status_text(status));
        return FAULT_FAILED;
    }
    const enum fault_exit code = act(asked, page);
    tamper_close(page);
    return code;
}

enum fault_exit asking_apply(const struct fault_asked *asked)
{
    return with_page(asked, apply_to);
}

enum fault_exit asking_effect(const struct fault_asked *asked)
{
    return with_page(asked, effect_on);
}

enum fault_exit asking_undo(const struct fault_asked *asked)
{
    return with_page(asked, undo_on);
}

enum fault_exit asking_settled(const struct fault_asked *asked)
{
    return with_page(asked, settled_on);
}
