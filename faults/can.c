// Faults of a CAN bus: puts disturbances into it and proves from its counters what they did.
//
//   can apply|effect|undo|settled KIND bus=NAME tag=N seed=N [key=value...]       parameters: faults/can.yaml
//
// apply: the disturbance stands in the bus's table. effect: it has acted, and the controllers' own counters say so where they can.
// undo: it is out. settled: it has not acted since. Prints "proven=0|1 evidence=...". Exit status 0: it ran; 2: called wrongly; 3: the
// bus cannot be opened.
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "can/disturbance.h"
#include "faults/arguments.h"

#define PPM 1e6
#define NS_PER_S 1e9
#define ALL_IDS (-1)
#define ID_MASK 0x7FFu

struct call {
    struct arguments arguments;
    const char *kind;
    struct can_page *page;
    uint64_t tag;
};

// ---- the call -----------------------------------------------------------------------------------

static const struct {
    const char *name;
    enum can_disturbance_kind kind;
} kinds[] = {
    {"bus-loss", CAN_DISTURB_LOSE},
    {"bus-corruption", CAN_DISTURB_CORRUPT},
    {"payload-corruption", CAN_DISTURB_PAYLOAD},
    {"bus-delay", CAN_DISTURB_DELAY},
    {"bus-reordering", CAN_DISTURB_REORDER},
    {"bus-duplication", CAN_DISTURB_DUPLICATE},
    {"spoofed-reply", CAN_DISTURB_SPOOF},
    {"babbling-idiot", CAN_DISTURB_FLOOD},
    {"bus-cut", CAN_DISTURB_CUT},
    {"board-silent", CAN_DISTURB_MUTE},
    {"board-reset", CAN_DISTURB_RESET},
    {"encoder-stuck", CAN_DISTURB_STICK},
    {"encoder-offset", CAN_DISTURB_OFFSET},
    {"wrong-id", CAN_DISTURB_RENAME},
    {"bus-off", CAN_DISTURB_BUS_OFF},
    {"swapped-buses", CAN_DISTURB_SWAP},
};

static bool find_kind(const char *name, uint32_t *kind)
{
    for (size_t i = 0; i < sizeof kinds / sizeof kinds[0]; i++)
        if (strcmp(kinds[i].name, name) == 0) {
            *kind = kinds[i].kind;
            return true;
        }
    return false;
}

static uint64_t whole(const struct call *call, const char *key) // of 64 bits
{
    return strtoull(argument_text(&call->arguments, key), NULL, 10);
}

static bool find_node(const struct call *call, uint32_t *node)
{
    const char *name = argument_find(&call->arguments, "board");
    *node = CAN_DISTURB_ANY_NODE;
    if (name == NULL || strcmp(name, "any") == 0)
        return true;
    const int found = can_meddle_node(call->page, name);
    if (found < 0)
        fprintf(stderr, "board=%s: there is no such node on this bus\n", name);
    *node = (uint32_t)found;
    return found >= 0;
}

// A number of the call, or what makes no difference if this kind of fault has none.
static double number_or(const struct call *call, const char *key, double neutral)
{
    return argument_find(&call->arguments, key) == NULL ? neutral
                                                        : argument_number(&call->arguments, key);
}

static bool describe(const struct call *call, struct can_disturbance *what)
{
    *what = (struct can_disturbance){.tag = call->tag};
    if (!find_kind(call->kind, &what->kind)) {
        fprintf(stderr, "%s: no such fault of a bus\n", call->kind);
        return false;
    }
    const double id = number_or(call, "id", ALL_IDS);
    const bool flood = what->kind == CAN_DISTURB_FLOOD;
    if (!flood && id > ALL_IDS) {
        what->id = (uint32_t)id;
        what->id_mask = ID_MASK;
    }
    what->other_id = (uint32_t)(flood ? id : number_or(call, "other_id", 0));
    what->share_ppm = (uint32_t)(number_or(call, "share", 1) * PPM);
    what->burst = (uint32_t)number_or(call, "burst", 1);
    what->first_B = (uint32_t)number_or(call, "first_byte", 0);
    what->width_B = (uint32_t)number_or(call, "bytes", 1);
    what->value = (int64_t)(what->kind == CAN_DISTURB_PAYLOAD ? number_or(call, "mask", 0)
                                                              : number_or(call, "offset", 0));
    what->delay_ns = (int64_t)(number_or(call, flood ? "period_s" : "delay_s", 0) * NS_PER_S);
    what->seed = whole(call, "seed");
    return find_node(call, &what->node);
}

// ---- what the controllers say -------------------------------------------------------------------

// Whether the bus's own counters agree with a disturbance of this kind having acted; kinds that leave no trace in them agree always.
static bool counters_agree(uint32_t kind, const struct can_trouble *since)
{
    switch (kind) {
    case CAN_DISTURB_LOSE:
        return since->lost > 0;
    case CAN_DISTURB_CORRUPT:
        return since->failed > 0;
    case CAN_DISTURB_BUS_OFF:
        return since->times_off > 0;
    default:
        return true;
    }
}

// ---- the actions --------------------------------------------------------------------------------

static int apply(const struct call *call)
{
    struct can_disturbance what;
    unsigned slot;
    if (!describe(call, &what))
        return 2;
    const enum status status = can_meddle_put(call->page, &what, &slot);
    if (status == STATUS_INVALID) {
        fprintf(stderr, "%s: these parameters make no sense together\n", call->kind);
        return 2;
    }
    const bool stands = status == STATUS_OK &&
                        can_meddle_find(call->page, call->tag) == (int)slot &&
                        can_meddle_count(call->page, slot).active;
    printf("proven=%d evidence=%s\n", stands,
           stands ? "in the bus's table" : "the bus's table is full");
    return 0;
}

static int effect(const struct call *call)
{
    uint32_t kind = CAN_DISTURB_NONE;
    const int slot = can_meddle_find(call->page, call->tag);
    const struct can_disturbance_count count = can_meddle_count(call->page, (unsigned)slot);
    const struct can_trouble now = can_meddle_trouble(call->page);
    const struct can_trouble since = {.failed = now.failed - count.before.failed,
                                      .lost = now.lost - count.before.lost,
                                      .times_off = now.times_off - count.before.times_off};
    (void)find_kind(call->kind, &kind);
    const bool proven = slot >= 0 && count.hit > 0 && counters_agree(kind, &since);
    printf("proven=%d evidence=acted on %" PRIu64 " of %" PRIu64
           "; since then the nodes counted %" PRIu64 " failed, %" PRIu64 " lost, %" PRIu64
           " bus-off\n",
           proven, count.hit, count.matched, since.failed, since.lost, since.times_off);
    return 0;
}

static int undo(const struct call *call)
{
    const int slot = can_meddle_find(call->page, call->tag);
    const bool out = slot >= 0 && can_meddle_take(call->page, (unsigned)slot) == STATUS_OK &&
                     !can_meddle_count(call->page, (unsigned)slot).active;
    printf("proven=%d evidence=%s\n", out, out ? "out of the bus's table" : "it was not there");
    return 0;
}

static int settled(const struct call *call)
{
    const int slot = can_meddle_find(call->page, call->tag);
    const struct can_disturbance_count count = can_meddle_count(call->page, (unsigned)slot);
    const bool proven = slot >= 0 && !count.active && count.hit == count.hit_when_taken;
    printf("proven=%d evidence=acted on %" PRIu64 " when it was taken out, on %" PRIu64 " now\n",
           proven, count.hit_when_taken, count.hit);
    return 0;
}

static const struct {
    const char *name;
    int (*act)(const struct call *call);
} actions[] = {{"apply", apply}, {"effect", effect}, {"undo", undo}, {"settled", settled}};

int main(int argc, char **argv)
{
    const char *cell = getenv("UKEMI_CELL");
    if (argc < 3 || cell == NULL) {
        fprintf(stderr, "usage: UKEMI_CELL=FOLDER can apply|effect|undo|settled KIND bus=NAME "
                        "tag=N seed=N [key=value...]\n");
        return 2;
    }
    struct call call = {.arguments = {.count = argc - 3, .word = argv + 3}, .kind = argv[2]};
    call.tag = whole(&call, "tag");
    const char *bus = argument_text(&call.arguments, "bus");
    const enum status status = can_meddle_open(cell, bus, &call.page);
    if (status != STATUS_OK) {
        fprintf(stderr, "bus=%s: %s\n", bus, status_text(status));
        return 3;
    }
    for (size_t i = 0; i < sizeof actions / sizeof actions[0]; i++)
        if (strcmp(actions[i].name, argv[1]) == 0) {
            const int code = actions[i].act(&call);
            can_meddle_close(call.page);
            return code;
        }
    fprintf(stderr, "%s: not one of apply, effect, undo, settled\n", argv[1]);
    return 2;
}
