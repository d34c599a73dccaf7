// Faults of the hose in a robot's hand: tells the simulated world, and looks at what that says is
// true.
//
//   hose apply|effect|undo|settled KIND tag=N [times=X] [force_n=X]
//
// The parameters are those of faults/hose.yaml.
#include <math.h>
#include <stdio.h>

#include "faults/fault_main.h"
#include "faults/world.h"
#include "message/message.h"

struct own {
    enum hose_change change;
    double usual; // value when it is undone
};

static bool truth(const struct fault_asked *asked, struct hose_message *hose)
{
    bool told;
    if (!world_look(asked, "hose", hose, sizeof *hose, &told))
        return false;
    if (!told)
        fputs("channel hose: the world has said nothing\n", stderr);
    return told;
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
    const struct hose_change_message message = {.id = world_mark(asked, undo),
                                                .kind = own->change,
                                                .value = undo ? own->usual : wanted(asked)};
    struct hose_message now;
    if (!truth(asked, &now) ||
        !world_tell(asked, "hose-change", &message, sizeof message, now.time))
        return FAULT_FAILED;
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
    if (!truth(asked, &now))
        return FAULT_FAILED;
    const double value = undone ? own->usual : wanted(asked);
    const bool shown = own->change == HOSE_CHANGE_SNAG     ? now.snagged == !undone
                       : own->change == HOSE_CHANGE_SLIP   ? (now.held == 0) == !undone
                       : own->change == HOSE_CHANGE_PULL   ? (now.tail_N > 0) == !undone
                       : own->change == HOSE_CHANGE_WEIGHT ? fabs(now.weight - value) < 1e-9
                                                           : fabs(now.roughness - value) < 1e-9;
    fault_prove(shown && now.change_id == world_mark(asked, undone), 0,
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
