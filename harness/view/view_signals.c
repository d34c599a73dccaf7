// Signals of a page: what the target's packs draw, its quantities, how far the promises hold, and
// every recorded number.
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/history/schema.h"
#include "harness/files/scenario.h"
#include "harness/history/series.h"
#include "harness/judge/signal_trace.h"
#include "harness/judge/tracks.h"
#include "harness/packs/packs.h"
#include "harness/view/envelope.h"
#include "base/json.h"
#include "harness/view/view_private.h"

#define FIELDS_MAX 4096
#define ELEMENTS_MAX 64            // of an array that is shown
#define FIELDS_MAX_B (3u << 20)    // what all fields take of the page
#define COLUMN_B (4.0 * 4.0 / 3.0) // of a field's column, in base64

static void put_signal(const struct viewing *view, const char *kind, const char *name,
                       const struct envelope *envelope, unsigned merged, unsigned *count)
{
    FILE *out = view->out;
    fprintf(out, "%s{\"kind\":\"%s\",\"name\":", (*count)++ == 0 ? "" : ",\n", kind);
    json_text(out, name, SIZE_MAX);
    fputc(',', out);
    envelope_write(envelope, merged, out);
    fputc('}', out);
}

// ---- quantities and promises --------------------------------------------------------------------

static void hold_steps(const struct formula_step *step, size_t count, struct envelope *envelope)
{
    for (size_t i = 0; i < count; i++) {
        const int64_t to_ns = i + 1 < count ? step[i + 1].from_ns - 1 : envelope->end_ns;
        const double value = formula_step_value(&step[i]);
        if (isfinite(value))
            envelope_hold(envelope, step[i].from_ns, to_ns, value);
    }
}

// Takes the steps, if any.
static void put_steps(const struct viewing *view, const char *kind, const char *name,
                      struct formula_step *steps, size_t step_count, unsigned *count)
{
    struct envelope envelope;
    if (steps == NULL)
        return;
    envelope_start(&envelope, view->end_ns);
    hold_steps(steps, step_count, &envelope);
    put_signal(view, kind, name, &envelope, 1, count);
    free(steps);
}

static enum status put_formulas(const struct viewing *view, unsigned *count)
{
    const struct target *target = view->request->target;
    const struct history *history = view->request->history;
    const struct scenario *scenario = view->request->scenario;
    enum status status = STATUS_OK;
    struct formula_step *steps;
    size_t step_count;
    for (unsigned i = 0; status == STATUS_OK && scenario != NULL && i < scenario->promise_count;
         i++) {
        const struct promise *promise = &scenario->promise[i];
        if (promise->program[0] != '\0' || promise->chain[0] != '\0')
            continue;
        status = signal_trace_follow(target, promise->formula[promise->operator], history,
                                     view->end_ns, &steps, &step_count);
        put_steps(view, "promise", promise->name, steps, step_count, count);
    }
    for (unsigned i = 0; status == STATUS_OK && i < target->quantity_count; i++) {
        status = signal_trace_quantity(target, i, history, view->end_ns, &steps, &step_count);
        put_steps(view, "quantity", target->quantity[i].name, steps, step_count, count);
    }
    return status;
}

// ---- what a pack draws --------------------------------------------------------------------------

#define TRACKS_MAX 64

// Rows of numbers below a row of names, separated by tabs, up to an empty line (tracks.h).
static enum status put_rows(const struct viewing *view, char *rows, unsigned *count)
{
    char *name[TRACKS_MAX], *line = strsep(&rows, "\n"), *word;
    unsigned tracks = 0;
    while (tracks < TRACKS_MAX && line != NULL && (word = strsep(&line, "\t")) != NULL)
        name[tracks++] = word;
    struct envelope *envelope = calloc(TRACKS_MAX, sizeof *envelope);
    if (envelope == NULL)
        return STATUS_NO_MEMORY;
    for (unsigned i = 0; i < tracks; i++)
        envelope_start(&envelope[i], view->end_ns);
    while ((line = strsep(&rows, "\n")) != NULL && line[0] != '\0') {
        const int64_t time_ns = llround(strtod(strsep(&line, "\t"), NULL) * 1e9);
        for (unsigned i = 1; i < tracks && (word = strsep(&line, "\t")) != NULL; i++)
            if (strcmp(word, "NaN") != 0)
                envelope_sample(&envelope[i], time_ns, strtod(word, NULL));
    }
    for (unsigned i = 1; i < tracks; i++)
        put_signal(view, "track", name[i], &envelope[i], 1, count);
    free(envelope);
    return STATUS_OK;
}

static enum status put_tracks(const struct viewing *view, unsigned *count)
{
    const struct view_request *request = view->request;
    char *rows = NULL;
    size_t size;
    struct tracks_frame whole = tracks_frame(request->history);
    whole.from_s = 0;
    whole.to_s = (double)view->end_ns * 1e-9;
    FILE *memory = open_memstream(&rows, &size);
    if (memory == NULL)
        return STATUS_NO_MEMORY;
    enum status status = tracks_write_packs(all_packs, request->target, request->description,
                                            request->history, &whole, memory);
    if (fclose(memory) != 0)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = put_rows(view, rows, count);
    free(rows);
    return status == STATUS_NOT_FOUND ? STATUS_OK : status; // no tracks, or no ground truth
}

// ---- recorded fields ----------------------------------------------------------------------------

struct field {
    char name[CHANNEL_NAME_MAX + MESSAGE_PATH_MAX + 1];
    struct envelope *envelope;
};

struct fields {
    const struct viewing *view;
    const char *topic;
    struct series series; // of the topic
    struct field *field;  // FIELDS_MAX
    unsigned count, left_out;
    bool short_of_memory;
};

static void take_field(void *context, const char *path, const struct message_field *place)
{
    struct fields *fields = context;
    if (strncmp(path, "padding", strlen("padding")) == 0 || fields->short_of_memory)
        return;
    if (fields->count == FIELDS_MAX) {
        fields->left_out++;
        return;
    }
    struct field *field = &fields->field[fields->count];
    field->envelope = malloc(sizeof *field->envelope);
    fields->short_of_memory = field->envelope == NULL;
    if (fields->short_of_memory)
        return;
    fields->count++;
    snprintf(field->name, sizeof field->name, "%s.%s", fields->topic, path);
    envelope_start(field->envelope, fields->view->end_ns);
    for (size_t i = 0; i < fields->series.count; i++) {
        const struct event *event = fields->series.event[i];
        envelope_sample(field->envelope, event->time.ns,
                        message_value(place, 0, event->data, event->size_B));
    }
}

// The lab's own topics are shown otherwise.
static bool is_of_the_target(const struct target *target, const char *topic)
{
    for (unsigned i = 0; i < target->channel_count; i++)
        if (strcmp(target->channel[i].name, topic) == 0)
            return true;
    return false;
}

static enum status take_topic(struct fields *fields, unsigned topic)
{
    const struct history *history = fields->view->request->history;
    const struct schema *schema = schema_find(history_topic_schema(history, topic));
    fields->topic = history_topic_name(history, topic);
    if (schema == NULL || !is_of_the_target(fields->view->request->target, fields->topic))
        return STATUS_OK;
    fields->series = (struct series){0};
    if (!series_collect(history, fields->topic, 0, &fields->series))
        return STATUS_NO_MEMORY;
    if (fields->series.count > 0)
        message_each(schema->fields, ELEMENTS_MAX, take_field, fields);
    free(fields->series.event);
    return fields->short_of_memory ? STATUS_NO_MEMORY : STATUS_OK;
}

// So that all of them fit.
static unsigned columns_merged(const struct fields *fields)
{
    unsigned varying = 0, merged = 1;
    for (unsigned i = 0; i < fields->count; i++)
        varying += !envelope_is_constant(fields->field[i].envelope);
    while (merged < ENVELOPE_COLUMNS / 32 &&
           varying * COLUMN_B * ENVELOPE_COLUMNS / merged > FIELDS_MAX_B)
        merged *= 2;
    return merged;
}

static enum status put_fields(const struct viewing *view, unsigned *count, unsigned *left_out)
{
    struct fields fields = {.view = view, .field = calloc(FIELDS_MAX, sizeof(struct field))};
    enum status status = fields.field == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    for (unsigned t = 0; status == STATUS_OK && t < history_topic_count(view->request->history);
         t++)
        status = take_topic(&fields, t);
    const unsigned merged = status == STATUS_OK ? columns_merged(&fields) : 1;
    for (unsigned i = 0; i < fields.count; i++) {
        const struct field *field = &fields.field[i];
        if (status == STATUS_OK)
            put_signal(view, "field", field->name, field->envelope, merged, count);
        free(field->envelope);
    }
    free(fields.field);
    *left_out = fields.left_out;
    return status;
}

enum status view_put_signals(const struct viewing *view)
{
    unsigned count = 0, left_out = 0;
    fputs("\"signals\":[", view->out);
    enum status status = put_formulas(view, &count);
    if (status == STATUS_OK)
        status = put_tracks(view, &count);
    if (status == STATUS_OK)
        status = put_fields(view, &count, &left_out);
    fprintf(view->out, "],\n\"left_out\":%u", left_out);
    return status;
}
