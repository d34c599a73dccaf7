// A bus whose frames travel through the kernel's CAN interface: what its owner does about that.
//
// A host's port announces each frame in its ring, with its time, and writes it to the interface. It
// may be sent from when it has come here. What comes and nobody has announced was written by a
// stranger (cansend, canplayer ...): it is sent by a node of its own, which the other nodes cannot
// reach, since strangers listen at the interface themselves.
#include <string.h>
#include <time.h>

#include "base/invariant.h"
#include "can/bus_private.h"

#define PATIENCE_NS 1000000000 // for a frame that is on its way; then it counts as lost

enum status carry_open(struct can_bus *bus, const char *name)
{
    for (unsigned i = 0; i < CAN_HOST_NODES_MAX; i++)
        bus->arrived[i] = atomic_load(&bus->hosts->host[i].transmit.head);
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
    for (unsigned i = 0; i < CAN_OUTSIDE; i++) {
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

static void count_dropped(struct can_bus *bus, unsigned node, uint64_t frames)
{
    atomic_fetch_add_explicit(&bus->page->node[node].lost, frames, memory_order_relaxed);
}

// When a frame came over the interface, by the kernel's stamp, in the bus's time: between when it
// was last advanced and `until`, which is now. Nobody knows better where time is virtual.
static instant arrival(const struct can_bus *bus, int64_t stamp_ns, instant until)
{
    struct timespec now;
    if (bus->page->patient || stamp_ns == 0 || clock_gettime(CLOCK_REALTIME, &now) != 0)
        return bus->advanced_to;
    const int64_t age_ns = now.tv_sec * 1000000000 + now.tv_nsec - stamp_ns;
    const instant came = instant_ns(until.ns - (age_ns > 0 ? age_ns : 0));
    return instant_before(came, bus->advanced_to) ? bus->advanced_to : came;
}

static void take_strangers(struct can_bus *bus, const struct canfd_frame *frame, instant came)
{
    invariant(bus->outside.count <= CAN_BUS_OUTSIDE_MAX);
    struct outside_queue *outside = &bus->outside;
    if (frame->can_id & CAN_ERR_FLAG)
        return;
    if (outside->count == CAN_BUS_OUTSIDE_MAX) {
        count_dropped(bus, CAN_OUTSIDE, 1);
        return;
    }
    outside->frame[(outside->first + outside->count++) % CAN_BUS_OUTSIDE_MAX] =
        (struct can_stamped){.fd = *frame, .time = came};
}

bool carry_next(struct can_bus *bus, struct can_stamped *frame)
{
    invariant(bus->outside.first < CAN_BUS_OUTSIDE_MAX);
    struct outside_queue *outside = &bus->outside;
    if (outside->count == 0)
        return false;
    *frame = outside->frame[outside->first];
    outside->first = (outside->first + 1) % CAN_BUS_OUTSIDE_MAX;
    outside->count--;
    return true;
}

// Whether something announced has not come yet.
static bool is_awaited(struct can_bus *bus)
{
    for (unsigned i = 0; i < CAN_OUTSIDE; i++) {
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
    for (unsigned i = 0; i < CAN_OUTSIDE; i++) {
        struct can_ring *ring = &bus->hosts->host[i].transmit;
        const uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
        if (head <= bus->arrived[i])
            continue;
        count_dropped(bus, i, head - bus->arrived[i]);
        can_ring_skip_to(ring, head);
        bus->arrived[i] = head;
    }
}

// Counts what has found the socket's buffer full; for when nothing is left in it. What hosts had
// announced of that has come for all that: the interface has taken it from them, and boards have no
// such buffer that strangers could fill. False: nothing has.
static bool make_up_for_overrun(struct can_bus *bus)
{
    const uint64_t overrun = can_line_overrun(bus->line);
    uint64_t announced = 0;
    for (unsigned i = 0; overrun > 0 && i < CAN_OUTSIDE; i++) {
        const uint64_t head =
            atomic_load_explicit(&bus->hosts->host[i].transmit.head, memory_order_acquire);
        announced += head > bus->arrived[i] ? head - bus->arrived[i] : 0;
        bus->arrived[i] = head;
    }
    count_dropped(bus, CAN_OUTSIDE, overrun > announced ? overrun - announced : 0);
    return overrun > 0;
}

void carry_in(struct can_bus *bus, instant until)
{
    struct canfd_frame frame;
    int64_t stamp_ns = 0;
    for (unsigned i = 0; i < CAN_LINE_READS_MAX; i++) {
        enum status status = can_line_read(bus->line, &frame, &stamp_ns, 0);
        bool wait = status == STATUS_EMPTY && bus->page->patient && is_awaited(bus);
        if (wait || (status == STATUS_EMPTY && i >= CAN_BUS_QUEUE_MAX))
            wait = !make_up_for_overrun(bus) && wait;
        if (wait)
            status = can_line_read(bus->line, &frame, NULL, PATIENCE_NS);
        if (status == STATUS_OK) {
            if (!was_announced(bus, &frame))
                take_strangers(bus, &frame, arrival(bus, stamp_ns, until));
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
