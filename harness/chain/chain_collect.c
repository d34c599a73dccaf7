// What happened at each link: messages, or the frames that messages hold.
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/chain/chain_private.h"
#include "harness/history/schema.h"
#include "message/io.h"
#include "message/message.h"

// ---- numbers ------------------------------------------------------------------------------------

static uint64_t bytes_of(const uint8_t *at, unsigned width_B, bool high_first)
{
    uint64_t value = 0;
    for (unsigned i = 0; i < width_B; i++)
        value |= (uint64_t)at[i] << 8 * (high_first ? width_B - 1 - i : i);
    return value;
}

// False: it lies beyond the message's end, or is no number.
static bool read_number(const struct message_field *field, const void *message, size_t size_B,
                        size_t shift_B, int64_t *value)
{
    const uint8_t *at = (const uint8_t *)message + field->offset_B + shift_B;
    if (field->offset_B + shift_B + field->width_B > size_B)
        return false;
    if (field->kind == 'f') {
        double real;
        float narrow;
        memcpy(&narrow, at, sizeof narrow);
        if (field->width_B == sizeof real)
            memcpy(&real, at, sizeof real);
        else
            real = (double)narrow;
        *value = isfinite(real) && fabs(real) < 9e18 ? llround(real) : 0;
        return isfinite(real);
    }
    const uint64_t bits = bytes_of(at, field->width_B, field->kind == 'b');
    const unsigned unused = 64 - 8 * field->width_B;
    *value = field->kind == 'i' ? (int64_t)(bits << unused) >> unused : (int64_t)bits;
    return true;
}

// ---- one happening ------------------------------------------------------------------------------

static instant time_of(const struct happening *h, const struct link_number *number,
                       enum link_field_use use)
{
    int64_t ns;
    if (!h->has[use] || h->value[use] <= 0 ||
        __builtin_mul_overflow(h->value[use], number->unit_ns, &ns))
        return INSTANT_NEVER;
    return instant_ns(ns);
}

static bool is_wanted(const struct link_config *link, const struct event *event, size_t shift_B)
{
    int64_t value;
    for (unsigned i = 0; i < link->only_count; i++)
        if (!read_number(&link->wanted[i].field, event->data, event->size_B, shift_B, &value) ||
            value != link->wanted[i].value)
            return false;
    return true;
}

static bool is_of_link(const struct link_config *link, const struct event *event, const void *data)
{
    if (link->kind == LINK_BUS) {
        const struct bus_log_frame *frame = data;
        return !frame->failed &&
               (link->bus_number == CHAIN_ALL_BUSES || frame->bus == link->bus_number);
    }
    if (link->kind == LINK_CALLS) {
        const struct io_message *call = data;
        return event->size_B >= sizeof *call && (call->call == IO_SEND || call->call == IO_WRITE) &&
               strncmp(call->participant, link->calls, sizeof call->participant) == 0;
    }
    return true;
}

static void read_happening(const struct join *join, const struct link_config *link,
                           const struct event *event, size_t shift_B, struct happening *h)
{
    const bool frame = link->kind == LINK_BUS || link->kind == LINK_FRAMES;
    *h = (struct happening){
        .event = event, .time = event->time, .taken = INSTANT_NEVER, .start = CHAIN_NOBODY};
    for (unsigned use = 0; use < LINK_FIELD_USES; use++)
        h->has[use] =
            link->number[use].given && read_number(&link->number[use].field, event->data,
                                                   event->size_B, shift_B, &h->value[use]);
    if (link->readings)
        h->taken =
            join->robot != NULL ? join->robot->gathered(join->description, event) : INSTANT_NEVER;
    else if (link->number[LINK_TAKEN].given)
        h->taken = time_of(h, &link->number[LINK_TAKEN], LINK_TAKEN);
    h->at = link->number[LINK_AT].given ? time_of(h, &link->number[LINK_AT], LINK_AT) : h->time;
    if (frame && is_set(h->at))
        h->time = h->at;
}

static bool add(const struct join *join, const struct link_config *link, const struct event *event,
                size_t shift_B, size_t data_B, struct link_series *series)
{
    struct happening new;
    if (data_B > event->size_B)
        return true;
    const void *data = (const uint8_t *)event->data + data_B;
    if (!is_of_link(link, event, data) || !is_wanted(link, event, shift_B))
        return true;
    read_happening(join, link, event, shift_B, &new);
    new.data = data;
    return chain_add(series, &new);
}

static bool add_frames(const struct join *join, const struct link_config *link,
                       const struct schema *schema, const struct event *event,
                       struct link_series *series)
{
    const size_t each_B = schema->element_size_B;
    const size_t count = each_B == 0 || event->size_B < schema->head_size_B
                             ? 0
                             : (event->size_B - schema->head_size_B) / each_B;
    for (size_t i = 0; i < count; i++)
        if (!add(join, link, event, i * each_B, schema->head_size_B + i * each_B, series))
            return false;
    return true;
}

// ---- all of a link's ----------------------------------------------------------------------------

static int compare(const void *a, const void *b)
{
    const struct happening *left = a, *right = b;
    if (left->time.ns != right->time.ns)
        return left->time.ns < right->time.ns ? -1 : 1;
    return (left->data > right->data) - (left->data < right->data);
}

// Frames of several buses may lie one bus behind the other.
static void sort(struct link_series *series)
{
    bool ascending = true;
    for (size_t i = 1; i < series->count && ascending; i++)
        ascending = series->happening[i - 1].time.ns <= series->happening[i].time.ns;
    if (!ascending)
        qsort(series->happening, series->count, sizeof *series->happening, compare);
}

bool chain_collect(struct join *join, unsigned k)
{
    const struct link_config *link = &join->chain->link[k];
    const bool frames = link->kind == LINK_BUS || link->kind == LINK_FRAMES;
    const struct schema *schema = schema_find(link->message);
    const int topic = history_topic(join->history, link->topic);
    struct link_series *series = &join->link[k];
    for (size_t i = 0; schema != NULL && i < history_length(join->history); i++) {
        const struct event *event = history_event(join->history, i);
        if (event->topic != topic || (!frames && !schema_fits(schema, event->size_B)))
            continue;
        if (frames ? !add_frames(join, link, schema, event, series)
                   : !add(join, link, event, 0, 0, series))
            return false;
    }
    sort(series);
    join->record->seen[k] = series->count;
    return true;
}
