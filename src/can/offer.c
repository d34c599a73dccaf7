// What each node offers: the next frame of its queue, as disturbances leave it.
#include "can/bits.h"
#include "base/invariant.h"
#include "can/bus_private.h"

// A host may write what it likes into its ring.
static void make_sound(struct canfd_frame *frame)
{
    frame->can_id &= ~CAN_ERR_FLAG;
    frame->__res0 = frame->__res1 = 0;
    if (frame->flags & CANFD_FDF)
        frame->len = (uint8_t)can_fd_payload_B(frame->len);
    else if (frame->len > CAN_MAX_DLEN)
        frame->len = CAN_MAX_DLEN;
}

// The next frame out of a node's queue; false: none. What a host queued before its node was last
// opened is dropped.
static bool next_queued(struct can_bus *bus, unsigned i, struct can_stamped *frame)
{
    expects(i < NODES_MAX && !bus->node[i].has_frame); // or that one would be lost
    struct bus_node *node = &bus->node[i];
    if (i == CAN_OUTSIDE && bus->line != NULL)
        return carry_next(bus, frame);
    if (i >= FIRST_OWN) {
        if (node->count == 0)
            return false;
        *frame = node->queue[node->first];
        node->first = (node->first + 1) % CAN_BUS_QUEUE_MAX;
        node->count--;
        return true;
    }
    struct can_host_node *host = &bus->hosts->host[i];
    if (can_ring_peek(&host->transmit) == NULL)
        return false;
    can_ring_skip_to(&host->transmit,
                     atomic_load_explicit(&host->transmit_from, memory_order_acquire));
    const struct can_stamped *next = can_ring_peek(&host->transmit);
    for (unsigned k = 0; bus->line != NULL && k < CAN_RING_SLOTS && next != NULL &&
                         can_mark_of(next) == CAN_MARK_WITHDRAWN;
         k++) {
        can_ring_drop(&host->transmit);
        next = can_ring_peek(&host->transmit);
    }
    if (next == NULL ||
        (bus->line != NULL &&
         atomic_load_explicit(&host->transmit.tail, memory_order_relaxed) >= bus->arrived[i]))
        return false;
    *frame = *next;
    if (bus->classical)
        frame->fd.flags &= (uint8_t)~CANFD_FDF;
    make_sound(&frame->fd);
    node->number = atomic_load_explicit(&host->transmit.tail, memory_order_relaxed);
    can_ring_drop(&host->transmit);
    return true;
}

// A frame that was on offer when its host withdrew it, or its node was opened anew, is not sent
// either.
static void drop_withdrawn(struct can_bus *bus, unsigned i)
{
    const struct can_host_node *host = &bus->hosts->host[i];
    if (bus->node[i].number < atomic_load_explicit(&host->transmit_from, memory_order_acquire))
        bus->node[i].has_frame = false;
}

// A host's frame that has left its ring is still to be sent.
static void tell_host(struct can_bus *bus, unsigned i)
{
    struct can_host_node *host = &bus->hosts->host[i];
    const uint32_t on_offer = bus->node[i].has_frame;
    if (atomic_load_explicit(&host->on_offer, memory_order_relaxed) != on_offer)
        atomic_store_explicit(&host->on_offer, on_offer, memory_order_relaxed);
}

static void refill(struct can_bus *bus, unsigned i)
{
    struct bus_node *node = &bus->node[i];
    if (i < FIRST_OWN && node->has_frame)
        drop_withdrawn(bus, i);
    // No more than a queue holds: a host gone mad may claim to have queued any number.
    for (unsigned n = 0; n < CAN_RING_SLOTS && !node->has_frame; n++) {
        if (!next_queued(bus, i, &node->frame))
            break;
        node->has_frame = disturb_hand_over(bus, i, &node->frame) == HAND_OVER_NOW;
    }
    if (!node->has_frame)
        node_take_frame(bus, i);
    if (i < FIRST_OWN)
        tell_host(bus, i);
}

void offer_all(struct can_bus *bus)
{
    for (unsigned i = 0; i < FIRST_OWN; i++)
        refill(bus, i);
    for (uint64_t left = bus->queued; left != 0; left &= left - 1)
        refill(bus, (unsigned)__builtin_ctzll(left));
    if (bus->disturbance_count > 0)
        disturb_offer_flood(bus);
}
