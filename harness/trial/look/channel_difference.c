#include "harness/trial/look/channel_difference.h"

#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/invariant.h"

#define LOOK_BACK 64 // frames

struct frame {
    uint64_t hash; // of its bytes
    size_t number; // in the order of its side
    const struct event *event;
};

struct side { // frames in their order, and the same by hash
    size_t count;
    struct frame *frame, *sorted;
};

static int compare(const void *left, const void *right)
{
    const struct frame *a = left, *b = right;
    if (a->hash != b->hash)
        return a->hash < b->hash ? -1 : 1;
    return a->number < b->number ? -1 : a->number > b->number;
}

static bool is_between(const struct event *event, instant since, instant till)
{
    return instant_before(since, event->time) && !instant_before(till, event->time);
}

static enum status collect(const struct history *history, unsigned topic, instant since,
                           instant till, struct side *side)
{
    const size_t most = history_length(history) + 1;
    *side = (struct side){.frame = malloc(most * sizeof *side->frame),
                          .sorted = malloc(most * sizeof *side->sorted)};
    if (side->frame == NULL || side->sorted == NULL)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic != topic || !is_between(event, since, till))
            continue;
        invariant(side->count + 1 < most);
        side->frame[side->count] = (struct frame){
            .hash = XXH3_64bits(event->data, event->size_B), .number = side->count, .event = event};
        side->count++;
    }
    memcpy(side->sorted, side->frame, side->count * sizeof *side->sorted);
    qsort(side->sorted, side->count, sizeof *side->sorted, compare);
    return STATUS_OK;
}

static void let_go(struct side *side)
{
    free(side->frame);
    free(side->sorted);
}

// Place of the first of these bytes in `sorted`, or where it would be.
static size_t first_of(const struct side *side, uint64_t hash)
{
    size_t low = 0, high = side->count;
    while (low < high) {
        const size_t middle = low + (high - low) / 2;
        if (side->sorted[middle].hash < hash)
            low = middle + 1;
        else
            high = middle;
    }
    ensures(low <= side->count);
    return low;
}

static size_t count_of(const struct side *side, uint64_t hash, instant since, instant till)
{
    size_t count = 0;
    for (size_t i = first_of(side, hash); i < side->count && side->sorted[i].hash == hash; i++)
        count += is_between(side->sorted[i].event, since, till);
    return count;
}

// The last of these bytes that was put before `frame` was got; NULL: it never was.
static const struct frame *origin_of(const struct side *put, const struct frame *frame)
{
    const struct frame *last = NULL;
    for (size_t i = first_of(put, frame->hash);
         i < put->count && put->sorted[i].hash == frame->hash &&
         (last == NULL || !instant_before(frame->event->time, put->sorted[i].event->time));
         i++)
        last = &put->sorted[i];
    return last;
}

static bool is_beginning(const struct event *part, const struct event *whole,
                         const struct channel_window *window)
{
    (void)window;
    return part->size_B < whole->size_B && memcmp(part->data, whole->data, part->size_B) == 0;
}

// `got` has in the one field what `put` has in the other, and all else alike.
static bool is_swapped(const struct event *got, const struct event *put,
                       const struct message_field *one, const struct message_field *other)
{
    const unsigned char *left = got->data, *right = put->data;
    if (got->size_B != put->size_B || one->offset_B + one->width_B > put->size_B ||
        other->offset_B + one->width_B > put->size_B)
        return false;
    for (size_t i = 0; i < got->size_B; i++) {
        size_t from = i;
        if (i - one->offset_B < one->width_B)
            from = i - one->offset_B + other->offset_B;
        else if (i - other->offset_B < one->width_B)
            from = i - other->offset_B + one->offset_B;
        if (left[i] != right[from])
            return false;
    }
    return true;
}

static bool is_but_for_field(const struct event *a, const struct event *b,
                             const struct channel_window *window)
{
    const struct message_field *field = window->field;
    if (field == NULL)
        return false;
    if (window->other != NULL)
        return is_swapped(a, b, field, window->other);
    const size_t after_B = field->offset_B + field->width_B;
    const unsigned char *left = a->data, *right = b->data;
    return a->size_B == b->size_B && after_B <= a->size_B &&
           memcmp(left, right, field->offset_B) == 0 &&
           memcmp(left + after_B, right + after_B, a->size_B - after_B) == 0;
}

// Whether one of the frames put shortly before is to this one as is asked.
static bool comes_from(const struct side *put, const struct event *event,
                       bool (*is_so)(const struct event *got, const struct event *put,
                                     const struct channel_window *window),
                       const struct channel_window *window)
{
    size_t looked = 0;
    for (size_t i = put->count; i-- > 0 && looked < LOOK_BACK;) {
        if (instant_before(event->time, put->frame[i].event->time))
            continue;
        looked++;
        if (is_so(event, put->frame[i].event, window))
            return true;
    }
    return false;
}

// What the readers got, frame by frame in its order.
static void look_at_got(const struct channel_window *window, const struct side *put,
                        const struct side *got, struct channel_difference *difference)
{
    size_t furthest = 0; // one more than the number of the latest frame
    const instant over = instant_ns(time_difference_ns(window->till.ns, window->after.ns));
    for (size_t i = 0; i < got->count; i++) {
        const struct event *event = got->frame[i].event;
        const struct frame *origin = origin_of(put, &got->frame[i]);
        const bool is_first = got->sorted[first_of(got, got->frame[i].hash)].number == i;
        difference->same += !is_first;
        if (origin == NULL) {
            difference->altered++;
            difference->shortened += comes_from(put, event, is_beginning, window);
            difference->marked += comes_from(put, event, is_but_for_field, window);
            continue;
        }
        if (!instant_before(window->since, origin->event->time))
            continue; // it was on its way already
        difference->disordered += is_first && origin->number + 1 < furthest;
        if (origin->number + 1 > furthest)
            furthest = origin->number + 1;
        const duration late = instant_sub(event->time, origin->event->time);
        if (is_first && late.ns > difference->late.ns)
            difference->late = late;
        const bool acted_on = is_first && !instant_before(over, origin->event->time);
        difference->acted_on += acted_on;
        difference->delayed += acted_on && window->delay.ns > 0 && late.ns >= window->delay.ns;
    }
}

// A frame that is not there yet is late already, unless it is out for longer than is asked.
static void look_at_held(const struct channel_window *window, const struct event *event,
                         struct channel_difference *difference)
{
    const duration held = instant_sub(window->till, event->time);
    const int64_t most_ns = window->delay.ns + window->slack.ns;
    if (instant_before(window->since, event->time) && held.ns <= most_ns &&
        held.ns > difference->late.ns)
        difference->late = held;
}

// Of each different frame: how often it was put and got.
static void compare_counts(const struct channel_window *window, const struct side *put,
                           const struct side *got, struct channel_difference *difference)
{
    const instant sure = instant_ns(time_difference_ns(window->till.ns, window->slack.ns));
    const instant early = instant_ns(time_difference_ns(window->since.ns, window->slack.ns));
    for (size_t i = 0; i < put->count; i++) {
        const uint64_t hash = put->sorted[i].hash;
        if (i > 0 && put->sorted[i - 1].hash == hash)
            continue;
        const size_t was_put = count_of(put, hash, window->since, sure);
        const size_t was_got = count_of(got, hash, window->since, window->till);
        const size_t in_all = count_of(put, hash, early, window->till);
        difference->missing += was_put > was_got ? was_put - was_got : 0;
        if (was_put > was_got && window->delay.ns > 0)
            look_at_held(window, put->sorted[i].event, difference);
        difference->repeated += in_all > 0 && was_got > in_all ? was_got - in_all : 0;
    }
}

enum status channel_differ(const struct history *history, const struct channel_window *window,
                           struct channel_difference *difference)
{
    struct side put, got = {0};
    *difference = (struct channel_difference){0};
    enum status status = collect(history, window->put, instant_ns(INT64_MIN), window->till, &put);
    if (status == STATUS_OK)
        status = collect(history, window->got, window->since, window->till, &got);
    if (status == STATUS_OK) {
        difference->got = got.count;
        for (size_t i = 0; i < put.count; i++)
            difference->put += instant_before(window->since, put.frame[i].event->time);
        look_at_got(window, &put, &got, difference);
        compare_counts(window, &put, &got, difference);
    }
    let_go(&put);
    let_go(&got);
    return status;
}
