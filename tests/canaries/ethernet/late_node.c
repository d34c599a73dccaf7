// A node of hrp3p that follows commands however late they come.
#include "targets/hrp3p/node_link.h"

#include <string.h>

bool __real_node_link_take(struct node_link *, const struct ether_addr *, const void *, size_t,
                           int64_t, unsigned, struct node_command *);
bool __wrap_node_link_take(struct node_link *link, const struct ether_addr *source,
                           const void *frame, size_t length_B, int64_t now_ns, unsigned count,
                           struct node_command *command);

bool __wrap_node_link_take(struct node_link *link, const struct ether_addr *source,
                           const void *frame, size_t length_B, int64_t now_ns, unsigned count,
                           struct node_command *command)
{
    struct frame_head head = {0};
    if (length_B >= sizeof head)
        memcpy(&head, frame, sizeof head);
    const int64_t sent_ns = (int64_t)head.cycle * CYCLE_NS;
    if (!__real_node_link_take(link, source, frame, length_B, sent_ns, count, command))
        return false;
    link->used_age_us = (uint16_t)((now_ns - sent_ns) / 1000);
    return true;
}
