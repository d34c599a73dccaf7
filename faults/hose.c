// Faults of the hose in a robot's hand: tells the simulated world, and looks at what that says is
// true.
//
//   hose apply|effect|undo|settled KIND tag=N [times=X] [force_n=X]
//
// The parameters are those of faults/hose.yaml.
#include <math.h>
#include <stdio.h>

#include "channel/channel.h"
#include "faults/fault_main.h"
#include "message/message.h"

// Marks of the changes that one fault makes; a fault of the trial has its own tag.
static uint64_t mark(const struct fault_asked *asked, bool undone)
{
    return 2 * (uint64_t)asked->tag + 2 + undone;
}

struct own {
    enum hose_change change;
    double usual; // value when it is undone
};

static enum fault_exit refused(const char *channel, enum status status)
{
    fprintf(stderr, "channel %s: %s; the target's world has no hose\n", channel,
            status_text(status));
    return FAULT_FAILED;
}

static enum status truth(const struct fault_asked *asked, struct hose_message *hose)
{
    struct channel *channel;
    enum status status = channel_open_in(asked->cell, "hose", CHANNEL_READ, &channel);
    if (status != STATUS_OK)
        return status;
    status = channel_get(channel, hose, sizeof *hose, CHANNEL_LAST, NULL);
    channel_close(channel);
    return status == STATUS_MISSED ? STATUS_OK : status;
}

// Of a kind without a parameter: yes.
static double wanted(const struct fault_asked *asked)
{
    const char *const key = fault_find(asked, "times") != NULL ? "times" : "force_n";
    return fault_find(asked, key) != NULL ? fault_number(asked, key) : 1;
}

static enum fault_exit change(const struct fault_asked *asked, bool undo)
{
    const struct own *own = asked->own;
    const struct hose_change_message message = {
        .id = mark(asked, undo), .kind = own->change, .value = undo ? own->usual : wanted(asked)};
    struct hose_message now;
    struct channel *channel;
    enum status status = truth(asked, &now);
    if (status != STATUS_OK)
        return refused("hose", status);
    status = channel_open_in(asked->cell, "hose-change", CHANNEL_WRITE, &channel);
    if (status == STATUS_OK)
        status = channel_put(channel, &message, sizeof message, now.time);
    if (status != STATUS_OK)
        return refused("hose-change", status);
    channel_close(channel);
    fault_prove(true, 0, "the world is told; hose of %.2f kg, friction %.2f, held=%u", now.mass_kg,
                now.friction, now.held);
    return FAULT_DONE;
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    return change(asked, false);
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    return change(asked, true);
}

// Whether the world shows the change, and that it is this fault's.
static enum fault_exit look(const struct fault_asked *asked, bool undone)
{
    const struct own *own = asked->own;
    struct hose_message now;
    const enum status status = truth(asked, &now);
    if (status != STATUS_OK)
        return refused("hose", status);
    const double value = undone ? own->usual : wanted(asked);
    const bool shown = own->change == HOSE_CHANGE_SNAG     ? now.snagged == !undone
                       : own->change == HOSE_CHANGE_SLIP   ? (now.held == 0) == !undone
                       : own->change == HOSE_CHANGE_PULL   ? (now.tail_N > 0) == !undone
                       : own->change == HOSE_CHANGE_WEIGHT ? fabs(now.weight - value) < 1e-9
                                                           : fabs(now.roughness - value) < 1e-9;
    fault_prove(shown && now.change_id == mark(asked, undone), 0,
                "hose of %.2f kg, friction %.2f, held=%u, snagged=%u, pulls with %.0f N",
                now.mass_kg, now.friction, now.held, now.snagged, now.pull_N);
    return FAULT_DONE;
}

static enum fault_exit effect(const struct fault_asked *asked)
{
    return look(asked, false);
}

static enum fault_exit settled(const struct fault_asked *asked)
{
    return look(asked, true);
}

#define ENTRY(name, change, usual)                                                                 \
    {                                                                                              \
        name, apply, undo, effect, settled, &(const struct own)                                    \
        {                                                                                          \
            change, usual                                                                          \
        }                                                                                          \
    }

static const struct fault_entry entries[] = {
    ENTRY("hose-snag", HOSE_CHANGE_SNAG, 0),         ENTRY("hose-weight", HOSE_CHANGE_WEIGHT, 1),
    ENTRY("hose-friction", HOSE_CHANGE_FRICTION, 1), ENTRY("hose-slip", HOSE_CHANGE_SLIP, 0),
    ENTRY("hose-pull", HOSE_CHANGE_PULL, 0),         {0},
};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
