#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/trial/trigger.h"
#include "harness/trial/world.h"

#define CYCLE 120 // samples of a gait cycle
#define PLAN 600  // samples of the plan

static struct history *history;
static struct world *world;
static unsigned truth_topic, status_topic, segment_topic;

static void start(void)
{
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "truth", "", &truth_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "balance-status", "", &status_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "segment", "", &segment_topic), STATUS_OK);
    ck_assert_int_eq(world_create(history, &world), STATUS_OK);
}

static void finish(void)
{
    world_free(world);
    history_free(history);
}

static void show(unsigned topic, const void *data, size_t size_B)
{
    const struct event event = {.topic = (uint16_t)topic, .data = data, .size_B = size_B};
    world_take(world, &event);
}

// A plan whose phase grows evenly from 0.5 on, a step every half cycle.
static void show_plan(uint64_t plan_id, int64_t first, uint32_t count)
{
    struct segment_message *segment = calloc(1, sizeof *segment);
    ck_assert_ptr_nonnull(segment);
    segment->plan_id = plan_id;
    segment->first = first;
    segment->count = count;
    for (uint32_t i = 0; i < count; i++) {
        double cycles = 0.5 + (double)(first + i) / CYCLE;
        segment->sample[i].phase = cycles - floor(cycles);
        segment->sample[i].step = (uint32_t)((first + i) / (CYCLE / 2));
    }
    show(segment_topic, segment,
         offsetof(struct segment_message, sample) + count * sizeof segment->sample[0]);
    free(segment);
}

static void show_execution(uint64_t plan_id, int64_t sample)
{
    struct balance_status_message status = {
        .phase = BALANCE_PHASE_EXECUTING, .plan_id = plan_id, .sample = sample};
    show(status_topic, &status, sizeof status);
}

static void show_truth(double height_m, double com_x_m)
{
    struct truth_message truth = {.pelvis_m = {0, 0, height_m},
                                  .pelvis_quaternion = {1, 0, 0, 0},
                                  .com_m = {com_x_m, 0, 0.5}};
    static const double corner[4][2] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};
    truth.contact_count = 4;
    memcpy(truth.contact_m, corner, sizeof corner);
    show(truth_topic, &truth, sizeof truth);
}

// Looks every 10 ms while the plan is executed from its first sample on; the sample at which it was
// reached, or -1.
static int64_t reached_at(struct trigger_state *state, int64_t from, int64_t to)
{
    for (int64_t sample = from; sample < to; sample++) {
        show_execution(1, sample);
        if (trigger_reached(state, world, instant_add(instant_ns(0), duration_ms(10 * sample))))
            return sample;
    }
    return -1;
}

static struct trigger phase_trigger(double phase, double after_s)
{
    return (struct trigger){.kind = TRIGGER_PHASE,
                            .phase_min = phase,
                            .phase_max = phase,
                            .time_min_s = after_s,
                            .time_max_s = after_s};
}

START_TEST(a_phase_is_reached_at_its_first_passing_after_the_time)
{
    static const struct {
        double phase, after_s;
        int64_t sample;
    } cases[] = {{0.75, 0, 30}, {0.25, 0, 90}, {0.75, 0.4, 150}, {0.001, 0, 61}, {0.999, 0, 60}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trigger trigger = phase_trigger(cases[i].phase, cases[i].after_s);
        struct trigger_state state;
        start();
        show_plan(1, 0, PLAN);
        trigger_draw(&state, &trigger, 1, 0);
        ck_assert_int_eq(reached_at(&state, 0, PLAN), cases[i].sample);
        finish();
    }
}
END_TEST

START_TEST(a_jump_to_another_plan_passes_no_phase)
{
    struct trigger trigger = phase_trigger(0.75, 0);
    struct trigger_state state;
    start();
    show_plan(1, 0, PLAN);
    trigger_draw(&state, &trigger, 1, 0);
    ck_assert_int_eq(reached_at(&state, 0, 20), -1);
    show_execution(2, 60); // nobody has seen this plan
    ck_assert(!trigger_reached(&state, world, instant_s(1)));
    ck_assert_int_eq(reached_at(&state, 80, 140),
                     -1); // from phase 0.67 of nowhere on: 0.17 and more
    ck_assert_int_eq(reached_at(&state, 140, 200), 150);
    finish();
}
END_TEST

START_TEST(a_segment_replaces_the_plan_from_its_first_sample_on)
{
    double phase;
    start();
    show_plan(1, 0, 100);
    show_execution(1, 100);
    ck_assert(!world_phase(world, &phase)); // not planned yet
    show_plan(1, 50, 100);
    ck_assert(world_phase(world, &phase));
    ck_assert_double_eq_tol(phase, 0.5 + 100.0 / CYCLE - 1, 1e-6);
    ck_assert_uint_eq(world_steps(world), 1);
    show_plan(1, 400, 10); // leaves a gap: not taken
    show_execution(1, 405);
    ck_assert(!world_phase(world, &phase));
    finish();
}
END_TEST

START_TEST(a_condition_is_reached_when_its_quantity_crosses_the_value)
{
    struct trigger trigger = {.kind = TRIGGER_CONDITION,
                              .quantity = "com_outside_m",
                              .comparison = '>',
                              .value = 0.02,
                              .time_min_s = 1,
                              .time_max_s = 1};
    struct trigger_state state;
    start();
    trigger_draw(&state, &trigger, 1, 0);
    ck_assert(!trigger_reached(&state, world, instant_s(2))); // no truth yet
    show_truth(0.6, 0.11);
    ck_assert(!trigger_reached(&state, world, instant_s(2)));
    show_truth(0.6, 0.13);
    ck_assert(!trigger_reached(&state, world, instant_s(0.5)));
    ck_assert(trigger_reached(&state, world, instant_s(2)));
    finish();
}
END_TEST

START_TEST(what_is_drawn_lies_in_its_range_and_depends_on_seed_and_index_alone)
{
    struct trigger trigger = {
        .kind = TRIGGER_PHASE, .phase_max = 1, .time_min_s = 4, .time_max_s = 10};
    struct trigger_state first, again, other;
    for (uint64_t seed = 0; seed < 200; seed++) {
        trigger_draw(&first, &trigger, seed, 0);
        trigger_draw(&again, &trigger, seed, 0);
        trigger_draw(&other, &trigger, seed, 1);
        ck_assert(first.phase >= 0 && first.phase < 1);
        ck_assert(first.time.ns >= 4000000000 && first.time.ns < 10000000000);
        ck_assert(first.time.ns == again.time.ns && first.phase == again.phase);
        ck_assert(first.time.ns != other.time.ns);
    }
}
END_TEST

START_TEST(a_robot_has_fallen_below_60_percent_of_its_height_or_beyond_45_degrees)
{
    start();
    ck_assert(!world_fallen(world));
    show_truth(0.6, 0);
    show_truth(0.37, 0);
    ck_assert(!world_fallen(world));
    show_truth(0.35, 0);
    ck_assert(world_fallen(world));
    struct truth_message tilted = {.pelvis_m = {0, 0, 0.6},
                                   .pelvis_quaternion = {cos(0.4), sin(0.4), 0, 0}}; // 46 degrees
    show(truth_topic, &tilted, sizeof tilted);
    ck_assert(world_fallen(world));
    finish();
}
END_TEST

START_TEST(bytes_that_are_no_message_are_ignored)
{
    double phase;
    start();
    show_plan(1, 0, 100);
    show_execution(1, 10);
    struct segment_message *broken = calloc(1, sizeof *broken);
    ck_assert_ptr_nonnull(broken);
    broken->plan_id = 1;
    broken->count = UINT32_MAX;
    show(segment_topic, broken, sizeof *broken);
    broken->count = 10;
    broken->first = -5;
    show(segment_topic, broken, sizeof *broken);
    broken->first = INT64_MAX;
    show(segment_topic, broken, sizeof *broken);
    show(segment_topic, broken, 8);
    show(status_topic, broken, 8);
    show(truth_topic, broken, 8);
    free(broken);
    ck_assert(world_phase(world, &phase));
    ck_assert_ptr_null(world_truth(world));
    finish();
}
END_TEST

UNIT_MAIN("trigger", a_phase_is_reached_at_its_first_passing_after_the_time,
          a_jump_to_another_plan_passes_no_phase,
          a_segment_replaces_the_plan_from_its_first_sample_on,
          a_condition_is_reached_when_its_quantity_crosses_the_value,
          what_is_drawn_lies_in_its_range_and_depends_on_seed_and_index_alone,
          a_robot_has_fallen_below_60_percent_of_its_height_or_beyond_45_degrees,
          bytes_that_are_no_message_are_ignored)
