#include "can/bus.h"

#include <stdlib.h>

#include "can/bits.h"
#include "can/page.h"

// Senders are numbered host nodes first, so that of two equal identifiers the host's wins, always.
#define SENDERS_MAX (CAN_HOST_NODES_MAX + CAN_BUS_NODES_MAX)

struct own_node {
    unsigned first, count;
    struct can_stamped queue[CAN_BUS_QUEUE_MAX]; // time: ready to be sent
};

struct can_bus {
    struct can_page *page;
    int64_t bitrate_bit_s;
    can_bus_listener *listener;
    void *context;
    instant idle_from; // when the next frame may start
    bool sending;
    unsigned sender;           // of the frame on the wire
    struct can_stamped flying; // the frame on the wire; time: its end
    struct can_bus_load load;
    unsigned node_count;
    uint64_t pending; // bit i: own node i has something queued
    struct own_node node[CAN_BUS_NODES_MAX];
};

static void no_listener(void *context, const struct can_stamped *frame, int sender)
{
    (void)context, (void)frame, (void)sender;
}

enum status can_bus_open(const char *name, struct can_bus **bus)
{
    *bus = NULL;
    const char *cell = getenv("UKEMI_CELL");
    if (!cell)
        return STATUS_NOT_FOUND;
    struct can_page *page;
    enum status status = can_page_map(cell, name, &page);
    if (status != STATUS_OK)
        return status;
    struct can_bus *opened = calloc(1, sizeof *opened);
    if (!opened) {
        can_page_unmap(page);
        return STATUS_NO_MEMORY;
    }
    opened->page = page;
    opened->bitrate_bit_s = page->bitrate_bit_s;
    opened->listener = no_listener;
    for (unsigned i = 0; i < CAN_HOST_NODES_MAX; i++)
        can_ring_skip_to(&page->node[i].transmit, atomic_load(&page->node[i].transmit.head));
    *bus = opened;
    return STATUS_OK;
}

void can_bus_close(struct can_bus *bus)
{
    if (!bus)
        return;
    can_page_unmap(bus->page);
    free(bus);
}

enum status can_bus_add_node(struct can_bus *bus, unsigned *node)
{
    if (bus->node_count == CAN_BUS_NODES_MAX)
        return STATUS_FULL;
    *node = bus->node_count++;
    return STATUS_OK;
}

void can_bus_listen(struct can_bus *bus, can_bus_listener *listener, void *context)
{
    bus->listener = listener ? listener : no_listener;
    bus->context = context;
}

enum status can_bus_send(struct can_bus *bus, unsigned node, const struct can_frame *frame,
                         instant ready)
{
    struct own_node *own = &bus->node[node];
    if (own->count == CAN_BUS_QUEUE_MAX)
        return STATUS_FULL;
    own->queue[(own->first + own->count++) % CAN_BUS_QUEUE_MAX] =
        (struct can_stamped){*frame, ready};
    bus->pending |= 1ull << node;
    return STATUS_OK;
}

struct can_bus_load can_bus_load(const struct can_bus *bus)
{
    return bus->load;
}

// ---- queues -------------------------------------------------------------------------------------

// The frame host node i would send next, or NULL; what was queued before its last opening is
// dropped.
static const struct can_stamped *host_next(struct can_bus *bus, unsigned i)
{
    struct can_host_node *host = &bus->page->node[i];
    const struct can_stamped *next = can_ring_peek(&host->transmit);
    if (!next)
        return NULL;
    can_ring_skip_to(&host->transmit,
                     atomic_load_explicit(&host->transmit_from, memory_order_acquire));
    return can_ring_peek(&host->transmit);
}

static void take(struct can_bus *bus, unsigned sender)
{
    if (sender < CAN_HOST_NODES_MAX) {
        can_ring_drop(&bus->page->node[sender].transmit);
        return;
    }
    struct own_node *own = &bus->node[sender - CAN_HOST_NODES_MAX];
    own->first = (own->first + 1) % CAN_BUS_QUEUE_MAX;
    if (--own->count == 0)
        bus->pending &= ~(1ull << (sender - CAN_HOST_NODES_MAX));
}

// ---- the wire -----------------------------------------------------------------------------------

struct contenders {
    unsigned count;
    unsigned sender[SENDERS_MAX];
    const struct can_stamped *frame[SENDERS_MAX];
};

static void collect(struct can_bus *bus, struct contenders *all)
{
    all->count = 0;
    for (unsigned i = 0; i < CAN_HOST_NODES_MAX; i++) {
        const struct can_stamped *frame = host_next(bus, i);
        if (!frame)
            continue;
        all->sender[all->count] = i;
        all->frame[all->count++] = frame;
    }
    for (uint64_t pending = bus->pending; pending; pending &= pending - 1) {
        unsigned i = (unsigned)__builtin_ctzll(pending);
        all->sender[all->count] = CAN_HOST_NODES_MAX + i;
        all->frame[all->count++] = &bus->node[i].queue[bus->node[i].first];
    }
}

// Index of the frame that wins the bus at `start`. At least one must be ready by then.
static unsigned arbitrate(const struct contenders *all, instant start)
{
    unsigned winner = all->count;
    uint32_t best = 0;
    for (unsigned i = 0; i < all->count; i++) {
        if (instant_before(start, all->frame[i]->time))
            continue;
        uint32_t key = can_frame_arbitration(&all->frame[i]->frame);
        if (winner == all->count || key < best) {
            winner = i;
            best = key;
        }
    }
    return winner;
}

static duration wire_time(const struct can_bus *bus, unsigned bits)
{
    return duration_ns((int64_t)bits * 1000000000 / bus->bitrate_bit_s);
}

// Starts the next frame if one can start before `until`.
static bool start_frame(struct can_bus *bus, instant until)
{
    struct contenders all;
    collect(bus, &all);
    instant start = INSTANT_NEVER;
    for (unsigned i = 0; i < all.count; i++)
        start = instant_min(start, all.frame[i]->time);
    start = instant_max(start, bus->idle_from);
    if (all.count == 0 || !instant_before(start, until))
        return false;

    unsigned winner = arbitrate(&all, start);
    bus->sender = all.sender[winner];
    bus->flying.frame = all.frame[winner]->frame;
    if (bus->flying.frame.can_dlc > CAN_MAX_DLEN) // a host may write what it likes
        bus->flying.frame.can_dlc = CAN_MAX_DLEN;
    take(bus, bus->sender);

    unsigned bits = can_frame_bits(&bus->flying.frame);
    bus->flying.time = instant_add(start, wire_time(bus, bits));
    bus->idle_from = instant_add(start, wire_time(bus, bits + CAN_INTERFRAME_BITS));
    bus->load.busy.ns += instant_sub(bus->idle_from, start).ns;
    bus->sending = true;
    return true;
}

static void deliver(struct can_bus *bus)
{
    bus->sending = false;
    bus->load.frames++;
    for (unsigned i = 0; i < CAN_HOST_NODES_MAX; i++) {
        struct can_host_node *host = &bus->page->node[i];
        if (i == bus->sender || atomic_load_explicit(&host->generation, memory_order_relaxed) == 0)
            continue;
        if (!can_ring_put(&host->receive, &bus->flying))
            atomic_fetch_add_explicit(&host->lost, 1, memory_order_relaxed);
    }
    int sender = bus->sender < CAN_HOST_NODES_MAX ? CAN_BUS_FROM_HOST
                                                  : (int)(bus->sender - CAN_HOST_NODES_MAX);
    bus->listener(bus->context, &bus->flying, sender);
}

void can_bus_advance(struct can_bus *bus, instant until)
{
    // Every turn takes a frame from a bounded queue or ends; a frame lasts at least 44 bits, so the
    // turns are bounded by `until`.
    while (bus->sending || start_frame(bus, until)) {
        if (instant_before(until, bus->flying.time))
            return;
        deliver(bus);
    }
}
