// Reading a frame: never writes, never blocks. A copy is accepted only if the slot held the same
// frame before and after it.
#include <string.h>

#include "channel/channel.h"
#include "channel/layout.h"
#include "channel/newest.h"

// An attempt fails only if the writers made at least (slots - writers) puts during it.
#define ATTEMPTS_MAX 256

#define EXPECTED_MAX_B                                                                             \
    512 // of a frame, asked for at once; the rest is found by the processor's own foresight

static bool holds(const struct channel *channel, channel_place place)
{
    return place_number(place) != 0 && place_slot(place) < channel->slot_count &&
           atomic_load_explicit(&channel->header->slot[place_slot(place)].number,
                                memory_order_acquire) == place_number(place);
}

// Whether what was read in the slot until now was of the frame at `place`: the reads are complete
// before the number is read again.
static bool still_holds(const struct channel *channel, channel_place place)
{
    atomic_thread_fence(memory_order_acquire);
    return holds(channel, place);
}

// Where the frame before `place` is, if both are still held, else 0.
static channel_place held_before(const struct channel *channel, channel_place place)
{
    channel_place previous = atomic_load_explicit(
        &channel->header->slot[place_slot(place)].previous, memory_order_relaxed);
    const bool is_its_own = still_holds(channel, place);
    if (!is_its_own || previous == 0 || place_number(previous) + 1 != place_number(place) ||
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

// The only intended race: a writer may reuse the slot meanwhile. Then the number has changed, and
// what was copied is thrown away. ThreadSanitizer is not shown this read, and nothing else.
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

// Asks at once for the lines that a reader touches one after the other: slot, the beginning of the
// frame.
static void expect_lines(const struct channel *channel, unsigned slot)
{
    const unsigned char *frame = channel_payload(channel, slot);
    __builtin_prefetch(&channel->header->slot[slot]);
    for (size_t at_B = 0; at_B < EXPECTED_MAX_B && at_B < channel->frame_stride_B; at_B += 64)
        __builtin_prefetch(frame + at_B);
    KEEP_PREFETCHES;
}

// Has the address of the frame that probably comes next translated; its line may be the writer's
// meanwhile.
static void expect_page(const struct channel *channel, channel_place head)
{
    const unsigned next = place_slot(head) + 1 < channel->slot_count ? place_slot(head) + 1 : 0;
    __builtin_prefetch(channel_payload(channel, next));
}

// How many unread frames a reader passes over that takes the one at `place`.
static uint64_t passed_over(const struct channel *channel, channel_place place)
{
    const uint64_t before =
        channel->last == 0 ? channel->number_at_open : place_number(channel->last);
    return place_number(place) <= before ? 0 : place_number(place) - before - 1;
}

// A frame where it lies.
struct view {
    channel_place place;
    const unsigned char *payload;
    struct channel_frame info;
};

// Describes the frame at `place`. False: its slot holds another.
static bool describe(const struct channel *channel, channel_place place, struct view *view)
{
    if (!holds(channel, place))
        return false;
    const struct channel_slot *slot = &channel->header->slot[place_slot(place)];
    const uint64_t size_B = atomic_load_explicit(&slot->size_B, memory_order_relaxed);
    const int64_t time_ns = atomic_load_explicit(&slot->time_ns, memory_order_relaxed);
    if (!still_holds(channel, place))
        return false;
    *view = (struct view){
        .place = place,
        .payload = channel_payload(channel, place_slot(place)),
        .info = {.number = place_number(place),
                 .missed = passed_over(channel, place),
                 .time = instant_ns(time_ns),
                 .size_B = size_B},
    };
    return true;
}

// One attempt to find the frame. False: it was overtaken by puts, try again; else *status is the
// answer.
static inline bool try_to_look(const struct channel *channel, enum channel_which which,
                               struct view *view, enum status *status)
{
    const channel_place head = atomic_load_explicit(&channel->header->head, memory_order_acquire);
    if (head == 0 || (head == channel->last && which != CHANNEL_LAST)) {
        expect_page(channel, head);
        *status = STATUS_EMPTY;
        return true;
    }
    *status = STATUS_CORRUPT;
    if (place_slot(head) >= channel->slot_count || place_number(head) < place_number(channel->last))
        return true;
    expect_lines(channel, place_slot(head));
    const channel_place place = which == CHANNEL_NEXT ? oldest_unread(channel, head) : head;
    if (!describe(channel, place, view))
        // If it is still the head, that lies: only a mad writer does so.
        return place == head && atomic_load(&channel->header->head) == head;
    if (view->info.size_B <= channel->frame_size_max_B)
        *status = view->info.missed > 0 ? STATUS_MISSED : STATUS_OK;
    return true;
}

// Copies the frame and counts it as read. False: it was overwritten meanwhile.
static bool take(struct channel *channel, const struct view *view, void *buffer)
{
    if (view->info.size_B > 0) // `buffer` may be NULL then
        copy_out(buffer, view->payload, view->info.size_B);
    if (!still_holds(channel, view->place))
        return false;
    channel->last = view->place;
    return true;
}

enum status channel_get(struct channel *channel, void *buffer, size_t capacity_B,
                        enum channel_which which, struct channel_frame *info)
{
    struct view view;
    enum status status;
    for (int attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
        if (!try_to_look(channel, which, &view, &status))
            continue;
        if (status != STATUS_OK && status != STATUS_MISSED)
            return status;
        if (view.info.size_B > capacity_B)
            status = STATUS_TOO_LARGE;
        else if (!take(channel, &view, buffer))
            continue;
        if (info != NULL)
            *info = view.info;
        return status;
    }
    return STATUS_EMPTY; // overtaken again and again: as good as nothing to this reader
}

uint64_t channel_newest(const struct channel *channel)
{
    return place_number(atomic_load_explicit(&channel->header->head, memory_order_acquire));
}
