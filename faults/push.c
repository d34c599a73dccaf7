// Somebody who pushes a simulated robot: tells the simulated world, and looks at what that says is
// true.
//
//   push apply|effect|undo|settled push tag=N force_n=X direction_deg=X body=NAME
//
// The parameters are those of faults/push.yaml.
#include <math.h>
#include <stdio.h>

#include "faults/fault_main.h"
#include "faults/world.h"
#include "message/message.h"

static enum fault_exit change(const struct fault_asked *asked, double force_N)
{
    struct push_change_message message = {.id = world_mark(asked, force_N == 0),
                                          .force_N = force_N,
                                          .direction_rad =
                                              fault_number(asked, "direction_deg") * M_PI / 180};
    const char *const body = fault_text(asked, "body");
    const int length = snprintf(message.body, sizeof message.body, "%s", body);
    if (length <= 0 || length >= (int)sizeof message.body) {
        fprintf(stderr, "body=%s: is not the name of a body; write for example body=torso\n", body);
        return FAULT_CALLED_WRONGLY;
    }
    if (!world_tell(asked, "push-change", &message, sizeof message, instant_ns(0)))
        return FAULT_FAILED;
    fault_prove(true, 0, "the world is told of %g N on %s", force_N, body);
    return FAULT_DONE;
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    return change(asked, fault_number(asked, "force_n"));
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    return change(asked, 0);
}

// Whether the world shows it, and that it is this fault's.
static enum fault_exit look(const struct fault_asked *asked, bool undone)
{
    struct push_message now;
    bool told;
    if (!world_look(asked, "push", &now, sizeof now, &told))
        return FAULT_FAILED;
    if (!told) {
        fault_prove(false, 0, "the world has not said that anybody pushes");
        return FAULT_DONE;
    }
    const double wanted_N = undone ? 0 : fault_number(asked, "force_n");
    fault_prove(
        now.force_N == wanted_N && now.refused == 0 && now.change_id == world_mark(asked, undone),
        0, "pushes with %.0f N; %.1f Ns so far; %llu refused", now.force_N,
        hypot(now.impulse_world_Ns[0], now.impulse_world_Ns[1]), (unsigned long long)now.refused);
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

static const struct fault_entry entries[] = {{"push", apply, undo, effect, settled, NULL}, {0}};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
