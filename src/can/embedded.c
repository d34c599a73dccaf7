// The host's port of the embedded bus: one node of the page, reached through two rings.
#include <stdlib.h>
#include <string.h>

#include "can/can_private.h"
#include "can/page.h"

struct embedded_port {
    struct can_port base;
    struct can_page *page;
    struct can_host_node *node;
    const struct can_node_status *status;
    uint64_t generation; // of this opening: a later one takes the node over
    bool filtered;       // not all frames are wanted
    unsigned filter_count;
    struct can_filter filter[CAN_FILTERS_MAX];
};

static void embedded_close(struct can_port *base)
{
    struct embedded_port *port = (struct embedded_port *)base;
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
    return can_ring_put(&port->node->transmit, &stamped) ? STATUS_OK : STATUS_FULL;
}

static bool is_wanted(const struct embedded_port *port, const struct can_frame *frame)
{
    if (!port->filtered || frame->can_id & CAN_ERR_FLAG) // error frames have a mask of their own
        return true;
    for (unsigned i = 0; i < port->filter_count; i++) {
        const struct can_filter *filter = &port->filter[i];
        const bool match =
            ((frame->can_id ^ filter->can_id) & filter->can_mask & ~CAN_INV_FILTER) == 0;
        if (match != ((filter->can_id & CAN_INV_FILTER) != 0))
            return true;
    }
    return false;
}

static enum status embedded_receive(struct can_port *base, struct can_stamped *frame)
{
    struct embedded_port *port = (struct embedded_port *)base;
    if (!owns_node(port))
        return STATUS_EMPTY;
    for (unsigned i = 0; i < CAN_RING_SLOTS; i++) {
        const struct can_stamped *oldest = can_ring_peek(&port->node->receive);
        if (!oldest)
            return STATUS_EMPTY;
        *frame = *oldest;
        can_ring_drop(&port->node->receive);
        if (is_wanted(port, &frame->frame))
            return STATUS_OK;
    }
    return STATUS_EMPTY;
}

static enum status embedded_listen(struct can_port *base, const struct can_filter *filter,
                                   unsigned count, uint32_t error_mask)
{
    struct embedded_port *port = (struct embedded_port *)base;
    port->filtered = true;
    port->filter_count = count;
    if (count > 0)
        memcpy(port->filter, filter, count * sizeof *filter);
    atomic_store(&port->node->error_mask, error_mask & CAN_ERR_MASK);
    return STATUS_OK;
}

static void embedded_health(const struct can_port *base, struct can_health *health)
{
    const struct embedded_port *port = (const struct embedded_port *)base;
    *health = (struct can_health){
        .transmit_errors =
            atomic_load_explicit(&port->status->transmit_errors, memory_order_relaxed),
        .receive_errors = atomic_load_explicit(&port->status->receive_errors, memory_order_relaxed),
        .state = atomic_load_explicit(&port->status->state, memory_order_relaxed),
        .lost = atomic_load_explicit(&port->node->lost, memory_order_relaxed),
    };
}

static const struct can_port_operations embedded_operations = {
    .close = embedded_close,
    .send = embedded_send,
    .receive = embedded_receive,
    .listen = embedded_listen,
    .health = embedded_health,
};

// The node called `name`, claimed if nobody has it yet; NULL when all are taken by others.
static struct can_host_node *claim_node(struct can_page *page, uint64_t name)
{
    for (unsigned i = 0; i < CAN_HOST_NODES_MAX; i++) {
        uint64_t found = 0;
        if (atomic_compare_exchange_strong(&page->host[i].name, &found, name) || found == name) {
            memcpy(page->node[i].name, &name, sizeof name);
            return &page->host[i];
        }
    }
    return NULL;
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
    struct can_host_node *claimed = opened ? claim_node(page, name) : NULL;
    if (!claimed) {
        status = opened ? STATUS_FULL : STATUS_NO_MEMORY;
        free(opened);
        can_page_unmap(page);
        return status;
    }
    *opened = (struct embedded_port){.base = {&embedded_operations},
                                     .page = page,
                                     .node = claimed,
                                     .status = &page->node[claimed - page->host]};
    atomic_store(&claimed->error_mask, 0);
    opened->generation = atomic_fetch_add(&claimed->generation, 1) + 1;
    atomic_store(&claimed->transmit_from, atomic_load(&claimed->transmit.head));
    atomic_store(&claimed->receive.tail, atomic_load(&claimed->receive.head));
    *port = &opened->base;
    return STATUS_OK;
}
