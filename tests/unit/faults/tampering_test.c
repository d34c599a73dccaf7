// What an interposer does with frames, tampering by tampering: frames in, frames out.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stddef.h>
#include <stdio.h>
#include <string.h>

#include "faults/tampering.h"

#define FRAME_MAX_B 32
#define OUT_MAX 4096

static char cell[64], out[OUT_MAX];
static struct tamper_page *page;
static struct tampering_work *work;
static int64_t now_ms;

// Writes "1 " for a frame of one byte, "1,2 " for one of two.
static void put(void *context, const void *frame, size_t size_B)
{
    const unsigned char *byte = frame;
    (void)context;
    for (size_t i = 0; i < size_B; i++)
        snprintf(out + strlen(out), sizeof out - strlen(out), i == 0 ? "%u" : ",%u", byte[i]);
    snprintf(out + strlen(out), sizeof out - strlen(out), " ");
}

static void begin(void)
{
    make_folder(cell, sizeof cell);
    ck_assert_int_eq(tamper_create(cell, "c"), STATUS_OK);
    ck_assert_int_eq(tamper_open(cell, "c", &page), STATUS_OK);
    ck_assert_int_eq(tampering_begin(page, FRAME_MAX_B, put, NULL, &work), STATUS_OK);
}

static void end(void)
{
    free(work); // what it mapped goes with the test
    tamper_close(page);
    remove_folder(cell);
}

static unsigned ask(struct tampering what)
{
    unsigned slot;
    what.share_ppm = what.share_ppm == 0 ? 1000000 : what.share_ppm;
    what.burst = what.burst == 0 ? 1 : what.burst;
    ck_assert_int_eq(tamper_put(page, &what, &slot), STATUS_OK);
    return slot;
}

static void go_on(void)
{
    tampering_obey(work, instant_ns(now_ms * 1000000));
    tampering_pass(work, instant_ns(now_ms * 1000000));
}

// Puts frames first .. last of a byte each, 10 ms after one another.
static void take(unsigned char first, unsigned char last)
{
    for (unsigned char i = first; i <= last; i++) {
        now_ms += 10;
        go_on();
        tampering_take(work, &i, 1, instant_ns(now_ms * 1000000));
        go_on();
    }
}

START_TEST(what_nobody_tampers_with_passes)
{
    begin();
    take(1, 4);
    ck_assert_str_eq(out, "1 2 3 4 ");
    ck_assert_int_eq(tampering_due(work).ns, INSTANT_NEVER.ns);
    end();
}
END_TEST

START_TEST(a_drop_ends_with_its_count_and_with_its_undoing)
{
    begin();
    const unsigned first = ask((struct tampering){.kind = TAMPER_DROP, .most = 2, .tag = 1});
    take(1, 4);
    ck_assert_str_eq(out, "3 4 ");
    ck_assert_uint_eq(tamper_count(page, first).hit, 2);
    const unsigned second = ask((struct tampering){.kind = TAMPER_DROP, .tag = 2});
    take(5, 6);
    ck_assert_int_eq(tamper_take(page, second), STATUS_OK);
    take(7, 8);
    ck_assert_str_eq(out, "3 4 7 8 ");
    ck_assert_uint_eq(tamper_count(page, second).hit_when_taken, 2);
    ck_assert(!tamper_count(page, second).active);
    end();
}
END_TEST

START_TEST(a_share_is_drawn_in_bursts_the_same_each_time)
{
    char before[OUT_MAX] = "";
    for (int turn = 0; turn < 2; turn++) {
        out[0] = '\0';
        begin();
        ask((struct tampering){
            .kind = TAMPER_DROP, .share_ppm = 200000, .burst = 3, .seed = 7, .tag = 1});
        take(1, 200);
        end();
        if (turn == 0)
            snprintf(before, sizeof before, "%s", out);
    }
    ck_assert_str_eq(out, before);
    unsigned passed = 0;
    for (const char *c = out; *c != '\0'; c++)
        passed += *c == ' ';
    ck_assert_msg(passed > 60 && passed < 160, "%u", passed); // of 200; some 114
}
END_TEST

START_TEST(late_frames_come_when_they_are_due_also_after_the_undoing)
{
    begin();
    const unsigned slot =
        ask((struct tampering){.kind = TAMPER_DELAY, .delay_ns = 25000000, .most = 2, .tag = 1});
    take(1, 3);
    ck_assert_str_eq(out, "3 ");
    ck_assert_int_eq(tampering_due(work).ns, 35000000);
    ck_assert_int_eq(tamper_take(page, slot), STATUS_OK);
    take(4, 6);
    ck_assert_str_eq(out, "3 1 4 2 5 6 ");
    end();
}
END_TEST

START_TEST(more_than_can_wait_lets_the_first_go)
{
    begin();
    ask((struct tampering){.kind = TAMPER_DELAY, .delay_ns = (int64_t)3600 * 1000000000, .tag = 1});
    go_on();
    for (unsigned i = 0; i <= FRAMES_WAITING_MAX; i++) {
        const unsigned char frame = i == 0 ? 9 : 1;
        tampering_take(work, &frame, 1, instant_ns(0));
    }
    ck_assert_str_eq(out, "9 ");
    end();
}
END_TEST

START_TEST(frames_are_repeated_frozen_and_overtaken)
{
    begin();
    ask((struct tampering){.kind = TAMPER_DUPLICATE, .amount = 2, .most = 1, .tag = 1});
    take(1, 2);
    ck_assert_str_eq(out, "1 1 1 2 ");
    out[0] = '\0';
    ask((struct tampering){.kind = TAMPER_FREEZE, .most = 3, .tag = 2});
    take(3, 6);
    ck_assert_str_eq(out, "3 3 3 6 ");
    out[0] = '\0';
    ask((struct tampering){.kind = TAMPER_REORDER, .amount = 2, .most = 1, .tag = 3});
    take(7, 10);
    ck_assert_str_eq(out, "8 9 7 10 ");
    end();
}
END_TEST

START_TEST(bytes_are_flipped_cut_and_set)
{
    const double number = 1.5;
    unsigned char frame[16] = {0};
    begin();
    memcpy(frame + 8, &number, sizeof number);
    const unsigned flips =
        ask((struct tampering){.kind = TAMPER_CORRUPT, .amount = 1, .most = 1, .tag = 1});
    go_on();
    tampering_take(work, frame, 1, instant_ns(0));
    ck_assert_msg(strcmp(out, "0 ") != 0, "%s", out);
    ck_assert_uint_eq(tamper_count(page, flips).hit, 1);
    out[0] = '\0';
    const unsigned cuts = ask((struct tampering){.kind = TAMPER_TRUNCATE, .amount = 2, .tag = 2});
    go_on();
    tampering_take(work, frame, sizeof frame, instant_ns(0));
    tampering_take(work, frame, 2, instant_ns(0)); // is no longer
    ck_assert_str_eq(out, "0,0 0,0 ");
    ck_assert_uint_eq(tamper_count(page, cuts).hit, 1);
    ck_assert_int_eq(tamper_take(page, cuts), STATUS_OK);
    out[0] = '\0';
    ask((struct tampering){.kind = TAMPER_SET,
                           .field_offset_B = 8,
                           .field_width_B = 8,
                           .value = (double)NAN,
                           .tag = 3});
    go_on();
    tampering_take(work, frame, sizeof frame, instant_ns(0));
    ck_assert_str_eq(out, "0,0,0,0,0,0,0,0,0,0,0,0,0,0,248,127 ");
    out[0] = '\0';
    tampering_take(work, frame, 12, instant_ns(0)); // ends within the field
    ck_assert_str_eq(out, "0,0,0,0,0,0,0,0,0,0,0,0 ");
    end();
}
END_TEST

START_TEST(a_number_is_shifted_and_frames_are_thinned_out)
{
    const float number = 1;
    begin();
    const unsigned shift =
        ask((struct tampering){.kind = TAMPER_ADD, .field_width_B = 4, .value = -1, .tag = 1});
    const unsigned thin = ask((struct tampering){.kind = TAMPER_THIN, .amount = 3, .tag = 2});
    go_on();
    for (int i = 0; i < 4; i++)
        tampering_take(work, &number, sizeof number, instant_ns(0));
    ck_assert_str_eq(out, "0,0,0,0 0,0,0,0 ");
    ck_assert_uint_eq(tamper_count(page, shift).hit, 4);
    ck_assert_uint_eq(tamper_count(page, thin).hit, 2);
    end();
}
END_TEST

START_TEST(a_number_is_noisy)
{
    const float number = 1;
    double sum = 0, squares = 0;
    begin();
    const unsigned noise =
        ask((struct tampering){.kind = TAMPER_NOISE, .field_width_B = 4, .value = 0.5, .tag = 1});
    go_on();
    for (int i = 0; i < 1000; i++) {
        unsigned byte[4];
        unsigned char bytes[4];
        float got;
        out[0] = '\0';
        tampering_take(work, &number, sizeof number, instant_ns(0));
        ck_assert_int_eq(sscanf(out, "%u,%u,%u,%u", &byte[0], &byte[1], &byte[2], &byte[3]), 4);
        for (int b = 0; b < 4; b++)
            bytes[b] = (unsigned char)byte[b];
        memcpy(&got, bytes, sizeof got);
        sum += got - number;
        squares += (got - number) * (got - number);
    }
    ck_assert_double_eq_tol(sum / 1000, 0, 0.05);
    ck_assert_double_eq_tol(sqrt(squares / 1000), 0.5, 0.04);
    ck_assert_uint_eq(tamper_count(page, noise).hit, 1000);
    end();
}
END_TEST

START_TEST(two_numbers_change_places)
{
    const unsigned char frame[] = {1, 2, 3, 4, 9, 5, 6, 7, 8};
    begin();
    const unsigned swap = ask((struct tampering){.kind = TAMPER_SWAP,
                                                 .field_offset_B = 5,
                                                 .other_offset_B = 0,
                                                 .field_width_B = 4,
                                                 .tag = 1});
    go_on();
    tampering_take(work, frame, sizeof frame, instant_ns(0));
    tampering_take(work, frame, 8, instant_ns(0)); // ends within the field
    tampering_take(work, (const unsigned char[9]){0}, 9, instant_ns(0));
    ck_assert_str_eq(out, "5,6,7,8,9,1,2,3,4 1,2,3,4,9,5,6,7 0,0,0,0,0,0,0,0,0 ");
    ck_assert_uint_eq(tamper_count(page, swap).hit, 1);
    end();
}
END_TEST

START_TEST(a_stranger_copies_the_newest_frame_and_has_nothing_to_copy_at_first)
{
    const float number = 1;
    begin();
    ask((struct tampering){.kind = TAMPER_FORGE,
                           .delay_ns = 10000000,
                           .field_width_B = 4,
                           .value = 0,
                           .most = 2,
                           .tag = 1});
    go_on();
    ck_assert_int_eq(tampering_due(work).ns, 10000000);
    now_ms = 10;
    go_on();
    ck_assert_str_eq(out, "");
    tampering_take(work, &number, sizeof number, instant_ns(0));
    for (now_ms = 20; now_ms <= 60; now_ms += 10)
        go_on();
    ck_assert_str_eq(out, "0,0,128,63 0,0,0,0 0,0,0,0 ");
    ck_assert_int_eq(tampering_due(work).ns, INSTANT_NEVER.ns);
    end();
}
END_TEST

// A frame of a stamp, a whole and a real number, and two of a sequence of reals.
struct numbers {
    uint64_t stamp;
    uint32_t whole;
    float real;
    double element[2];
};

static struct numbers got;

static void take_numbers(void *context, const void *frame, size_t size_B)
{
    (void)context;
    memcpy(&got, frame, size_B);
}

static void begin_with_numbers(enum tampering_kind kind, double value)
{
    make_folder(cell, sizeof cell);
    ck_assert_int_eq(tamper_create(cell, "c"), STATUS_OK);
    ck_assert_int_eq(tamper_open(cell, "c", &page), STATUS_OK);
    *tamper_layout(page) =
        (struct tamper_layout){.count = 4,
                               .repeated = 3,
                               .repeat_B = sizeof(double),
                               .number = {{offsetof(struct numbers, stamp), 8, TAMPER_STAMP},
                                          {offsetof(struct numbers, whole), 4, TAMPER_WHOLE},
                                          {offsetof(struct numbers, real), 4, TAMPER_REAL},
                                          {offsetof(struct numbers, element), 8, TAMPER_REAL}}};
    ck_assert_int_eq(tampering_begin(page, sizeof(struct numbers), take_numbers, NULL, &work),
                     STATUS_OK);
    ask((struct tampering){.kind = kind, .value = value});
    go_on();
}

// What readers get of this frame; it was hit or not.
static struct numbers pass(const struct numbers *frame, bool hit)
{
    const uint64_t before = tamper_count(page, 0).hit;
    tampering_take(work, frame, sizeof *frame, instant_ns(0));
    ck_assert_uint_eq(tamper_count(page, 0).hit - before, hit);
    return got;
}

START_TEST(all_real_numbers_are_none_and_the_others_stay)
{
    begin_with_numbers(TAMPER_SET_ALL, NAN);
    const struct numbers out_of =
        pass(&(struct numbers){.stamp = 7, .whole = 5, .real = 1, .element = {2, 3}}, true);
    ck_assert(out_of.stamp == 7 && out_of.whole == 5);
    ck_assert(isnan(out_of.real) && isnan(out_of.element[0]) && isnan(out_of.element[1]));
    end();
}
END_TEST

START_TEST(all_numbers_but_stamps_are_zero_and_zeros_are_not_hit)
{
    begin_with_numbers(TAMPER_ZERO, 0);
    const struct numbers zero = {.stamp = 8};
    const struct numbers out_of =
        pass(&(struct numbers){.stamp = 7, .whole = 5, .real = 1, .element = {2, 3}}, true);
    ck_assert(out_of.stamp == 7 && out_of.whole == 0 && out_of.real == 0);
    ck_assert(out_of.element[0] == 0 && out_of.element[1] == 0);
    (void)pass(&zero, false);
    end();
}
END_TEST

START_TEST(a_stale_frame_has_old_numbers_under_a_fresh_stamp)
{
    begin_with_numbers(TAMPER_STALE, 0);
    struct numbers frame = {.stamp = 1, .whole = 5, .real = 1, .element = {2, 3}};
    (void)pass(&frame, false); // it is what it was
    frame = (struct numbers){.stamp = 2, .whole = 6, .real = 7, .element = {8, 9}};
    const struct numbers stale = pass(&frame, true);
    ck_assert(stale.stamp == 2 && stale.whole == 5 && stale.real == 1);
    ck_assert(stale.element[0] == 2 && stale.element[1] == 3);
    frame = (struct numbers){.stamp = 3, .whole = 5, .real = 1, .element = {2, 3}};
    (void)pass(&frame, false); // nothing but the stamp has changed
    ck_assert_uint_eq(got.stamp, 3);
    end();
}
END_TEST

START_TEST(nonsense_is_refused)
{
    unsigned slot;
    const struct tampering nonsense[] = {
        {.kind = TAMPER_NONE, .burst = 1},
        {.kind = TAMPERING_KINDS, .burst = 1},
        {.kind = TAMPER_DROP, .burst = 0},
        {.kind = TAMPER_DROP, .burst = 1, .share_ppm = 1000001},
        {.kind = TAMPER_DELAY, .burst = 1, .delay_ns = -1},
        {.kind = TAMPER_FORGE, .burst = 1, .field_width_B = 8},
        {.kind = TAMPER_SET, .burst = 1, .field_width_B = 3},
        {.kind = TAMPER_ADD, .burst = 1, .field_width_B = 3},
        {.kind = TAMPER_NOISE, .burst = 1, .field_width_B = 3},
        {.kind = TAMPER_SWAP, .burst = 1, .field_width_B = 3, .other_offset_B = 8},
        {.kind = TAMPER_SWAP, .burst = 1, .field_width_B = 8},
        {.kind = TAMPER_SWAP, .burst = 1, .field_width_B = 8, .other_offset_B = 4},
        {.kind = TAMPER_SWAP, .burst = 1, .field_width_B = 8, .field_offset_B = 7},
        {.kind = TAMPER_THIN, .burst = 1, .amount = 0},
    };
    begin();
    for (unsigned i = 0; i < sizeof nonsense / sizeof nonsense[0]; i++)
        ck_assert_int_eq(tamper_put(page, &nonsense[i], &slot), STATUS_INVALID);
    for (unsigned i = 0; i < TAMPERINGS_MAX; i++)
        ask((struct tampering){.kind = TAMPER_DROP, .tag = i});
    ck_assert_int_eq(tamper_put(page, &(struct tampering){.kind = TAMPER_DROP, .burst = 1}, &slot),
                     STATUS_FULL);
    ck_assert_int_eq(tamper_take(page, TAMPERINGS_MAX), STATUS_NOT_FOUND);
    ck_assert_int_eq(tamper_find(page, 99), -1);
    end();
}
END_TEST

UNIT_MAIN("tampering", what_nobody_tampers_with_passes,
          a_drop_ends_with_its_count_and_with_its_undoing,
          a_share_is_drawn_in_bursts_the_same_each_time,
          late_frames_come_when_they_are_due_also_after_the_undoing,
          more_than_can_wait_lets_the_first_go, frames_are_repeated_frozen_and_overtaken,
          bytes_are_flipped_cut_and_set, a_number_is_shifted_and_frames_are_thinned_out,
          a_number_is_noisy, two_numbers_change_places,
          a_stranger_copies_the_newest_frame_and_has_nothing_to_copy_at_first,
          all_real_numbers_are_none_and_the_others_stay,
          all_numbers_but_stamps_are_zero_and_zeros_are_not_hit,
          a_stale_frame_has_old_numbers_under_a_fresh_stamp, nonsense_is_refused)
