// Faults of the simulated world, of any kind: tells the world what begins or ends, and looks at
// what it measures of that.
//
//   world_fault apply|effect|undo|settled KIND tag=N body=NAME key=value...
//
// The kinds and their parameters are those of plant/scenery/world_fault_list.h and
// faults/world.yaml.
#include <math.h>
#include <stdio.h>

#include "faults/fault_main.h"
#include "faults/world.h"
#include "message/message.h"
#include "plant/scenery/world_fault_list.h"

#define SHOWN_CLOSE 1e-6 // of the value that is asked for

struct kind {
    enum world_fault_kind number;
    const char *parameter[WORLD_FAULT_VALUES_MAX]; // names; NULL: no more
};

static enum fault_exit change(const struct fault_asked *asked, bool acts)
{
    const struct kind *kind = asked->own;
    const char *const body = fault_text(asked, "body");
    struct world_change_message message = {
        .id = world_mark(asked, !acts), .kind = kind->number, .acts = acts};
    const int length = snprintf(message.body, sizeof message.body, "%s", body);
    if (length <= 0 || length >= (int)sizeof message.body) {
        fprintf(stderr, "body=%s: is not the name of a body; write for example body=torso\n", body);
        return FAULT_CALLED_WRONGLY;
    }
    for (unsigned i = 0; i < WORLD_FAULT_VALUES_MAX && kind->parameter[i] != NULL; i++)
        message.value[i] = fault_number(asked, kind->parameter[i]);
    if (!world_tell(asked, "world-change", &message, sizeof message, instant_ns(0)))
        return FAULT_FAILED;
    fault_prove(true, 0, "the world is told %s on %s, %s %g",
                acts ? "that it begins" : "of its end", body, kind->parameter[0], message.value[0]);
    return FAULT_DONE;
}

static enum fault_exit apply(const struct fault_asked *asked)
{
    return change(asked, true);
}

static enum fault_exit undo(const struct fault_asked *asked)
{
    return change(asked, false);
}

// Whether the world shows it, and that it is this fault's.
static enum fault_exit look(const struct fault_asked *asked, bool undone)
{
    const struct kind *kind = asked->own;
    struct world_fault_message now;
    bool told;
    if (!world_look(asked, "world-fault", &now, sizeof now, &told))
        return FAULT_FAILED;
    if (!told) {
        fault_prove(false, 0, "the world has not said that anything changed");
        return FAULT_DONE;
    }
    const double asked_for = fault_number(asked, kind->parameter[0]),
                 wanted = undone ? 0 : asked_for;
    const double shown = now.shown[kind->number];
    fault_prove(fabs(shown - wanted) <= SHOWN_CLOSE * fabs(asked_for) && now.refused == 0 &&
                    now.change_id == world_mark(asked, undone),
                0, "the world shows %s %.3f; %llu refused", kind->parameter[0], shown,
                (unsigned long long)now.refused);
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

#define KIND(name, ...) static const struct kind of_##name = {WORLD_FAULT_##name, {__VA_ARGS__}};
WORLD_FAULTS(KIND)
#define ENTRY(name, ...) {#name, apply, undo, effect, settled, &of_##name},
static const struct fault_entry entries[] = {WORLD_FAULTS(ENTRY){0}};

int main(int argc, char **argv)
{
    return fault_main(argc, argv, FAULT_NEEDS_CELL, entries);
}
