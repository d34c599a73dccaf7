#include "harness/trial/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "channel/channel.h"
#include "message/io.h"

#define SCHEMA_LOSS "loss_event"

struct source {
    struct channel *channel;
    const char *writer; // in the target; "": not known
    unsigned topic, slots;
    bool is_io;
};

struct recorder {
    struct history *history;
    unsigned count;
    struct source source[CHANNELS_MAX + FAULTS_MAX];
    size_t capacity_B;
    void *buffer;
    instant looked; // last time
    struct stamps stamps;
    bool losses; // there were some: loss_topic is known
    unsigned loss_topic;
    char leak[128]; // what a shimmed program has said of itself
};

static enum status add_source(struct recorder *recorder, const char *cell, const char *topic,
                              const struct channel_config *config)
{
    struct source *source = &recorder->source[recorder->count];
    enum status status = channel_open_in(cell, config->name, CHANNEL_READ, &source->channel);
    if (status != STATUS_OK)
        return status;
    recorder->count++;
    source->slots = config->slots;
    source->writer = config->writer;
    source->is_io = strcmp(config->message, "io_message") == 0;
    if (config->frame_size_max_B > recorder->capacity_B)
        recorder->capacity_B = config->frame_size_max_B;
    return history_add_topic(recorder->history, topic, config->message, &source->topic);
}

// What the readers of interposed channels get comes after all that was put.
static enum status add_sources(struct recorder *recorder, const char *cell,
                               const struct target *target, const struct interposed *interposed)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < target->channel_count && status == STATUS_OK; i++) {
        const struct channel_config *config = &target->channel[i];
        const char *folder = interposed_folder(interposed, config, cell);
        if (config->message[0] != '\0')
            status = add_source(recorder, folder, config->name, config);
    }
    for (unsigned i = 0; i < interposed->count && status == STATUS_OK; i++) {
        char topic[2 * NAME_MAX_LENGTH];
        interposed_topic(interposed->channel[i].config, topic, sizeof topic);
        status = add_source(recorder, cell, topic, interposed->channel[i].config);
    }
    return status;
}

enum status recorder_create(const char *cell, const struct target *target,
                            const struct interposed *interposed, struct history *history,
                            struct recorder **recorder)
{
    struct recorder *new = calloc(1, sizeof *new);
    if (new == NULL)
        return STATUS_NO_MEMORY;
    new->history = history;
    enum status status = add_sources(new, cell, target, interposed);
    new->buffer = malloc(new->capacity_B + 1); // a target may record nothing
    if (status == STATUS_OK && new->buffer == NULL)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        *recorder = new;
    else
        recorder_free(new);
    return status;
}

void recorder_free(struct recorder *recorder)
{
    if (recorder == NULL)
        return;
    for (unsigned i = 0; i < recorder->count; i++)
        channel_close(recorder->source[i].channel);
    free(recorder->buffer);
    free(recorder);
}

// What the words of the verdict need: was it the recorder that was late, or the writer that put a
// lot at once?
static enum status note_loss(struct recorder *recorder, const struct source *source, instant now,
                             uint64_t frames)
{
    struct loss_event event = {.time = now,
                               .unread = instant_sub(now, recorder->looked),
                               .frames = frames,
                               .held = source->slots};
    text_copy(event.channel, sizeof event.channel, channel_name(source->channel));
    enum status status = STATUS_OK;
    if (!recorder->losses)
        status =
            history_add_topic(recorder->history, TOPIC_LOSS, SCHEMA_LOSS, &recorder->loss_topic);
    recorder->losses = status == STATUS_OK;
    if (status == STATUS_OK)
        status =
            history_append(recorder->history, recorder->loss_topic, 0, now, &event, sizeof event);
    return status;
}

static void look_for_leak(struct recorder *recorder, size_t size_B)
{
    const struct io_message *message = recorder->buffer;
    if (size_B != sizeof *message || message->call != IO_LEAK || recorder->leak[0] != '\0')
        return;
    snprintf(recorder->leak, sizeof recorder->leak, "%.47s: %.63s", message->participant,
             message->words);
}

static enum status look_at_stamp(struct recorder *recorder, const struct source *source,
                                 const struct channel_frame *frame, instant now, instant *time)
{
    const struct io_message *message = recorder->buffer;
    const bool says_who = source->is_io && frame->size_B == sizeof *message &&
                          message->call != IO_END; // which the lab has put
    char writer[sizeof message->participant];
    text_copy(writer, sizeof writer, says_who ? message->participant : source->writer);
    const struct stamp stamp = {.channel = channel_name(source->channel),
                                .writer = writer,
                                .said = frame->time,
                                .looked = recorder->looked,
                                .now = now};
    return stamps_look(&recorder->stamps, recorder->history, &stamp, time);
}

static enum status read_source(struct recorder *recorder, const struct source *source, instant now,
                               struct watch *watch)
{
    // As many frames as a channel can hold; in wall mode more may come meanwhile, for the next
    // call.
    for (int i = 0; i < CHANNEL_SLOTS_MAX; i++) {
        struct channel_frame frame;
        enum status got = channel_get(source->channel, recorder->buffer, recorder->capacity_B,
                                      CHANNEL_NEXT, &frame);
        if (got == STATUS_EMPTY)
            return STATUS_OK;
        if (got != STATUS_OK && got != STATUS_MISSED)
            return got;
        enum status status = STATUS_OK;
        if (got == STATUS_MISSED)
            status = note_loss(recorder, source, now, frame.missed);
        if (status != STATUS_OK)
            return status;
        instant time = frame.time;
        if (recorder->stamps.count > 0)
            status = look_at_stamp(recorder, source, &frame, now, &time);
        if (status != STATUS_OK)
            return status;
        status = history_append(recorder->history, source->topic, frame.number, time,
                                recorder->buffer, frame.size_B);
        if (status != STATUS_OK)
            return status;
        if (source->is_io)
            look_for_leak(recorder, frame.size_B);
        watch_take(watch, history_event(recorder->history, history_length(recorder->history) - 1));
    }
    return STATUS_OK;
}

enum status recorder_read(struct recorder *recorder, instant now, struct watch *watch, char *reason,
                          size_t size)
{
    for (unsigned i = 0; i < recorder->count; i++) {
        enum status status = read_source(recorder, &recorder->source[i], now, watch);
        if (status != STATUS_OK) {
            snprintf(reason, size, "recording channel %s: %s",
                     channel_name(recorder->source[i].channel), status_text(status));
            return status;
        }
    }
    recorder->looked = now;
    if (recorder->leak[0] == '\0')
        return STATUS_OK;
    snprintf(reason, size, "%s: not virtual; run it in real time", recorder->leak);
    return STATUS_UNSUPPORTED;
}

void recorder_mind_clocks(struct recorder *recorder, const struct scenario *scenario,
                          const struct target *target, enum clk_mode mode, uint64_t seed)
{
    stamps_begin(&recorder->stamps, scenario, target, mode, seed);
}

bool recorder_hears_io(const struct recorder *recorder)
{
    if (recorder->stamps.count > 0)
        return true;
    for (unsigned i = 0; i < recorder->count; i++)
        if (recorder->source[i].is_io)
            return true;
    return false;
}

enum status recorder_read_io(struct recorder *recorder, instant now, struct watch *watch)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < recorder->count && status == STATUS_OK; i++) {
        struct channel *channel = recorder->source[i].channel;
        if ((recorder->source[i].is_io || recorder->stamps.count > 0) &&
            channel_watch(channel).seen != atomic_load(channel_head(channel)))
            status = read_source(recorder, &recorder->source[i], now, watch);
    }
    return status;
}
