// knee: one joint between two states by the seed's three methods; its Table 1, its edge cases, and
// random problems against integration and search.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "base/random.h"
#include "motion/knee.h"

#define PI 3.14159265358979323846
// mJ of an energy in degrees: the seed's k and I.
#define TO_MJ (1000 * 0.174 * 0.2 * 0.2 / 3 * 4 * PI * PI / (360.0 * 360.0))

static const struct knee_problem example = {3, 4, 0, 27, 20, 30, 200};

static struct knee plan(const struct knee_problem *problem, enum knee_method method,
                        enum knee_energy energy)
{
    struct knee knee;
    ck_assert_int_eq(knee_plan(problem, method, energy, &knee), KNEE_OK);
    return knee;
}

static double greatest_acceleration(const struct knee *knee)
{
    return fmax(fabs(knee->a1), fabs(knee->a2));
}

START_TEST(table_1_of_the_seed_comes_out_to_the_printed_digit)
{
    static const struct {
        enum knee_method method;
        double tm, wm, a, paper_mJ, absolute_mJ, copper;
    } row[] = {{KNEE_ACCELERATION_MIN, 3.84, 32.39, 14.77, 0.1807, 0.2818 / 1, 218.2},
               {KNEE_VELOCITY_MIN, 3.02, 24.21, 200.0, 0.2004, 0.1767, 876.3},
               {KNEE_ENERGY_MIN, 3.6, 30, 16.67, 0.1767, 0.1767, 166.7}};
    for (int i = 0; i < 3; i++) {
        const struct knee knee = plan(&example, row[i].method, KNEE_PAPER);
        ck_assert_double_eq_tol(knee.tm_s, row[i].tm, 0.005);
        ck_assert_double_eq_tol(knee.wm, row[i].wm, 0.0051);
        ck_assert_double_eq_tol(greatest_acceleration(&knee), row[i].a, 0.005);
        ck_assert_double_eq_tol(TO_MJ * knee_cost(&example, &knee, KNEE_PAPER), row[i].paper_mJ,
                                0.00005);
        ck_assert_double_eq_tol(TO_MJ * knee_cost(&example, &knee, KNEE_WORK), 0.1767, 0.00005);
        ck_assert_double_eq_tol(knee_cost(&example, &knee, KNEE_ELECTRICAL), row[i].copper, 0.05);
    }
    // The seed's 30 deg/s: the final velocity is above the knee's.
    const struct knee slow = plan(&example, KNEE_VELOCITY_MIN, KNEE_PAPER);
    ck_assert_double_lt(slow.wm, example.w2);
    const struct knee copper = plan(&example, KNEE_ENERGY_MIN, KNEE_ELECTRICAL);
    ck_assert_double_eq_tol(knee_cost(&example, &copper, KNEE_ELECTRICAL), 164, 1e-9);
}
END_TEST

START_TEST(edge_cases_have_their_answers)
{
    const struct knee_problem even = {0, 2, 0, 10, 0, 10, INFINITY}; // h = 0: one acceleration
    struct knee knee = plan(&even, KNEE_ACCELERATION_MIN, KNEE_PAPER);
    ck_assert_double_eq(knee.a1, 5);
    ck_assert_double_eq(knee.a2, 5);
    const struct knee_problem cruise = {0, 1, 0, 3, 3, 3, 10}; // ... of 0
    knee = plan(&cruise, KNEE_VELOCITY_MIN, KNEE_PAPER);
    ck_assert_double_eq(greatest_acceleration(&knee), 0);
    const struct knee_problem same = {0, 1, 0, 10, 0, 0, 100}; // w1 = w2: (16) is undefined
    const struct knee a = plan(&same, KNEE_ACCELERATION_MIN, KNEE_PAPER),
                      e = plan(&same, KNEE_ENERGY_MIN, KNEE_PAPER);
    ck_assert_mem_eq(&a, &e, sizeof a);
    const struct knee_problem down = {0, 1, 0, -27, -20, -30, 200}; // h < 0 is h > 0 in a mirror
    const struct knee_problem up = {0, 1, 0, 27, 20, 30, 200};
    for (int method = 0; method < 3; method++) {
        const struct knee below = plan(&down, (enum knee_method)method, KNEE_PAPER),
                          above = plan(&up, (enum knee_method)method, KNEE_PAPER);
        ck_assert_double_eq(below.tm_s, above.tm_s);
        ck_assert_double_eq(below.wm, -above.wm);
    }
    // (16) before t1: greatest acceleration first; after t2: last.
    const struct knee_problem before = {0, 1, 0, 60, 20, 30, 200},
                              after = {0, 1, 0, 20, 20, 30, 200};
    knee = plan(&before, KNEE_ENERGY_MIN, KNEE_PAPER);
    ck_assert_double_eq_tol(knee.a1, 200, 1e-9);
    knee = plan(&after, KNEE_ENERGY_MIN, KNEE_PAPER);
    ck_assert_double_eq_tol(knee.a2, 200, 1e-9);
}
END_TEST

START_TEST(what_cannot_be_done_is_refused_with_the_reason)
{
    struct knee_problem p = example;
    struct knee knee = {.tm_s = -1};
    p.acceleration_max = 14.7; // A_min needs 14.770
    for (int method = 0; method < 3; method++)
        ck_assert_int_eq(knee_plan(&p, (enum knee_method)method, KNEE_PAPER, &knee), KNEE_TOO_WEAK);
    p.acceleration_max = INFINITY;
    ck_assert_int_eq(knee_plan(&p, KNEE_VELOCITY_MIN, KNEE_PAPER, &knee), KNEE_NOT_FINITE);
    p.acceleration_max = -1;
    ck_assert_int_eq(knee_plan(&p, KNEE_ACCELERATION_MIN, KNEE_PAPER, &knee), KNEE_NOT_FINITE);
    p = example;
    p.q2 = NAN;
    ck_assert_int_eq(knee_plan(&p, KNEE_ACCELERATION_MIN, KNEE_PAPER, &knee), KNEE_NOT_FINITE);
    p = example;
    p.t2_s = p.t1_s;
    ck_assert_int_eq(knee_plan(&p, KNEE_ACCELERATION_MIN, KNEE_PAPER, &knee), KNEE_NO_TIME);
    ck_assert_double_eq(knee.tm_s, -1); // left alone
}
END_TEST

// Both pieces integrated from the start arrive at the end.
static void check_arrival(const struct knee_problem *p, const struct knee *knee)
{
    const double tau1 = knee->tm_s - p->t1_s, tau2 = p->t2_s - knee->tm_s;
    const double q = p->q1 + (p->w1 + knee->wm) / 2 * tau1 + (knee->wm + p->w2) / 2 * tau2;
    const double size =
        fabs(p->q1) + fabs(p->q2) + (fabs(p->w1) + fabs(knee->wm) + fabs(p->w2)) * (tau1 + tau2);
    ck_assert_double_eq_tol(q, p->q2, 1e-9 * size);
    double q_end, w_end, before, after, w;
    knee_state(p, knee, p->t2_s, &q_end, &w_end);
    ck_assert(q_end == p->q2 && w_end == p->w2);
    knee_state(p, knee, p->t1_s, &q_end, &w_end);
    ck_assert_double_eq_tol(q_end, p->q1, 1e-9 * size);
    knee_state(p, knee, nextafter(knee->tm_s, -INFINITY), &before, &w);
    knee_state(p, knee, knee->tm_s, &after, &w);
    ck_assert_double_eq_tol(before, after, 1e-6 * size);
}

// Energy along the motion, summed in small steps.
static double summed(const struct knee_problem *p, const struct knee *knee, enum knee_energy energy)
{
    double sum = 0;
    const int steps = 20000;
    const double dt = (p->t2_s - p->t1_s) / steps;
    for (int i = 0; i < steps; i++) {
        const double t = p->t1_s + (i + 0.5) * dt;
        double q, w;
        knee_state(p, knee, t, &q, &w);
        const double a = t < knee->tm_s ? knee->a1 : knee->a2;
        sum += dt * (energy == KNEE_ELECTRICAL ? a * a : energy == KNEE_WORK ? a * w : fabs(a * w));
    }
    return sum;
}

START_TEST(random_problems_arrive_and_no_knee_beside_is_better)
{
    struct random_stream stream;
    random_start(&stream, 1, "knee");
    for (int i = 0; i < CASES(20000); i++) {
        const struct knee_problem p = {0,
                                       random_uniform(&stream, 0.1, 2),
                                       100 * random_normal(&stream),
                                       100 * random_normal(&stream),
                                       50 * random_normal(&stream),
                                       i % 7 == 0 ? 0 : 50 * random_normal(&stream),
                                       1e6};
        for (int method = 0; method < 3; method++) {
            struct knee knee;
            const enum knee_energy energy = (enum knee_energy)(i % 4);
            if (knee_plan(&p, (enum knee_method)method, energy, &knee) != KNEE_OK)
                continue;
            check_arrival(&p, &knee);
            const double T = p.t2_s, h = 2 * (p.q2 - p.q1) / T - p.w1 - p.w2, s = (p.w2 - p.w1) / T;
            for (int k = 1; k < 20; k++) { // another knee of the line
                const double tm = T * k / 20, wm = p.w1 + h + s * tm;
                const struct knee other = {tm, wm, (wm - p.w1) / tm, (p.w2 - wm) / (T - tm)};
                const double least = 1 - 1e-9, cost = knee_cost(&p, &knee, energy);
                if (greatest_acceleration(&other) > p.acceleration_max)
                    continue;
                if (method == KNEE_ACCELERATION_MIN)
                    ck_assert_double_ge(greatest_acceleration(&other),
                                        least * greatest_acceleration(&knee));
                else if (method == KNEE_ENERGY_MIN && energy != KNEE_PAPER)
                    ck_assert_double_ge(knee_cost(&p, &other, energy),
                                        cost - 1e-9 * (1 + fabs(cost)));
            }
        }
    }
}
END_TEST

START_TEST(energies_are_what_summing_along_the_motion_gives)
{
    const struct knee_problem p = {1, 2, 5, -20, 30, 20, 400};
    for (int method = 0; method < 3; method++) {
        const struct knee knee = plan(&p, (enum knee_method)method, KNEE_ELECTRICAL);
        static const enum knee_energy kinds[] = {KNEE_ELECTRICAL, KNEE_WORK, KNEE_ABSOLUTE};
        for (int i = 0; i < 3; i++) {
            const double cost = knee_cost(&p, &knee, kinds[i]);
            ck_assert_double_eq_tol(summed(&p, &knee, kinds[i]), cost, 0.001 * fabs(cost) + 2);
        }
    }
}
END_TEST

UNIT_MAIN("knee", table_1_of_the_seed_comes_out_to_the_printed_digit, edge_cases_have_their_answers,
          what_cannot_be_done_is_refused_with_the_reason,
          random_problems_arrive_and_no_knee_beside_is_better,
          energies_are_what_summing_along_the_motion_gives)
