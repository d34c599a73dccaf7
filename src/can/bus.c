#include "can/bus.h"

#include <poll.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/invariant.h"
#include "can/bits.h"
#include "can/bus_private.h"

static void no_listener(void *context, const struct can_stamped *frame,
                        const struct can_delivery *delivery)
{
    (void)context, (void)frame, (void)delivery;
}

static void no_reset(void *context, unsigned node, instant t)
{
    (void)context, (void)node, (void)t;
}

// ---- creation -----------------------------------------------------------------------------------

// Takes the page over, whatever comes of it.
static enum status open_page(struct can_page *page, const char *name, struct can_bus **bus)
{
    struct can_bus *opened = calloc(1, sizeof *opened);
    if (!opened) {
        can_page_unmap(page);
        return STATUS_NO_MEMORY;
    }
    opened->page = opened->hosts = page;
    opened->has_host = page->host_process[0] != '\0';
    opened->host_outside = page->host_outside != 0;
    opened->bitrate_bit_s = page->bitrate_bit_s;
    opened->data_bitrate_bit_s = page->data_bitrate_bit_s;
    const enum status status = page->medium == CAN_SOCKET ? carry_open(opened, name) : STATUS_OK;
    if (status != STATUS_OK) {
        can_page_unmap(page);
        free(opened);
        return status;
    }
    memcpy(page->node[CAN_OUTSIDE].name, CAN_BUS_OUTSIDE, sizeof CAN_BUS_OUTSIDE);
    opened->listener = no_listener;
    opened->reset = no_reset;
    opened->last_sender = NODES_MAX;
    for (unsigned i = 0; i < LATER_MAX; i++)
        opened->later[i].sender = NODES_MAX;
    for (unsigned i = 0; i < FIRST_OWN; i++)
        can_ring_skip_to(&page->host[i].transmit, atomic_load(&page->host[i].transmit.head));
    for (unsigned i = FIRST_OWN; i < NODES_MAX; i++)
        opened->node[i].present = true;
    *bus = opened;
    return STATUS_OK;
}

enum status can_bus_open(const char *name, struct can_bus **bus)
{
    *bus = NULL;
    const char *cell = getenv("UKEMI_CELL");
    if (!cell)
        return STATUS_NOT_FOUND;
    struct can_page *page;
    enum status status = can_page_map(cell, name, &page);
    return status == STATUS_OK ? open_page(page, name, bus) : status;
}

enum status can_bus_open_alone(const char *interface, struct can_bitrates bitrates,
                               struct can_bus **bus)
{
    *bus = NULL;
    struct can_page *page;
    const struct can_bus_config config = {.bitrates = bitrates, .medium = CAN_SOCKET};
    enum status status = can_page_anonymous(&config, &page);
    return status == STATUS_OK ? open_page(page, interface, bus) : status;
}

void can_bus_close(struct can_bus *bus)
{
    if (!bus)
        return;
    can_line_close(bus->line);
    can_page_unmap(bus->page);
    free(bus);
}

void can_bus_beside(struct can_bus *bus, struct can_bus *next)
{
    bus->beside = next;
}

enum status can_bus_add_node(struct can_bus *bus, const char *name, unsigned *node)
{
    if (bus->node_count == CAN_BUS_NODES_MAX)
        return STATUS_FULL;
    *node = bus->node_count++;
    struct can_node_status *status = &bus->page->node[FIRST_OWN + *node];
    snprintf(status->name, sizeof status->name, "%s", name);
    atomic_store(&bus->page->node_count, FIRST_OWN + bus->node_count);
    return STATUS_OK;
}

void can_bus_listen(struct can_bus *bus, can_bus_listener *listener, void *context)
{
    bus->listener = listener ? listener : no_listener;
    bus->listener_context = context;
}

void can_bus_on_reset(struct can_bus *bus, can_bus_reset *reset, void *context)
{
    bus->reset = reset ? reset : no_reset;
    bus->reset_context = context;
}

struct can_bus_load can_bus_load(const struct can_bus *bus)
{
    return bus->load;
}

// ---- queues -------------------------------------------------------------------------------------

enum status can_bus_send_fd(struct can_bus *bus, unsigned node, const struct canfd_frame *frame,
                            instant ready)
{
    expects(node < bus->node_count);
    invariant(bus->node[FIRST_OWN + node].count <= CAN_BUS_QUEUE_MAX);
    struct bus_node *own = &bus->node[FIRST_OWN + node];
    if (own->count == CAN_BUS_QUEUE_MAX)
        return STATUS_FULL;
    own->queue[(own->first + own->count++) % CAN_BUS_QUEUE_MAX] =
        (struct can_stamped){.fd = *frame, .time = ready};
    bus->queued |= node_bit(FIRST_OWN + node);
    return STATUS_OK;
}

void can_bus_classical(struct can_bus *bus)
{
    bus->classical = true;
}

enum status can_bus_send(struct can_bus *bus, unsigned node, const struct can_frame *frame,
                         instant ready)
{
    struct canfd_frame both = {.can_id = frame->can_id, .len = frame->can_dlc};
    memcpy(both.data, frame->data, sizeof frame->data);
    return can_bus_send_fd(bus, node, &both, ready);
}

// ---- time ---------------------------------------------------------------------------------------

static void find_hosts(struct can_bus *bus)
{
    for (unsigned i = 0; i < FIRST_OWN; i++)
        bus->node[i].present =
            atomic_load_explicit(&bus->hosts->host[i].generation, memory_order_relaxed) != 0;
}

void can_bus_advance(struct can_bus *bus, instant until)
{
    expects(!instant_before(until, bus->advanced_to));
    disturb_refresh(bus);
    find_hosts(bus);
    if (bus->line != NULL)
        carry_in(bus, until);
    // Every turn takes a frame from a bounded queue or ends; a frame lasts at least 44 bits, so the
    // turns are bounded by `until`.
    while (bus->sending || wire_start(bus, until)) {
        if (instant_before(until, bus->flying.time))
            break;
        wire_end(bus);
    }
    invariant(!bus->sending || instant_before(until, bus->flying.time));
    wire_idle(bus, until);
    bus->advanced_to = until;
    atomic_store_explicit(&bus->page->time_ns, until.ns, memory_order_relaxed);
}

// ---- in real time -------------------------------------------------------------------------------

#define BUSY_NS 50000 // how often to look while frames are on the wire, or to be

static bool is_busy(const struct can_bus *bus)
{
    bool busy = bus->sending || bus->queued != 0 || bus->later_count > 0 || bus->outside.count > 0;
    for (unsigned i = 0; i < FIRST_OWN && !busy; i++)
        busy = bus->node[i].has_frame;
    return busy;
}

void can_bus_await(struct can_bus *const *bus, unsigned count, duration at_most)
{
    struct pollfd line[CAN_BUS_AWAIT_MAX];
    for (unsigned i = 0; i < count && i < CAN_BUS_AWAIT_MAX; i++) {
        line[i] = (struct pollfd){.fd = can_line_socket(bus[i]->line), .events = POLLIN};
        if (is_busy(bus[i]) && at_most.ns > BUSY_NS)
            at_most.ns = BUSY_NS;
    }
    const struct timespec time = {.tv_nsec = at_most.ns > 0 ? at_most.ns : 0};
    (void)ppoll(line, count < CAN_BUS_AWAIT_MAX ? count : CAN_BUS_AWAIT_MAX, &time, NULL);
}

uint64_t can_bus_refused(const struct can_bus *bus)
{
    return atomic_load_explicit(&bus->page->node[CAN_OUTSIDE].lost, memory_order_relaxed);
}
