// The acceptance filter of a host's node, in the bus's page: what it passes over is never put into
// the node's receive ring.
#include "can/page.h"

#include "base/invariant.h"

void can_filter_clear(struct can_host_node *node)
{
    atomic_store_explicit(&node->filters, 0, memory_order_release);
}

void can_filter_set(struct can_host_node *node, const struct can_filter *filter, unsigned count)
{
    expects(count <= CAN_FILTERS_MAX);
    can_filter_clear(node); // who looks meanwhile takes everything
    for (unsigned i = 0; i < count && i < CAN_FILTERS_MAX; i++)
        atomic_store_explicit(&node->filter[i],
                              (uint64_t)filter[i].can_id << 32 | filter[i].can_mask,
                              memory_order_relaxed);
    atomic_store_explicit(&node->filters, count + 1, memory_order_release);
}

// As the kernel's can_rcv_list does it, CAN_INV_FILTER included.
static bool matches(uint64_t filter, canid_t can_id)
{
    const canid_t filter_id = (canid_t)(filter >> 32), mask = (canid_t)filter;
    const bool equal = ((can_id ^ filter_id) & mask & ~CAN_INV_FILTER) == 0;
    return equal != ((filter_id & CAN_INV_FILTER) != 0);
}

bool can_filter_passes(const struct can_host_node *node, canid_t can_id)
{
    const uint32_t filters = atomic_load_explicit(&node->filters, memory_order_acquire);
    if (filters == 0)
        return true;
    for (uint32_t i = 0; i + 1 < filters && i < CAN_FILTERS_MAX; i++)
        if (matches(atomic_load_explicit(&node->filter[i], memory_order_relaxed), can_id))
            return true;
    return false;
}
