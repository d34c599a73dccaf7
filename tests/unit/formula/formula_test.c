// Temporal formulas: what is read, what is refused and where, and the robustness of what is read.
#include <math.h>
#include <stdio.h>
#include <string.h>

#include "tests/unit/formula/formula_names.h"

// ---- reading ------------------------------------------------------------------------------------

START_TEST(a_formula_of_one_instant_has_the_margin_of_its_comparison)
{
    static const struct {
        const char *text;
        double margin; // where x = 1, y = 2, z = -3, g = 4, 5, 6
    } cases[] = {
        {"x < 3", 2},
        {"x > 3", -2},
        {"x <= 3", 2},
        {"0 < x < 3", 1},
        {"3 > x > 0", 1},
        {"x + 2*y - z/3 < 7", 1},
        {"-x < -(y - 4)", 3},
        {"2 - 1 - 1 < x", 1},
        {"8 / 4 / 2 < y", 1},
        {"max(x, y, z) < 2.5", 0.5},
        {"min(x, y, z) > -4", 1},
        {"norm(3*x, 2*y) < 6", 1},
        {"norm(z) < 4", 1},
        {"sqrt(x) < 2", 1},
        {"abs(z) < 4", 1},
        {"lean < 1.5", 0.5},
        {"x-axis.y < 3", 2},
        {"x < 3 and y < 3", 1},
        {"x < 3 or y < 3", 2},
        {"not x < 3", -2},
        {"x < 0 implies y < 0", 1},
        {"x < 3 implies y < 3 implies z < 3", 6},
        {"(x < 3)", 2},
        {"((x) < (3))", 2},
        {"(x + 1) * 2 < 5", 1},
        {"(x < 3 or y < 3) and z < -2", 1},
        {"g[*] < 7", 1},
        {"g[*] > 3", 1},
        {"max(g[*]) < 7", 1},
        {"max(abs(g[*] - 5)) < 3", 2},
        {"min(g[*], x) < 2", 1},
        {"(g[*]) < 7", 1},
        {"(g[*] < 7 and x < 9)", 1},
        {"norm(g[*] - 4) < 3", 3 - 2.23606797749979},
        {"x < 3 # comment", NAN}, // refused
    };
    static const double values[SIGNALS] = {1, 2, -3, 4, 5, 6};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct formula *formula;
        struct formula_error error;
        const enum status status = formula_parse(cases[i].text, &names, &formula, &error);
        if (isnan(cases[i].margin)) {
            ck_assert_int_eq(status, STATUS_INVALID);
            continue;
        }
        ck_assert_msg(status == STATUS_OK, "%s: %s", cases[i].text, error.words);
        ck_assert(formula_is_instant(formula));
        ck_assert_msg(fabs(formula_now(formula, values) - cases[i].margin) < 1e-12,
                      "%s: %g instead of %g", cases[i].text, formula_now(formula, values),
                      cases[i].margin);
        formula_free(formula);
    }
}
END_TEST

START_TEST(a_mistake_is_told_with_its_line_and_column)
{
    static const struct {
        const char *text;
        unsigned line, column;
        const char *words; // a part of them
    } cases[] = {
        {"", 1, 1, "the end instead of"},
        {"x", 1, 1, "compare it"},
        {"x <", 1, 4, "the end instead of"},
        {"x < w", 1, 5, "no signal 'w'"},
        {"x-y < 1", 1, 1, "minus between spaces"},
        {"x < 3\n  and y", 2, 7, "compare it"},
        {"x == 3", 1, 3, "abs(A - B)"},
        {"(x < 3", 1, 7, "to close"},
        {"(x < 3) + 1 < 2", 1, 1, "not a number"},
        {"max((x < 1)) < 2", 1, 5, "not a number"},
        {"max x < 2", 1, 5, "after a function"},
        {"x < 3 y", 1, 7, "'y' instead of"},
        {"always[2, 1] x < 3", 1, 7, "not an interval"},
        {"always[-1, 1] x < 3", 1, 7, "not an interval"},
        {"always[1] x < 3", 1, 9, "between the ends"},
        {"always[a, 1] x < 3", 1, 8, "instead of a number"},
        {"always x", 1, 8, "compare it"},
        {"not", 1, 4, "the end"},
        {"broken < 1", 1, 5, "in quantity broken"},
        {"endless < 1", 1, 1, "nested"},
        {"x < 1e999", 1, 5, "instead of a number"},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct formula *formula;
        struct formula_error error;
        ck_assert_msg(formula_parse(cases[i].text, &names, &formula, &error) == STATUS_INVALID,
                      "%s is accepted", cases[i].text);
        ck_assert_ptr_null(formula);
        ck_assert_msg(error.line == cases[i].line && error.column == cases[i].column,
                      "%s: %u:%u: %s", cases[i].text, error.line, error.column, error.words);
        ck_assert_msg(strstr(error.words, cases[i].words) != NULL, "%s: %s", cases[i].text,
                      error.words);
    }
}
END_TEST

START_TEST(nesting_and_size_are_bounded)
{
    struct formula *formula;
    struct formula_error error;
    char deep[400];
    memset(deep, '(', 200);
    snprintf(deep + 200, sizeof deep - 200, "x < 1");
    ck_assert_int_eq(formula_parse(deep, &names, &formula, &error), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(error.words, "nested"));
    static char wide[40000];
    size_t length = 0;
    for (int i = 0; i < 3000; i++)
        length += (size_t)snprintf(wide + length, sizeof wide - length, "x + ");
    snprintf(wide + length, sizeof wide - length, "x < 1");
    ck_assert_int_eq(formula_parse(wide, &names, &formula, &error), STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(error.words, "split it"));
}
END_TEST

// ---- worked examples ----------------------------------------------------------------------------

#define S 1000000000LL

static const int64_t seconds[] = {0, 1 * S, 2 * S, 3 * S, 4 * S};
static const double x_values[] = {1, 3, 2, -1, 4}, y_values[] = {0, 0, 5, 1, 2};
static const struct formula_samples worked[SIGNALS] = {{5, seconds, x_values},
                                                       {5, seconds, y_values}};
static const struct formula_trace worked_trace = {worked, 4 * S};

START_TEST(worked_examples_of_the_quantitative_semantics)
{
    static const struct {
        const char *text;
        int64_t at_ns;
        double robustness;
        int64_t worst_ns; // -1: not asked
    } cases[] = {
        {"x > 0", 0, 1, 0},
        {"x > 0", 3 * S, -1, 3 * S},
        {"always x > 0", 0, -1, 3 * S},
        {"always[0, 2] x > 0", 0, 1, 0},
        {"always[1, 2] x > 0", 0, 2, 2 * S},
        {"eventually x > 3.5", 0, 0.5, 4 * S},
        {"eventually[0, 3.9] x > 3.5", 0, -0.5, 1 * S},
        {"eventually[0.5, 0.9] x > 0", 0, 1, 0},   // between samples the signal is held
        {"always[0.5, 1] x < 3.5", 0, 0.5, 1 * S}, // the interval's end belongs to it
        {"x > 0 until y > 4", 0, 1, -1},           // y at 2 s; until then x is at least 1
        {"x > 0 until[0, 1] y > 4", 0, -4, -1},    // y is 0 until then
        {"x > 0 until[3, 4] y > 0", 0, -1, 3 * S}, // x is -1 at 3 s
        {"x > 2 until y > 4", 1 * S, 0, -1},       // x is 2 at 2 s
        {"always eventually[0, 1] x > 1.5", 0, 0.5, -1},
        {"eventually[0, 3] always[0, 1] x > 1.5", 0, 0.5, -1},
        {"always (x < 0 implies y > 0.5)", 0, 0.5, -1},
        {"not eventually x > 5", 0, 1, 4 * S},
        {"always[0, 2] x > 0 and eventually[2, 4] y > 4", 0, 1, -1},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct formula_result result =
            result_of(cases[i].text, &worked_trace,
                      (struct formula_window){FORMULA_HOLDS, cases[i].at_ns, 4 * S});
        ck_assert_msg(fabs(result.low - cases[i].robustness) < 1e-12 &&
                          fabs(result.high - cases[i].robustness) < 1e-12,
                      "%s at %g s: %g to %g instead of %g", cases[i].text,
                      (double)cases[i].at_ns / S, result.low, result.high, cases[i].robustness);
        if (cases[i].worst_ns >= 0)
            ck_assert_msg(result.low_ns == cases[i].worst_ns, "%s: worst at %g s", cases[i].text,
                          (double)result.low_ns / S);
    }
}
END_TEST

START_TEST(what_lies_beyond_the_trace_is_not_known)
{
    struct formula_result r = result_of("always[0, 9] x > -2", &worked_trace,
                                        (struct formula_window){FORMULA_HOLDS, 0, 4 * S});
    ck_assert_double_eq(r.low, -INFINITY);
    ck_assert_double_eq(r.high, 1); // it can only get worse
    r = result_of("eventually[0, 9] x > 3.5", &worked_trace,
                  (struct formula_window){FORMULA_HOLDS, 0, 4 * S});
    ck_assert_double_eq(r.low, 0.5); // it has held
    ck_assert_double_eq(r.high, INFINITY);
    r = result_of("x > 0", &worked_trace, (struct formula_window){FORMULA_ALWAYS, 1 * S, 5 * S});
    ck_assert_double_eq(r.high, -1); // it was broken already
}
END_TEST

START_TEST(a_window_without_samples_is_told)
{
    struct formula_result r = result_of(
        "x > 0", &worked_trace, (struct formula_window){FORMULA_ALWAYS, S + S / 10, S + S / 5});
    ck_assert(r.silent);
    ck_assert_uint_eq(r.silent_signal, 0);
    ck_assert_double_eq(r.low, 3);
    r = result_of("x > 0", &worked_trace, (struct formula_window){FORMULA_ALWAYS, S, S});
    ck_assert(!r.silent);
    r = result_of("x + z > 0", &worked_trace, (struct formula_window){FORMULA_ALWAYS, 0, 4 * S});
    ck_assert(r.silent);
    ck_assert_uint_eq(r.silent_signal, 2);
    ck_assert_double_eq(r.low, -INFINITY);
    ck_assert_double_eq(r.high, INFINITY);
}
END_TEST

START_TEST(what_is_not_a_number_is_told_within_the_window_only)
{
    static const double broken[] = {1, NAN, 2, 3, 4};
    static const struct formula_samples samples[SIGNALS] = {{5, seconds, broken}};
    static const struct formula_trace trace = {samples, 4 * S};
    struct formula_result r =
        result_of("x > 0", &trace, (struct formula_window){FORMULA_ALWAYS, 0, 4 * S});
    ck_assert(r.not_a_number);
    ck_assert_int_eq(r.not_a_number_ns, 1 * S);
    r = result_of("x > 0", &trace, (struct formula_window){FORMULA_ALWAYS, 2 * S, 4 * S});
    ck_assert(!r.not_a_number);
    ck_assert_double_eq(r.low, 2);
    r = result_of("x > 0", &trace, (struct formula_window){FORMULA_ALWAYS, S + 5, 4 * S});
    ck_assert(r.not_a_number); // it is held
    ck_assert_int_eq(r.not_a_number_ns, S + 5);
    r = result_of("max(x, 1) > 0", &trace, (struct formula_window){FORMULA_ALWAYS, 0, 4 * S});
    ck_assert(r.not_a_number); // a maximum does not hide it
}
END_TEST

START_TEST(what_is_infinite_anywhere_in_a_term_is_told_as_what_is_not_a_number)
{
    static const double far[] = {1, INFINITY, 2, 0, 4}, big[] = {1, 1, 1e308, 1, 1};
    static const struct formula_samples samples[SIGNALS] = {{5, seconds, far}, {5, seconds, big}};
    static const struct formula_trace trace = {samples, 4 * S};
    static const struct {
        const char *text;
        int64_t at_ns;
    } cases[] = {{"x > 0", 1 * S},      {"min(x, 1) > 0", 1 * S},   {"1 / x < 2", 1 * S},
                 {"not x < 0", 1 * S},  {"1 / (x - x + 0) > 0", 0}, {"y * 1e10 > -1", 2 * S},
                 {"y > -1e308", 2 * S}, {"x > 0 or y > 0", 1 * S}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        const struct formula_result r =
            result_of(cases[i].text, &trace, (struct formula_window){FORMULA_ALWAYS, 0, 4 * S});
        ck_assert_msg(r.not_a_number && r.infinite && r.not_a_number_ns == cases[i].at_ns, "%s",
                      cases[i].text);
    }
}
END_TEST

// x is 1 3 2 -1 4, y is 0 0 5 0 1 at 0 to 4 s.
START_TEST(what_could_not_but_hold_is_vacuous)
{
    static const struct {
        const char *text;
        enum formula_operator operator;
        double from_s, to_s, since_s; // since: negative for nothing
        enum formula_vacuity kind;
        bool in_part;
    } cases[] = {
        {"x > 5 implies y > 9", FORMULA_ALWAYS, 0, 4, -1, FORMULA_IMPLIES_NOTHING, false},
        {"not x > 5 or y > 9", FORMULA_ALWAYS, 0, 4, -1, FORMULA_IMPLIES_NOTHING, false},
        {"y > 9 or not x > 5", FORMULA_ALWAYS, 0, 4, -1, FORMULA_IMPLIES_NOTHING, false},
        {"not (x > 5 and not y > 9)", FORMULA_ALWAYS, 0, 4, -1, FORMULA_IMPLIES_NOTHING, false},
        {"x > 3.5 implies y > 0", FORMULA_ALWAYS, 0, 4, -1, FORMULA_JUDGED, false},
        {"x > 3.5 implies y > 9", FORMULA_ALWAYS, 0, 3, -1, FORMULA_IMPLIES_NOTHING, false},
        {"x > 3.5 implies y > 9", FORMULA_HOLDS, 0, 0, -1, FORMULA_IMPLIES_NOTHING, false},
        {"x > 5 implies eventually y > 9", FORMULA_EVENTUALLY, 0, 4, -1, FORMULA_IMPLIES_NOTHING,
         false},
        {"x < 5 and (x > 5 implies y > 9)", FORMULA_ALWAYS, 0, 4, -1, FORMULA_JUDGED, true},
        {"always (x > 5 implies y > 9)", FORMULA_HOLDS, 0, 4, -1, FORMULA_IMPLIES_NOTHING, false},
        {"x > 5 implies y > 9 implies z < 1", FORMULA_ALWAYS, 0, 4, -1, FORMULA_IMPLIES_NOTHING,
         false},
        {"y < 9", FORMULA_EVENTUALLY, 1, 4, 1, FORMULA_HELD_BEFORE, false},
        {"y < 9", FORMULA_EVENTUALLY, 2, 4, 1, FORMULA_HELD_BEFORE, false},
        {"y > 4", FORMULA_EVENTUALLY, 1, 4, 1, FORMULA_JUDGED, false},
        {"x > 2.5", FORMULA_EVENTUALLY, 4, 4, 2, FORMULA_JUDGED, false}, // not at 2 s
        {"x > 2.5", FORMULA_EVENTUALLY, 0, 4, 2, FORMULA_DONE_BEFORE, false},
        {"x > 2.5", FORMULA_EVENTUALLY, 0, 1, 2, FORMULA_JUDGED, false}, // it is about before
        {"x > 2.5", FORMULA_EVENTUALLY, 0, 4, -1, FORMULA_JUDGED, false},
        {"eventually x > 2.5", FORMULA_HOLDS, 0, 4, 2, FORMULA_DONE_BEFORE, false},
        {"not always x < 2.5", FORMULA_HOLDS, 0, 4, 2, FORMULA_DONE_BEFORE, false},
        {"always[0, 1.5] x > 0", FORMULA_EVENTUALLY, 0, 4, 1, FORMULA_JUDGED, false},
        {"y < 9 until x > 0.5", FORMULA_HOLDS, 0, 4, -1, FORMULA_AT_ONCE, false},
        {"x > 0 until y > 4", FORMULA_HOLDS, 0, 4, -1, FORMULA_JUDGED, false},
        {"x > 0 until y > 4", FORMULA_HOLDS, 0, 4, 3, FORMULA_DONE_BEFORE, false},
        {"x > 0 until[1, 2] y > 4", FORMULA_HOLDS, 0, 4, -1, FORMULA_JUDGED, false},
        {"x > 0", FORMULA_ALWAYS, 1, 1.5, -1, FORMULA_FEW_SAMPLES, false},
        {"x > 0", FORMULA_ALWAYS, 1, 2, -1, FORMULA_JUDGED, false},
        {"always[0, 0.5] x > 0", FORMULA_HOLDS, 1, 1, -1, FORMULA_FEW_SAMPLES, false},
        {"not eventually[0, 0.5] x < 0", FORMULA_HOLDS, 1, 1, -1, FORMULA_FEW_SAMPLES, false},
        {"always x > 0", FORMULA_EVENTUALLY, 0, 4, -1, FORMULA_FEW_SAMPLES, false},
        {"x > 0", FORMULA_HOLDS, 1, 1, -1, FORMULA_JUDGED, false},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct formula *formula = parsed(cases[i].text);
        struct formula_vacuous vacuous;
        const struct formula_window window = {cases[i].operator, (int64_t)(cases[i].from_s * 1e9),
                                              (int64_t)(cases[i].to_s * 1e9)};
        ck_assert_int_eq(
            formula_vacuous(formula, &worked_trace, &window,
                            cases[i].since_s < 0 ? INT64_MAX : (int64_t)(cases[i].since_s * 1e9),
                            &vacuous),
            STATUS_OK);
        ck_assert_msg(vacuous.kind == cases[i].kind && vacuous.in_part == cases[i].in_part,
                      "case %zu, %s: %d%s", i, cases[i].text, vacuous.kind,
                      vacuous.in_part ? ", in part" : "");
        formula_free(formula);
    }
}
END_TEST

START_TEST(what_no_signal_can_break_or_keep_is_found)
{
    static const struct {
        const char *text;
        enum formula_certainty certain;
    } cases[] = {
        {"1 < 2", FORMULA_CERTAIN},
        {"2 < 1", FORMULA_IMPOSSIBLE},
        {"x < x + 1", FORMULA_CERTAIN},
        {"x - x + y * 0 < 1", FORMULA_CERTAIN},
        {"2 * (x + y) - x - x < 2 * y + 1", FORMULA_CERTAIN},
        {"abs(x) > -1", FORMULA_CERTAIN},
        {"abs(x) < 0", FORMULA_IMPOSSIBLE},
        {"abs(x) > 0", FORMULA_OPEN},
        {"abs(x) >= 0", FORMULA_CERTAIN},
        {"0 <= norm(x, y)", FORMULA_CERTAIN},
        {"x >= 0", FORMULA_OPEN},
        {"x < 1 or not x < 1", FORMULA_CERTAIN},
        {"x < 1 implies x < 1", FORMULA_CERTAIN},
        {"x * x > -1 and norm(x, y) > -0.1", FORMULA_CERTAIN},
        {"max(x, 3) > 2", FORMULA_CERTAIN},
        {"min(x, 3) > 2", FORMULA_OPEN},
        {"x < 5 or x > 4", FORMULA_CERTAIN},
        {"x < 4 or x > 5", FORMULA_OPEN},
        {"x < 4 and x > 5", FORMULA_IMPOSSIBLE},
        {"x > 5 implies x > 4", FORMULA_CERTAIN},
        {"x > 4 implies x > 5", FORMULA_OPEN},
        {"always eventually[0, 1] lean > -1", FORMULA_CERTAIN},
        {"x < 1 until y * y > -1", FORMULA_CERTAIN},
        {"x < 1 until[1, 2] y * y > -1", FORMULA_OPEN},
        {"not x < x + 1", FORMULA_IMPOSSIBLE},
        {"g[*] < 1", FORMULA_OPEN},
        {"abs(g[*]) > -1", FORMULA_CERTAIN},
        {"x / y < 1", FORMULA_OPEN},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct formula *formula = parsed(cases[i].text);
        ck_assert_msg(formula_certain(formula) == cases[i].certain, "%s", cases[i].text);
        formula_free(formula);
    }
}
END_TEST

START_TEST(a_formulas_horizon_is_how_far_it_looks)
{
    static const struct {
        const char *text;
        int64_t horizon_ns;
    } cases[] = {
        {"x < 1", 0},
        {"always[1, 2] x < 1", 2 * S},
        {"always[1, 2] eventually[0, 3] x < 1", 5 * S},
        {"x < 1 until[0, 2] always[0, 1] y < 1", 3 * S},
        {"x < 1 or eventually[0, 0.5] y < 1", S / 2},
        {"always x < 1", INT64_MAX},
    };
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct formula *formula = parsed(cases[i].text);
        ck_assert_int_eq(formula_horizon_ns(formula), cases[i].horizon_ns);
        formula_free(formula);
    }
}
END_TEST

// ---- terms and instants ------------------------------------------------------------------------

static struct formula_samples at_seconds(size_t count, const int64_t *time_ns, const double *value)
{
    return (struct formula_samples){count, time_ns, value};
}

START_TEST(a_term_is_summarized_over_the_window_by_time)
{
    static const int64_t x_ns[] = {1000000000, 2000000000, 4000000000}, y_ns[] = {1500000000};
    static const double x[] = {1, 5, 2}, y[] = {10};
    const struct formula_samples samples[SIGNALS] = {at_seconds(3, x_ns, x),
                                                     at_seconds(1, y_ns, y)};
    const struct formula_trace trace = {samples, 5000000000};
    struct formula_error error;
    struct formula *term;
    struct formula_summary s;
    unsigned silent;
    ck_assert_int_eq(formula_parse_term("x + y", &names, &term, &error), STATUS_OK);
    ck_assert_int_eq(formula_known_ns(term, &trace, &silent), 1500000000);
    // 11 for half a second, 15 for two, 12 for one
    ck_assert_int_eq(formula_summarize(term, &trace, 0, INT64_MAX, &s), STATUS_OK);
    ck_assert(s.known && s.last == 12 && s.min == 11 && s.max == 15);
    ck_assert_double_eq_tol(s.mean, (0.5 * 11 + 2 * 15 + 12) / 3.5, 1e-12);
    ck_assert_int_eq(formula_summarize(term, &trace, 2500000000, 3000000000, &s), STATUS_OK);
    ck_assert(s.known && s.last == 15 && s.min == 15 && s.max == 15 && s.mean == 15);
    ck_assert_int_eq(formula_summarize(term, &trace, 0, 1000000000, &s), STATUS_OK);
    ck_assert(!s.known);
    formula_free(term);
    ck_assert_int_eq(formula_parse_term("z", &names, &term, &error), STATUS_OK);
    ck_assert_int_eq(formula_known_ns(term, &trace, &silent), INT64_MAX);
    ck_assert_uint_eq(silent, 2);
    formula_free(term);
}
END_TEST

START_TEST(a_formula_is_no_term_and_a_group_none_either)
{
    static const struct {
        const char *text;
        unsigned column;
    } wrong[] = {{"x < 1", 3}, {"g[*]", 1}, {"", 1}, {"x + ", 5}, {"(x < 1)", 1}, {"w", 1}};
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        struct formula_error error;
        struct formula *term;
        ck_assert_int_eq(formula_parse_term(wrong[i].text, &names, &term, &error), STATUS_INVALID);
        ck_assert_msg(error.column == wrong[i].column, "%s: %u: %s", wrong[i].text, error.column,
                      error.words);
    }
}
END_TEST

START_TEST(the_first_instant_at_which_a_formula_holds_is_found)
{
    static const int64_t x_ns[] = {1000000000, 2000000000, 3000000000, 4000000000};
    static const double x[] = {1, 5, 1, 5};
    const struct formula_samples samples[SIGNALS] = {at_seconds(4, x_ns, x)};
    const struct formula_trace trace = {samples, 6000000000};
    static const struct {
        const char *text;
        int64_t from_ns, to_ns, first_ns;
    } cases[] = {{"x > 3", 0, 6000000000, 2000000000},
                 {"x > 3", 2500000000, 6000000000, 2500000000},
                 {"x > 3", 3000000000, 6000000000, 4000000000},
                 {"x > 3", 3000000000, 3999999999, INT64_MAX},
                 {"always[0, 1] x > 3", 0, 6000000000, 4000000000},
                 {"x > 9", 0, 6000000000, INT64_MAX}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        struct formula *formula = parsed(cases[i].text);
        int64_t first_ns;
        ck_assert_int_eq(
            formula_first(formula, &trace, cases[i].from_ns, cases[i].to_ns, &first_ns), STATUS_OK);
        ck_assert_msg(first_ns == cases[i].first_ns, "%s: %g s", cases[i].text,
                      (double)first_ns * 1e-9);
        formula_free(formula);
    }
}
END_TEST

UNIT_MAIN("formula", a_formula_of_one_instant_has_the_margin_of_its_comparison,
          a_mistake_is_told_with_its_line_and_column, nesting_and_size_are_bounded,
          worked_examples_of_the_quantitative_semantics, what_lies_beyond_the_trace_is_not_known,
          a_window_without_samples_is_told, what_is_not_a_number_is_told_within_the_window_only,
          what_is_infinite_anywhere_in_a_term_is_told_as_what_is_not_a_number,
          what_could_not_but_hold_is_vacuous, what_no_signal_can_break_or_keep_is_found,
          a_formulas_horizon_is_how_far_it_looks, a_term_is_summarized_over_the_window_by_time,
          a_formula_is_no_term_and_a_group_none_either,
          the_first_instant_at_which_a_formula_holds_is_found)
