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

void node_link_late(struct node_link *link, int64_t due_ns, int64_t now_ns)
{
    const uint32_t first = (uint32_t)(due_ns / CYCLE_NS), last = (uint32_t)(now_ns / CYCLE_NS);
    link->late = frame_cycles_later(link->late, last - link->late_cycle);
    link->late_cycle = last;
    for (uint32_t k = 0; k <= last - first && k < 16; k++)
        link->late |= (uint16_t)(1u << k);
}

void node_link_answer(const struct node_link *link, const struct node_control *control,
                      const struct link_registers *registers, int64_t now_ns,
                      struct answer_frame *answer)
{
    const uint32_t cycle = (uint32_t)(now_ns / CYCLE_NS);
    *answer =
        (struct answer_frame){.head = {FRAME_ANSWER, (uint16_t)control->joint_count, cycle, 0},
                              .used_cycle = link->used_cycle,
                              .used_sum = link->used_sum,
                              .used_age_us = link->used_age_us,
                              .stale = link->stale,
                              .doubled = link->doubled,
                              .foreign = link->foreign,
                              .unsound = link->unsound,
                              .mode = (uint16_t)control->mode,
                              .kept_us = link->kept_us,
                              .late = frame_cycles_later(link->late, cycle - link->late_cycle)};
    for (unsigned i = 0; i < control->joint_count; i++) {
        const struct node_joint *joint = &control->joint[i];
        const double share = link_volts(registers->torque[i], LINK_AD_BITS) / LINK_VOLTS;
        const double hot = link_volts(registers->temperature[i], LINK_AD_BITS) / LINK_VOLTS;
        answer->joint[i].angle = frame_int(joint->angle_rad, ANGLE_RAD);
        answer->joint[i].torque =
            frame_int(share * LINK_TORQUE_SCALE * joint->torque_max_Nm, TORQUE_NM);
        answer->joint[i].temperature = frame_int(hot * LINK_CELSIUS_10V, TEMPERATURE_C);
    }
    for (unsigned i = 0; i < LINK_SENSORS; i++)
        answer->sensor[i] = (int16_t)((int32_t)registers->sensor[i] - INT16_MAX - 1);
}
