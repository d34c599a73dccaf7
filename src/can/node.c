// A node of the bus as others see it: the frame that it has on offer, what it hears, and the state
// that hosts are told. Everything else in the room stands above this.
#include "can/bus_private.h"

#include <linux/can/error.h>
#include <string.h>

#include "base/invariant.h"

void node_take_frame(struct can_bus *bus, unsigned i)
{
    struct bus_node *node = &bus->node[i];
    node->has_frame = false;
    if (node->count == 0)
        bus->queued &= ~node_bit(i);
}

static void store(_Atomic uint32_t *word, uint32_t value)
{
    atomic_store_explicit(word, value, memory_order_relaxed);
}

void node_hear(struct can_bus *bus, unsigned i, const struct can_stamped *frame, enum can_mark mark)
{
    expects(i < FIRST_OWN); // own nodes hear by the owner's delivery
    struct can_host_node *host = &bus->hosts->host[i];
    struct can_stamped marked = *frame;
    marked.fd.__res0 = (uint8_t)mark;
    if (!(frame->frame.can_id & CAN_ERR_FLAG) && !can_filter_passes(host, frame->frame.can_id)) {
        bus_count(&bus->page->node[i].received);
        bus_count(&host->unwanted);
        return;
    }
    if (can_ring_put(&host->receive, &marked)) {
        bus_count(&bus->page->node[i].received);
        return;
    }
    atomic_fetch_add_explicit(&host->lost, 1, memory_order_relaxed);
    bus_count(&bus->page->node[i].lost);
}

void node_tell_hosts(struct can_bus *bus, uint32_t class, unsigned only, const uint8_t data[8])
{
    for (unsigned i = 0; i < FIRST_OWN; i++) {
        const bool wanted = (class & atomic_load_explicit(&bus->hosts->host[i].error_mask,
                                                          memory_order_relaxed)) != 0;
        if (!bus->node[i].present || (!wanted && bus->line == NULL) ||
            (only < NODES_MAX && only != i))
            continue;
        struct can_stamped error = {.time = bus->event_at};
        error.frame.can_id = CAN_ERR_FLAG | class;
        error.frame.can_dlc = CAN_ERR_DLC;
        memcpy(error.frame.data, data, 8);
        error.frame.data[6] = (uint8_t)bus->node[i].controller.transmit_errors;
        error.frame.data[7] = (uint8_t)bus->node[i].controller.receive_errors;
        const bool carried = bus->line == NULL || carry_out(bus, &error);
        if (wanted && carried)
            node_hear(bus, i, &error, CAN_MARK_NONE);
        else if (wanted)
            bus_count(&bus->page->node[i].lost);
    }
}

static void tell_state(struct can_bus *bus, unsigned i, enum can_controller_state before,
                       enum can_controller_state state)
{
    static const uint8_t detail[] = {
        [CAN_ACTIVE] = CAN_ERR_CRTL_ACTIVE,
        [CAN_WARNING] = CAN_ERR_CRTL_TX_WARNING | CAN_ERR_CRTL_RX_WARNING,
        [CAN_PASSIVE] = CAN_ERR_CRTL_TX_PASSIVE | CAN_ERR_CRTL_RX_PASSIVE,
        [CAN_OFF] = 0};
    const uint8_t data[8] = {[1] = detail[state]};
    const uint32_t class = state == CAN_OFF    ? CAN_ERR_BUSOFF
                           : before == CAN_OFF ? CAN_ERR_RESTARTED
                                               : CAN_ERR_CRTL;
    node_tell_hosts(bus, class, i, data);
}

void node_report(struct can_bus *bus, unsigned i)
{
    expects(i < NODES_MAX);
    if (i == STRANGER)
        return;
    struct can_node_status *status = &bus->page->node[i];
    const struct can_controller *controller = &bus->node[i].controller;
    const enum can_controller_state state = can_controller_state(controller);
    const uint32_t before = atomic_load_explicit(&status->state, memory_order_relaxed);
    store(&status->transmit_errors, controller->transmit_errors);
    store(&status->receive_errors, controller->receive_errors);
    if (state == before)
        return;
    store(&status->state, state);
    if (state == CAN_OFF)
        store(&status->times_off,
              atomic_load_explicit(&status->times_off, memory_order_relaxed) + 1);
    if (i < FIRST_OWN)
        tell_state(bus, i, (enum can_controller_state)before, state);
}
