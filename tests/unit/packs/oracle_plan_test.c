// The oracle of segments: each ends in a pose that can be held.
#include "tests/unit/common/synthetic.h"

static struct segment_message *standing_segment(void)
{
    struct segment_message *segment = calloc(1, sizeof *segment);
    ck_assert_ptr_nonnull(segment);
    segment->plan_id = segment->segment_number = 1;
    segment->count = 100;
    for (unsigned i = 0; i < segment->count; i++) {
        struct segment_sample *sample = &segment->sample[i];
        sample->pelvis_m[2] = sample->com_m[2] = 0.6;
        sample->foot_m[SIDE_LEFT][1] = 0.1;
        sample->foot_m[SIDE_RIGHT][1] = -0.1;
        sample->support = SUPPORT_BOTH;
    }
    return segment;
}

static void expect_segment(struct segment_message *segment, enum verdict expected)
{
    struct made_up *m = make_up();
    until(m, 1);
    publish(m, "segment", segment,
            offsetof(struct segment_message, sample) + segment->count * sizeof segment->sample[0]);
    until(m, 2);
    expect_verdict(m, "segments-end-stable", expected);
    forget(m);
    free(segment);
}

START_TEST(a_segment_that_ends_standing_passes)
{
    expect_segment(standing_segment(), VERDICT_PASS);
}
END_TEST

START_TEST(a_segment_that_ends_in_mid_step_fails)
{
    struct segment_message *segment = standing_segment();
    segment->sample[99].foot_m[SIDE_RIGHT][2] = segment->sample[98].foot_m[SIDE_RIGHT][2] = 0.04;
    expect_segment(segment, VERDICT_FAIL);
    segment = standing_segment();
    segment->sample[99].support = SUPPORT_LEFT;
    expect_segment(segment, VERDICT_FAIL);
}
END_TEST

START_TEST(a_segment_that_ends_in_motion_fails)
{
    struct segment_message *segment = standing_segment();
    segment->sample[99].pelvis_m[0] = 0.005;
    expect_segment(segment, VERDICT_FAIL);
    segment = standing_segment();
    segment->sample[99].com_velocity_m_s[0] = 0.1;
    expect_segment(segment, VERDICT_FAIL);
}
END_TEST

START_TEST(a_segment_that_ends_off_balance_fails)
{
    struct segment_message *segment = standing_segment();
    segment->sample[99].com_m[0] = segment->sample[98].com_m[0] = 0.12; // soles reach to 0.1
    expect_segment(segment, VERDICT_FAIL);
}
END_TEST

START_TEST(a_segment_that_is_told_again_fails)
{
    for (unsigned again = 0; again < 2; again++) {
        struct made_up *m = make_up();
        struct segment_message *segment = standing_segment();
        for (unsigned i = 0; i < 2; i++) {
            until(m, 1 + i);
            segment->segment_number = i + 1;
            segment->sample[segment->count - 1].step = again ? 1 : i;
            publish(m, "segment", segment,
                    offsetof(struct segment_message, sample) +
                        segment->count * sizeof segment->sample[0]);
        }
        until(m, 3);
        expect_verdict(m, "segments-end-stable", again ? VERDICT_FAIL : VERDICT_PASS);
        forget(m);
        free(segment);
    }
}
END_TEST

START_TEST(a_segment_shorter_than_it_says_fails)
{
    struct made_up *m = make_up();
    struct segment_message *segment = standing_segment();
    until(m, 1);
    publish(m, "segment", segment,
            offsetof(struct segment_message, sample) + 10 * sizeof segment->sample[0]);
    until(m, 2);
    expect_verdict(m, "segments-end-stable", VERDICT_FAIL);
    forget(m);
    free(segment);
}
END_TEST

UNIT_MAIN("oracle of segments", a_segment_that_ends_standing_passes,
          a_segment_that_ends_in_mid_step_fails, a_segment_that_ends_in_motion_fails,
          a_segment_that_ends_off_balance_fails, a_segment_that_is_told_again_fails,
          a_segment_shorter_than_it_says_fails)
