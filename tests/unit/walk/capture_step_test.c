// Steps that catch a push: a pendulum that walks on the spot, pushed in its plan.
#include "walk/balance/capture_step.h"

#include <math.h>
#include <string.h>

#include "tests/unit/common/unit.h"

#define T 0.005
#define STEP 100 // periods
#define WIDTH 0.18
#define HEIGHT 0.62

static double w(void)
{
    return sqrt(9.81 / HEIGHT);
}

// The plan at a period: the pendulum sways from foot to foot, the right one carries first.
static void plan_at(double k, struct capture_step_plan *plan, struct segment_sample *sample)
{
    const double half = STEP * T / 2, t = fmod(k, STEP) * T - half;
    const double out = (int)(k / STEP) % 2 == 0 ? -1 : 1; // of the foot that carries
    const double reach = WIDTH / 2 / cosh(w() * half), y = reach * cosh(w() * t);
    *sample = (struct segment_sample){.support = out < 0 ? SUPPORT_RIGHT : SUPPORT_LEFT};
    sample->foot_m[SIDE_RIGHT][1] = -WIDTH / 2;
    sample->foot_m[SIDE_LEFT][1] = WIDTH / 2;
    sample->zmp_m[1] = out * WIDTH / 2;
    sample->com_m[1] = out * (WIDTH / 2 - y);
    sample->com_velocity_m_s[1] = -out * reach * w() * sinh(w() * t);
    *plan = (struct capture_step_plan){.lands = true,
                                       .left_s = (STEP - fmod(k, STEP)) * T,
                                       .side = out < 0 ? SIDE_LEFT : SIDE_RIGHT,
                                       .foot_m = {0, -out * WIDTH / 2},
                                       .com_m_s = {0, -out * reach * w() * sinh(w() * half)},
                                       .com_m_s2 = {0, -out * reach * w() * w() * cosh(w() * t)}};
}

static struct capture_step capture;

static void begin(void)
{
    const struct capture_step_config config = capture_step_defaults(HEIGHT, T);
    capture_step_init(&capture, &config);
}

// What the soles touch.
static const bool on_both[SIDE_COUNT] = {true, true}, on_none[SIDE_COUNT] = {false, false};

// Walks; the capture point is found `error_m` to the left in some periods. The plan is not run
// through faster here. Returns the greatest distance between the soles.
static double walk(int periods, int pushed_from, int pushed_to, double error_m)
{
    double most_m = 0;
    for (int k = 0; k < periods; k++) {
        struct capture_step_plan plan;
        struct segment_sample sample;
        const double error[2] = {0, k >= pushed_from && k < pushed_to ? error_m : 0};
        plan_at(k, &plan, &sample);
        capture_step_touch(&capture, on_both);
        capture_step_feel(&capture, error);
        capture_step_apply(&capture, &plan, &sample);
        most_m = fmax(most_m, sample.foot_m[SIDE_LEFT][1] - sample.foot_m[SIDE_RIGHT][1]);
    }
    return most_m;
}

START_TEST(a_walk_that_nobody_pushes_stays_as_it_is)
{
    begin();
    for (int k = 0; k < 4 * STEP; k++) {
        struct capture_step_plan plan;
        struct segment_sample sample, before;
        const double error[2] = {0.02, -0.02}; // what a stabiliser bears by itself
        plan_at(k, &plan, &sample);
        before = sample;
        capture_step_feel(&capture, error);
        capture_step_apply(&capture, &plan, &sample);
        ck_assert_mem_eq(&sample, &before, sizeof sample);
    }
    ck_assert_int_eq(capture.state, CAPTURE_ON_PLAN);
}
END_TEST

START_TEST(a_push_moves_the_next_steps_and_is_caught)
{
    for (int from = 20; from < 60; from += 10) { // to the left, towards the foot that swings
        begin();
        capture.config.rate_min = capture.config.rate_max = 1;
        walk(8 * STEP, from, from + 4, 0.1);
        ck_assert_int_ne(capture.state, CAPTURE_ON_PLAN);
        ck_assert_double_gt(capture.foot_m[SIDE_LEFT][1], 0.02);
        struct capture_step_plan plan;
        struct segment_sample sample;
        plan_at(8 * STEP, &plan, &sample);
        const double apart_m = capture.com_m[1] - sample.com_m[1] +
                               (capture.com_m_s[1] - sample.com_velocity_m_s[1]) / w();
        ck_assert_double_lt(fabs(apart_m - capture.foot_m[SIDE_RIGHT][1]), 0.02);
        ck_assert_double_lt(fabs(capture.foot_m[SIDE_LEFT][1] - capture.foot_m[SIDE_RIGHT][1]),
                            0.02);
    }
}
END_TEST

// The pendulum stays beside the plan, but a later push is a new one.
START_TEST(a_push_is_over_after_some_steps_without_an_error)
{
    begin();
    walk(2 * STEP, 30, 34, 0.1);
    ck_assert(capture_state_is_pushed(capture.state));
    walk(6 * STEP, 0, 0, 0);
    ck_assert_int_eq(capture.state, CAPTURE_BESIDE);
    ck_assert_int_ne(capture.state, CAPTURE_ON_PLAN);
    walk(64, 60, 64, 0.1);
    ck_assert(capture_state_is_pushed(capture.state));
    ck_assert_double_lt(capture.since_s, 0.05);
}
END_TEST

// The foot is nearly down: it goes out all the same, as the plan waits for it.
START_TEST(a_push_that_comes_late_is_waited_for)
{
    for (int from = 64; from < 92; from += 4) {
        begin();
        walk(from, 0, 0, 0);
        double k = from;
        int periods = 0;
        for (; k < STEP && periods < 200; periods++, k += capture.rate) {
            struct capture_step_plan plan;
            struct segment_sample sample;
            const double error[2] = {0, periods < 4 ? 0.1 : 0};
            plan_at(k, &plan, &sample);
            capture_step_feel(&capture, error);
            capture_step_apply(&capture, &plan, &sample);
        }
        ck_assert_int_ge(capture.state, CAPTURE_HASTES);
        ck_assert_double_ge(periods * T, 0.13);
        ck_assert_double_le(periods * T, 0.25);
        ck_assert_double_gt(capture.foot_m[SIDE_LEFT][1], 0.03);
        ck_assert(!capture_step_hears(&capture, SUPPORT_BOTH)); // it has not landed yet
    }
}
END_TEST

START_TEST(a_foot_lands_where_it_may_however_hard_the_push)
{
    for (double error_m = -1; error_m <= 1; error_m += 0.25) {
        begin();
        const double most_m = walk(3 * STEP, 10, 60, error_m);
        ck_assert(isfinite(capture.com_m[1]) && isfinite(capture.foot_m[SIDE_LEFT][1]));
        ck_assert_double_le(most_m, capture.config.outward_m[1] + 0.02);
        ck_assert_double_ge(capture.rate, capture.config.rate_min - 1e-9);
        ck_assert_double_le(capture.rate, capture.config.rate_max + 1e-9);
    }
}
END_TEST

START_TEST(a_sole_is_lifted_by_what_the_tilt_brings_it_down)
{
    begin();
    const double tilt[2] = {-0.1, 0}, still[2] = {0, 0};
    walk(20, 5, 10, 0.1);
    capture_step_tilt(&capture, tilt, still, 2 * T);
    walk(50, 0, 0, 0);
    const double apart_m = WIDTH + capture.foot_m[SIDE_LEFT][1] - capture.foot_m[SIDE_RIGHT][1];
    const double way_m = fabs(capture.target_m[1] - capture.foot_m[SIDE_LEFT][1]);
    ck_assert_double_ge(capture.lift_m[SIDE_LEFT], 0.1 * apart_m - 0.005);
    ck_assert_double_le(capture.lift_m[SIDE_LEFT], 0.1 * apart_m + 0.4 * way_m + 0.005);
}
END_TEST

// The body begins to turn to its right side: it was pushed to the left, whatever the capture point
// is found to be.
START_TEST(a_turn_of_the_body_is_felt_before_the_capture_point_is_off)
{
    const double level[2] = {0, 0}, turn[2] = {-0.5, 0}, error[2] = {0, 0};
    begin();
    walk(50, 0, 0, 0);
    capture_step_tilt(&capture, level, turn, 2 * T);
    capture_step_feel(&capture, error);
    ck_assert_int_ne(capture.state, CAPTURE_ON_PLAN);
    ck_assert_double_gt(capture.felt_m[0][1], 0.005);
    ck_assert_double_eq(capture.felt_m[0][0], 0);
    begin();
    for (int i = 0; i < 200; i++) // by then its observer knows it
        capture_step_tilt(&capture, level, turn, 2 * T);
    ck_assert_double_lt(fabs(capture.lead_m[1]), 1e-3);
}
END_TEST

START_TEST(a_jerk_is_no_push_but_what_the_capture_point_shows_is)
{
    const double level[2] = {0, 0}, turn[2] = {-0.5, 0}, error[2] = {0, 0}, off[2] = {0, 0.1};
    begin();
    walk(50, 0, 0, 0);
    capture_step_jerk(&capture);
    capture_step_tilt(&capture, level, turn, 2 * T);
    capture_step_feel(&capture, error);
    ck_assert_int_eq(capture.state, CAPTURE_ON_PLAN);
    walk(25, 0, 0, 0); // it shakes no longer
    ck_assert_double_eq(capture.jerked_s, 0);
    capture_step_jerk(&capture);
    capture_step_feel(&capture, off);
    ck_assert_int_ne(capture.state, CAPTURE_ON_PLAN);
}
END_TEST

START_TEST(the_plan_waits_for_a_foot_that_should_have_landed)
{
    begin();
    walk(STEP, 50, 54, 0.1);
    ck_assert_double_gt(capture.foot_m[SIDE_LEFT][1], 0.02);
    double lowest_m = 0;
    int waited = 0;
    for (; waited < 200; waited++) {
        struct capture_step_plan plan;
        struct segment_sample sample;
        plan_at(STEP - 1, &plan, &sample);
        plan.lands = false;
        sample.support = SUPPORT_BOTH;
        capture_step_touch(&capture, on_none);
        capture_step_apply(&capture, &plan, &sample);
        lowest_m = fmin(lowest_m, sample.foot_m[SIDE_LEFT][2]);
        if (capture.rate > 0.5)
            break;
    }
    ck_assert_int_gt(waited, 20); // it is let down meanwhile, but not for ever
    ck_assert_int_lt(waited, 80);
    ck_assert_double_lt(lowest_m, -0.01);
    ck_assert_double_gt(lowest_m, -0.06);
}
END_TEST

START_TEST(a_little_is_no_push_until_it_is_more)
{
    const double error[2] = {0, 0.042}, none[2] = {0, 0};
    begin();
    for (int k = 0; k < STEP; k++) {
        struct capture_step_plan plan;
        struct segment_sample sample, before;
        plan_at(k, &plan, &sample);
        before = sample;
        if (k % 2 == 0) // two measurements at a time
            capture_step_feel(&capture, k % 20 == 10 || k % 20 == 12 ? error : none);
        capture_step_apply(&capture, &plan, &sample);
        ck_assert_mem_eq(&sample, &before, sizeof sample);
    }
    ck_assert_uint_eq(capture.pushes, 2 * STEP / 20);
    ck_assert_int_eq(capture.state, CAPTURE_ON_PLAN);
    const double more[2] = {0, 0.045};
    capture_step_feel(&capture, more);
    ck_assert_int_eq(capture.state, CAPTURE_HEARD);
    walk(1, 0, 1, 0.045);
    capture_step_feel(&capture, more);
    ck_assert_int_eq(capture.state, CAPTURE_FELT);
    ck_assert_double_gt(capture.com_m_s[1], w() * 0.003); // by both
}
END_TEST

// By letters: o on plan, b beside, n heard, f felt, p pushed, h hastes, l lands, s stands, L late.
START_TEST(each_event_leads_to_its_state)
{
    static const char letters[] = "obnfphlsL";
    static const struct {
        char from;
        const char *to; // at an error, a sure one, a late one, in time, when all is calm
    } rows[] = {{'o', "nfhoo"}, {'b', "ffhbb"}, {'n', "nfhoo"}, {'f', "ffhpb"}, {'p', "ppppb"},
                {'h', "hhhlb"}, {'l', "lllsb"}, {'s', "sssLb"}, {'L', "LLLLb"}};
    ck_assert_uint_eq(sizeof rows / sizeof rows[0], CAPTURE_STATE_COUNT);
    for (unsigned i = 0; i < CAPTURE_STATE_COUNT; i++)
        for (unsigned event = 0; event < CAPTURE_EVENT_COUNT; event++) {
            const enum capture_state from = (unsigned)(strchr(letters, rows[i].from) - letters);
            const char to = letters[capture_state_step(from, event)];
            ck_assert_msg(to == rows[i].to[event], "%c, event %u: %c", rows[i].from, event, to);
        }
}
END_TEST

// From the first measurement of a late push on.
START_TEST(each_state_of_a_late_push_lasts_its_time)
{
    static const struct {
        double at_s;
        enum capture_state state;
    } course[] = {{0.12, CAPTURE_HASTES}, {0.17, CAPTURE_LANDS},  {0.23, CAPTURE_LANDS},
                  {0.27, CAPTURE_STANDS}, {0.48, CAPTURE_STANDS}, {0.52, CAPTURE_LATE},
                  {2.3, CAPTURE_LATE},    {2.5, CAPTURE_BESIDE}};
    begin();
    const double hard[2] = {0, 0.1};
    unsigned next = 0;
    walk(80, 0, 0, 0);
    capture_step_feel(&capture, hard);
    ck_assert_int_eq(capture.state, CAPTURE_HASTES);
    for (int k = 1; next < sizeof course / sizeof course[0]; k++) {
        struct capture_step_plan plan;
        struct segment_sample sample;
        plan_at(80 + k, &plan, &sample);
        capture_step_apply(&capture, &plan, &sample);
        if (k * T < course[next].at_s)
            continue;
        ck_assert_msg(capture.state == course[next].state, "%g s: %d", k * T, (int)capture.state);
        next++;
    }
}
END_TEST

UNIT_MAIN("capture_step", each_event_leads_to_its_state, each_state_of_a_late_push_lasts_its_time,
          a_walk_that_nobody_pushes_stays_as_it_is, a_push_moves_the_next_steps_and_is_caught,
          a_little_is_no_push_until_it_is_more, a_push_is_over_after_some_steps_without_an_error,
          a_push_that_comes_late_is_waited_for, a_foot_lands_where_it_may_however_hard_the_push,
          a_sole_is_lifted_by_what_the_tilt_brings_it_down,
          a_turn_of_the_body_is_felt_before_the_capture_point_is_off,
          a_jerk_is_no_push_but_what_the_capture_point_shows_is,
          the_plan_waits_for_a_foot_that_should_have_landed)
