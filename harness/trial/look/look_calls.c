// Looks at what shimmed programs did on the channel `io`: a call that is struck stands there with
// what the program gave it, and what was then really sent follows.
#include "harness/trial/look/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "message/io.h"

struct calls { // all messages on the channel, in order
    size_t count;
    const struct io_message **message;
    instant *time; // of each, by the trial's clock: the program's own may be struck, too
};

struct calls_count {
    uint64_t struck;
    uint64_t shown; // of these, those that went as the catalogue says
};

static void drop(struct calls *calls)
{
    free(calls->message);
    free(calls->time);
}

// In real time the recorder sees a frame only a while after it was put; its stamp is the trial's.
static bool collect(const struct look *look, struct calls *calls)
{
    const struct history *history = look->history;
    const int topic = history_topic(history, IO_CHANNEL);
    const size_t length = history_length(history);
    calls->count = 0;
    calls->message = malloc((length + 1) * sizeof(const struct io_message *));
    calls->time = malloc((length + 1) * sizeof(instant));
    if (calls->message == NULL || calls->time == NULL) {
        drop(calls);
        return false;
    }
    for (size_t i = 0; i < length; i++) {
        const struct event *event = history_event(history, i);
        const struct io_message *message = event->data;
        if (event->topic != topic || event->size_B != sizeof *message)
            continue;
        calls->time[calls->count] = look->mode == CLK_VIRTUAL ? event->time : message->time;
        calls->message[calls->count++] = message;
    }
    return true;
}

static bool is_of(const struct io_message *message, unsigned tag)
{
    unsigned own;
    return message->call == IO_STRUCK && sscanf(message->words, IO_STRUCK_WORDS, &own) == 1 &&
           own == tag;
}

// What the same thread or child did next; NULL: nothing.
static const struct io_message *next_of(const struct calls *calls, size_t number)
{
    const struct io_message *struck = calls->message[number];
    for (size_t i = number + 1; i < calls->count; i++)
        if (calls->message[i]->task == struck->task &&
            strcmp(calls->message[i]->participant, struck->participant) == 0)
            return calls->message[i];
    return NULL;
}

static bool is_sent(const struct io_message *next, const struct io_message *struck)
{
    return next != NULL && next->call == IO_SEND && next->hash == struck->hash &&
           next->size_B == struck->size_B;
}

// Sent by the same program, though not by this call, and how much later; -1: never.
static int64_t sent_after_ns(const struct calls *calls, size_t number)
{
    const struct io_message *struck = calls->message[number];
    for (size_t i = number + 1; i < calls->count; i++)
        if (is_sent(calls->message[i], struck) &&
            strcmp(calls->message[i]->participant, struck->participant) == 0)
            return instant_sub(calls->time[i], calls->time[number]).ns;
    return -1;
}

// Whether the program has ended since: what it held back is lost with it.
static bool has_ended_since(const struct look *look, instant since)
{
    const int processes = history_topic(look->history, TOPIC_PROCESS);
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct event *event = history_event(look->history, i);
        const struct process_event *process = event->data;
        if (event->topic == processes && event->size_B == sizeof *process &&
            (process->kind == PROCESS_EXITED || process->kind == PROCESS_KILLED) &&
            !instant_before(process->time, since) &&
            strcmp(process->process, look->call->process) == 0)
            return true;
    }
    return false;
}

// It came later. At the trial's end it may also be on its way still, or never to come.
static bool comes_late(const struct look *look, const struct calls *calls, size_t number)
{
    const instant struck = calls->time[number];
    const int64_t after_ns = sent_after_ns(calls, number);
    return after_ns > 0 || (after_ns < 0 && look->last &&
                            (instant_sub(look->now, struck).ns <= look_proves(look->call).ns ||
                             has_ended_since(look, struck)));
}

static bool shows(const struct look *look, const struct calls *calls, size_t number)
{
    const struct io_message *struck = calls->message[number], *next = next_of(calls, number);
    const bool at_once = is_sent(next, struck) && next->descriptor == struck->descriptor;
    switch (look->call->kind->shows) {
    case SHOWS_MISSING:
        return !at_once;
    case SHOWS_LATE:
        return !at_once && comes_late(look, calls, number);
    case SHOWS_REPEATED:
        return at_once;
    case SHOWS_SHORTENED:
        return next != NULL && next->call == IO_SEND && next->size_B < struck->size_B;
    case SHOWS_REFUSED:
        return !at_once &&
               (next == NULL || next->call != IO_CONNECT ||
                next->descriptor != struck->descriptor || instant_before(struck->time, next->time));
    default:
        return false;
    }
}

// Of the calls after `since`.
static bool count(const struct look *look, instant since, struct calls_count *counted)
{
    struct calls calls;
    *counted = (struct calls_count){0};
    if (!collect(look, &calls))
        return false;
    for (size_t i = 0; i < calls.count; i++) {
        if (!is_of(calls.message[i], look->call->tag) || !instant_before(since, calls.time[i]))
            continue;
        counted->struck++;
        counted->shown += shows(look, &calls, i);
    }
    drop(&calls);
    return true;
}

static const char *doubt_calls(const struct look *look)
{
    const duration slack = look_slack(look);
    const bool applied = look->call->action == FAULT_ACTION_EFFECT;
    struct calls_count counted;
    if (look_begins(look))
        return NULL;
    if (!count(look, applied ? look->memory->applied : instant_add(look->memory->undone, slack),
               &counted))
        return "but what the programs did cannot be looked at";
    if (applied)
        snprintf(look->seen, look->seen_size, "%" PRIu64 " calls struck, %" PRIu64 " show it",
                 counted.struck, counted.shown);
    else
        snprintf(look->seen, look->seen_size, "%" PRIu64 " calls struck since", counted.struck);
    if (applied)
        return counted.shown > 0 ? NULL : "but what the programs did does not show it";
    return counted.struck == 0 ? NULL : "but calls are still struck";
}

static duration late(const struct fault_call *call)
{
    return call->kind->shows == SHOWS_LATE ? look_proves(call) : DURATION_ZERO;
}

const struct looker look_calls = {
    .doubt = doubt_calls, .late = late, .reads_history = true, .outlives_process = true};
