// Looks how far apart the frames are that a process puts: one whose turn takes longer puts none
// meanwhile. That it takes its turns as before, once the fault is undone, is the program's to
// prove.
#include "harness/trial/look/look.h"

#include <stdio.h>

// The longest time without a frame of the process, from one instant to another.
static duration longest_silence(const struct look *look, instant since, instant till)
{
    instant last = since;
    duration longest = DURATION_ZERO;
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct event *event = history_event(look->history, i);
        if (instant_before(event->time, since) || !instant_before(event->time, till) ||
            !look_hears(look, event))
            continue;
        const duration silence = instant_sub(event->time, last);
        longest = silence.ns > longest.ns ? silence : longest;
        last = event->time;
    }
    const duration silence = instant_sub(till, last);
    return silence.ns > longest.ns ? silence : longest;
}

static const char *doubt_turns(const struct look *look)
{
    if (look->call->action == FAULT_ACTION_APPLY)
        look->memory->since = look->now;
    if (look->call->action != FAULT_ACTION_EFFECT)
        return NULL;
    const instant since = look->memory->since;
    const duration window = instant_sub(look->now, since);
    const instant before = instant_ns(time_difference_ns(since.ns, window.ns));
    const duration usual = longest_silence(look, before, since);
    const duration silence = longest_silence(look, since, look->now);
    // In real time the machine may have held it up before, too.
    const bool longer = look->mode == CLK_WALL || silence.ns > usual.ns;
    if (look->mode == CLK_VIRTUAL)
        snprintf(look->seen, look->seen_size, "no frame for %.6g s, before for %.6g s at most",
                 duration_to_s(silence), duration_to_s(usual));
    return longer && silence.ns >= look_first_parameter(look->call).ns
               ? NULL
               : "but its frames come as before";
}

const struct looker look_turns = {
    .doubt = doubt_turns, .reads_history = true, .outlives_process = true};
