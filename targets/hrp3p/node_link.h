// Which commands a node follows: the PC's, of this cycle, whole, and each once; and what it
// answers. Pure; real-time safe.
#pragma once

#include <net/ethernet.h>

#include "targets/hrp3p/frames.h"
#include "targets/hrp3p/node_control.h"

struct node_link {
    struct ether_addr pc; // set by the caller
    uint32_t used_cycle, used_sum;
    uint16_t used_age_us;
    uint16_t stale, doubled, foreign, unsound;
    uint32_t late_cycle; // of the lowest bit of `late`
    uint16_t late;       // as in an answer
    uint16_t kept_us;
};

// Whether to follow what came at now_ns, and what it says. `command` must hold LINK_JOINTS entries.
bool node_link_take(struct node_link *link, const struct ether_addr *source, const void *frame,
                    size_t length_B, int64_t now_ns, unsigned joint_count,
                    struct node_command *command);
// The machine kept the node back from a tick until now.
void node_link_late(struct node_link *link, int64_t due_ns, int64_t now_ns);
// What the node says of itself, not yet sealed.
void node_link_answer(const struct node_link *link, const struct node_control *control,
                      const struct link_registers *registers, int64_t now_ns,
                      struct answer_frame *answer);
