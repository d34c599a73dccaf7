#include "targets/hrp3p/frames.h"

#include <math.h>
#include <string.h>

uint32_t frame_sum(const void *frame, size_t size_B)
{
    const uint8_t *bytes = frame;
    uint32_t sum = 2166136261u;
    for (size_t i = 0; i < size_B; i++) {
        const bool own = i >= offsetof(struct frame_head, sum) && i < sizeof(struct frame_head);
        sum = (sum ^ (own ? 0 : bytes[i])) * 16777619u;
    }
    return sum;
}

void frame_seal(void *frame, size_t size_B)
{
    const uint32_t sum = frame_sum(frame, size_B);
    memcpy((uint8_t *)frame + offsetof(struct frame_head, sum), &sum, sizeof sum);
}

bool frame_sound(const void *frame, size_t length_B, enum frame_kind kind)
{
    struct frame_head head;
    if (length_B !=
        (kind == FRAME_COMMAND ? sizeof(struct command_frame) : sizeof(struct answer_frame)))
        return false;
    memcpy(&head, frame, sizeof head);
    return head.kind == kind && head.count <= LINK_JOINTS && head.sum == frame_sum(frame, length_B);
}

uint16_t frame_cycles_later(uint16_t bits, uint32_t cycles)
{
    return cycles > 15 ? 0 : (uint16_t)(bits << cycles);
}

int16_t frame_int(double value, double unit)
{
    const double units = round(value / unit);
    return (int16_t)fmax(INT16_MIN, fmin(INT16_MAX, units));
}

uint16_t frame_unsigned(double value, double unit)
{
    const double units = round(value / unit);
    return (uint16_t)fmax(0, fmin(UINT16_MAX, units));
}
