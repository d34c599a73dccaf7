// What happened in a trial, for a page: faults, lives of processes, verdicts, output, traffic.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"
#include "harness/history/fault_facts.h"
#include "harness/history/series.h"
#include "base/json.h"
#include "harness/view/view_private.h"

#define OUTPUT_LINES_MAX 2000
#define OUTPUT_TEXT_MAX 400 // characters of a line
#define TRAFFIC_COLUMNS 200

// A member after another, of a text that may fill its array.
static void put_member(FILE *out, const char *name, const char *text, size_t size)
{
    fprintf(out, ",\"%s\":", name);
    json_text(out, text, size);
}

#define PUT_TEXT(out, name, array) put_member(out, name, array, sizeof(array))

static void put_time(FILE *out, instant time)
{
    json_number(out, instant_to_s(time));
}

// ---- faults -------------------------------------------------------------------------------------

static const char *colour_of(const struct scenario *scenario, const char *kind)
{
    const struct fault_kind *fault = scenario == NULL || scenario->catalogue == NULL
                                         ? NULL
                                         : catalogue_find(scenario->catalogue, kind);
    return fault == NULL ? "#888888" : fault->colour;
}

static void put_fault(const struct viewing *view, const struct fault_event *applied)
{
    FILE *out = view->out;
    const double end_s = (double)view->end_ns * 1e-9;
    char kind[sizeof applied->fault + 1];
    snprintf(kind, sizeof kind, "%.*s", (int)sizeof applied->fault, applied->fault);
    fputs("{\"kind\":", out);
    json_text(out, kind, SIZE_MAX);
    PUT_TEXT(out, "component", applied->component);
    fputs(",\"from\":", out);
    put_time(out, applied->time);
    fputs(",\"to\":", out);
    json_number(out, fmin(fault_over_s(view->request->history, applied), end_s));
    put_member(out, "colour", colour_of(view->request->scenario, kind), SIZE_MAX);
    PUT_TEXT(out, "evidence", applied->evidence);
    fputc('}', out);
}

static void put_faults(const struct viewing *view, const struct series *faults)
{
    fputs("\"faults\":[", view->out);
    const char *between = "";
    for (size_t i = 0; i < faults->count; i++) {
        const struct fault_event *event = faults->event[i]->data;
        if (event->kind != FAULT_APPLIED)
            continue;
        fputs(between, view->out);
        put_fault(view, event);
        between = ",\n";
    }
    fputs("],\n", view->out);
}

// ---- processes ----------------------------------------------------------------------------------

// Each event with the name of its process; the page sorts them into lines.
static void put_processes(FILE *out, const struct series *events)
{
    static const char *const kinds[] = {
        [PROCESS_STARTED] = "started", [PROCESS_READY] = "ready",
        [PROCESS_EXITED] = "exited",   [PROCESS_KILLED] = "killed",
        [PROCESS_STOPPED] = "stopped", [PROCESS_CONTINUED] = "continued",
        [PROCESS_HUNG] = "hung"};
    const char *between = "";
    fputs("\"processes\":[", out);
    for (size_t i = 0; i < events->count; i++) {
        const struct process_event *event = events->event[i]->data;
        if (event->kind > PROCESS_HUNG)
            continue;
        fprintf(out, "%s{\"kind\":\"%s\",\"value\":%d,\"generation\":%u,\"t\":", between,
                kinds[event->kind], event->value, event->generation);
        put_time(out, event->time);
        PUT_TEXT(out, "name", event->process);
        PUT_TEXT(out, "words", event->last_words);
        fputc('}', out);
        between = ",\n";
    }
    fputs("],\n", out);
}

// ---- verdicts -----------------------------------------------------------------------------------

static void put_verdicts(FILE *out, const struct judgement *judgement)
{
    fputs("\"verdict\":", out);
    json_text(out, judgement == NULL ? "" : verdict_name(judgement->verdict), SIZE_MAX);
    fputs(",\n\"verdicts\":[", out);
    for (unsigned i = 0; judgement != NULL && i < judgement->count; i++) {
        const struct oracle_verdict *oracle = &judgement->oracle[i];
        fprintf(out, "%s{\"verdict\":\"%s\",\"margin\":", i == 0 ? "" : ",\n",
                verdict_name(oracle->verdict));
        json_number(out, oracle->margin);
        PUT_TEXT(out, "oracle", oracle->oracle);
        PUT_TEXT(out, "unit", oracle->unit);
        PUT_TEXT(out, "detail", oracle->detail);
        fputc('}', out);
    }
    fputs("],\n", out);
}

// ---- observations -------------------------------------------------------------------------------

static void put_observations(FILE *out, const struct judgement *judgement)
{
    fputs("\"observed\":[", out);
    for (unsigned i = 0; judgement != NULL && i < judgement->observation_count; i++) {
        const struct observation *row = &judgement->observation[i];
        fprintf(out, "%s{\"value\":", i == 0 ? "" : ",\n");
        json_number(out, row->value);
        PUT_TEXT(out, "name", row->name);
        PUT_TEXT(out, "unit", row->unit);
        PUT_TEXT(out, "text", row->text);
        PUT_TEXT(out, "reason", row->reason);
        fputc('}', out);
    }
    fputs("],\n", out);
}

// ---- output -------------------------------------------------------------------------------------

static void put_line(FILE *out, const struct event *event)
{
    const struct output_event *line = event->data;
    const size_t length = event->size_B - offsetof(struct output_event, text);
    fputs("{\"t\":", out);
    put_time(out, line->time);
    PUT_TEXT(out, "name", line->process);
    put_member(out, "text", line->text, length < OUTPUT_TEXT_MAX ? length : OUTPUT_TEXT_MAX);
    fputc('}', out);
}

// The last lines that processes printed.
static void put_output(FILE *out, const struct series *lines)
{
    const size_t first = lines->count > OUTPUT_LINES_MAX ? lines->count - OUTPUT_LINES_MAX : 0;
    fprintf(out, "\"output_before\":%zu,\n\"output\":[", first);
    for (size_t i = first; i < lines->count; i++) {
        fputs(i == first ? "" : ",\n", out);
        put_line(out, lines->event[i]);
    }
    fputs("],\n", out);
}

// ---- traffic ------------------------------------------------------------------------------------

struct counts {
    unsigned column[TRAFFIC_COLUMNS];
};

// The time of a column: round, so that a steady rate is the same in all of them.
static int64_t column_ns(const struct viewing *view)
{
    int64_t width_ns = 1000;
    for (unsigned i = 0; width_ns <= view->end_ns / TRAFFIC_COLUMNS; i++)
        width_ns = i % 3 == 1 ? width_ns / 2 * 5 : width_ns * 2; // 1, 2, 5, 10 ...
    return width_ns;
}

static void count(const struct viewing *view, struct counts *counts, instant time)
{
    const int64_t column = time.ns / column_ns(view);
    if (column >= 0 && column < TRAFFIC_COLUMNS)
        counts->column[column]++;
}

static void put_counts(const struct viewing *view, const char *kind, const char *name,
                       const struct counts *counts, const char **between)
{
    FILE *out = view->out;
    const unsigned columns = (unsigned)((view->end_ns + column_ns(view) - 1) / column_ns(view));
    fprintf(out, "%s{\"kind\":\"%s\",\"name\":", *between, kind);
    json_text(out, name, SIZE_MAX);
    fputs(",\"counts\":[", out);
    for (unsigned i = 0; i < columns; i++)
        fprintf(out, "%s%u", i == 0 ? "" : ",", counts->column[i]);
    fputs("]}", out);
    *between = ",\n";
}

static void put_channels(const struct viewing *view, const char **between)
{
    const struct view_request *request = view->request;
    for (unsigned c = 0; c < request->target->channel_count; c++) {
        const char *name = request->target->channel[c].name;
        const int topic = history_topic(request->history, name);
        struct counts counts = {{0}};
        for (size_t i = 0; topic >= 0 && i < history_length(request->history); i++) {
            const struct event *event = history_event(request->history, i);
            if (event->topic == topic)
                count(view, &counts, event->time);
        }
        if (topic >= 0)
            put_counts(view, "channel", name, &counts, between);
    }
}

static void put_buses(const struct viewing *view, const struct series *log, const char **between)
{
    const struct target *target = view->request->target;
    struct counts counts[BUSES_MAX] = {{{0}}};
    for (size_t i = 0; i < log->count; i++) {
        const struct bus_log_message *message = log->event[i]->data;
        for (size_t f = 0; f < bus_log_frames(log->event[i]); f++)
            if (message->frame[f].bus < target->bus_count)
                count(view, &counts[message->frame[f].bus], message->frame[f].time);
    }
    for (unsigned bus = 0; log->count > 0 && bus < target->bus_count; bus++)
        put_counts(view, "bus", target->bus[bus].name, &counts[bus], between);
}

enum status view_put_events(const struct viewing *view)
{
    const struct history *history = view->request->history;
    struct series fault = {0}, process = {0}, output = {0}, bus_log = {0};
    const bool collected =
        series_collect(history, TOPIC_FAULT, sizeof(struct fault_event), &fault) &&
        series_collect(history, TOPIC_PROCESS, sizeof(struct process_event), &process) &&
        series_collect(history, TOPIC_OUTPUT, offsetof(struct output_event, text), &output) &&
        series_collect(history, TOPIC_BUS_LOG, offsetof(struct bus_log_message, frame), &bus_log);
    if (collected) {
        const char *between = "";
        put_faults(view, &fault);
        put_processes(view->out, &process);
        put_verdicts(view->out, view->request->judgement);
        put_observations(view->out, view->request->judgement);
        put_output(view->out, &output);
        fputs("\"traffic_s\":", view->out);
        json_number(view->out, (double)column_ns(view) * 1e-9);
        fputs(",\n\"traffic\":[", view->out);
        put_channels(view, &between);
        put_buses(view, &bus_log, &between);
        fputs("],\n", view->out);
    }
    free(fault.event);
    free(process.event);
    free(output.event);
    free(bus_log.event);
    return collected ? STATUS_OK : STATUS_NO_MEMORY;
}
