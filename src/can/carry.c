// A bus whose frames travel through the kernel's CAN interface: what its owner does about that.
//
// A host's port announces each frame in its ring, with its time, and writes it to the interface. It may be sent from when it has come here.
// What comes and nobody has announced was written by a stranger (cansend, canplayer ...): it is sent by a node of its own, which the
// other nodes cannot reach, since strangers listen at the interface themselves.
#include <string.h>

#include "can/bus_private.h"

#define PATIENCE_NS 1000000000 // for a frame that is on its way; then it counts as lost
#define FRAMES_PER_TURN_MAX 2048

enum status carry_open(struct can_bus *bus, const char *name)
{
    for (unsigned i = 0; i < CAN_HOST_NODES_MAX; i++)
        bus->arrived[i] = atomic_load(&bus->hosts->host[i].transmit.head);
    memcpy(bus->page->node[OUTSIDE].name, CAN_BUS_OUTSIDE, sizeof CAN_BUS_OUTSIDE);
    return can_line_open(name, &bus->line);
}

static bool same(const struct canfd_frame *a, const struct canfd_frame *b)
{
    return a->can_id == b->can_id && a->len == b->len &&
           (a->flags & CANFD_FDF) == (b->flags & CANFD_FDF) &&
           memcmp(a->data, b->data, a->len < CANFD_MAX_DLEN ? a->len : CANFD_MAX_DLEN) == 0;
}

// Whether a host has announced this frame; then all up to it have come.
static bool was_announced(struct can_bus *bus, const struct canfd_frame *frame)
{
    for (unsigned i = 0; i < OUTSIDE; i++) {
        const struct can_ring *ring = &bus->hosts->host[i].transmit;
        const uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        for (uint64_t k = bus->arrived[i]; k < head && head - k <= CAN_RING_SLOTS; k++)
            if (same(&ring->slot[k % CAN_RING_SLOTS].fd, frame)) {
                bus->arrived[i] = k + 1;
                return true;
            }
    }
    return false;
}

static void take_strangers(struct can_bus *bus, const struct canfd_frame *frame)
{
    struct bus_node *outside = &bus->node[OUTSIDE];
    if (frame->can_id & CAN_ERR_FLAG)
        return;
    if (outside->count == CAN_BUS_QUEUE_MAX) {
        atomic_fetch_add_explicit(&bus->page->node[OUTSIDE].lost, 1, memory_order_relaxed);
        return;
    }
    outside->queue[(outside->first + outside->count++) % CAN_BUS_QUEUE_MAX] =
        (struct can_stamped){.fd = *frame, .time = bus->advanced_to};
}

// Whether something announced has not come yet.
static bool is_awaited(struct can_bus *bus)
{
    for (unsigned i = 0; i < OUTSIDE; i++) {
        const struct can_ring *ring = &bus->hosts->host[i].transmit;
        const uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        while (bus->arrived[i] < head &&
               can_mark_of(&ring->slot[bus->arrived[i] % CAN_RING_SLOTS]) == CAN_MARK_WITHDRAWN)
            bus->arrived[i]++;
        if (bus->arrived[i] < head)
            return true;
    }
    return false;
}

// What has not come will not come: it is lost.
static void give_up(struct can_bus *bus)
{
    for (unsigned i = 0; i < OUTSIDE; i++) {
        struct can_ring *ring = &bus->hosts->host[i].transmit;
        const uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        if (head <= bus->arrived[i])
            continue;
        atomic_fetch_add_explicit(&bus->page->node[i].lost, head - bus->arrived[i],
                                  memory_order_relaxed);
        can_ring_skip_to(ring, head);
        bus->arrived[i] = head;
    }
}

void carry_in(struct can_bus *bus)
{
    struct canfd_frame frame;
    for (unsigned i = 0; i < FRAMES_PER_TURN_MAX; i++) {
        enum status status = can_line_read(bus->line, &frame, NULL, 0);
        const bool wait = status == STATUS_EMPTY && bus->page->patient && is_awaited(bus);
        if (wait && can_line_overrun(bus->line) == 0)
            status = can_line_read(bus->line, &frame, NULL, PATIENCE_NS);
        if (status == STATUS_OK) {
            if (!was_announced(bus, &frame))
                take_strangers(bus, &frame);
            continue;
        }
        // When the interface is gone, what was announced was not sent.
        const bool gone = status == STATUS_SYSTEM && can_line_mend(bus->line) != STATUS_OK;
        if (gone || wait)
            give_up(bus);
        if (status == STATUS_SYSTEM && !gone)
            continue;
        break;
    }
}

bool carry_out(struct can_bus *bus, const struct can_stamped *frame)
{
    enum status status = can_line_write(bus->line, &frame->fd);
    if (status == STATUS_SYSTEM && can_line_mend(bus->line) == STATUS_OK)
        status = can_line_write(bus->line, &frame->fd);
    return status == STATUS_OK;
}
