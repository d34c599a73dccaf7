// trigger and watch: when a fault strikes, by what the target has shown.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/files/target/target.h"
#include "harness/trial/strike/trigger.h"
#include "harness/packs/watch.h"
#include "message/message.h"

#define CYCLE 120 // samples of a gait cycle
#define PLAN 600  // samples of the plan

#define PHASE_AT(at, after)                                                                        \
    {                                                                                              \
        .kind = TRIGGER_PHASE, .phase_min = (at), .phase_max = (at), .time_min_s = (after),        \
        .time_max_s = (after)                                                                      \
    }
#define WHEN(after)                                                                                \
    {                                                                                              \
        .kind = TRIGGER_CONDITION, .time_min_s = (after), .time_max_s = (after)                    \
    }

static struct history *history;
static const struct target target = {.pack_count = 1, .pack = {"walking"}};
static struct watch *watch;
static unsigned truth_topic, status_topic, segment_topic;
static unsigned goal_topic, goal_status_topic, walk_topic;

static void start(void)
{
    ck_assert_int_eq(history_create(&history), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "truth", "", &truth_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "balance-status", "", &status_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "segment", "", &segment_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "planner-command", "", &goal_topic), STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "planner-status", "", &goal_status_topic),
                     STATUS_OK);
    ck_assert_int_eq(history_add_topic(history, "balance-command", "", &walk_topic), STATUS_OK);
    ck_assert_int_eq(watch_create(&target, history, &watch), STATUS_OK);
}

static void finish(void)
{
    watch_free(watch);
    history_free(history);
}

static void show(unsigned topic, const void *data, size_t size_B)
{
    const struct event event = {.topic = (uint16_t)topic, .data = data, .size_B = size_B};
    watch_take(watch, &event);
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

static void show_truth_on(double height_m, double com_x_m, bool contact)
{
    struct truth_message truth = {.pelvis_m = {0, 0, height_m},
                                  .pelvis_quaternion = {1, 0, 0, 0},
                                  .com_m = {com_x_m, 0, 0.5}};
    static const double corner[4][2] = {{-0.1, -0.1}, {0.1, -0.1}, {0.1, 0.1}, {-0.1, 0.1}};
    truth.contact_count = contact ? 4 : 0;
    memcpy(truth.contact_m, corner, sizeof corner);
    show(truth_topic, &truth, sizeof truth);
}

static void show_truth(double height_m, double com_x_m)
{
    show_truth_on(height_m, com_x_m, true);
}

// Looks every 10 ms while the plan is executed from its first sample on; the sample at which it was
// reached, or -1.
static int64_t reached_at(struct trigger_state *state, int64_t from, int64_t to)
{
    for (int64_t sample = from; sample < to; sample++) {
        show_execution(1, sample);
        if (trigger_reached(state, watch, instant_add(instant_ns(0), duration_ms(10 * sample))))
            return sample;
    }
    return -1;
}

START_TEST(a_phase_is_reached_at_its_first_passing_after_the_time)
{
    static const struct {
        double phase, after_s;
        int64_t sample;
    } cases[] = {{0.75, 0, 30}, {0.25, 0, 90}, {0.75, 0.4, 150}, {0.001, 0, 61}, {0.999, 0, 60}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct trigger trigger = (struct trigger)PHASE_AT(cases[i].phase, cases[i].after_s);
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
    struct trigger trigger = (struct trigger)PHASE_AT(0.75, 0);
    struct trigger_state state;
    start();
    show_plan(1, 0, PLAN);
    trigger_draw(&state, &trigger, 1, 0);
    ck_assert_int_eq(reached_at(&state, 0, 20), -1);
    show_execution(2, 60); // nobody has seen this plan
    ck_assert(!trigger_reached(&state, watch, instant_s(1)));
    ck_assert_int_eq(reached_at(&state, 80, 140),
                     -1); // from phase 0.67 of nowhere on: 0.17 and more
    ck_assert_int_eq(reached_at(&state, 140, 200), 150);
    finish();
}
END_TEST

START_TEST(a_segment_replaces_the_plan_from_its_first_sample_on)
{
    double phase, steps;
    start();
    show_plan(1, 0, 100);
    show_execution(1, 100);
    ck_assert(!watch_phase(watch, &phase)); // not planned yet
    show_plan(1, 50, 100);
    ck_assert(watch_phase(watch, &phase));
    ck_assert_double_eq_tol(phase, 0.5 + 100.0 / CYCLE - 1, 1e-6);
    ck_assert(watch_quantity(watch, "steps", &steps));
    ck_assert_double_eq(steps, 1);
    show_plan(1, 400, 10); // leaves a gap: not taken
    show_execution(1, 405);
    ck_assert(!watch_phase(watch, &phase));
    finish();
}
END_TEST

// A look each 10 ms from 0 on; UNKNOWN where what is watched is not known.
#define UNKNOWN INFINITY
#define LOOKS_MAX 8

static const struct looks {
    const char *name;
    struct trigger trigger;
    unsigned count;
    double seen[LOOKS_MAX];
    int strikes; // index of the first look at which it strikes; -1: never
} looks[] = {
    {"a time is not looked for", {.kind = TRIGGER_TIME}, 3, {0, 1, 2}, -1},
    {"phase passed between two looks", PHASE_AT(0.5, 0), 3, {0.3, 0.45, 0.6}, 2},
    {"phase met exactly", PHASE_AT(0.5, 0), 3, {0.3, 0.5, 0.6}, 1},
    {"the first look has nothing to compare with", PHASE_AT(0.5, 0), 2, {0.5, 0.6}, -1},
    {"phase across the cycle's end", PHASE_AT(0.05, 0), 3, {0.8, 0.95, 0.1}, 2},
    {"phase 0 at the cycle's end", PHASE_AT(0, 0), 3, {0.8, 0.95, 0.1}, 2},
    {"phase passed before its time, and again",
     PHASE_AT(0.5, 0.04),
     8,
     {0.3, 0.45, 0.6, 0.8, 0, 0.2, 0.4, 0.6},
     7},
    {"followed before its time", PHASE_AT(0.5, 0.02), 3, {0.2, 0.4, 0.6}, 2},
    {"a standstill passes nothing", PHASE_AT(0.5, 0), 4, {0.4, 0.4, 0.4, 0.4}, -1},
    {"a step back is a jump", PHASE_AT(0.5, 0), 3, {0.6, 0.45, 0.48}, -1},
    {"a jump of a quarter cycle passes nothing", PHASE_AT(0.5, 0), 3, {0.375, 0.625, 0.7}, -1},
    {"phase unknown in between", PHASE_AT(0.5, 0), 4, {0.4, UNKNOWN, 0.55, 0.7}, -1},
    {"phase never known", PHASE_AT(0.5, 0), 3, {UNKNOWN, UNKNOWN, UNKNOWN}, -1},
    {"formula holds", WHEN(0), 3, {-0.01, 0, 0.01}, 2},
    {"formula not known", WHEN(0), 3, {UNKNOWN, -0.01, UNKNOWN}, -1},
    {"known only later", WHEN(0), 3, {UNKNOWN, UNKNOWN, 0.01}, 2},
    {"holds from the first look on", WHEN(0), 1, {1}, 0},
    {"holds only before its time", WHEN(0.02), 4, {1, 1, 0, 0}, -1},
    {"still holds at its time", WHEN(0.02), 4, {1, 1, 1, 1}, 2},
    {"never true", WHEN(0), 4, {-1, -0.02, -0.01, 0}, -1},
};

static int first_strike(const struct looks *of)
{
    struct trigger_state state;
    trigger_draw(&state, &of->trigger, 1, 0);
    for (unsigned i = 0; i < of->count; i++)
        if (trigger_step(&state, of->seen[i] < UNKNOWN, of->seen[i],
                         instant_add(instant_ns(0), duration_ms(10 * i))))
            return (int)i;
    return -1;
}

START_TEST(a_trigger_strikes_at_the_first_look_that_shows_its_cause)
{
    for (size_t i = 0; i < sizeof looks / sizeof looks[0]; i++)
        ck_assert_msg(first_strike(&looks[i]) == looks[i].strikes, "%s: strikes at %d",
                      looks[i].name, first_strike(&looks[i]));
}
END_TEST

START_TEST(a_quantity_is_known_once_the_world_has_shown_it)
{
    static const struct {
        const char *name, *quantity;
        bool truth, contact, executing;
        bool known;
        double value;
    } cases[] = {
        {"height without truth", "pelvis_height_m", false, false, true, false, 0},
        {"height", "pelvis_height_m", true, false, false, true, 0.6},
        {"tilt without truth", "tilt_rad", false, false, true, false, 0},
        {"tilt", "tilt_rad", true, false, false, true, 0},
        {"centre of mass without truth", "com_outside_m", false, false, true, false, 0},
        {"centre of mass in the air", "com_outside_m", true, false, true, false, 0},
        {"centre of mass 30 mm outside", "com_outside_m", true, true, false, true, 0.03},
        {"steps without a plan", "steps", true, true, false, false, 0},
        {"steps", "steps", false, false, true, true, 1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        double value = 0;
        start();
        show_plan(1, 0, PLAN);
        if (cases[i].truth)
            show_truth_on(0.6, 0.13, cases[i].contact);
        if (cases[i].executing)
            show_execution(1, CYCLE / 2);
        ck_assert_msg(watch_quantity(watch, cases[i].quantity, &value) == cases[i].known, "%s",
                      cases[i].name);
        ck_assert_msg(!cases[i].known || fabs(value - cases[i].value) < 1e-9, "%s: %g",
                      cases[i].name, value);
        finish();
    }
}
END_TEST

START_TEST(a_trigger_watches_its_own_quantity_of_the_world)
{
    struct trigger trigger = {.kind = TRIGGER_CONDITION,
                              .when = "com_outside_m > 0.02 and tilt_rad < 0.1"};
    struct trigger_state state;
    start();
    trigger_draw(&state, &trigger, 1, 0);
    ck_assert(!trigger_reached(&state, watch, instant_s(2))); // no truth yet
    show_truth(0.6, 0.11);
    ck_assert(!trigger_reached(&state, watch, instant_s(2)));
    show_truth(0.6, 0.13);
    ck_assert(trigger_reached(&state, watch, instant_s(2)));
    state.kind = TRIGGER_TIME;
    ck_assert(!trigger_reached(&state, watch, instant_s(2)));
    finish();
}
END_TEST

START_TEST(a_motion_is_completed_when_the_newest_request_is)
{
    static const struct {
        const char *name;
        uint64_t goal, reached, walk, walked; // 0: not asked for, not said
        bool completed;
    } cases[] = {
        {"nothing asked for", 0, 0, 0, 0, false},
        {"nothing asked for, done all the same", 0, 3, 0, 3, false},
        {"goal not reached", 2, 1, 0, 0, false},
        {"goal reached", 2, 2, 0, 0, true},
        {"a later goal reached", 2, 3, 0, 0, true},
        {"steps not done", 0, 0, 2, 1, false},
        {"steps done", 0, 0, 2, 2, true},
        {"a goal counts before steps", 2, 1, 2, 2, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start();
        const struct planner_command_message goal = {.kind = PLANNER_GO_TO_GOAL,
                                                     .id = cases[i].goal};
        const struct planner_status_message reached = {.reached_id = cases[i].reached};
        const struct balance_command_message walk = {.kind = BALANCE_WALK_FORWARD,
                                                     .id = cases[i].walk};
        const struct balance_status_message walked = {.done_id = cases[i].walked};
        show(goal_topic, &goal, sizeof goal);
        show(goal_status_topic, &reached, sizeof reached);
        if (cases[i].walk > 0)
            show(walk_topic, &walk, sizeof walk);
        show(status_topic, &walked, sizeof walked);
        ck_assert_msg(watch_completed(watch) == cases[i].completed, "%s", cases[i].name);
        finish();
    }
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
    ck_assert(!watch_given_up(watch));
    show_truth(0.6, 0);
    show_truth(0.37, 0);
    ck_assert(!watch_given_up(watch));
    show_truth(0.35, 0);
    ck_assert(watch_given_up(watch));
    struct truth_message tilted = {.pelvis_m = {0, 0, 0.6},
                                   .pelvis_quaternion = {cos(0.4), sin(0.4), 0, 0}}; // 46 degrees
    show(truth_topic, &tilted, sizeof tilted);
    ck_assert(watch_given_up(watch));
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
    ck_assert(watch_phase(watch, &phase));
    ck_assert(!watch_quantity(watch, "pelvis_height_m", &phase)); // no truth
    finish();
}
END_TEST

UNIT_MAIN("trigger", a_phase_is_reached_at_its_first_passing_after_the_time,
          a_jump_to_another_plan_passes_no_phase,
          a_segment_replaces_the_plan_from_its_first_sample_on,
          a_trigger_strikes_at_the_first_look_that_shows_its_cause,
          a_quantity_is_known_once_the_world_has_shown_it,
          a_trigger_watches_its_own_quantity_of_the_world,
          a_motion_is_completed_when_the_newest_request_is,
          what_is_drawn_lies_in_its_range_and_depends_on_seed_and_index_alone,
          a_robot_has_fallen_below_60_percent_of_its_height_or_beyond_45_degrees,
          bytes_that_are_no_message_are_ignored)
