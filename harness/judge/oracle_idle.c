// A process that does nothing breaks no rule of those around it: each must be seen to do something,
// or stand in the scenario's `idle`.
//
// Seen is what the target's file says a process writes: its channels, taps and buses. One of which
// the file says nothing cannot be seen, and is not judged. Of one that can be, a line that it
// prints and a call that it makes will do, too: a tap may wait for lines that come seldom.
#include "harness/judge/oracles.h"
#include "message/io.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/scenario.h"

struct look { // at one process
    const struct analysis *analysis;
    const char *name;
    double ready_s;
    bool can_be_seen, seen;
};

static void look_at_topic(struct look *look, const char *topic)
{
    struct series series = {0};
    look->can_be_seen = true;
    if (look->seen || !series_collect(look->analysis->history, topic, 0, &series))
        return;
    for (size_t i = 0; i < series.count && !look->seen; i++)
        look->seen = instant_to_s(series.event[i]->time) >= look->ready_s;
    free(series.event);
}

static void look_at_bus(struct look *look, unsigned bus)
{
    const struct series *logs = &look->analysis->bus_log;
    look->can_be_seen = true;
    for (size_t i = 0; i < logs->count && !look->seen; i++) {
        const struct bus_log_message *log = logs->event[i]->data;
        for (size_t f = 0; f < bus_log_frames(logs->event[i]); f++)
            look->seen |= log->frame[f].bus == bus && log->frame[f].sender == BUS_LOG_HOST;
    }
}

static void look_at_lines(struct look *look)
{
    const struct history *history = look->analysis->history;
    const int output = history_topic(history, TOPIC_OUTPUT),
              io = history_topic(history, IO_CHANNEL);
    for (size_t i = 0; i < history_length(history) && !look->seen; i++) {
        const struct event *event = history_event(history, i);
        const char *who = "";
        if (event->topic == output)
            who = ((const struct output_event *)event->data)->process;
        else if (event->topic == io && event->size_B == sizeof(struct io_message))
            who = ((const struct io_message *)event->data)->participant;
        look->seen = strcmp(who, look->name) == 0 && instant_to_s(event->time) >= look->ready_s;
    }
}

static void look_at_all(struct look *look)
{
    const struct target *target = look->analysis->target;
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].writer, look->name) == 0 &&
            target->channel[i].message[0] != '\0')
            look_at_topic(look, target->channel[i].name);
    for (unsigned i = 0; i < target->tap_count; i++)
        if (strcmp(target->tap[i].writer, look->name) == 0)
            look_at_topic(look, target->tap[i].channel);
    for (unsigned i = 0; i < target->bus_count; i++)
        if (strcmp(target->bus[i].writer, look->name) == 0)
            look_at_bus(look, i);
    if (look->can_be_seen && !look->seen)
        look_at_lines(look);
}

static bool is_idle(const struct scenario *scenario, const char *process)
{
    for (unsigned i = 0; i < scenario->idle_count; i++)
        if (strcmp(scenario->idle[i], process) == 0)
            return true;
    return false;
}

void oracle_idle(const struct analysis *a, struct oracle_verdict *verdict)
{
    unsigned judged = 0, silent = 0;
    const char *first = "";
    for (unsigned i = 0; a->target != NULL && i < a->target->process_count; i++) {
        const struct process_config *process = &a->target->process[i];
        struct look look = {
            .analysis = a, .name = process->name, .ready_s = first_ready_s(a, process->name)};
        if (process->interposes || strcmp(process->name, a->target->world) == 0 ||
            is_idle(a->scenario, process->name) || !owes_output(a, process->name))
            continue;
        look_at_all(&look);
        judged += look.can_be_seen;
        if (look.can_be_seen && !look.seen && silent++ == 0)
            first = process->name;
    }
    if (judged == 0)
        verdict_nothing(verdict, "the target's file says of no process what it writes");
    else if (silent == 0)
        verdict_count(verdict, 0, VERDICT_FAIL, "processes", "%u processes were seen to write",
                      judged);
    else
        verdict_count(verdict, silent, VERDICT_FAIL, "processes",
                      "%s was never seen to write; if the scenario does not need it, say idle: "
                      "[%s]",
                      first, first);
}
