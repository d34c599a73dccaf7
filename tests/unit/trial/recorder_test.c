// recorder: what is put into a cell's channels stands in the history, or is said to be missing.
#include "tests/unit/common/unit.h"

#include <stdio.h>
#include <string.h>

#include "channel/channel.h"
#include "harness/files/scenario.h"
#include "harness/history/foul.h"
#include "harness/trial/recorder.h"

#define SLOTS 4

static const struct interposed nothing;
static const struct target target = {
    .channel_count = 3,
    .channel = {{.name = "second", .message = "x", .frame_size_max_B = 8, .slots = SLOTS},
                {.name = "private", .message = "", .frame_size_max_B = 8, .slots = SLOTS},
                {.name = "first", .message = "x", .frame_size_max_B = 8, .slots = SLOTS}},
};

static struct history *history;
static struct watch *watch;
static struct recorder *recorder;
static struct channel *channel[3];
static char cell[64], reason[256];

static void start(void)
{
    make_folder(cell, sizeof cell);
    for (unsigned i = 0; i < target.channel_count; i++) {
        ck_assert_int_eq(channel_create(cell, target.channel[i].name, 8, SLOTS), STATUS_OK);
        ck_assert_int_eq(channel_open_in(cell, target.channel[i].name, CHANNEL_WRITE, &channel[i]),
                         STATUS_OK);
    }
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(recorder_create(cell, &target, &nothing, history, &recorder), STATUS_OK);
    ck_assert_int_eq(watch_create(&target, history, &watch), STATUS_OK);
}

static void finish(void)
{
    recorder_free(recorder);
    watch_free(watch);
    history_free(history);
    for (unsigned i = 0; i < target.channel_count; i++)
        channel_close(channel[i]);
}

static void put(unsigned number, int64_t time_ns, uint64_t content)
{
    ck_assert_int_eq(channel_put(channel[number], &content, sizeof content, instant_ns(time_ns)),
                     STATUS_OK);
}

static void read_at(int64_t time_ns)
{
    ck_assert_msg(recorder_read(recorder, instant_ns(time_ns), watch, reason, sizeof reason) ==
                      STATUS_OK,
                  "%s", reason);
}

START_TEST(every_frame_is_recorded_once_in_the_targets_order_of_channels)
{
    static const struct {
        const char *topic;
        uint64_t number;
        int64_t time_ns;
        uint64_t content;
    } expected[] = {
        {"second", 1, 20, 22}, {"first", 1, 10, 11}, {"first", 2, 30, 33}, {"second", 2, 40, 44}};
    start();
    put(2, 10, 11);
    put(0, 20, 22);
    put(1, 25, 99); // no schema: not recorded
    put(2, 30, 33);
    read_at(100);
    read_at(110); // nothing new
    put(0, 40, 44);
    read_at(120);
    ck_assert_int_eq(history_topic(history, "private"), -1);
    ck_assert_uint_eq(history_length(history), sizeof expected / sizeof expected[0]);
    for (size_t i = 0; i < sizeof expected / sizeof expected[0]; i++) {
        const struct event *event = history_event(history, i);
        ck_assert_str_eq(history_topic_name(history, event->topic), expected[i].topic);
        ck_assert_uint_eq(event->number, expected[i].number);
        ck_assert_int_eq(event->time.ns, expected[i].time_ns);
        ck_assert_uint_eq(event->size_B, sizeof expected[i].content);
        ck_assert_mem_eq(event->data, &expected[i].content, sizeof expected[i].content);
    }
    finish();
}
END_TEST

START_TEST(a_frame_overwritten_unread_is_a_loss_that_says_how_many_and_since_when)
{
    start();
    read_at(100);
    for (uint64_t i = 1; i <= 10; i++)
        put(2, 100 + (int64_t)i, i);
    read_at(150);
    const struct event *first = history_event(history, 0), *next = history_event(history, 1);
    ck_assert_str_eq(history_topic_name(history, first->topic), TOPIC_LOSS);
    const struct loss_event *loss = first->data;
    ck_assert_str_eq(loss->channel, "first");
    ck_assert_int_eq(loss->time.ns, 150);
    ck_assert_int_eq(loss->unread.ns, 50);
    ck_assert_uint_eq(loss->held, SLOTS);
    ck_assert_uint_gt(loss->frames, 0);
    ck_assert_uint_eq(next->number, loss->frames + 1); // the oldest that was still held
    ck_assert_uint_eq(history_length(history), 1 + 10 - loss->frames);
    finish();
}
END_TEST

START_TEST(a_channel_that_is_not_there_stops_the_recorder)
{
    const struct target other = {.channel_count = 1,
                                 .channel = {{.name = "absent", .message = "x", .slots = SLOTS}}};
    struct recorder *none = NULL;
    start();
    ck_assert_int_ne(recorder_create(cell, &other, &nothing, history, &none), STATUS_OK);
    ck_assert_ptr_null(none);
    finish();
}
END_TEST

// ---- time is the lab's -------------------------------------------------------------------------

static const struct scenario none;
static const struct target of_balance = {
    .process_count = 1,
    .process = {{.name = "balance", .component = "Balance"}},
    .world = "world",
    .channel_count = 3,
    .channel = {{.name = "second",
                 .message = "x",
                 .frame_size_max_B = 8,
                 .slots = SLOTS,
                 .writer = "world"},
                {.name = "private", .message = "", .frame_size_max_B = 8, .slots = SLOTS},
                {.name = "first",
                 .message = "x",
                 .frame_size_max_B = 8,
                 .slots = SLOTS,
                 .writer = "balance"}},
};

static void start_virtual(void)
{
    start();
    recorder_free(recorder);
    ck_assert_int_eq(recorder_create(cell, &of_balance, &nothing, history, &recorder), STATUS_OK);
    recorder_mind_clocks(recorder, &none, &of_balance, CLK_VIRTUAL, 1);
}

// In one turn, at `turn_ns`, by somebody other than the world.
static void put_in_turn(unsigned number, int64_t turn_ns, int64_t stamp_ns)
{
    put(number, stamp_ns, 1);
    recorder_turn(recorder, instant_ns(turn_ns), number == 2 ? "balance" : "planner");
}

static const struct foul_event *foul_of(size_t number)
{
    const struct event *event = history_event(history, number);
    ck_assert_str_eq(history_topic_name(history, event->topic), TOPIC_FOUL);
    return event->data;
}

static void expect_frame(size_t number, int64_t time_ns)
{
    const struct event *event = history_event(history, number);
    ck_assert_str_eq(history_topic_name(history, event->topic), "first");
    ck_assert_int_eq(event->time.ns, time_ns);
}

START_TEST(a_frame_stands_at_its_turn_whatever_its_stamp_says)
{
    static const struct {
        int64_t turn_ns, stamp_ns;
        int foul; // -1: none
    } turns[] = {{10, 10, -1},
                 {20, 15, -1}, // of the last sample, as many programs do
                 {30, 31, FOUL_BEYOND},
                 {40, INT64_MAX, FOUL_BEYOND},
                 {50, INT64_MIN, FOUL_OUTSIDE},
                 {60, 60, -1},
                 {70, 59, FOUL_BACK}};
    size_t events = 0;
    start_virtual();
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        put_in_turn(2, turns[i].turn_ns, turns[i].stamp_ns);
        if (i % 2 == 1)
            read_at(turns[i].turn_ns + 5);
    }
    read_at(100);
    for (size_t i = 0; i < sizeof turns / sizeof turns[0]; i++) {
        if (turns[i].foul >= 0) {
            const struct foul_event *foul = foul_of(events++);
            ck_assert_uint_eq(foul->kind, (unsigned)turns[i].foul);
            ck_assert_int_eq(foul->stamp.ns, turns[i].stamp_ns);
            ck_assert_str_eq(foul->process, "balance");
        }
        expect_frame(events++, turns[i].turn_ns);
    }
    ck_assert_uint_eq(history_length(history), events);
    finish();
}
END_TEST

START_TEST(a_channel_of_the_world_is_nobody_elses)
{
    start_virtual();
    put_in_turn(0, 10, 10);
    read_at(20);
    const struct foul_event *foul = foul_of(0);
    ck_assert_uint_eq(foul->kind, FOUL_FORGED);
    ck_assert_str_eq(foul->process, "planner");
    finish();
}
END_TEST

UNIT_MAIN("recorder", every_frame_is_recorded_once_in_the_targets_order_of_channels,
          a_frame_overwritten_unread_is_a_loss_that_says_how_many_and_since_when,
          a_channel_that_is_not_there_stops_the_recorder,
          a_frame_stands_at_its_turn_whatever_its_stamp_says,
          a_channel_of_the_world_is_nobody_elses)
