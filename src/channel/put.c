// Publishing a frame. Every step may be the writer's last: nothing is visible before the swap,
// everything after it.
#include <string.h>

#include "channel/channel.h"
#include "channel/layout.h"
#include "clock/futex.h"

// How often all slots are looked through before a put is refused. With slots >= writers + 1 a pass
// can only fail because other writers published or let go of slots during it.
#define CLAIM_PASSES_MAX 64
// From this pass on, a head that moved during the pass is put up with: the slot may then hold one
// of the newest frames (never the newest), which costs a reader that frame.
#define CLAIM_PASSES_STRICT 16

// Of the next frame, this much is asked for before it is known that its slot can be had.
#define EXPECTED_MAX_B 1024

static unsigned slot_after(const struct channel *channel, unsigned slot)
{
    return slot + 1 < channel->slot_count ? slot + 1 : 0;
}

// Asks at once for the lines that this put will touch one after the other, each of which a writer
// that has slept finds in no cache of its core.
#if defined(__x86_64__)
__attribute__((target("prfchw"))) // for writing; does nothing on a processor that does not know it
#endif
static void
expect_lines(const struct channel *channel, size_t size_B)
{
    const unsigned slot = slot_after(channel, place_slot(channel->put_last));
    const unsigned char *frame = channel_payload(channel, slot);
    __builtin_prefetch(&channel->header->head);
    __builtin_prefetch(&channel->header->slot[slot], 1);
    for (size_t at_B = 0; at_B < size_B && at_B < EXPECTED_MAX_B; at_B += 64)
        __builtin_prefetch(frame + at_B, 1);
    KEEP_PREFETCHES;
}

// 0xff is no slot: CHANNEL_SLOTS_MAX is smaller.
static unsigned head_slot_of(channel_place head)
{
    return head == 0 ? 0xff : place_slot(head);
}

// The slot with the oldest frame, neither the head's nor one of `refused`; -1: none. Half-written
// ones come first: their number is 0, or larger than the head's and so was never published.
static int oldest_slot(const struct channel *channel, channel_place head, uint64_t refused)
{
    int best = -1;
    uint64_t oldest = 0;
    for (unsigned i = 0; i < channel->slot_count; i++) {
        if (i == head_slot_of(head) || (refused >> i & 1) != 0)
            continue;
        uint64_t number =
            atomic_load_explicit(&channel->header->slot[i].number, memory_order_relaxed);
        if (number > place_number(head))
            number = 0;
        if (best < 0 || number < oldest) {
            best = (int)i;
            oldest = number;
        }
    }
    return best;
}

// The slot with the oldest frame, found by one look instead of one at each slot; -1: look at each.
// This writer alone has put the last (slots - 1) frames, in as many slots one after the other; if
// what is left over holds the frame before those, no other writer has begun one meanwhile.
static int slot_in_turn(const struct channel *channel, channel_place head)
{
    if (head != channel->put_last || channel->in_turn + 1 < channel->slot_count)
        return -1;
    const unsigned slot = slot_after(channel, place_slot(head));
    const uint64_t number =
        atomic_load_explicit(&channel->header->slot[slot].number, memory_order_relaxed);
    return number > 0 && number + channel->slot_count - 1 == place_number(head) ? (int)slot : -1;
}

// Owns the oldest free slot that is not the head's: its index, -1 if every slot is held by other
// live writers.
static int claim_slot(struct channel *channel)
{
    struct channel_header *header = channel->header;
    for (int pass = 0; pass < CLAIM_PASSES_MAX; pass++) {
        const channel_place head = atomic_load(&header->head);
        uint64_t refused = 0;
        for (unsigned i = 0; i < channel->slot_count; i++) {
            int best = i == 0 ? slot_in_turn(channel, head) : -1;
            if (best < 0)
                best = oldest_slot(channel, head, refused);
            if (best < 0)
                break;
            struct channel_slot *slot = &header->slot[best];
            if (owner_try(&slot->owner)) {
                // Had the head moved meanwhile, the slot might hold the newest frame, or one of
                // the newest; and others might hold older ones.
                const channel_place now = atomic_load(&header->head);
                if (now == head ||
                    (pass >= CLAIM_PASSES_STRICT && (unsigned)best != head_slot_of(now)))
                    return best;
                owner_release(&slot->owner);
                break;
            }
            // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): best < slot_count
            // <= 64
            refused |= (uint64_t)1 << best;
        }
    }
    return -1;
}

// Gives the place of the frame before.
static channel_place publish(struct channel_header *header, unsigned index)
{
    struct channel_slot *slot = &header->slot[index];
    channel_place head = atomic_load_explicit(&header->head, memory_order_acquire);
    uint64_t number;
    do { // a failed swap means another writer published: lock-free
        number = place_number(head) + 1;
        atomic_store_explicit(&slot->previous, head, memory_order_relaxed);
        atomic_store_explicit(&slot->number, number, memory_order_release);
    } while (!atomic_compare_exchange_weak_explicit(&header->head, &head, place_of(number, index),
                                                    memory_order_acq_rel, memory_order_acquire));
    return head;
}

// Wakes whoever sleeps on the head. In virtual mode the coordinator looks at it itself and nobody
// does.
static void wake(struct channel_header *header)
{
    if (atomic_load_explicit(&header->watch_id, memory_order_relaxed) == CLK_WATCH_NONE)
        futex_wake(&header->head, INT32_MAX);
}

static void note_turn(struct channel *channel, channel_place before, unsigned index)
{
    const bool next = before != 0 && before == channel->put_last &&
                      index == slot_after(channel, place_slot(before));
    if (!next)
        channel->in_turn = 1;
    else if (channel->in_turn < channel->slot_count)
        channel->in_turn++;
    channel->put_last = place_of(place_number(before) + 1, index);
}

// Owns a slot, and lets readers see that nothing is in it; -1 if every slot is held by other live
// writers.
static int open_slot(struct channel *channel, size_t size_B)
{
    expect_lines(channel, size_B);
    const int index = claim_slot(channel);
    if (index < 0)
        return -1;
    atomic_store_explicit(&channel->header->slot[index].number, 0, memory_order_relaxed);
    // Readers must see the 0 before the first new byte. A full fence, because memcpy may use
    // non-temporal stores for large frames.
    atomic_thread_fence(memory_order_seq_cst);
    return index;
}

static void copy_in(const struct channel *channel, unsigned index, const void *frame, size_t size_B)
{
    if (size_B > 0) // `frame` may be NULL then
        memcpy(channel_payload(channel, index), frame, size_B);
}

enum status channel_put(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    if (channel->role != CHANNEL_WRITE)
        return STATUS_DENIED;
    if (size_B > channel->frame_size_max_B)
        return STATUS_TOO_LARGE;
    const int index = open_slot(channel, size_B);
    if (index < 0)
        return STATUS_FULL;
    struct channel_slot *slot = &channel->header->slot[index];
    copy_in(channel, (unsigned)index, frame, size_B);
    atomic_store_explicit(&slot->size_B, size_B, memory_order_relaxed);
    atomic_store_explicit(&slot->time_ns, now.ns, memory_order_relaxed);
    const channel_place before = publish(channel->header, (unsigned)index);
    wake(channel->header);
    owner_release(&slot->owner);
    note_turn(channel, before, (unsigned)index);
    return STATUS_OK;
}
