// Asks the target's channels whether what the catalogue says of a fault is so.
#include "harness/packs/watch.h"
#include "harness/trial/look/look.h"

#include <stdio.h>

static const char *doubt_world(const struct look *look)
{
    const char *formula = look->call->kind->holds;
    const enum fault_action action = look->call->action;
    double robustness;
    if (action != FAULT_ACTION_EFFECT && action != FAULT_ACTION_SETTLED)
        return NULL;
    if (!watch_formula(look->watch, formula, &robustness))
        return "but the world does not say whether it is so";
    snprintf(look->seen, look->seen_size, "%s by %.3g", formula, robustness);
    if (action == FAULT_ACTION_EFFECT)
        return robustness > 0 ? NULL : "but the world does not show it";
    return robustness > 0 ? "but the world still shows it" : NULL;
}

const struct looker look_world = {.doubt = doubt_world, .reads_history = true};
