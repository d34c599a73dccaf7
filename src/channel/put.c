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

// Owns the oldest free slot that is not the head's: its index, -1 if every slot is held by other
// live writers.
static int claim_slot(struct channel *channel)
{
    struct channel_header *header = channel->header;
    for (int pass = 0; pass < CLAIM_PASSES_MAX; pass++) {
        const channel_place head = atomic_load(&header->head);
        uint64_t refused = 0;
        for (unsigned i = 0; i < channel->slot_count; i++) {
            int best = oldest_slot(channel, head, refused);
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
            // NOLINTNEXTLINE(clang-analyzer-core.UndefinedBinaryOperatorResult): best < slot_count <= 64
            refused |= (uint64_t)1 << best;
        }
    }
    return -1;
}

static void publish(struct channel_header *header, unsigned index)
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
}

enum status channel_put(struct channel *channel, const void *frame, size_t size_B, instant now)
{
    if (channel->role != CHANNEL_WRITE)
        return STATUS_DENIED;
    if (size_B > channel->frame_size_max_B)
        return STATUS_TOO_LARGE;
    struct channel_header *header = channel->header;
    int index = claim_slot(channel);
    if (index < 0)
        return STATUS_FULL;
    struct channel_slot *slot = &header->slot[index];
    atomic_store_explicit(&slot->number, 0, memory_order_relaxed);
    // Readers must see the 0 before the first new byte. A full fence, because memcpy may use
    // non-temporal stores for large frames.
    atomic_thread_fence(memory_order_seq_cst);
    if (size_B > 0) // `frame` may be NULL then
        memcpy(channel_payload(channel, (unsigned)index), frame, size_B);
    struct channel_label *label = channel_label(channel, (unsigned)index);
    atomic_store_explicit(&label->size_B, size_B, memory_order_relaxed);
    atomic_store_explicit(&label->time_ns, now.ns, memory_order_relaxed);
    publish(header, (unsigned)index);
    // In virtual mode the coordinator looks at the head itself and nobody sleeps on it.
    if (atomic_load_explicit(&header->watch_id, memory_order_relaxed) == CLK_WATCH_NONE)
        futex_wake(&header->head, INT32_MAX);
    owner_release(&slot->owner);
    return STATUS_OK;
}
