// IEEE 1588: messages as bytes, and the servo that follows a reference.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ethernet/ptp.h"

#define S INT64_C(1000000000)

static const enum ptp_type types[] = {
    PTP_SYNC,    PTP_PDELAY_REQ, PTP_PDELAY_RESP, PTP_FOLLOW_UP, PTP_PDELAY_RESP_FOLLOW_UP,
    PTP_ANNOUNCE};

static bool tells_time(enum ptp_type type)
{
    return type == PTP_FOLLOW_UP || type == PTP_PDELAY_RESP || type == PTP_PDELAY_RESP_FOLLOW_UP;
}

START_TEST(a_message_is_read_as_it_was_written)
{
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct ptp_message message = {
            .type = types[i], .unicast = i % 2, .sequence = 0xABCD, .interval_log2_s = -3};
        struct ptp_message read;
        uint8_t bytes[PTP_SIZE_MAX_B];
        memcpy(message.source, "12345678\0\1", PTP_IDENTITY_B);
        memcpy(message.requesting, "abcdefgh\0\2", PTP_IDENTITY_B);
        message.priority = 77;
        message.time_ns = 5 * S - 3 + i - 10 * S;
        const size_t size_B = ptp_write(&message, bytes);
        ck_assert(ptp_read(bytes, size_B, &read));
        ck_assert_int_eq(read.type, message.type);
        ck_assert_int_eq(read.unicast, message.unicast);
        ck_assert_uint_eq(read.sequence, message.sequence);
        ck_assert_mem_eq(read.source, message.source, PTP_IDENTITY_B);
        if (types[i] == PTP_PDELAY_RESP || types[i] == PTP_PDELAY_RESP_FOLLOW_UP)
            ck_assert_mem_eq(read.requesting, message.requesting, PTP_IDENTITY_B);
        if (tells_time(types[i]))
            ck_assert_int_eq(read.time_ns, message.time_ns);
        if (types[i] == PTP_SYNC || types[i] == PTP_ANNOUNCE)
            ck_assert_int_eq(read.interval_log2_s, message.interval_log2_s);
        ck_assert_int_eq(read.priority, types[i] == PTP_ANNOUNCE ? 77 : 0);
        for (size_t size = 0; size < size_B; size++)
            ck_assert(!ptp_read(bytes, size, &read));
    }
}
END_TEST

// As a relay that knows how long it held a frame would write it.
START_TEST(a_correction_counts)
{
    for (unsigned i = 0; i < sizeof types / sizeof types[0]; i++) {
        struct ptp_message message = {.type = types[i], .time_ns = 5 * S}, read;
        uint8_t bytes[PTP_SIZE_MAX_B];
        const size_t size_B = ptp_write(&message, bytes);
        bytes[12] = 3; // 3 * 256 ns
        ck_assert(ptp_read(bytes, size_B, &read));
        if (tells_time(types[i]))
            ck_assert_int_eq(read.time_ns, 5 * S + (types[i] == PTP_PDELAY_RESP ? -768 : 768));
        bytes[8] = 0x40; // years
        ck_assert_int_eq(ptp_read(bytes, size_B, &read), !tells_time(types[i]));
    }
}
END_TEST

START_TEST(what_is_no_such_message_is_refused)
{
    struct ptp_message message = {.type = PTP_PDELAY_RESP}, read;
    uint8_t good[PTP_SIZE_MAX_B], bytes[PTP_SIZE_MAX_B];
    const size_t size_B = ptp_write(&message, good);
    static const struct {
        unsigned at;
        uint8_t value;
    } wrong[] = {{0, 0x1}, {0, 0xB}, {1, 1}, {3, 55}, {3, 53}, {34, 1}, {40, 0xFF}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(bytes, good, sizeof bytes);
        bytes[wrong[i].at] = wrong[i].value;
        ck_assert_msg(!ptp_read(bytes, size_B, &read), "byte %u", wrong[i].at);
    }
}
END_TEST

// Follows a reference that gains `ppm` on it, with noise; returns the rms error in its last
// quarter.
static double follow(double ppm, double noise_ns, double jump_ns)
{
    struct random_stream random;
    struct servo servo = {0};
    double squares = 0;
    random_start(&random, 1, "servo");
    for (int k = 1; k <= 60; k++) {
        const int64_t local_ns = k * S;
        const double reference_ns =
            (double)local_ns * (1 + ppm * 1e-6) + 7e8 + (k > 20 ? jump_ns : 0);
        const double offset_ns = reference_ns - (double)servo_time_ns(&servo, local_ns);
        if (k > 45)
            squares += offset_ns * offset_ns;
        servo_take(&servo, local_ns, offset_ns + noise_ns * random_normal(&random));
    }
    return sqrt(squares / 15);
}

START_TEST(a_servo_follows_any_rate_and_any_jump)
{
    for (int ppm = -100; ppm <= 100; ppm += 25) {
        ck_assert_double_lt(follow(ppm, 0, 0), 2);
        ck_assert_double_lt(follow(ppm, 0, 3e6), 2);
        ck_assert_double_lt(follow(ppm, 0, -15e3), 50);
        ck_assert_double_lt(follow(ppm, 200, 0), 300);
    }
}
END_TEST

START_TEST(a_servo_learns_a_new_rate_that_is_too_fast_to_be_steered_after)
{
    struct servo servo = {0};
    double offset_ns = 0;
    for (int k = 1; k <= 40; k++) {
        const int64_t local_ns = k * S;
        const double reference_ns = (double)local_ns + (k > 20 ? (k - 20) * 80e3 : 0);
        offset_ns = reference_ns - (double)servo_time_ns(&servo, local_ns);
        servo_take(&servo, local_ns, offset_ns);
    }
    ck_assert_double_eq_tol(offset_ns, 0, 2);
}
END_TEST

UNIT_MAIN("ptp", a_message_is_read_as_it_was_written, a_correction_counts,
          what_is_no_such_message_is_refused, a_servo_follows_any_rate_and_any_jump,
          a_servo_learns_a_new_rate_that_is_too_fast_to_be_steered_after)
