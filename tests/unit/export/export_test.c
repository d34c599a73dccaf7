// What is exported of frames that no trial of the robot has: extended, remote, empty ones, and
// those that a damaged history may hold. Whole trials: tests/system/export.sh, peers.sh.
#include <linux/can/error.h>
#include <stddef.h>
#include <stdlib.h>
#include <string.h>

#include "harness/export/export.h"
#include "tests/unit/common/unit.h"

static const struct export_options options = {.bus = {"can0", "can1"}, .epoch_s = 1000};

#define STEP_NS 1234567 // between frames: micros are cut off, not rounded

static struct bus_log_frame logged(uint32_t bus, uint32_t can_id, uint32_t length, bool failed)
{
    return (struct bus_log_frame){.bus = bus,
                                  .can_id = can_id,
                                  .length = length,
                                  .failed = failed,
                                  .data = {0xDE, 0xAD, 0xBE, 0xEF, 1, 2, 3, 4}};
}

// A history with one bus log of these frames, each a step later; but for those that have a time.
static struct history *history_of(const struct bus_log_frame *frame, uint32_t count,
                                  uint32_t dropped)
{
    static struct bus_log_message message;
    struct history *history;
    unsigned topic;
    message.count = count;
    message.dropped = dropped;
    memcpy(message.frame, frame, count * sizeof *frame);
    for (uint32_t i = 0; i < count; i++)
        if (message.frame[i].time.ns == 0)
            message.frame[i].time = instant_ns((i + 1) * STEP_NS);
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "bus-log", "bus_log_message", &topic), STATUS_OK);
    ck_assert_int_eq(
        history_append(history, topic, 0, instant_ns(0), &message,
                       offsetof(struct bus_log_message, frame) + count * sizeof *frame),
        STATUS_OK);
    return history;
}

static char *text;
static size_t text_B;

static struct export_count exported(struct history *history,
                                    enum status (*write)(const struct history *,
                                                         const struct export_options *, FILE *,
                                                         struct export_count *))
{
    struct export_count count;
    free(text); // of an export before
    text = NULL;
    FILE *out = open_memstream(&text, &text_B);
    ck_assert_ptr_nonnull(out);
    ck_assert_int_eq(write(history, &options, out, &count), STATUS_OK);
    fclose(out);
    history_free(history);
    return count;
}

START_TEST(each_kind_of_frame_is_written_as_candump_writes_it)
{
    const struct bus_log_frame frames[] = {
        logged(0, 0x60, 4, false),
        logged(1, 0x7FF, 0, false),
        logged(0, 0x1ABCDEF0u | CAN_EFF_FLAG, 8, false),
        logged(0, 0x44 | CAN_EFF_FLAG, 1, false), // extended, however small
        logged(1, 0x321 | CAN_RTR_FLAG, 0, false),
        logged(1, 0x321 | CAN_RTR_FLAG, 5, false),
        logged(0, 0x60, 4, true),
    };
    const struct export_count count = exported(history_of(frames, 7, 3), export_candump);
    ck_assert_str_eq(text, "(0000001000.001234) can0 060#DEADBEEF\n"
                           "(0000001000.002469) can1 7FF#\n"
                           "(0000001000.003703) can0 1ABCDEF0#DEADBEEF01020304\n"
                           "(0000001000.004938) can0 00000044#DE\n"
                           "(0000001000.006172) can1 321#R\n"
                           "(0000001000.007407) can1 321#R5\n"
                           "(0000001000.008641) can0 20000088#0000000000000000\n");
    ck_assert_uint_eq(count.frames[0], 4);
    ck_assert_uint_eq(count.frames[1], 3);
    ck_assert_uint_eq(count.error_frames, 1);
    ck_assert_uint_eq(count.not_logged, 3);
    ck_assert_uint_eq(count.malformed, 0);
}
END_TEST

START_TEST(what_no_bus_can_have_carried_is_left_out_and_counted)
{
    struct bus_log_frame frames[] = {
        logged(BUS_LOG_BUSES, 0x60, 4, false),
        logged(0, 0x60, 9, false),
        logged(0, 0x800, 4, false),
        logged(0, 0x88 | CAN_ERR_FLAG, 8, false),
        logged(0, 0x60, 4, false),
        logged(0, 0x60, 4, false),
        logged(1, 0x61, 1, false),
    };
    frames[4].time = instant_ns(-1);
    frames[5].time = instant_ns(INT64_MAX);
    const struct export_count count = exported(history_of(frames, 7, 0), export_candump);
    ck_assert_uint_eq(count.malformed, 6);
    ck_assert_uint_eq(count.frames[0] + count.frames[1], 1);
    ck_assert_ptr_nonnull(strstr(text, "can1 061#DE\n"));
}
END_TEST

START_TEST(a_bus_log_that_is_too_short_is_counted)
{
    struct history *history;
    unsigned topic;
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "bus-log", "", &topic), STATUS_OK);
    ck_assert_int_eq(history_append(history, topic, 0, instant_ns(0), "abc", 3), STATUS_OK);
    ck_assert_int_eq(history_append(history, topic, 1, instant_ns(0), "", 0), STATUS_OK);
    const struct export_count count = exported(history, export_candump);
    ck_assert_uint_eq(count.malformed, 2);
    ck_assert_uint_eq(text_B, 0);
}
END_TEST

START_TEST(a_history_without_a_bus_log_is_refused)
{
    struct history *history;
    struct export_count count;
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(export_candump(history, &options, stdout, &count), STATUS_INVALID);
    history_free(history);
}
END_TEST

static uint32_t word(size_t at)
{
    uint32_t value;
    ck_assert_uint_le(at + 4, text_B);
    memcpy(&value, text + at, 4);
    return value;
}

// Blocks of pcapng: type, length, body, length again.
START_TEST(pcapng_is_a_chain_of_whole_blocks_with_the_frames_in_them)
{
    const struct bus_log_frame frames[] = {logged(1, 0x60, 3, false),
                                           logged(0, 0x321 | CAN_RTR_FLAG, 5, false),
                                           logged(0, 0x1ABCDEF0u | CAN_EFF_FLAG, 8, true)};
    (void)exported(history_of(frames, 3, 0), export_pcapng);
    static const uint32_t types[] = {0x0A0D0D0A, 1, 1, 6, 6, 6};
    static const uint8_t packets[][16] = {
        {0, 0, 0, 0x60, 3, 0, 0, 0, 0xDE, 0xAD, 0xBE},
        {0x40, 0, 3, 0x21, 5, 0, 0, 0}, // a length, but no data
        {0x20, 0, 0, 0x88, 8, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0},
    };
    static const uint32_t sizes_B[] = {11, 8, 16};
    size_t at = 0;
    for (size_t i = 0; i < 6; i++) {
        const uint32_t length_B = word(at + 4);
        ck_assert_uint_eq(word(at), types[i]);
        ck_assert_uint_eq(length_B % 4, 0);
        ck_assert_uint_eq(word(at + length_B - 4), length_B);
        if (types[i] == 6) {
            const struct bus_log_frame *frame = &frames[i - 3];
            const uint64_t time_ns = (uint64_t)word(at + 12) << 32 | word(at + 16);
            ck_assert_uint_eq(word(at + 8), frame->bus);
            ck_assert_uint_eq(time_ns, UINT64_C(1000000000000) + (i - 2) * STEP_NS);
            ck_assert_uint_eq(word(at + 20), sizes_B[i - 3]);
            ck_assert_uint_eq(word(at + 24), sizes_B[i - 3]);
            ck_assert_mem_eq(text + at + 28, packets[i - 3], sizes_B[i - 3]);
        }
        at += length_B;
    }
    ck_assert_uint_eq(at, text_B);
    ck_assert_ptr_nonnull(memmem(text, text_B, "ended frame 1ABCDEF0#DEADBEEF01020304", 37));
}
END_TEST

// A message as of a target's wire.msg that keeps 24 bytes of each frame: two frames and then
// nonsense, or some bytes too few.
START_TEST(frames_of_cables_are_kept_as_far_as_the_message_has_room)
{
    struct {
        int64_t time_ns;
        uint32_t count, dropped;
        struct {
            int64_t time_ns;
            uint16_t cable;
            uint8_t end, broken;
            uint16_t size_B, padding;
            uint8_t head[24];
        } frame[3];
    } message = {.count = 3, .dropped = 7};
    static const uint16_t sizes_B[] = {60, 20, 60}, cables[] = {1, 0, 2};
    message.frame[2].time_ns = INT64_C(1) << 62; // no trial lasts so long
    for (unsigned i = 0; i < 3; i++) {
        message.frame[i].cable = cables[i];
        message.frame[i].size_B = sizes_B[i];
        memset(message.frame[i].head, 0xA0 + (int)i, 24);
    }
    for (size_t lacks_B = 0; lacks_B < 2; lacks_B++) {
        struct history *history;
        unsigned topic;
        ck_assert_int_eq(history_create(&history), STATUS_OK);
        ck_assert_int_eq(history_add_topic(history, "wire", "wire_message", &topic), STATUS_OK);
        ck_assert_int_eq(
            history_append(history, topic, 0, instant_ns(0), &message, sizeof message - lacks_B),
            STATUS_OK);
        const struct export_count count = exported(history, export_pcapng);
        ck_assert_uint_eq(count.malformed, 1);
        ck_assert_uint_eq(count.ethernet, lacks_B == 0 ? 2 : 0);
        ck_assert_uint_eq(count.not_logged, lacks_B == 0 ? 7 : 0);
        for (size_t at = 0, packet = 0; at < text_B; at += word(at + 4)) {
            if (word(at) != 6)
                continue;
            ck_assert_uint_eq(word(at + 8), cables[packet]);
            ck_assert_uint_eq(word(at + 20), packet == 0 ? 24 : 20);
            ck_assert_uint_eq(word(at + 24), sizes_B[packet]);
            ck_assert_mem_eq(text + at + 28, message.frame[packet].head, word(at + 20));
            packet++;
        }
    }
}
END_TEST

UNIT_MAIN("export", each_kind_of_frame_is_written_as_candump_writes_it,
          what_no_bus_can_have_carried_is_left_out_and_counted,
          a_bus_log_that_is_too_short_is_counted, a_history_without_a_bus_log_is_refused,
          pcapng_is_a_chain_of_whole_blocks_with_the_frames_in_them,
          frames_of_cables_are_kept_as_far_as_the_message_has_room)
