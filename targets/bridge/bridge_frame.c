#include "targets/bridge/bridge_frame.h"

#include <string.h>

#define MAGIC 0x48434255U // "UBCH"
#define VERSION 1

unsigned bridge_parts(size_t size_B)
{
    return size_B == 0 ? 1 : (unsigned)((size_B + BRIDGE_PART_B - 1) / BRIDGE_PART_B);
}

// FNV-1a.
static uint32_t sum_of(const struct bridge_datagram *datagram, size_t length_B)
{
    const uint8_t *bytes = (const uint8_t *)datagram;
    const size_t word = offsetof(struct bridge_head, sum);
    uint32_t sum = 0x811c9dc5U;
    for (size_t i = 0; i < length_B; i++)
        sum = (sum ^ (i >= word && i < word + sizeof sum ? 0 : bytes[i])) * 0x01000193U;
    return sum;
}

size_t bridge_frame_seal(struct bridge_datagram *datagram)
{
    const size_t length_B = sizeof datagram->head + datagram->head.part_B;
    datagram->head.magic = MAGIC;
    datagram->head.version = VERSION;
    datagram->head.sum = sum_of(datagram, length_B);
    return length_B;
}

// Whether its part is one of those that a frame of its size is cut into.
static bool part_fits(const struct bridge_head *head)
{
    const uint32_t left_B = head->size_B - head->offset_B;
    return head->size_B <= BRIDGE_FRAME_MAX_B && head->offset_B <= head->size_B &&
           head->offset_B % BRIDGE_PART_B == 0 && (left_B > 0 || head->size_B == 0) &&
           head->part_B == (left_B < BRIDGE_PART_B ? left_B : BRIDGE_PART_B) && head->number > 0;
}

bool bridge_frame_sound(const struct bridge_datagram *datagram, size_t length_B)
{
    const struct bridge_head *head = &datagram->head;
    if (length_B < sizeof *head || length_B > BRIDGE_DATAGRAM_MAX_B || head->magic != MAGIC ||
        head->version != VERSION || length_B < sizeof *head + head->part_B)
        return false;
    // A real wire pads what is short.
    const size_t own_B = sizeof *head + head->part_B;
    return head->sum == sum_of(datagram, own_B) && head->channel[0] != '\0' &&
           memchr(head->channel, '\0', sizeof head->channel) != NULL &&
           (head->kind == BRIDGE_PART ? part_fits(head)
                                      : head->kind == BRIDGE_SEEN && head->part_B == 0);
}
