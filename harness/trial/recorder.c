#include "harness/trial/recorder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "base/text.h"
#include "channel/channel.h"
#include "channel/newest.h"
#include "clock/futex.h"
#include "harness/trial/fouls.h"
#include "harness/trial/put_times.h"
#include "message/io.h"

#define SCHEMA_LOSS "loss_event"
#define LOOK_MS 10
#define SLACK_MS 50    // real time: of a stamp, which is taken before the message is put
#define AHEAD_MS 50    // real time: clocks of cores agree better
#define BACK_S 1       // real time: threads of one writer may overtake each other
#define STRUCK_NS 1000 // virtual time: of a clock that is struck, for its arithmetic

struct source {
    struct channel *channel;
    const char *cell;   // its folder
    const char *writer; // in the target; "": not known
    unsigned topic, slots;
    bool is_io;
    bool of_world, of_readers; // written by the simulated world; what an interposer hands on
    struct put_times put;
    instant last; // what its last frame said
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
    struct fouls fouls;
    enum status fouls_went; // how the last noting after a turn did
    const char *spoiled;    // whose channel is not in order
    int64_t (*error_ns)(void *context, const char *process, instant time);
    void *context;
    enum clk_mode mode;
    int64_t epoch_ns; // real time: the earliest that it can be; INT64_MAX: not known
    char leak[128];   // what a shimmed program has said of itself
};

static enum status add_source(struct recorder *recorder, const char *cell, const char *topic,
                              const struct channel_config *config)
{
    expects(recorder->count < sizeof recorder->source / sizeof recorder->source[0]);
    struct source *source = &recorder->source[recorder->count];
    enum status status = channel_open_in(cell, config->name, CHANNEL_READ, &source->channel);
    if (status != STATUS_OK)
        return status;
    recorder->count++;
    source->cell = cell;
    source->slots = config->slots;
    source->writer = config->writer;
    source->of_readers = strcmp(topic, config->name) != 0;
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
        if (config->message[0] == '\0')
            continue;
        status = add_source(recorder, folder, config->name, config);
        if (status == STATUS_OK)
            recorder->source[recorder->count - 1].of_world =
                target->world[0] != '\0' && strcmp(target->world, config->writer) == 0;
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
    new->history = new->fouls.history = history;
    new->spoiled = "";
    new->epoch_ns = INT64_MAX;
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
    expects(frames > 0 && !instant_before(now, recorder->looked));
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

// Who has put the frame in the buffer: on `io` it says so itself.
static void writer_of(const struct recorder *recorder, const struct source *source, size_t size_B,
                      char *writer, size_t size)
{
    const struct io_message *message = recorder->buffer;
    const bool says_who = source->is_io && size_B == sizeof *message &&
                          message->call != IO_END; // which the lab has put
    text_copy(writer, size, says_who ? message->participant : source->writer);
}

static bool is_between(instant time, instant low, instant high)
{
    return !instant_before(time, low) && !instant_before(high, time);
}

// In real time more may be put while channels are read, by one who started at `now`.
static instant present(const struct recorder *recorder, instant now)
{
    if (recorder->mode == CLK_VIRTUAL || recorder->epoch_ns == INT64_MAX)
        return now;
    const instant time = instant_ns(monotonic_ns() - recorder->epoch_ns);
    return instant_before(time, now) ? now : time;
}

// When it was put: by the lab's own time, which a writer's stamp can only make more exact.
static instant time_of(const struct recorder *recorder, struct source *source,
                       const struct channel_frame *frame, instant now)
{
    instant time;
    if (source->of_readers) // put by the lab, which may have kept it back
        return is_between(frame->time, instant_ns(0), now) ? frame->time : now;
    // The simulated world says when its last step was, and is trusted as far as a look goes back.
    const instant before =
        instant_ns(time_difference_ns(recorder->looked.ns, duration_ms(LOOK_MS).ns));
    if (put_times_find(&source->put, frame->number, &time))
        return source->of_world && !instant_before(frame->time, source->last) &&
                       is_between(frame->time, before, time)
                   ? frame->time
                   : time;
    const duration slack = duration_ms(recorder->mode == CLK_VIRTUAL ? 0 : SLACK_MS);
    const instant low = instant_ns(time_difference_ns(recorder->looked.ns, slack.ns));
    return is_between(frame->time, low, present(recorder, now)) ? frame->time : now;
}

static enum status look_for_foul(struct recorder *recorder, struct source *source,
                                 const struct channel_frame *frame, const char *writer,
                                 instant time)
{
    const bool struck = stamps_has(&recorder->stamps, writer);
    const bool exact = recorder->mode == CLK_VIRTUAL;
    const struct put put = {
        .channel = channel_name(source->channel),
        .writer = writer,
        .said = frame->time,
        .time = time,
        .last = exact ? source->last
                      : instant_ns(time_difference_ns(source->last.ns, duration_s(BACK_S).ns)),
        .error_ns = struck && recorder->error_ns != NULL
                        ? recorder->error_ns(recorder->context, writer, time)
                        : 0,
        .slack = exact ? duration_ns(struck ? STRUCK_NS : 0) : duration_ms(AHEAD_MS),
        .many = struck || source->is_io};
    // In real time nobody knows by which clock a stamp was taken while a fault changes it.
    if (source->of_readers || writer[0] == '\0' || (struck && !exact))
        return STATUS_OK;
    source->last = instant_min(frame->time, time); // what is beyond it makes no other one wrong
    return fouls_look(&recorder->fouls, &put);
}

// Its time in the history; what its stamp says beside that is noted.
static enum status look_at_stamp(struct recorder *recorder, struct source *source,
                                 const struct channel_frame *frame, instant now, instant *time)
{
    char writer[NAME_MAX_LENGTH];
    writer_of(recorder, source, frame->size_B, writer, sizeof writer);
    *time = time_of(recorder, source, frame, now);
    // Nothing is of the future.
    invariant(recorder->mode == CLK_WALL || !instant_before(now, *time));
    const instant latest = recorder->mode == CLK_VIRTUAL ? *time : present(recorder, now);
    const enum status status = look_for_foul(recorder, source, frame, writer, latest);
    if (status != STATUS_OK || !stamps_has(&recorder->stamps, writer))
        return status;
    const struct stamp stamp = {.channel = channel_name(source->channel),
                                .writer = writer,
                                .said = frame->time,
                                .looked = recorder->looked,
                                .now = now};
    return stamps_look(&recorder->stamps, recorder->history, &stamp, time);
}

// Of its newest frames a channel holds half, whatever its writers do: if they are missing, somebody
// wrote into it.
static enum status note_missed(struct recorder *recorder, const struct source *source,
                               const struct channel_frame *frame, instant now)
{
    const uint64_t unread = channel_newest(source->channel) - (frame->number - frame->missed - 1);
    const struct put put = {
        .channel = channel_name(source->channel), .said = frame->time, .time = now};
    if (unread > source->slots / 2)
        return note_loss(recorder, source, now, frame->missed);
    return fouls_note(&recorder->fouls, FOUL_LOST, &put, source->of_world ? "" : source->writer,
                      frame->missed);
}

static enum status read_source(struct recorder *recorder, struct source *source, instant now,
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
        if (got == STATUS_CORRUPT && !source->of_world)
            recorder->spoiled = source->writer;
        if (got != STATUS_OK && got != STATUS_MISSED)
            return got;
        invariant(frame.size_B <= recorder->capacity_B);
        enum status status = STATUS_OK;
        if (got == STATUS_MISSED)
            status = note_missed(recorder, source, &frame, now);
        if (status != STATUS_OK)
            return status;
        instant time;
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
    expects(!instant_before(now, recorder->looked));
    const int64_t epoch_ns = time_difference_ns(monotonic_ns(), now.ns);
    recorder->epoch_ns = epoch_ns < recorder->epoch_ns ? epoch_ns : recorder->epoch_ns;
    for (unsigned i = 0; i < recorder->count; i++) {
        enum status status = read_source(recorder, &recorder->source[i], now, watch);
        if (status != STATUS_OK) {
            snprintf(reason, size, "recording channel %s: %s",
                     channel_name(recorder->source[i].channel), status_text(status));
            return status;
        }
    }
    recorder->looked = now;
    for (unsigned i = 0; i < recorder->count; i++) // what was put between turns was put in none
        recorder->source[i].put.seen = atomic_load(channel_head(recorder->source[i].channel));
    if (recorder->fouls_went != STATUS_OK)
        return recorder->fouls_went;
    if (recorder->leak[0] == '\0')
        return STATUS_OK;
    snprintf(reason, size, "%s: not virtual; run it in real time", recorder->leak);
    return STATUS_UNSUPPORTED;
}

void recorder_mind_clocks(struct recorder *recorder, const struct scenario *scenario,
                          const struct target *target, enum clk_mode mode, uint64_t seed)
{
    expects(recorder->looked.ns == 0); // before it has judged a stamp
    recorder->mode = mode;
    stamps_begin(&recorder->stamps, scenario, target, mode, seed);
}

void recorder_go_by(struct recorder *recorder,
                    int64_t (*error_ns)(void *context, const char *process, instant time),
                    void *context)
{
    recorder->error_ns = error_ns;
    recorder->context = context;
}

void recorder_turn(struct recorder *recorder, instant now, const char *other)
{
    expects(recorder->mode == CLK_VIRTUAL); // in real time nobody takes turns
    for (unsigned i = 0; i < recorder->count; i++) {
        struct source *source = &recorder->source[i];
        if (!put_times_look(&source->put, source->channel, now) || other == NULL ||
            !source->of_world || recorder->fouls_went != STATUS_OK)
            continue;
        const struct put put = {.channel = channel_name(source->channel), .time = now};
        recorder->fouls_went = fouls_note(&recorder->fouls, FOUL_FORGED, &put, other, 1);
    }
}

const char *recorder_spoiled(const struct recorder *recorder)
{
    return recorder->spoiled;
}

// As somebody who opens it now.
static bool is_sound(struct recorder *recorder, const struct source *source)
{
    struct channel *channel;
    enum status status =
        channel_open_in(source->cell, channel_name(source->channel), CHANNEL_READ, &channel);
    if (status != STATUS_OK)
        return status != STATUS_CORRUPT;
    status = channel_get(channel, recorder->buffer, recorder->capacity_B, CHANNEL_LAST, NULL);
    channel_close(channel);
    return status != STATUS_CORRUPT;
}

bool recorder_finds_spoiled(struct recorder *recorder)
{
    for (unsigned i = 0; i < recorder->count; i++) {
        const struct source *source = &recorder->source[i];
        if (is_sound(recorder, source))
            continue;
        recorder->spoiled = source->of_world ? "" : source->writer;
        return true;
    }
    return false;
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
