// Reading a frame: never writes, never blocks. A copy is accepted only if the slot held the same
// frame before and after it.
#include <string.h>

#include "channel/channel.h"
#include "channel/layout.h"

// A copy fails only if the writers made at least (slots - writers) puts during it.
#define ATTEMPTS_MAX 256

#define EXPECTED_MAX_B                                                                             \
    512 // of a frame, asked for at once; the rest is found by the processor's own foresight

static bool holds(const struct channel *channel, channel_place place)
{
    return place_slot(place) < channel->slot_count &&
           atomic_load_explicit(&channel->header->slot[place_slot(place)].number,
                                memory_order_acquire) == place_number(place);
}

// Where the frame before `place` is, if both are still held, else 0.
static channel_place held_before(const struct channel *channel, channel_place place)
{
    channel_place previous = atomic_load_explicit(
        &channel->header->slot[place_slot(place)].previous, memory_order_relaxed);
    atomic_thread_fence(memory_order_acquire);
    bool same_frame = holds(channel, place); // so `previous` was its own
    if (!same_frame || previous == 0 || place_number(previous) + 1 != place_number(place) ||
        !holds(channel, previous))
        return 0;
    return previous;
}

// Walks back from the head to the oldest frame that has not been read here and is still held.
static channel_place oldest_unread(const struct channel *channel, channel_place head)
{
    channel_place place = head;
    for (unsigned i = 0; i < channel->slot_count; i++) {
        if (place_number(place) == place_number(channel->last) + 1)
            break;
        channel_place before = held_before(channel, place);
        if (before == 0)
            break;
        place = before;
    }
    return place;
}

// The only intended race: a writer may reuse the slot meanwhile. Then the number has changed, and what
// was copied is thrown away. ThreadSanitizer is not shown this read, and nothing else.
#if defined(__has_feature)
#if __has_feature(thread_sanitizer)
#define RACE_IS_INTENDED 1
#endif
#elif defined(__SANITIZE_THREAD__)
#define RACE_IS_INTENDED 1
#endif
#ifdef RACE_IS_INTENDED
__attribute__((no_sanitize("thread"), noinline)) static void
copy_out(unsigned char *buffer, const volatile unsigned char *payload, size_t size_B)
{
    for (size_t i = 0; i < size_B; i++) // memcpy would be seen
        buffer[i] = payload[i];
}
#else
static void copy_out(void *buffer, const void *payload, size_t size_B)
{
    memcpy(buffer, payload, size_B);
}
#endif

enum copy_result { COPIED, OVERTAKEN, COPY_TOO_LARGE, COPY_CORRUPT };

static enum copy_result copy_frame(const struct channel *channel, channel_place place, void *buffer,
                                   size_t capacity_B, struct channel_frame *info)
{
    if (!holds(channel, place))
        return OVERTAKEN;
    const struct channel_slot *slot = &channel->header->slot[place_slot(place)];
    const struct channel_label *label = channel_label(channel, place_slot(place));
    const uint64_t size_B = atomic_load_explicit(&label->size_B, memory_order_relaxed);
    const int64_t time_ns = atomic_load_explicit(&label->time_ns, memory_order_relaxed);
    enum copy_result result = COPIED;
    if (size_B > channel->frame_size_max_B)
        result = COPY_CORRUPT;
    else if (size_B > capacity_B)
        result = COPY_TOO_LARGE;
    else if (size_B > 0)
        copy_out(buffer, channel_payload(channel, place_slot(place)), size_B);
    atomic_thread_fence(
        memory_order_acquire); // the copy is complete before the number is read again
    if (atomic_load_explicit(&slot->number, memory_order_relaxed) != place_number(place))
        return OVERTAKEN;
    *info = (struct channel_frame){
        .number = place_number(place), .time = instant_ns(time_ns), .size_B = size_B};
    return result;
}

// Asks at once for the lines that a copy reads one after the other: slot, label, the beginning of the frame.
static void expect_lines(const struct channel *channel, unsigned slot)
{
    const unsigned char *label = (const unsigned char *)channel_label(channel, slot);
    __builtin_prefetch(&channel->header->slot[slot]);
    for (size_t at_B = 0; at_B < EXPECTED_MAX_B && at_B < channel->frame_stride_B; at_B += 64)
        __builtin_prefetch(label + at_B);
}

// Has the address of the frame that probably comes next translated; its line may be the writer's meanwhile.
static void expect_page(const struct channel *channel, channel_place head)
{
    const unsigned next = place_slot(head) + 1 < channel->slot_count ? place_slot(head) + 1 : 0;
    __builtin_prefetch(channel_label(channel, next));
}

// Notes that the frame at `place` has been read, and counts the unread ones it passes over.
static enum status consume(struct channel *channel, channel_place place,
                           struct channel_frame *frame)
{
    uint64_t before = channel->last == 0 ? channel->number_at_open : place_number(channel->last);
    if (place == channel->last || frame->number <= before)
        frame->missed = 0;
    else
        frame->missed = frame->number - before - 1;
    channel->last = place;
    return frame->missed > 0 ? STATUS_MISSED : STATUS_OK;
}

enum status channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                        enum channel_which which, struct channel_frame *info)
{
    struct channel_frame frame = {0};
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        channel_place head = atomic_load_explicit(&channel->header->head, memory_order_acquire);
        if (head == 0 || (head == channel->last && which != CHANNEL_LAST)) {
            expect_page(channel, head);
            return STATUS_EMPTY;
        }
        if (place_slot(head) >= channel->slot_count ||
            place_number(head) < place_number(channel->last))
            return STATUS_CORRUPT;
        expect_lines(channel, place_slot(head));
        channel_place place = which == CHANNEL_NEXT ? oldest_unread(channel, head) : head;
        enum status status;
        switch (copy_frame(channel, place, buffer, capacity_B, &frame)) {
        case COPIED:
            status = consume(channel, place, &frame);
            break;
        case COPY_TOO_LARGE:
            status = STATUS_TOO_LARGE;
            break;
        case COPY_CORRUPT:
            return STATUS_CORRUPT;
        default: // OVERTAKEN: by puts meanwhile, or the head lies (nobody but a mad writer does
                 // that)
            if (place == head && atomic_load(&channel->header->head) == head)
                return STATUS_CORRUPT;
            continue;
        }
        if (info != NULL)
            *info = frame;
        return status;
    }
    return STATUS_EMPTY; // overtaken again and again: as good as nothing to this reader
}
