#include "targets/hrp3p/node_link.h"

#include <string.h>

// Why a command is not to be followed: the count that it goes to, or NULL.
static uint16_t *refusal(struct node_link *link, const struct ether_addr *source, const void *frame,
                         size_t length_B, int64_t now_ns, unsigned joint_count)
{
    struct frame_head head;
    if (memcmp(source, &link->pc, sizeof link->pc) != 0)
        return &link->foreign;
    if (!frame_sound(frame, length_B, FRAME_COMMAND))
        return &link->unsound;
    memcpy(&head, frame, sizeof head);
    if (head.count != joint_count)
        return &link->unsound;
    const int64_t age_ns = now_ns - (int64_t)head.cycle * CYCLE_NS;
    if (head.cycle == link->used_cycle)
        return &link->doubled;
    if (age_ns < 0 || age_ns >= CYCLE_NS || head.cycle < link->used_cycle)
        return &link->stale;
    return NULL;
}

bool node_link_take(struct node_link *link, const struct ether_addr *source, const void *frame,
                    size_t length_B, int64_t now_ns, unsigned joint_count,
                    struct node_command *command)
{
    uint16_t *refused = refusal(link, source, frame, length_B, now_ns, joint_count);
    if (refused != NULL) {
        *refused = (uint16_t)(*refused + 1);
        return false;
    }
    struct command_frame taken;
    memcpy(&taken, frame, sizeof taken);
    link->used_cycle = taken.head.cycle;
    link->used_sum = frame_sum(&taken, sizeof taken);
    link->used_age_us = (uint16_t)((now_ns - (int64_t)taken.head.cycle * CYCLE_NS) / 1000);
    for (unsigned i = 0; i < joint_count; i++)
        command[i] =
            (struct node_command){taken.joint[i].angle * ANGLE_RAD, taken.joint[i].p * P_NM_RAD,
                                  taken.joint[i].d * D_NMS_RAD};
    return true;
}
