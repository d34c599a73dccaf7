// Frames between the upper layer and the CM-5.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "targets/bioloid/cm5_frame.h"

static uint8_t frame[CM5_FRAME_MAX_B];

static struct cm5_command some_command(void)
{
    struct cm5_command command = {
        .servos = 1u << 1 | 1u << 19, .torque = 1u << 1, .moves = 1u << 19};
    command.goal[1] = 1023, command.goal[19] = 511;
    command.speed[1] = 0x3FF, command.slope[19] = 32;
    return command;
}

START_TEST(a_command_arrives_as_it_was_sent)
{
    const struct cm5_command sent = some_command();
    struct cm5_command come;
    const unsigned size = cm5_pack_command(&sent, frame);
    ck_assert_uint_eq(size, 4 + 12 + 2 * 5 + 1);
    ck_assert(cm5_unpack_command(frame, size, &come));
    ck_assert_mem_eq(&come, &sent, sizeof come);
}
END_TEST

START_TEST(answers_arrive_as_they_were_sent)
{
    struct cm5_answers sent = {.cycle = 70000, .missed = 3, .servos = 1u << 25}, come;
    sent.error[25] = 4;
    for (unsigned k = 0; k < CM5_READ_B; k++)
        sent.read[25][k] = (uint8_t)(200 + k);
    const unsigned size = cm5_pack_answers(&sent, frame);
    ck_assert(cm5_unpack_answers(frame, size, &come));
    ck_assert_mem_eq(&come, &sent, sizeof come);
}
END_TEST

START_TEST(all_servos_fit_into_a_frame)
{
    struct cm5_command command = {.servos = (1u << CM5_SERVOS) - 2};
    struct cm5_answers answers = {.servos = (1u << CM5_SERVOS) - 2};
    ck_assert_uint_gt(cm5_pack_command(&command, frame), 0);
    ck_assert_uint_gt(cm5_pack_answers(&answers, frame), 0);
}
END_TEST

START_TEST(a_changed_bit_is_noticed_wherever_it_is)
{
    const struct cm5_command sent = some_command();
    struct cm5_command come;
    const unsigned size = cm5_pack_command(&sent, frame);
    for (unsigned bit = 0; bit < 8 * size; bit++) {
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
        ck_assert_msg(!cm5_unpack_command(frame, size, &come), "bit %u", bit);
        frame[bit / 8] ^= (uint8_t)(1u << bit % 8);
    }
    for (unsigned part = 0; part < size; part++)
        ck_assert(!cm5_unpack_command(frame, part, &come));
    ck_assert(cm5_unpack_command(frame, size, &come));
}
END_TEST

START_TEST(a_frame_of_the_other_kind_is_refused)
{
    const struct cm5_command sent = some_command();
    struct cm5_answers come;
    ck_assert(!cm5_unpack_answers(frame, cm5_pack_command(&sent, frame), &come));
}
END_TEST

UNIT_MAIN("cm5", a_command_arrives_as_it_was_sent, answers_arrive_as_they_were_sent,
          all_servos_fit_into_a_frame, a_changed_bit_is_noticed_wherever_it_is,
          a_frame_of_the_other_kind_is_refused)
