// Frames that are stuck: each carries the payload of the first one that went its way. The tag of
// seamless redundancy stays its own, so that both copies of a frame are one.
#include <string.h>

#include "base/invariant.h"
#include "ethernet/network_private.h"

// A receiver by its address, without the last byte, which tells the way (eth_mark).
static uint64_t receiver_of(const struct eth_frame *frame)
{
    uint64_t receiver = 0;
    memcpy(&receiver, frame->bytes, 5);
    return receiver;
}

static struct stuck *find(struct eth_network *network, uint64_t active, const struct eth_head *head,
                          uint64_t receiver)
{
    struct stuck *unused = NULL;
    for (unsigned i = 0; i < ETH_STUCK_MAX; i++) {
        struct stuck *kept = &network->stuck[i];
        if (kept->active == 0 && unused == NULL)
            unused = kept;
        if (kept->active == active && kept->receiver == receiver && kept->source == head->source &&
            kept->type == head->type && kept->payload_B == head->payload_B)
            return kept;
    }
    return unused;
}

bool eth_stick(struct eth_network *network, uint64_t active, const struct eth_head *head,
               struct eth_frame *frame)
{
    expects(active != 0); // 0 marks a place that is not in use
    const uint64_t receiver = receiver_of(frame);
    uint8_t *payload = frame->bytes + head->payload_at;
    struct stuck *kept = find(network, active, head, receiver);
    if (kept == NULL || head->payload_B > sizeof kept->payload)
        return false;
    if (kept->active == 0) {
        kept->active = active;
        kept->receiver = receiver;
        kept->source = head->source;
        kept->type = head->type;
        kept->payload_B = head->payload_B;
        memcpy(kept->payload, payload, head->payload_B);
    }
    const bool changes = memcmp(payload, kept->payload, head->payload_B) != 0;
    memcpy(payload, kept->payload, head->payload_B);
    return changes;
}

void eth_unstick(struct eth_network *network, uint64_t active)
{
    expects(active != 0);
    for (unsigned i = 0; i < ETH_STUCK_MAX; i++)
        if (network->stuck[i].active == active)
            network->stuck[i].active = 0;
}
