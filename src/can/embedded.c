// The host's port of a bus with an owner: one node of its page, reached through two rings. If the
// bus's frames travel through the kernel's interface, the rings announce them with their times, and
// a frame counts when it has come over the interface.
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "can/bus.h"
#include "can/can_private.h"
#include "can/line.h"
#include "can/page.h"

#define PATIENCE_NS 1000000000  // for a frame that is on its way; then it counts as lost
#define IMPATIENT_LOOKS_MAX 256 // without patience: so many looks in vain
#define SEEN_MAX CAN_RING_SLOTS // frames that came and are not announced yet, or never will be

struct embedded_port {
    struct can_port base;
    struct can_page *page;
    struct can_host_node *node;
    const struct can_node_status *status;
    uint64_t generation;   // of this opening: a later one takes the node over
    struct can_line *line; // NULL: frames travel in the rings
    unsigned vain_looks;   // for the frame at the head of the receive ring
    unsigned reads;        // of the interface, since EMPTY was last said
    unsigned overrun;      // so many announced frames are known not to come
    bool hopeless;         // one has not come in time: no more waiting before another comes
    unsigned seen_first, seen_count; // a queue, oldest first
    struct canfd_frame seen[SEEN_MAX];
};

static void embedded_close(struct can_port *base)
{
    struct embedded_port *port = (struct embedded_port *)base;
    can_line_close(port->line);
    can_page_unmap(port->page);
    free(port);
}

static bool owns_node(const struct embedded_port *port)
{
    return atomic_load_explicit(&port->node->generation, memory_order_relaxed) == port->generation;
}

static enum status embedded_send(struct can_port *base, const struct canfd_frame *frame,
                                 instant now)
{
    struct embedded_port *port = (struct embedded_port *)base;
    if (!owns_node(port))
        return STATUS_DENIED;
    const struct can_stamped stamped = {.fd = *frame, .time = now};
    if (!can_ring_put(&port->node->transmit, &stamped))
        return STATUS_FULL;
    if (port->line == NULL)
        return STATUS_OK;
    enum status status = can_line_write(port->line, frame);
    if (status == STATUS_SYSTEM && can_line_mend(port->line) == STATUS_OK)
        status = can_line_write(port->line, frame);
    if (status != STATUS_OK)
        can_ring_mark_last(&port->node->transmit, CAN_MARK_WITHDRAWN);
    return status;
}

// ---- what came over the interface ---------------------------------------------------------------

static bool same(const struct canfd_frame *a, const struct canfd_frame *b)
{
    return a->can_id == b->can_id && a->len == b->len &&
           memcmp(a->data, b->data, a->len < CANFD_MAX_DLEN ? a->len : CANFD_MAX_DLEN) == 0;
}

static struct canfd_frame *seen_at(struct embedded_port *port, unsigned index)
{
    return &port->seen[(port->seen_first + index) % SEEN_MAX];
}

// Older ones move up: what is looked for is mostly among the oldest.
static void forget_seen(struct embedded_port *port, unsigned index)
{
    for (unsigned i = index; i > 0; i--)
        *seen_at(port, i) = *seen_at(port, i - 1);
    port->seen_first = (port->seen_first + 1) % SEEN_MAX;
    port->seen_count--;
}

// Keeps a frame that is not the one looked for; the oldest is forgotten if there is no room.
static void keep_seen(struct embedded_port *port, const struct canfd_frame *frame)
{
    if (port->seen_count == SEEN_MAX)
        forget_seen(port, 0);
    *seen_at(port, port->seen_count++) = *frame;
}

static bool was_seen(struct embedded_port *port, const struct canfd_frame *announced)
{
    for (unsigned i = 0; i < port->seen_count; i++)
        if (same(seen_at(port, i), announced)) {
            forget_seen(port, i);
            return true;
        }
    return false;
}

enum arrival { ARRIVED, AWAITED, LOST };

// Nothing more has come, and the announced frame was not there: whether it will be.
static enum arrival judge_absence(struct embedded_port *port)
{
    port->overrun += can_line_overrun(port->line);
    if (port->overrun > 0) {
        port->overrun--;
        return LOST;
    }
    if (port->hopeless || ++port->vain_looks > IMPATIENT_LOOKS_MAX)
        return LOST;
    return AWAITED;
}

// Whether the announced frame has come over the interface.
static enum arrival look_for(struct embedded_port *port, const struct canfd_frame *announced)
{
    if (was_seen(port, announced))
        return ARRIVED;
    struct canfd_frame frame;
    int64_t patience_ns = 0;
    for (; port->reads < CAN_LINE_READS_MAX; port->reads++) {
        const enum status status = can_line_read(port->line, &frame, NULL, patience_ns);
        if (status == STATUS_OK) {
            port->hopeless = false;
            if (same(&frame, announced))
                return ARRIVED;
            keep_seen(port, &frame);
            continue;
        }
        if (status == STATUS_SYSTEM && can_line_mend(port->line) != STATUS_OK)
            return LOST;
        port->hopeless = port->hopeless || patience_ns > 0;
        const enum arrival arrival = judge_absence(port);
        if (arrival == LOST || !port->page->patient)
            return arrival;
        patience_ns = PATIENCE_NS;
    }
    return AWAITED;
}

// The next frame of the receive ring that has come; those that do not come are lost.
static const struct can_stamped *next_received(struct embedded_port *port)
{
    struct can_ring *ring = &port->node->receive;
    for (unsigned i = 0; i < CAN_RING_SLOTS; i++) {
        const struct can_stamped *oldest = can_ring_peek(ring);
        if (oldest == NULL || port->line == NULL)
            return oldest;
        enum arrival arrival = ARRIVED;
        if (can_mark_of(oldest) != CAN_MARK_CAME)
            arrival = look_for(port, &oldest->fd);
        else
            (void)was_seen(port, &oldest->fd);
        if (arrival == AWAITED)
            return NULL;
        port->vain_looks = 0;
        if (arrival == ARRIVED)
            return oldest;
        atomic_fetch_add_explicit(&port->node->lost, 1, memory_order_relaxed);
        can_ring_drop(ring);
    }
    return NULL;
}

static unsigned embedded_unsent(const struct can_port *base)
{
    const struct embedded_port *port = (const struct embedded_port *)base;
    const struct can_ring *ring = &port->node->transmit;
    return (unsigned)(atomic_load_explicit(&ring->head, memory_order_relaxed) -
                      atomic_load_explicit(&ring->tail, memory_order_acquire)) +
           (atomic_load_explicit(&port->node->on_offer, memory_order_relaxed) != 0);
}

static instant embedded_time(const struct can_port *base)
{
    const struct embedded_port *port = (const struct embedded_port *)base;
    return instant_ns(atomic_load_explicit(&port->page->time_ns, memory_order_relaxed));
}

static void embedded_withdraw(struct can_port *base)
{
    struct embedded_port *port = (struct embedded_port *)base;
    if (owns_node(port))
        atomic_store(&port->node->transmit_from, atomic_load(&port->node->transmit.head));
}

static enum status embedded_receive(struct can_port *base, struct can_stamped *frame)
{
    struct embedded_port *port = (struct embedded_port *)base;
    if (!owns_node(port))
        return STATUS_EMPTY;
    const struct can_stamped *oldest = next_received(port);
    if (!oldest) {
        port->reads = 0;
        return STATUS_EMPTY;
    }
    *frame = *oldest;
    frame->fd.__res0 = CAN_MARK_NONE;
    can_ring_drop(&port->node->receive);
    return STATUS_OK;
}

static enum status embedded_listen(struct can_port *base, const struct can_filter *filter,
                                   unsigned count, uint32_t error_mask)
{
    struct embedded_port *port = (struct embedded_port *)base;
    can_filter_set(port->node, filter, count);
    atomic_store(&port->node->error_mask, error_mask & CAN_ERR_MASK);
    return port->line == NULL ? STATUS_OK : can_line_listen(port->line, filter, count, error_mask);
}

static void embedded_health(const struct can_port *base, struct can_health *health)
{
    const struct embedded_port *port = (const struct embedded_port *)base;
    *health = (struct can_health){
        .transmit_errors =
            atomic_load_explicit(&port->status->transmit_errors, memory_order_relaxed),
        .receive_errors = atomic_load_explicit(&port->status->receive_errors, memory_order_relaxed),
        .state = atomic_load_explicit(&port->status->state, memory_order_relaxed),
        .sent = atomic_load_explicit(&port->status->sent, memory_order_relaxed),
        .lost = atomic_load_explicit(&port->node->lost, memory_order_relaxed),
        .unwanted = atomic_load_explicit(&port->node->unwanted, memory_order_relaxed),
        .outages = port->line == NULL ? 0 : can_line_outages(port->line),
    };
}

static const struct can_port_operations embedded_operations = {
    .close = embedded_close,
    .send = embedded_send,
    .unsent = embedded_unsent,
    .time = embedded_time,
    .withdraw = embedded_withdraw,
    .receive = embedded_receive,
    .listen = embedded_listen,
    .health = embedded_health,
};

// The node called `name`, claimed if nobody has it yet; NULL when all are taken by others.
static struct can_host_node *claim_node(struct can_page *page, uint64_t name)
{
    // The last node belongs to strangers.
    for (unsigned i = 0; i < CAN_OUTSIDE; i++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&page->host[i].name, &found, name) || found == name) {
            memcpy(page->node[i].name, &name, sizeof name);
            return &page->host[i];
        }
    }
    return NULL;
}

// What was there before the rings were taken over is announced no more.
static void forget_what_came(struct can_line *line)
{
    struct canfd_frame frame;
    for (unsigned i = 0; i < 4 * CAN_RING_SLOTS; i++)
        if (can_line_read(line, &frame, NULL, 0) != STATUS_OK)
            return;
}

enum status can_embedded_open(const char *cell, const char *bus, const char *node,
                              struct can_port **port)
{
    uint64_t name = 0;
    size_t length = strlen(node);
    if (length == 0 || length > CAN_NODE_NAME_MAX)
        return STATUS_INVALID;
    memcpy(&name, node, length);

    struct can_page *page;
    enum status status = can_page_map(cell, bus, &page);
    if (status != STATUS_OK)
        return status;
    struct embedded_port *opened = calloc(1, sizeof *opened);
    struct can_line *line = NULL;
    if (page->medium == CAN_SOCKET)
        status = can_line_open(bus, &line);
    struct can_host_node *claimed = opened && status == STATUS_OK ? claim_node(page, name) : NULL;
    if (!claimed) {
        status = !opened ? STATUS_NO_MEMORY : status != STATUS_OK ? status : STATUS_FULL;
        can_line_close(line);
        free(opened);
        can_page_unmap(page);
        return status;
    }
    *opened = (struct embedded_port){.base = {&embedded_operations},
                                     .page = page,
                                     .node = claimed,
                                     .line = line,
                                     .status = &page->node[claimed - page->host]};
    atomic_store(&claimed->error_mask, 0);
    can_filter_clear(claimed);
    opened->generation = atomic_fetch_add(&claimed->generation, 1) + 1;
    atomic_store(&claimed->transmit_from, atomic_load(&claimed->transmit.head));
    atomic_store(&claimed->receive.tail, atomic_load(&claimed->receive.head));
    if (line != NULL)
        forget_what_came(line);
    *port = &opened->base;
    return STATUS_OK;
}

enum status can_embedded_join(const char *cell, const char *bus, const char *process,
                              unsigned number, struct can_port **port)
{
    char node[CAN_NODE_NAME_MAX + 1];
    struct can_page *page;
    if (number > CAN_OUTSIDE)
        return STATUS_FULL;
    const enum status status = can_page_map(cell, bus, &page);
    if (status != STATUS_OK)
        return status;
    const bool is_host = strncmp(page->host_process, process, sizeof page->host_process) == 0;
    const bool embedded = page->medium == CAN_EMBEDDED;
    can_page_unmap(page);
    snprintf(node, sizeof node, "%.6s-%u", is_host ? CAN_HOST_NODE : process, number);
    // The first of the host's has the name that its own programs give it.
    return embedded
               ? can_embedded_open(cell, bus, is_host && number == 0 ? CAN_HOST_NODE : node, port)
               : STATUS_UNSUPPORTED;
}
