// Looks how far apart the frames are that a process puts: one whose turn takes longer puts none
// meanwhile. That it takes its turns as before, once the fault is undone, is the program's to
// prove.
#include "harness/trial/look/look.h"

#include <stdio.h>

static duration silence_of(const struct look *look, instant since, instant till, bool usual)
{
    const bool none =
        since.ns == INSTANT_NEVER.ns || (usual && look_other_struck(look, since, till));
    return none ? DURATION_ZERO : instant_sub(till, since);
}

// The longest time without a frame of the process, from one instant to another; *lasts: it goes on
// at the end. `usual`: from its first frame on, and but for what other faults did to it.
static duration longest_silence(const struct look *look, instant since, instant till, bool usual,
                                bool *lasts)
{
    instant last = usual ? INSTANT_NEVER : since;
    duration longest = DURATION_ZERO;
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct event *event = history_event(look->history, i);
        if (instant_before(event->time, since) || !instant_before(event->time, till) ||
            !look_hears(look, event))
            continue;
        const duration silence = silence_of(look, last, event->time, usual);
        longest = silence.ns > longest.ns ? silence : longest;
        last = event->time;
    }
    const duration silence = silence_of(look, last, till, usual);
    *lasts = silence.ns > longest.ns;
    return *lasts ? silence : longest;
}

static const char *doubt_turns(const struct look *look)
{
    if (look_begins(look) || look->call->action != FAULT_ACTION_EFFECT)
        return NULL;
    const instant since = look->memory->applied, till = look_effect_till(look);
    const duration window = instant_sub(till, since);
    const instant before = instant_ns(time_difference_ns(since.ns, window.ns));
    bool lasts;
    const duration usual = longest_silence(look, before, since, true, &lasts);
    const duration silence = longest_silence(look, since, till, false, &lasts);
    // In real time the machine may have held it up before, too.
    const bool longer = look->mode == CLK_WALL || silence.ns > usual.ns;
    if (look->mode == CLK_VIRTUAL)
        snprintf(look->seen, look->seen_size, "no frame for %.6g s, before for %.6g s at most",
                 duration_to_s(silence), duration_to_s(usual));
    // The trial may end within the turn.
    const bool whole = silence.ns >= look_proves(look->call).ns ||
                       (look->last && lasts && till.ns == look->now.ns);
    return longer && whole ? NULL : "but its frames come as before";
}

// A turn that began while the fault acted takes longer all the same.
const struct looker look_turns = {
    .doubt = doubt_turns, .late = look_proves, .reads_history = true, .outlives_process = true};
