// Faults of a channel: asks the channel's interposer for them, and tells what it counted. The lab
// compares, by itself, what the writer put with what the readers got.
//
//   channel apply|effect|undo|settled KIND channel=NAME tag=N seed=N [key=value...]
//
// The parameters are those of faults/channel.yaml; the lab writes a field as OFFSET:WIDTH in bytes.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>

#include "channel/tamper.h"
#include "faults/fault_main.h"

#define PPM 1e6
#define NS_PER_S 1e9

// A number of the call, or what makes no difference if this kind of fault has none.
static double number_or(const struct fault_asked *asked, const char *key, double neutral)
{
    return fault_find(asked, key) == NULL ? neutral : fault_number(asked, key);
}

static bool describe(const struct fault_asked *asked, struct tampering *what)
{
    *what = (struct tampering){.tag = asked->tag,
                               .kind = *(const enum tampering_kind *)asked->own,
                               .share_ppm = (uint32_t)(number_or(asked, "share", 1) * PPM),
                               .burst = (uint32_t)number_or(asked, "burst", 1),
                               .most = (uint32_t)number_or(asked, "limit", 0),
                               .amount = (uint32_t)number_or(asked, "amount", 0),
                               .value = number_or(asked, "value", 0),
                               .delay_ns = (int64_t)(number_or(asked, "delay_s", 0) * NS_PER_S)};
    what->seed = strtoull(fault_text(asked, "seed"), NULL, 10);
    const char *field = fault_find(asked, "field");
    if (field == NULL ||
        sscanf(field, "%" SCNu32 ":%" SCNu32, &what->field_offset_B, &what->field_width_B) == 2)
        return true;
    fprintf(stderr, "field=%s: not OFFSET:WIDTH\n", field);
    return false;
}

static enum fault_exit apply_to(const struct fault_asked *asked, struct tamper_page *page)
{
    struct tampering what;
    unsigned slot;
    if (!describe(asked, &what))
        return FAULT_CALLED_WRONGLY;
    const enum status status = tamper_put(page, &what, &slot);
    if (status == STATUS_INVALID) {
        fprintf(stderr, "%s: these parameters make no sense together\n", asked->kind);
        return FAULT_CALLED_WRONGLY;
    }
    const bool stands = status == STATUS_OK && tamper_count(page, slot).active;
    fault_prove(stands, 0, stands ? "asked of the interposer" : "the interposer's table is full");
    return FAULT_DONE;
}

static enum fault_exit effect_on(const struct fault_asked *asked, struct tamper_page *page)
{
    const struct tampering_count count =
        tamper_count(page, (unsigned)tamper_find(page, asked->tag));
    fault_prove(count.hit > 0, 0, "acted on %" PRIu64 " frames", count.hit);
    return FAULT_DONE;
}

static enum fault_exit undo_on(const struct fault_asked *asked, struct tamper_page *page)
{
    const int slot = tamper_find(page, asked->tag);
    const bool out = slot >= 0 && tamper_take(page, (unsigned)slot) == STATUS_OK;
    fault_prove(out, 0, out ? "no longer asked of the interposer" : "it was not there");
    return FAULT_DONE;
}

static enum fault_exit settled_on(const struct fault_asked *asked, struct tamper_page *page)
{
    const int slot = tamper_find(page, asked->tag);
    const struct tampering_count count = tamper_count(page, (unsigned)slot);
    fault_prove(slot >= 0 && !count.active && count.hit == count.hit_when_taken, 0,
                "acted on %" PRIu64 " frames when it was taken out, on %" PRIu64 " now",
                count.hit_when_taken, count.hit);
    return FAULT_DONE;
}

// ---- the table ----------------------------------------------------------------------------------

static enum fault_exit with_page(const struct fault_asked *asked,
                                 enum fault_exit (*act)(const struct fault_asked *asked,
                                                        struct tamper_page *page))
{
    struct tamper_page *page;
    const char *channel = fault_text(asked, "channel");
    const enum status status = tamper_open(asked->cell, channel, &page);
    if (status != STATUS_OK) {
        fprintf(stderr, "channel=%s: has no interposer: %s\n", channel, status_text(status));
        return FAULT_FAILED;
    }
    const enum fault_exit code = act(asked, page);
    tamper_close(page);
    return code;
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    return with_page(asked, apply_to);
}

static enum fault_exit effect(const struct fault_asked *asked)
{
    return with_page(asked, effect_on);
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    return with_page(asked, undo_on);
}

static enum fault_exit settled(const struct fault_asked *asked)
{
    return with_page(asked, settled_on);
}

#define ENTRY(name, kind)                                                                          \
    {                                                                                              \
        name, apply, undo, effect, settled, &(const enum tampering_kind)                           \
        {                                                                                          \
            kind                                                                                   \
        }                                                                                          \
    }

static const struct fault_entry entries[] = {
    ENTRY("channel-drop", TAMPER_DROP),
    ENTRY("channel-delay", TAMPER_DELAY),
    ENTRY("channel-duplication", TAMPER_DUPLICATE),
    ENTRY("channel-reordering", TAMPER_REORDER),
    ENTRY("channel-freeze", TAMPER_FREEZE),
    ENTRY("channel-corruption", TAMPER_CORRUPT),
    ENTRY("channel-truncation", TAMPER_TRUNCATE),
    ENTRY("channel-nan", TAMPER_SET),
    ENTRY("wrong-writer", TAMPER_FORGE),
    {0},
};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
