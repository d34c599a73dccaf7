// report: intervals, escaping and the template language.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>

#include "harness/history/histogram_code.h"
#include "harness/report/report_escape.h"
#include "harness/report/report_query.h"
#include "harness/report/report_template.h"
#include "harness/store/benchmark/statistics.h"

// ---- numbers ------------------------------------------------------------------------------------

START_TEST(wilson_intervals_have_their_known_values)
{
    // R: binom::binom.confint(x, n, methods = "wilson")
    static const struct {
        double count, total, low, high;
    } known[] = {{5, 5, 0.565518, 1},
                 {0, 10, 0, 0.277533},
                 {1, 10, 0.017876, 0.404150},
                 {10, 20, 0.299298, 0.700702},
                 {20, 20, 0.838875, 1}};
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        struct interval interval = wilson_interval(known[i].count, known[i].total);
        ck_assert_double_eq_tol(interval.low, known[i].low, 1e-5);
        ck_assert_double_eq_tol(interval.high, known[i].high, 1e-5);
    }
}
END_TEST

START_TEST(without_trials_nothing_is_known)
{
    struct interval interval = wilson_interval(0, 0);
    ck_assert_double_eq(interval.low, 0);
    ck_assert_double_eq(interval.high, 1);
}
END_TEST

START_TEST(the_median_of_an_even_count_is_between_the_middle_two)
{
    double even[] = {4, 1, 3, 2}, odd[] = {9, -1, 3};
    ck_assert_double_eq(median(even, 4), 2.5);
    ck_assert_double_eq(median(odd, 3), 3);
    ck_assert(isnan(median(NULL, 0)));
}
END_TEST

// ---- histograms in SQL --------------------------------------------------------------------------

// Binds the histogram of the values from..to, in microseconds, as stored.
static void bind_values(sqlite3_stmt *query, int index, int from, int to)
{
    static struct histogram h;
    static uint8_t bytes[HISTOGRAM_CODE_MAX_B];
    histogram_reset(&h);
    for (int us = from; us <= to; us++)
        histogram_record(&h, us * INT64_C(1000));
    sqlite3_bind_blob64(query, index, bytes, histogram_encode(&h, bytes), SQLITE_TRANSIENT);
}

START_TEST(histograms_of_several_runs_are_one)
{
    sqlite3 *database;
    sqlite3_stmt *query;
    ck_assert_int_eq(sqlite3_open(":memory:", &database), SQLITE_OK);
    ck_assert_int_eq(report_functions_add(database), STATUS_OK);
    ck_assert_int_eq(
        sqlite3_prepare_v2(database,
                           "SELECT histogram_quantile(h, 0.5), histogram_quantile(h, 1),"
                           " histogram_share(h, 1, 26), histogram_quantile('none', 0.5),"
                           " (SELECT histogram_sum(?1) WHERE 0) FROM (SELECT histogram_sum(b) AS h"
                           " FROM (SELECT ?1 AS b UNION ALL SELECT ?2))",
                           -1, &query, NULL),
        SQLITE_OK);
    bind_values(query, 1, 1, 10);
    bind_values(query, 2, 11, 100);
    ck_assert_int_eq(sqlite3_step(query), SQLITE_ROW);
    ck_assert_double_eq_tol(sqlite3_column_double(query, 0), 50, 0.05);
    ck_assert_double_eq_tol(sqlite3_column_double(query, 1), 100, 0.1);
    ck_assert_double_eq_tol(sqlite3_column_double(query, 2), 0.25, 0.011);
    ck_assert_int_eq(sqlite3_column_type(query, 3), SQLITE_NULL);
    ck_assert_int_eq(sqlite3_column_type(query, 4), SQLITE_NULL);
    sqlite3_finalize(query);
    sqlite3_close(database);
}
END_TEST

// ---- escaping -----------------------------------------------------------------------------------

static void escapes_to(enum report_format format, const char *text, const char *wanted)
{
    char *got = NULL;
    size_t size;
    FILE *out = open_memstream(&got, &size);
    report_escape(out, format, text);
    ck_assert_int_eq(fclose(out), 0);
    ck_assert_str_eq(got, wanted);
    free(got);
}

START_TEST(every_format_shows_special_characters_as_themselves)
{
    escapes_to(REPORT_HTML, "<b> & \"it's\"", "&lt;b&gt; &amp; &quot;it&#39;s&quot;");
    escapes_to(REPORT_LATEX, "50 % of a_b {x} \\ $",
               "50 \\% of a\\_b \\{x\\} \\textbackslash{} \\$");
    escapes_to(REPORT_CSV, "plain", "plain");
    escapes_to(REPORT_CSV, "a,\"b\"", "\"a,\"\"b\"\"\"");
    escapes_to(REPORT_CSV, "=cmd|' /C calc'!A0", "'=cmd|' /C calc'!A0");
    escapes_to(REPORT_CSV, "@SUM(1,2)", "\"'@SUM(1,2)\"");
    escapes_to(REPORT_MARKDOWN, "a|b*<", "a\\|b\\*&lt;");
    escapes_to(REPORT_TEXT, "<a|b>", "<a|b>");
    escapes_to(REPORT_TEXT, "a\x1b]0;b\x7f\n\xE2\x9C\x93", "a?]0;b? \xE2\x9C\x93");
}
END_TEST

START_TEST(width_counts_characters_and_not_bytes)
{
    ck_assert_int_eq(report_width("abc"), 3);
    ck_assert_int_eq(report_width("\xE2\x9C\x93 ok"), 4);
}
END_TEST

// ---- template language --------------------------------------------------------------------------

static char folder[64];

static void write_text(const char *name, const char *text)
{
    char path[256];
    snprintf(path, sizeof path, "%s/%s", folder, name);
    FILE *file = fopen(path, "w");
    ck_assert_ptr_nonnull(file);
    fputs(text, file);
    ck_assert_int_eq(fclose(file), 0);
}

static enum status render(const char *text, enum report_format format, char **result)
{
    struct report_files files = {.common = "reports/common"};
    snprintf(files.page, sizeof files.page, "%s", folder);
    struct report_renderer renderer = {.files = &files, .file = "test", .format = format};
    size_t size;
    ck_assert_int_eq(sqlite3_open(":memory:", &renderer.database), SQLITE_OK);
    ck_assert_int_eq(report_functions_add(renderer.database), STATUS_OK);
    renderer.out = open_memstream(result, &size);
    enum status status = report_render(&renderer, text, NULL);
    ck_assert_int_eq(fclose(renderer.out), 0);
    sqlite3_close(renderer.database);
    return status;
}

static void renders_to(const char *text, const char *wanted)
{
    char *got;
    ck_assert_int_eq(render(text, REPORT_HTML, &got), STATUS_OK);
    ck_assert_str_eq(got, wanted);
    free(got);
}

static void make_queries(void)
{
    make_folder(folder, sizeof folder);
    write_text("two.sql", "SELECT 'a<' AS name, 1 AS n UNION ALL SELECT 'b', NULL");
    write_text("none.sql", "SELECT 1 AS n WHERE 0");
    write_text("of.sql", "SELECT :name || '!' AS loud");
    write_text("wrong.sql", "SELECT FROM");
}

START_TEST(a_section_repeats_for_every_row_and_escapes_values)
{
    make_queries();
    renders_to("{{#two}}{{name}}={{n}};{{/two}}", "a&lt;=1;b=;");
    renders_to("{{#two}}{{&name}}{{/two}}", "a<b");
    renders_to("x{{^none}} empty{{/none}}{{#none}}never{{/none}}", "x empty");
}
END_TEST

START_TEST(rows_around_a_query_are_its_parameters)
{
    make_queries();
    renders_to("{{#two}}{{#of}}{{&loud}} {{/of}}{{/two}}", "a<! b! ");
}
END_TEST

START_TEST(values_are_conditions_and_can_be_padded)
{
    make_queries();
    renders_to("{{#two}}{{#n}}has {{n}}{{/n}}{{^n}}lacks{{/n}};{{/two}}", "has 1;lacks;");
    renders_to("{{#two}}[{{&name|4}}|{{&name|-4}}]{{/two}}", "[a<  |  a<][b   |   b]");
    renders_to("{{#two}}{{{&name}}}{{/two}}", "{a<}{b}");
}
END_TEST

START_TEST(a_section_alone_on_its_line_leaves_no_line)
{
    make_queries();
    renders_to("start\n{{#two}}\n- {{n}}\n{{/two}}\nend\n", "start\n- 1\n- \nend\n");
}
END_TEST

START_TEST(a_file_is_taken_in_and_filled_but_css_is_not)
{
    make_queries();
    renders_to("[{{<none.sql}}]", "[SELECT 1 AS n WHERE 0]");
    write_text("part.html", "{{n}},\n");
    renders_to("{{#two}}\n{{<part.html}}\n{{/two}}\n", "1,\n,\n");
    write_text("plain.css", "{{n}}");
    renders_to("{{<plain.css}}", "{{n}}");
}
END_TEST

START_TEST(a_wrong_template_is_refused)
{
    static const struct {
        const char *text, *words; // what is said holds them all, in this order
    } wrong[] = {
        {"{{nothing}}", "/test:1: {{nothing}}: no such column in reach; name one"},
        {"{{#two}}{{nmae}}{{/two}}", "{{nmae}}: no such column in reach (did you mean name?)"},
        {"{{#two}}", "/test:1: "},
        {"{{/two}}", "/test:1: "},
        {"{{#wrong}}{{/wrong}}", "{{#wrong}}: its query cannot be run; see above"},
        {"\n{{#absent}}{{/absent}}", "/test:2: {{#absent}}: no column absent in reach, and no "
                                     "query absent.sql in "},
        {"{{<absent.css}}", "absent.css"},
        {"{{<../two.sql}}", "../two.sql"},
        {"{{<round.html}}", "round.html"}};
    make_queries();
    write_text("round.html", "{{<round.html}}");
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *got, *said, path[256];
        snprintf(path, sizeof path, "%s/errors", folder);
        ck_assert_ptr_nonnull(freopen(path, "w", stderr));
        ck_assert_int_eq(render(wrong[i].text, REPORT_TEXT, &got), STATUS_INVALID);
        free(got);
        fflush(stderr);
        ck_assert_int_eq(report_read_file(path, &said), STATUS_OK);
        ck_assert_msg(strstr(said, wrong[i].words) != NULL, "want '%s' in: %s", wrong[i].words,
                      said);
        free(said);
    }
}
END_TEST

START_TEST(a_file_that_cannot_be_read_is_told_with_its_reason)
{
    static const struct {
        enum status status;
        const char *words;
    } told[] = {{STATUS_NOT_FOUND, "/x.sql: there is no such file; correct the page"},
                {STATUS_TOO_LARGE, "/x.sql: larger than 256 MB"},
                {STATUS_SYSTEM, "/x.sql: cannot be read: "}};
    make_queries();
    for (size_t i = 0; i < sizeof told / sizeof told[0]; i++) {
        char *said, path[256];
        snprintf(path, sizeof path, "%s/errors", folder);
        ck_assert_ptr_nonnull(freopen(path, "w", stderr));
        report_say_unread("/x.sql", told[i].status);
        fflush(stderr);
        ck_assert_int_eq(report_read_file(path, &said), STATUS_OK);
        ck_assert_msg(strstr(said, told[i].words) != NULL, "want '%s' in: %s", told[i].words, said);
        free(said);
    }
}
END_TEST

UNIT_MAIN("report", wilson_intervals_have_their_known_values, without_trials_nothing_is_known,
          the_median_of_an_even_count_is_between_the_middle_two, histograms_of_several_runs_are_one,
          every_format_shows_special_characters_as_themselves,
          width_counts_characters_and_not_bytes, a_section_repeats_for_every_row_and_escapes_values,
          rows_around_a_query_are_its_parameters, values_are_conditions_and_can_be_padded,
          a_section_alone_on_its_line_leaves_no_line, a_file_is_taken_in_and_filled_but_css_is_not,
          a_wrong_template_is_refused, a_file_that_cannot_be_read_is_told_with_its_reason)
