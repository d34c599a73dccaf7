// IEEE 1588: messages as bytes, and the servo that follows a reference.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "ethernet/ptp.h"

#define S INT64_C(1000000000)

START_TEST(a_message_is_read_as_it_was_written)
{
    static const enum ptp_type types[] = {PTP_PDELAY_REQ, PTP_PDELAY_RESP,
                                          PTP_PDELAY_RESP_FOLLOW_UP};
    for (int i = 0; i < 3; i++) {
        struct ptp_message message = {.type = types[i], .sequence = 0xABCD}, read;
        uint8_t bytes[PTP_SIZE_B];
        memcpy(message.source, "12345678\0\1", PTP_IDENTITY_B);
        if (types[i] != PTP_PDELAY_REQ) {
            memcpy(message.requesting, "abcdefgh\0\2", PTP_IDENTITY_B);
            message.time_ns = 5 * S - 3 + i - 10 * S;
        }
        ptp_write(&message, bytes);
        ck_assert(ptp_read(bytes, sizeof bytes, &read));
        ck_assert_int_eq(read.type, message.type);
        ck_assert_uint_eq(read.sequence, message.sequence);
        ck_assert_mem_eq(read.source, message.source, PTP_IDENTITY_B);
        ck_assert_mem_eq(read.requesting, message.requesting, PTP_IDENTITY_B);
        if (types[i] != PTP_PDELAY_REQ)
            ck_assert_int_eq(read.time_ns, message.time_ns);
        for (size_t size = 0; size < sizeof bytes; size++)
            ck_assert(!ptp_read(bytes, size, &read));
    }
}
END_TEST

START_TEST(what_is_no_such_message_is_refused)
{
    struct ptp_message message = {.type = PTP_PDELAY_RESP}, read;
    uint8_t good[PTP_SIZE_B], bytes[PTP_SIZE_B];
    ptp_write(&message, good);
    static const struct {
        unsigned at;
        uint8_t value;
    } wrong[] = {{0, 0x0}, {0, 0xB}, {1, 1}, {3, PTP_SIZE_B + 1}, {34, 1}, {40, 0xFF}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        memcpy(bytes, good, sizeof bytes);
        bytes[wrong[i].at] = wrong[i].value;
        ck_assert_msg(!ptp_read(bytes, sizeof bytes, &read), "byte %u", wrong[i].at);
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
        ck_assert_double_lt(follow(ppm, 0, -15e3), 30);
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

UNIT_MAIN("ptp", a_message_is_read_as_it_was_written, what_is_no_such_message_is_refused,
          a_servo_follows_any_rate_and_any_jump,
          a_servo_learns_a_new_rate_that_is_too_fast_to_be_steered_after)
