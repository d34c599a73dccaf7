// Two bridges' sessions, and a wire between them that loses, doubles and turns round what a test
// says.
#include "tests/unit/common/unit.h"

#include <string.h>

#include "targets/bridge/bridge_session.h"

#define LARGE_B 40000
#define WIRE_MAX 256

struct wire {
    struct bridge_datagram datagram[WIRE_MAX];
    size_t length_B[WIRE_MAX];
    unsigned count;
};

static char cell[64];
static struct bridge_session near, far;
static struct wire wire;
static struct channel *small, *large, *small_there, *large_there;
static uint8_t frame[LARGE_B], got[LARGE_B];
static int64_t now_ns;

static instant now(void)
{
    return instant_ns(now_ns);
}

// Channels of this host, and of the host "far".
static void setup(void)
{
    const char *const names[] = {"small", "large", "far-small", "far-large"};
    make_folder(cell, sizeof cell);
    setenv("UKEMI_CELL", cell, 1);
    for (unsigned i = 0; i < 4; i++)
        ck_assert_int_eq(channel_create(cell, names[i], i % 2 == 0 ? 64 : LARGE_B, 16), STATUS_OK);
    near = far = (struct bridge_session){0};
    now_ns = 1000000000;
    ck_assert_int_eq(bridge_add(&near, "small", CHANNEL_READ), STATUS_OK);
    ck_assert_int_eq(bridge_add(&near, "large", CHANNEL_READ), STATUS_OK);
    setenv("UKEMI_HOST", "far", 1);
    ck_assert_int_eq(bridge_add(&far, "small", CHANNEL_WRITE), STATUS_OK);
    ck_assert_int_eq(bridge_add(&far, "large", CHANNEL_WRITE), STATUS_OK);
    ck_assert_int_eq(channel_open("small", CHANNEL_READ, &small_there), STATUS_OK);
    ck_assert_int_eq(channel_open("large", CHANNEL_READ, &large_there), STATUS_OK);
    unsetenv("UKEMI_HOST");
    ck_assert_int_eq(channel_open("small", CHANNEL_WRITE, &small), STATUS_OK);
    ck_assert_int_eq(channel_open("large", CHANNEL_WRITE, &large), STATUS_OK);
    bridge_begin(&near, NULL, now());
    bridge_begin(&far, NULL, now());
}

static void put(struct channel *channel, size_t size_B, uint8_t value)
{
    memset(frame, value, size_B);
    ck_assert_int_eq(channel_put(channel, frame, size_B, now()), STATUS_OK);
}

static void send(struct bridge_session *from)
{
    bridge_look(from, now());
    for (wire.count = 0; wire.count < WIRE_MAX; wire.count++) {
        const unsigned i = wire.count;
        wire.length_B[i] = bridge_next(from, &wire.datagram[i], now());
        if (wire.length_B[i] == 0)
            break;
    }
}

static void arrive(struct bridge_session *at, unsigned i)
{
    bridge_take(at, &wire.datagram[i], wire.length_B[i], now());
}

static void arrive_all(struct bridge_session *at)
{
    for (unsigned i = 0; i < wire.count; i++)
        arrive(at, i);
}

// A period in which all comes.
static void exchange(void)
{
    send(&near);
    arrive_all(&far);
    send(&far);
    arrive_all(&near);
    now_ns += 5000000;
}

static void expect(struct channel *channel, size_t size_B, uint8_t value)
{
    struct channel_frame info;
    ck_assert_int_eq(channel_get(channel, got, sizeof got, CHANNEL_NEXT, &info), STATUS_OK);
    ck_assert_uint_eq(info.size_B, size_B);
    for (size_t i = 0; i < size_B; i++)
        ck_assert_uint_eq(got[i], value);
}

static void expect_none(struct channel *channel)
{
    ck_assert_int_eq(channel_get(channel, got, sizeof got, CHANNEL_NEXT, NULL), STATUS_EMPTY);
}

START_TEST(newest_comes_and_the_passed_over_are_counted)
{
    setup();
    put(small, 8, 1);
    exchange();
    put(small, 8, 2);
    put(small, 8, 3);
    put(small, 0, 4);
    exchange();
    expect(small_there, 8, 1);
    expect(small_there, 0, 4);
    expect_none(small_there);
    ck_assert_uint_eq(far.message.missed, 2);
    ck_assert_uint_eq(far.message.delivered, 2);
}
END_TEST

START_TEST(a_large_frame_does_not_hold_up_a_small_one)
{
    setup();
    put(large, LARGE_B, 5);
    put(small, 8, 6);
    send(&near);
    ck_assert_uint_ge(wire.count, 29);
    for (unsigned i = 0; i < 4; i++)
        arrive(&far, i);
    expect(small_there, 8, 6);
    expect_none(large_there);
    arrive_all(&far);
    expect(large_there, LARGE_B, 5);
    ck_assert_uint_eq(far.message.delivered, 2);
}
END_TEST

START_TEST(parts_may_come_backwards_and_twice)
{
    setup();
    put(large, LARGE_B, 7);
    send(&near);
    for (unsigned i = wire.count; i-- > 0;) {
        arrive(&far, i);
        arrive(&far, i);
    }
    expect(large_there, LARGE_B, 7);
    expect_none(large_there);
    ck_assert_uint_eq(far.message.missed, 0);
    ck_assert_uint_gt(far.message.doubled, 0);
}
END_TEST

START_TEST(a_lost_part_comes_again_and_no_half_frame_is_seen)
{
    setup();
    put(large, LARGE_B, 8);
    send(&near);
    for (unsigned i = 0; i < wire.count; i++)
        if (i != 11)
            arrive(&far, i);
    expect_none(large_there);
    for (unsigned i = 0; i < 25; i++)
        exchange();
    expect(large_there, LARGE_B, 8);
    expect_none(large_there);
    ck_assert_uint_eq(near.message.repeated, 1);
}
END_TEST

START_TEST(who_is_cut_off_gets_the_newest_when_mended)
{
    setup();
    put(small, 8, 1);
    exchange();
    expect(small_there, 8, 1);
    for (uint8_t n = 2; n < 200; n++, now_ns += 5000000) {
        put(small, 8, n);
        send(&near); // and nothing comes
        send(&far);
    }
    ck_assert_uint_eq(near.message.connected, 0);
    for (unsigned i = 0; i < 25; i++)
        exchange();
    ck_assert_uint_eq(near.message.connected, 1);
    expect(small_there, 8, 199);
    ck_assert_uint_eq(far.message.missed, 197);
    ck_assert_uint_eq(far.message.reconnects, 2);
}
END_TEST

START_TEST(a_bridge_started_again_goes_on)
{
    setup();
    put(small, 8, 1);
    exchange();
    expect(small_there, 8, 1);
    const struct bridge_message before = far.message;
    far.message = (struct bridge_message){0};
    bridge_begin(&far, &before, now());
    near.push[0].number = near.push[0].seen = 0;
    const struct bridge_message near_before = near.message;
    bridge_begin(&near, &near_before, now());
    channel_close(near.push[0].channel);
    ck_assert_int_eq(channel_open("small", CHANNEL_READ, &near.push[0].channel), STATUS_OK);
    for (unsigned i = 0; i < 50; i++)
        exchange();
    expect_none(small_there); // it has come before
    put(small, 8, 2);
    exchange();
    expect(small_there, 8, 2);
    ck_assert_uint_eq(far.message.missed, 0);
}
END_TEST

START_TEST(what_is_harmed_or_foreign_touches_nothing)
{
    setup();
    put(small, 8, 1);
    send(&near);
    ck_assert_uint_eq(wire.count, 1);
    for (size_t b = 0; b < wire.length_B[0]; b++) {
        struct bridge_datagram harmed = wire.datagram[0];
        ((uint8_t *)&harmed)[b] ^= 0x10;
        bridge_take(&far, &harmed, wire.length_B[0], now());
        bridge_take(&far, &wire.datagram[0], b, now()); // too short
    }
    struct bridge_datagram foreign = wire.datagram[0];
    memcpy(foreign.head.channel, "others", 7);
    bridge_take(&far, &foreign, bridge_frame_seal(&foreign), now());
    ck_assert_uint_eq(far.message.refused, 2 * wire.length_B[0]);
    ck_assert_uint_eq(far.message.foreign, 1);
    expect_none(small_there);
    struct bridge_datagram large_one = wire.datagram[0]; // larger than the channel here
    large_one.head.size_B = 65;
    large_one.head.part_B = 65;
    bridge_take(&far, &large_one, bridge_frame_seal(&large_one), now());
    ck_assert_uint_eq(far.message.refused, 2 * wire.length_B[0] + 1);
    arrive_all(&far);
    expect(small_there, 8, 1);
}
END_TEST

UNIT_MAIN("bridge", newest_comes_and_the_passed_over_are_counted,
          a_large_frame_does_not_hold_up_a_small_one, parts_may_come_backwards_and_twice,
          a_lost_part_comes_again_and_no_half_frame_is_seen,
          who_is_cut_off_gets_the_newest_when_mended, a_bridge_started_again_goes_on,
          what_is_harmed_or_foreign_touches_nothing)
