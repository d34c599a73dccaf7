#include "targets/bioloid/cm5_frame.h"

#include <string.h>

#define HEAD_B 4
#define SUM_B 1
#define EVERY_SERVO ((1u << CM5_SERVOS) - 2)

enum kind { COMMAND = 1, ANSWERS = 2 };

struct bytes {
    uint8_t *at;
    unsigned size, most;
    bool over; // there was no more
};

static void put(struct bytes *to, uint32_t value, unsigned count)
{
    to->over |= to->size + count > to->most;
    for (unsigned i = 0; i < count && !to->over; i++)
        to->at[to->size++] = (uint8_t)(value >> 8 * i);
}

struct taken {
    const uint8_t *at;
    unsigned size, next;
    bool over;
};

static uint32_t take(struct taken *from, unsigned count)
{
    uint32_t value = 0;
    from->over |= from->next + count > from->size;
    for (unsigned i = 0; i < count && !from->over; i++)
        value |= (uint32_t)from->at[from->next++] << 8 * i;
    return value;
}

static uint8_t sum_of(const uint8_t *frame, unsigned size)
{
    unsigned sum = 0;
    for (unsigned i = 2; i < size; i++)
        sum += frame[i];
    return (uint8_t)~sum;
}

static struct bytes begin(uint8_t *frame, enum kind kind)
{
    const uint8_t head[HEAD_B] = {0xFF, 0x55, kind, 0};
    memcpy(frame, head, sizeof head);
    return (struct bytes){.at = frame, .size = HEAD_B, .most = CM5_FRAME_MAX_B - SUM_B};
}

static unsigned finish(struct bytes *frame)
{
    if (frame->over)
        return 0;
    frame->at[3] = (uint8_t)(frame->size - HEAD_B);
    frame->at[frame->size] = sum_of(frame->at, frame->size);
    return frame->size + SUM_B;
}

static bool is_whole(const uint8_t *frame, unsigned size, enum kind kind)
{
    return size >= HEAD_B + SUM_B && size <= CM5_FRAME_MAX_B && frame[0] == 0xFF &&
           frame[1] == 0x55 && frame[2] == kind && frame[3] == size - HEAD_B - SUM_B &&
           frame[size - 1] == sum_of(frame, size - 1);
}

unsigned cm5_pack_command(const struct cm5_command *command, uint8_t *frame)
{
    struct bytes to = begin(frame, COMMAND);
    put(&to, command->servos, 4);
    put(&to, command->torque, 4);
    put(&to, command->moves, 4);
    for (unsigned i = 1; i < CM5_SERVOS; i++)
        if ((command->servos & 1u << i) != 0) {
            put(&to, command->goal[i], 2);
            put(&to, command->speed[i], 2);
            put(&to, command->slope[i], 1);
        }
    return finish(&to);
}

bool cm5_unpack_command(const uint8_t *frame, unsigned size, struct cm5_command *command)
{
    struct taken from = {.at = frame, .size = size - SUM_B, .next = HEAD_B};
    if (!is_whole(frame, size, COMMAND))
        return false;
    *command = (struct cm5_command){0};
    command->servos = take(&from, 4);
    command->torque = take(&from, 4);
    command->moves = take(&from, 4);
    for (unsigned i = 1; i < CM5_SERVOS; i++)
        if ((command->servos & 1u << i) != 0) {
            command->goal[i] = (uint16_t)take(&from, 2);
            command->speed[i] = (uint16_t)take(&from, 2);
            command->slope[i] = (uint8_t)take(&from, 1);
        }
    return !from.over && from.next == from.size && (command->servos & ~EVERY_SERVO) == 0;
}

unsigned cm5_pack_answers(const struct cm5_answers *answers, uint8_t *frame)
{
    struct bytes to = begin(frame, ANSWERS);
    put(&to, answers->cycle, 4);
    put(&to, answers->missed, 4);
    put(&to, answers->servos, 4);
    for (unsigned i = 1; i < CM5_SERVOS; i++)
        if ((answers->servos & 1u << i) != 0) {
            put(&to, answers->error[i], 1);
            for (unsigned k = 0; k < CM5_READ_B; k++)
                put(&to, answers->read[i][k], 1);
        }
    return finish(&to);
}

bool cm5_unpack_answers(const uint8_t *frame, unsigned size, struct cm5_answers *answers)
{
    struct taken from = {.at = frame, .size = size - SUM_B, .next = HEAD_B};
    if (!is_whole(frame, size, ANSWERS))
        return false;
    *answers = (struct cm5_answers){0};
    answers->cycle = take(&from, 4);
    answers->missed = take(&from, 4);
    answers->servos = take(&from, 4);
    for (unsigned i = 1; i < CM5_SERVOS; i++)
        if ((answers->servos & 1u << i) != 0) {
            answers->error[i] = (uint8_t)take(&from, 1);
            for (unsigned k = 0; k < CM5_READ_B; k++)
                answers->read[i][k] = (uint8_t)take(&from, 1);
        }
    return !from.over && from.next == from.size && (answers->servos & ~EVERY_SERVO) == 0;
}
