// Tracks are numbered before anything is written: a process of the viewer (pid) for the faults, one
// for the buses, one for channels whose writer is not known, then one for each process of the
// trial. Threads (tid) of a process: its life, what it prints, then its channels by topic.
#include "harness/export/export_trace.h"

#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/json.h"
#include "can/bits.h"
#include "harness/history/fault_facts.h"
#include "harness/history/series.h"
#include "message/message.h"

enum { PID_FAULTS = 1, PID_BUSES, PID_CHANNELS, PID_FIRST };
enum { TID_LIFE = 1, TID_PRINTS, TID_FIRST_TOPIC };

#define TEXT_MAX 200 // characters of a line that are shown

struct process_track {
    char name[sizeof((struct process_event *)NULL)->process + 1];
    double started_s, ready_s, stopped_s; // NAN: not, or no longer
    uint32_t generation;
};

struct trace {
    const struct history *history;
    const struct target *target;
    FILE *out;
    struct export_trace_count *count;
    const char *between; // "" before the first event
    double end_s;
    unsigned process_count;
    struct process_track process[PROCESSES_MAX];
};

// ---- events of the format -----------------------------------------------------------------------

// Up to its arguments; the caller ends it with "}".
static void begin(struct trace *trace, char phase, unsigned pid, unsigned tid, double at_s)
{
    fprintf(trace->out, "%s{\"ph\":\"%c\",\"pid\":%u,\"tid\":%u,\"ts\":%.3f", trace->between, phase,
            pid, tid, at_s * 1e6);
    trace->between = ",\n";
}

static void name_event(struct trace *trace, const char *name, size_t size)
{
    fputs(",\"name\":", trace->out);
    json_text(trace->out, name, size);
}

// A name of a pid, or of one of its threads.
static void name_track(struct trace *trace, unsigned pid, unsigned tid, const char *name)
{
    begin(trace, 'M', pid, tid, 0);
    name_event(trace, tid == 0 ? "process_name" : "thread_name", SIZE_MAX);
    fputs(",\"args\":{\"name\":", trace->out);
    json_text(trace->out, name, SIZE_MAX);
    fputs("}}", trace->out);
}

static void put_span(struct trace *trace, unsigned pid, unsigned tid, const char *name,
                     double from_s, double to_s)
{
    begin(trace, 'X', pid, tid, from_s);
    fprintf(trace->out, ",\"dur\":%.3f", (to_s - from_s) * 1e6);
    name_event(trace, name, SIZE_MAX);
}

// Whether there is room for one more of what a trial has without end.
static bool may_put(struct trace *trace)
{
    if (trace->count->events == EXPORT_TRACE_EVENTS_MAX) {
        trace->count->left_out++;
        return false;
    }
    trace->count->events++;
    return true;
}

// ---- lives of processes -------------------------------------------------------------------------

// The process's place in the table, which it is given at its first event; PROCESSES_MAX: it is
// full, as it can be of a foreign file alone.
static unsigned process_of(struct trace *trace, const char *name, size_t size)
{
    unsigned p = 0;
    while (p < trace->process_count && strncmp(trace->process[p].name, name, size) != 0)
        p++;
    if (p < trace->process_count || p == PROCESSES_MAX)
        return p;
    struct process_track *process = &trace->process[p];
    snprintf(process->name, sizeof process->name, "%.*s", (int)size, name);
    process->started_s = process->ready_s = process->stopped_s = NAN;
    name_track(trace, PID_FIRST + p, 0, process->name);
    name_track(trace, PID_FIRST + p, TID_LIFE, "life");
    name_track(trace, PID_FIRST + p, TID_PRINTS, "prints");
    trace->process_count++;
    return p;
}

// Ends what the process was in, if it was in it.
static void end_span(struct trace *trace, unsigned p, const char *name, double *since_s,
                     double until_s)
{
    if (isnan(*since_s))
        return;
    put_span(trace, PID_FIRST + p, TID_LIFE, name, *since_s, until_s);
    fputc('}', trace->out);
    *since_s = NAN;
}

static void end_life(struct trace *trace, unsigned p, const struct process_event *event,
                     double until_s)
{
    static const char *const words[] = {[PROCESS_EXITED] = "exited with status",
                                        [PROCESS_KILLED] = "ended by signal",
                                        [PROCESS_HUNG] = "hung"};
    struct process_track *process = &trace->process[p];
    char name[32];
    if (isnan(process->started_s))
        return;
    end_span(trace, p, "stopped", &process->stopped_s, until_s);
    end_span(trace, p, "starting", &process->ready_s, until_s); // it was never ready
    snprintf(name, sizeof name, "start %u", process->generation + 1);
    put_span(trace, PID_FIRST + p, TID_LIFE, name, process->started_s, until_s);
    if (event != NULL) {
        fprintf(trace->out, ",\"args\":{\"end\":\"%s %d\",\"last words\":", words[event->kind],
                event->value);
        json_text(trace->out, event->last_words, sizeof event->last_words);
        fputc('}', trace->out);
    }
    fputc('}', trace->out);
    process->started_s = NAN;
}

static void put_process_event(struct trace *trace, const struct process_event *event)
{
    const unsigned p = process_of(trace, event->process, sizeof event->process);
    const double at_s = instant_to_s(event->time);
    if (p == PROCESSES_MAX)
        return;
    struct process_track *process = &trace->process[p];
    switch ((enum process_event_kind)event->kind) {
    case PROCESS_STARTED:
        end_life(trace, p, NULL, at_s);
        process->started_s = process->ready_s = at_s;
        process->generation = event->generation;
        break;
    case PROCESS_READY:
        end_span(trace, p, "starting", &process->ready_s, at_s);
        break;
    case PROCESS_STOPPED:
        process->stopped_s = at_s;
        break;
    case PROCESS_CONTINUED:
        end_span(trace, p, "stopped", &process->stopped_s, at_s);
        break;
    case PROCESS_EXITED:
    case PROCESS_KILLED:
    case PROCESS_HUNG:
        end_life(trace, p, event, at_s);
        break;
    }
}

static enum status put_lives(struct trace *trace)
{
    struct series events = {0};
    if (!series_collect(trace->history, TOPIC_PROCESS, sizeof(struct process_event), &events))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < events.count; i++)
        put_process_event(trace, events.event[i]->data);
    for (unsigned p = 0; p < trace->process_count; p++)
        end_life(trace, p, NULL, trace->end_s);
    free(events.event);
    return STATUS_OK;
}

// ---- faults -------------------------------------------------------------------------------------

// Each on a thread of its own: faults may overlap, spans of one thread may not.
static enum status put_faults(struct trace *trace)
{
    struct series events = {0};
    if (!series_collect(trace->history, TOPIC_FAULT, sizeof(struct fault_event), &events))
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < events.count; i++) {
        const struct fault_event *fault = events.event[i]->data;
        char name[sizeof fault->fault + sizeof fault->component + 2];
        if (fault->kind != FAULT_APPLIED)
            continue;
        snprintf(name, sizeof name, "%.*s %.*s", (int)sizeof fault->fault, fault->fault,
                 (int)sizeof fault->component, fault->component);
        const unsigned tid = 1 + (fault->index & 0xFFFF);
        name_track(trace, PID_FAULTS, tid, name);
        put_span(trace, PID_FAULTS, tid, name, instant_to_s(fault->time),
                 fmin(fault_over_s(trace->history, fault), trace->end_s));
        fputs(",\"args\":{\"evidence\":", trace->out);
        json_text(trace->out, fault->evidence, sizeof fault->evidence);
        fputs("}}", trace->out);
    }
    free(events.event);
    return STATUS_OK;
}

// ---- messages, frames, lines --------------------------------------------------------------------

// The channel that a topic is of: its own, or, with a suffix, what its readers got. NULL: none.
static const struct channel_config *channel_of(const struct trace *trace, const char *topic)
{
    const size_t length = strcspn(topic, "@");
    for (unsigned c = 0; trace->target != NULL && c < trace->target->channel_count; c++) {
        const struct channel_config *channel = &trace->target->channel[c];
        if (strncmp(channel->name, topic, length) == 0 && channel->name[length] == '\0')
            return channel;
    }
    return NULL;
}

static bool is_of_lab(const char *topic)
{
    static const char *const of_lab[] = {TOPIC_PROCESS, TOPIC_FAULT, TOPIC_LIMIT, TOPIC_LOSS,
                                         TOPIC_OUTPUT,  TOPIC_TAP,   TOPIC_STAMP, TOPIC_VARIATION,
                                         TOPIC_BUS_LOG, TOPIC_END};
    for (size_t i = 0; i < sizeof of_lab / sizeof of_lab[0]; i++)
        if (strcmp(topic, of_lab[i]) == 0)
            return true;
    return false;
}

static void put_message(struct trace *trace, unsigned pid, const struct event *event,
                        const char *quoted_name)
{
    if (!may_put(trace))
        return;
    begin(trace, 'i', pid, TID_FIRST_TOPIC + event->topic, instant_to_s(event->time));
    fprintf(trace->out, ",\"s\":\"t\",\"name\":%s,\"args\":{\"frame\":%" PRIu64 ",\"bytes\":%zu}}",
            quoted_name, event->number, event->size_B);
}

static void put_frame(struct trace *trace, const struct bus_log_frame *logged)
{
    static const char *const senders[] = {
        [BUS_LOG_BOARD] = "robot", [BUS_LOG_HOST] = "host", [BUS_LOG_STRANGER] = "stranger"};
    if (logged->bus >= BUS_LOG_BUSES || logged->length > CAN_MAX_DLEN ||
        logged->sender > BUS_LOG_STRANGER || !may_put(trace))
        return;
    struct can_frame frame = {.can_id = logged->can_id, .can_dlc = (uint8_t)logged->length};
    memcpy(frame.data, logged->data, logged->length);
    // When a frame that failed had begun is not in the log.
    const bool known = logged->failed == 0 && trace->target != NULL &&
                       logged->bus < trace->target->bus_count &&
                       trace->target->bus[logged->bus].bitrate_bit_s > 0;
    const double end_s = instant_to_s(logged->time),
                 lasts_s = known ? can_frame_bits(&frame) /
                                       (double)trace->target->bus[logged->bus].bitrate_bit_s
                                 : 0;
    char name[48];
    snprintf(name, sizeof name, "%03X %s%s", logged->can_id & CAN_EFF_MASK, senders[logged->sender],
             logged->failed ? ", failed" : "");
    put_span(trace, PID_BUSES, 1 + logged->bus, name, end_s - lasts_s, end_s);
    fputc('}', trace->out);
}

static void put_line(struct trace *trace, const struct event *event)
{
    const struct output_event *line = event->data;
    if (event->size_B < offsetof(struct output_event, text))
        return;
    const size_t length = event->size_B - offsetof(struct output_event, text);
    const unsigned p = process_of(trace, line->process, sizeof line->process);
    if (p == PROCESSES_MAX || !may_put(trace))
        return;
    begin(trace, 'i', PID_FIRST + p, TID_PRINTS, instant_to_s(line->time));
    fputs(",\"s\":\"t\"", trace->out);
    name_event(trace, line->text, length < TEXT_MAX ? length : TEXT_MAX);
    fputc('}', trace->out);
}

// Names the track of a topic's messages, and says whose it is.
static unsigned track_of(struct trace *trace, unsigned topic, const char *name)
{
    const struct channel_config *channel = channel_of(trace, name);
    unsigned p = PROCESSES_MAX;
    if (channel != NULL && channel->writer[0] != '\0')
        p = process_of(trace, channel->writer, sizeof channel->writer);
    const unsigned pid = p < PROCESSES_MAX ? PID_FIRST + p : PID_CHANNELS;
    name_track(trace, pid, TID_FIRST_TOPIC + topic, name);
    return pid;
}

static void put_topic(struct trace *trace, unsigned topic, const char *quoted_name)
{
    const char *name = history_topic_name(trace->history, topic);
    const bool frames = strcmp(name, TOPIC_BUS_LOG) == 0, lines = strcmp(name, TOPIC_OUTPUT) == 0;
    const unsigned pid = is_of_lab(name) ? 0 : track_of(trace, topic, name);
    for (size_t i = 0; i < history_length(trace->history); i++) {
        const struct event *event = history_event(trace->history, i);
        if (event->topic != topic)
            continue;
        const struct bus_log_message *log = event->data;
        const bool whole = event->size_B >= offsetof(struct bus_log_message, frame);
        for (size_t f = 0; frames && whole && f < bus_log_frames(event); f++)
            put_frame(trace, &log->frame[f]);
        if (lines)
            put_line(trace, event);
        else if (pid > 0)
            put_message(trace, pid, event, quoted_name);
    }
}

static enum status put_topics(struct trace *trace)
{
    for (unsigned topic = 0; topic < history_topic_count(trace->history); topic++) {
        char *quoted = NULL; // once, not for each message
        size_t size;
        FILE *memory = open_memstream(&quoted, &size);
        if (memory == NULL)
            return STATUS_NO_MEMORY;
        json_text(memory, history_topic_name(trace->history, topic), SIZE_MAX);
        if (fclose(memory) != 0) {
            free(quoted);
            return STATUS_NO_MEMORY;
        }
        put_topic(trace, topic, quoted);
        free(quoted);
    }
    return STATUS_OK;
}

// ---- the whole ----------------------------------------------------------------------------------

static double end_of(const struct history *history)
{
    double end_s = 0;
    for (size_t i = 0; i < history_length(history); i++)
        end_s = fmax(end_s, instant_to_s(history_event(history, i)->time));
    return end_s;
}

static void name_common_tracks(struct trace *trace)
{
    name_track(trace, PID_FAULTS, 0, "faults");
    name_track(trace, PID_BUSES, 0, "buses");
    name_track(trace, PID_CHANNELS, 0, "other channels");
    for (unsigned bus = 0; trace->target != NULL && bus < trace->target->bus_count; bus++)
        name_track(trace, PID_BUSES, 1 + bus, trace->target->bus[bus].name);
}

enum status export_trace(const struct history *history, const struct target *target, FILE *out,
                         struct export_trace_count *count)
{
    struct trace *trace = calloc(1, sizeof *trace);
    if (trace == NULL)
        return STATUS_NO_MEMORY;
    *count = (struct export_trace_count){0};
    *trace = (struct trace){.history = history,
                            .target = target,
                            .out = out,
                            .count = count,
                            .between = "",
                            .end_s = end_of(history)};
    fputs("{\"displayTimeUnit\":\"ns\",\"traceEvents\":[\n", out);
    name_common_tracks(trace);
    enum status status = put_lives(trace);
    if (status == STATUS_OK)
        status = put_faults(trace);
    if (status == STATUS_OK)
        status = put_topics(trace);
    fputs("\n]}\n", out);
    free(trace);
    return status;
}
