// What lies between the two sides of a channel, counted from small histories.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/trial/look/channel_difference.h"

struct message {
    int64_t time_ns;
    double number;
};

static struct history *history;
static unsigned put_topic, got_topic;
static const struct message_field field = {.offset_B = 8, .kind = 'f', .width_B = 8};

static void start(void)
{
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "c", "", &put_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "c@readers", "", &got_topic), STATUS_OK);
}

static void add(unsigned topic, int64_t at_s, int64_t stamp_s, double number, size_t size_B)
{
    const struct message message = {.time_ns = stamp_s, .number = number};
    ck_assert_int_eq(history_append(history, topic, 0, instant_s((double)at_s), &message, size_B),
                     STATUS_OK);
}

static void put(int64_t at_s)
{
    add(put_topic, at_s, at_s, 1, sizeof(struct message));
}

static void got(int64_t at_s, int64_t put_at_s)
{
    add(got_topic, at_s, put_at_s, 1, sizeof(struct message));
}

// Of the frames after since_s up to till_s.
static struct channel_difference differ(double since_s, double till_s)
{
    struct channel_difference difference;
    const struct channel_window window = {.put = put_topic,
                                          .got = got_topic,
                                          .since = instant_s(since_s),
                                          .till = instant_s(till_s),
                                          .delay = duration_s(3),
                                          .field = &field};
    ck_assert_int_eq(channel_differ(history, &window, &difference), STATUS_OK);
    return difference;
}

#define ck_differs(difference, a, b, c, d, e, f)                                                   \
    do {                                                                                           \
        ck_assert_uint_eq((difference).missing, a);                                                \
        ck_assert_uint_eq((difference).repeated, b);                                               \
        ck_assert_uint_eq((difference).disordered, c);                                             \
        ck_assert_uint_eq((difference).altered, d);                                                \
        ck_assert_uint_eq((difference).shortened, e);                                              \
        ck_assert_uint_eq((difference).marked, f);                                                 \
    } while (0)

START_TEST(equal_sides_do_not_differ_and_a_window_ends)
{
    start();
    for (int i = 1; i < 9; i++) {
        put(i);
        if (i != 2 && i != 8)
            got(i, i);
    }
    ck_differs(differ(2, 7), 0, 0, 0, 0, 0, 0);
    ck_assert_uint_eq(differ(2, 7).put, 5);
    ck_assert_uint_eq(differ(2, 7).got, 5);
    ck_differs(differ(1, 8), 2, 0, 0, 0, 0, 0);
    history_free(history);
}
END_TEST

START_TEST(late_repeated_and_overtaken_frames_are_counted)
{
    start();
    put(1);
    put(2);
    put(3);
    got(3, 3);
    got(4, 1);
    got(5, 3);
    got(6, 2);
    const struct channel_difference all = differ(0, 9);
    ck_differs(all, 0, 1, 2, 0, 0, 0);
    ck_assert_int_eq(all.late.ns, duration_s(4).ns);
    ck_assert_uint_eq(all.delayed, 2); // by 3 s and 4 s
    // What was put before the window was on its way already.
    ck_differs(differ(2, 9), 0, 1, 0, 0, 0, 0);
    ck_assert_int_eq(differ(2, 9).late.ns, 0);
    history_free(history);
}
END_TEST

// Asked for are 3 s: after more a frame is lost, not late.
START_TEST(frames_on_their_way_are_late)
{
    start();
    put(1);
    put(5);
    ck_assert_int_eq(differ(0, 3).late.ns, duration_s(2).ns);
    ck_assert_int_eq(differ(0, 5).late.ns, 0);
    ck_assert_int_eq(differ(0, 7).late.ns, duration_s(2).ns);
    ck_assert_int_eq(differ(0, 9).late.ns, 0);
    history_free(history);
}
END_TEST

START_TEST(frames_that_nobody_put_are_told_apart)
{
    start();
    put(1);
    put(2);
    put(3);
    add(got_topic, 1, 7, 2.5, sizeof(struct message));
    add(got_topic, 2, 2, 1, 8);
    add(got_topic, 3, 3, (double)NAN, sizeof(struct message));
    ck_differs(differ(0, 9), 3, 0, 0, 3, 1, 1);
    history_free(history);
}
END_TEST

START_TEST(numbers_that_have_changed_places_are_told_from_others)
{
    static const struct message_field other = {.offset_B = 16, .kind = 'f', .width_B = 8};
    const double was[3] = {7, 1, 2}, swapped[3] = {7, 2, 1}, one[3] = {7, 2, 2}, all[3] = {8, 2, 1};
    struct channel_difference difference;
    start();
    const struct channel_window window = {.put = put_topic,
                                          .got = got_topic,
                                          .since = instant_s(0),
                                          .till = instant_s(9),
                                          .field = &other,
                                          .other = &field};
    ck_assert_int_eq(history_append(history, put_topic, 0, instant_s(1), was, sizeof was),
                     STATUS_OK);
    ck_assert_int_eq(history_append(history, got_topic, 0, instant_s(1), one, sizeof one),
                     STATUS_OK);
    ck_assert_int_eq(history_append(history, got_topic, 0, instant_s(1), all, sizeof all),
                     STATUS_OK);
    ck_assert_int_eq(history_append(history, got_topic, 0, instant_s(1), swapped, 16), STATUS_OK);
    ck_assert_int_eq(channel_differ(history, &window, &difference), STATUS_OK);
    ck_assert_uint_eq(difference.altered, 3);
    ck_assert_uint_eq(difference.marked, 0);
    ck_assert_int_eq(history_append(history, got_topic, 0, instant_s(2), swapped, sizeof swapped),
                     STATUS_OK);
    ck_assert_int_eq(channel_differ(history, &window, &difference), STATUS_OK);
    ck_assert_uint_eq(difference.altered, 4);
    ck_assert_uint_eq(difference.marked, 1);
    history_free(history);
}
END_TEST

START_TEST(frames_that_are_all_the_same_are_counted)
{
    start();
    for (int i = 1; i < 5; i++)
        add(put_topic, i, 0, 1, sizeof(struct message));
    for (int i = 1; i < 4; i++)
        add(got_topic, i, 0, 1, sizeof(struct message));
    ck_differs(differ(0, 9), 1, 0, 0, 0, 0, 0);
    add(got_topic, 4, 0, 1, sizeof(struct message));
    ck_differs(differ(0, 9), 0, 0, 0, 0, 0, 0);
    add(got_topic, 5, 0, 1, sizeof(struct message));
    ck_differs(differ(0, 9), 0, 1, 0, 0, 0, 0);
    history_free(history);
}
END_TEST

UNIT_MAIN("channel_difference", equal_sides_do_not_differ_and_a_window_ends,
          late_repeated_and_overtaken_frames_are_counted, frames_on_their_way_are_late,
          frames_that_nobody_put_are_told_apart,
          numbers_that_have_changed_places_are_told_from_others,
          frames_that_are_all_the_same_are_counted)
