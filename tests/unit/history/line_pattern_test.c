// harness/history/line_pattern: numbers in lines of text, and what is refused.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <string.h>

#include "harness/history/line_pattern.h"

static struct line_pattern *pattern_of(const char *text)
{
    struct line_pattern *pattern;
    char wrong[160] = "";
    ck_assert_msg(line_pattern_create(text, &pattern, wrong, sizeof wrong) == STATUS_OK, "%s: %s",
                  text, wrong);
    return pattern;
}

static enum line_found found(struct line_pattern *pattern, const char *line, double *values)
{
    return line_pattern_read(pattern, line, strlen(line), values);
}

START_TEST(named_groups_are_fields_in_their_order)
{
    struct line_pattern *pattern =
        pattern_of("(?<zeta>[-0-9.]+) (ignored)? (?<alpha_m>[-+0-9.e]+)( (?<rest>\\S+))?");
    char text[200];
    double values[LINE_FIELDS_MAX];
    ck_assert_uint_eq(line_pattern_fields(pattern), 3);
    ck_assert(line_pattern_message(pattern, text, sizeof text));
    ck_assert_str_eq(text, "float64 zeta\nfloat64 alpha_m\nfloat64 rest\n");
    ck_assert_int_eq(found(pattern, "at 1.5  -2e-3 inf", values), LINE_NUMBERS);
    ck_assert(values[0] == 1.5 && values[1] == -2e-3 && values[2] == INFINITY);
    ck_assert_int_eq(found(pattern, "-7  +8", values), LINE_NUMBERS);
    ck_assert(values[0] == -7 && values[1] == 8 && isnan(values[2]));
    ck_assert(!line_pattern_message(pattern, text, 20)); // no room
    line_pattern_free(pattern);
}
END_TEST

START_TEST(a_line_that_does_not_match_is_another_and_what_is_no_number_is_bad)
{
    struct line_pattern *pattern = pattern_of("a=(?<a>\\S*)");
    double values[LINE_FIELDS_MAX];
    ck_assert_int_eq(found(pattern, "b=1", values), LINE_OTHER);
    ck_assert_int_eq(found(pattern, "", values), LINE_OTHER);
    ck_assert_int_eq(found(pattern, "a=", values), LINE_BAD);
    ck_assert_int_eq(found(pattern, "a=one", values), LINE_BAD);
    ck_assert_int_eq(found(pattern, "a=1m", values), LINE_BAD);
    ck_assert_int_eq(found(pattern, "a=1\xff", values), LINE_BAD);
    ck_assert_int_eq(line_pattern_read(pattern, "a=1\0002", 5, values), LINE_BAD);
    ck_assert_int_eq(found(pattern, "a=nan", values), LINE_NUMBERS);
    ck_assert(isnan(values[0]));
    line_pattern_free(pattern);
}
END_TEST

START_TEST(looking_is_bounded)
{
    struct line_pattern *pattern = pattern_of("^(?<a>(1+)+)$");
    double values[LINE_FIELDS_MAX];
    char line[64];
    memset(line, '1', sizeof line);
    line[sizeof line - 1] = 'x'; // 2^63 ways to be wrong
    ck_assert_int_eq(line_pattern_read(pattern, line, sizeof line, values), LINE_BAD);
    line_pattern_free(pattern);
}
END_TEST

START_TEST(mistakes_are_told)
{
    static const char *const wrong_ones[][2] = {
        {"a=(.*)", "0 named groups"},
        {"a=(?<a>.*", "column 10: missing closing parenthesis"},
        {"(?<a>.)(?<a>.)", "column 13: two named"},
        {"(?<1a>.)", "column 4: "},
    };
    for (size_t i = 0; i < sizeof wrong_ones / sizeof wrong_ones[0]; i++) {
        struct line_pattern *pattern;
        char wrong[160] = "";
        ck_assert_int_eq(line_pattern_create(wrong_ones[i][0], &pattern, wrong, sizeof wrong),
                         STATUS_INVALID);
        ck_assert_msg(strstr(wrong, wrong_ones[i][1]) != NULL, "%s", wrong);
    }
}
END_TEST

UNIT_MAIN("line_pattern", named_groups_are_fields_in_their_order,
          a_line_that_does_not_match_is_another_and_what_is_no_number_is_bad, looking_is_bounded,
          mistakes_are_told)
