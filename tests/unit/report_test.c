// report: intervals, escaping, the template language, and whole reports of a small database.
#include "unit.h"

#include <math.h>
#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/report.h"
#include "harness/report_benchmark.h"
#include "harness/report_escape.h"
#include "harness/report_query.h"
#include "harness/report_template.h"
#include "harness/statistics.h"

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
    escapes_to(REPORT_MARKDOWN, "a|b*<", "a\\|b\\*&lt;");
    escapes_to(REPORT_TEXT, "<a|b>", "<a|b>");
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
    struct report_renderer renderer = {.folder = folder, .file = "test", .format = format};
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

START_TEST(a_file_is_taken_in_as_it_is)
{
    make_queries();
    renders_to("[{{<none.sql}}]", "[SELECT 1 AS n WHERE 0]");
}
END_TEST

START_TEST(a_wrong_template_is_refused)
{
    static const char *const wrong[] = {"{{nothing}}",
                                        "{{#two}}",
                                        "{{/two}}",
                                        "{{#wrong}}{{/wrong}}",
                                        "{{#absent}}{{/absent}}",
                                        "{{<absent.css}}",
                                        "{{<../two.sql}}"};
    make_queries();
    for (size_t i = 0; i < sizeof wrong / sizeof wrong[0]; i++) {
        char *got;
        ck_assert_int_eq(render(wrong[i], REPORT_TEXT, &got), STATUS_INVALID);
        free(got);
    }
}
END_TEST

// ---- a whole report -----------------------------------------------------------------------------

static void run_sql(sqlite3 *database, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK)
        ck_abort_msg("%s", message);
}

// One trial of cell `cell`, seen to behave like `behaviour` with its centre of mass `margin_m`
// inside.
static void add_trial(sqlite3 *database, int cell, int number, const char *motion,
                      const char *behaviour, const char *words, double margin_m,
                      const char *verdict)
{
    const int id = 100 * cell + number;
    char *sql = sqlite3_mprintf(
        "INSERT INTO trial VALUES (%d, %d, %d, 'hubo2', 's', 7, 'virtual', 1, 1, 'ran', '', 14, 1, "
        "0.5, 9,"
        " 'aaaabbbbccccddddaaaabbbbccccdddd', 'aaaabbbbccccddddaaaabbbbccccdddd', NULL, 0, 'now');"
        "INSERT INTO judging VALUES (%d, %d, 0, 1, 'now', %Q);"
        "INSERT INTO verdict VALUES (%d, 'velocity-limit', %Q, 0.25, 'rad/s', 'RKN <worst>');"
        "INSERT INTO observation VALUES (%d, %Q, %Q, '', %Q, 6, 0.5, %f, %f, 0, NULL, NULL, NULL, "
        "NULL, NULL, NULL, NULL, 1)",
        id, cell, number, id, id, verdict, id, verdict, id, motion, behaviour, words, margin_m,
        margin_m);
    run_sql(database, sql);
    sqlite3_free(sql);
}

static char *read_output(const char *name)
{
    char path[256], *text;
    snprintf(path, sizeof path, "%s/report/%s", folder, name);
    ck_assert_int_eq(report_read_file(path, &text), STATUS_OK);
    return text;
}

static char database_path[256], report_folder[256];

static void make_database(void)
{
    sqlite3 *database;
    char *schema;
    make_folder(folder, sizeof folder);
    snprintf(database_path, sizeof database_path, "%s/results.sqlite", folder);
    snprintf(report_folder, sizeof report_folder, "%s/report", folder);
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    ck_assert_int_eq(report_read_file("harness/schema.sql", &schema), STATUS_OK);
    run_sql(database, schema);
    free(schema);
    run_sql(database,
            "INSERT INTO machine VALUES (1, 'CPU <1>', 2, '6.1', 1000, 'none', 'tsc', "
            "'none', 'none', 0);"
            "INSERT INTO build VALUES (1, 'v1', 'gcc', 'glibc', '2.2', '3.40');"
            "INSERT INTO campaign VALUES (1, 'trials', 'small', 'f', 'hubo2', 7, 'virtual', 1, 2, "
            "1, 1, "
            "'now', 'now', 60);"
            "INSERT INTO cell VALUES (1, 1, 0, 'Hardware', 'Static', 's', 'c', 'No Effect', 1),"
            " (2, 1, 1, 'Hardware', 'Quasi-Static', 's', 'c', 'Sudden Stop in All Joints', 1),"
            " (3, 1, 2, 'Hardware', 'Dynamic', 's', 'c', 'Falls over', 5)");
    add_trial(database, 1, 0, "Static", "no-effect", "No Effect", 0.05, "PASS");
    add_trial(database, 2, 0, "Quasi-Static", "sudden-stop", "Sudden Stop in Legs", 0.02, "PASS");
    for (int i = 0; i < 2; i++)
        add_trial(database, 3, i, "Dynamic", "falls-over", "Falls over", -0.01, "PASS");
    for (int i = 2; i < 5; i++)
        add_trial(database, 3, i, "Dynamic", "sudden-stop", "Sudden Stop in All Joints", 0.02,
                  "PASS");
    add_trial(database, 3, 5, "Dynamic", "no-effect", "No Effect", 0.02, "ERROR"); // says nothing
    sqlite3_close(database);
}

START_TEST(table_1_counts_behaviours_and_compares_with_the_paper)
{
    make_database();
    ck_assert_int_eq(report_write(database_path, "small", report_folder), STATUS_OK);
    char *text = read_output("table1.txt");
    static const char *const wanted[] = {
        "Hardware            No Effect                     Sudden Stop in Legs           Sudden "
        "Stop in "
        "All Joints\n",
        "                    1/1  [21, 100] %              1/1  [21, 100] %              3/5  [23, "
        "88] %\n",
        "                    \xE2\x9C\x93 No Effect                   \xE2\x9C\x97 Sudden Stop in "
        "All "
        "Joints   2/5 Falls over\n",
        "\xE2\x97\x90 Falls over\n",
        "2/2  fell, CoM outside\n",
        "1 of 3 cells agree with the paper, 1 more when the CoM was outside.\n",
        "Trials: 7 PASS, 0 FAIL, 1 ERROR, 0 SKIP. Run twice with the same hash: 8 of 8.\n"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        if (!strstr(text, wanted[i]))
            ck_abort_msg("missing: %s in:\n%s", wanted[i], text);
    free(text);
    text = read_output("table1.csv");
    ck_assert_ptr_nonnull(
        strstr(text, "Hardware,Dynamic,Falls over,2,5,0.1176,0.7693,Falls over,1,outside,2,2,2\n"));
    free(text);
}
END_TEST

START_TEST(the_page_is_complete_without_gnuplot)
{
    make_database();
    setenv("PATH", "/nonexistent", 1);
    ck_assert_int_eq(report_write(database_path, NULL, report_folder), STATUS_OK);
    char *page = read_output("index.html");
    ck_assert_ptr_nonnull(strstr(page, "gnuplot is not installed"));
    ck_assert_ptr_nonnull(strstr(page, "CPU &lt;1&gt;"));
    ck_assert_ptr_nonnull(strstr(page, "RKN &lt;worst&gt;"));
    ck_assert_ptr_nonnull(strstr(page, "3 of 5 trials did not fall"));
    ck_assert_ptr_nonnull(strstr(page, "</html>"));
    ck_assert_ptr_null(strstr(page, "{{"));
    free(page);
    char path[300];
    snprintf(path, sizeof path, "%s/interference.html", report_folder);
    ck_assert_msg(access(path, F_OK) != 0, "a campaign has a benchmark's page");
}
END_TEST

// ---- the page of a benchmark --------------------------------------------------------------------

static void check_wanted(const char *page, const char *wanted)
{
    if (!strstr(page, wanted))
        ck_abort_msg("missing: %s in:\n%s", wanted, page);
}

// Campaign 2: two runs of one setting of two mechanisms; then three of a benchmark that has no page of its own.
static void add_benchmarks(void)
{
    sqlite3 *database;
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    run_sql(database,
            "INSERT INTO campaign SELECT value, 'benchmark', iif(value = 2, 'channels', 'no/page'),"
            " 'f', '', 0, 'wall', 0, 1, 1, 1, 'now', 'now', 1 FROM json_each('[2, 3, 4, 5]');"
            "INSERT INTO cell SELECT 10 + value, value, 0, iif(value = 2, 'two cores, SCHED_FIFO, 2"
            " readers, 4096 B', '500 Hz'), '', '', '', '', 0 FROM json_each('[2, 3, 4, 5]');");
    run_sql(database,
            "INSERT INTO trial SELECT 1000 + value, 10 + max(value, 2), value = 1, '', '', 0,"
            " 'wall', 1, 1, 'ran', '', 0, 1, 1, 0, '', NULL, NULL, 0, 'now'"
            " FROM json_each('[1, 2, 3, 4, 5]');"
            "INSERT INTO figure SELECT 1000 + value, 'loop p99', 'us', 'less', 2 + value"
            " FROM json_each('[3, 4, 5]');"
            "INSERT INTO figure VALUES (1002, 'futex median', 'us', 'less', 20),"
            " (1002, 'ukemi median', 'us', 'less', 24), (1002, 'ukemi p99', 'us', 'less', 31),"
            " (1002, 'ukemi per futex', 'ratio', 'less', 1.2),"
            " (1001, 'ukemi median', 'us', 'less', 22),"
            " (1001, 'ukemi per futex', 'ratio', 'less', 1.0)");
    sqlite3_close(database);
}

START_TEST(a_benchmark_has_the_page_of_its_name)
{
    make_database();
    add_benchmarks();
    setenv("PATH", "/nonexistent", 1);
    struct report_benchmark found;
    ck_assert_int_eq(report_benchmark_find(database_path, "channels", &found), STATUS_OK);
    ck_assert_int_eq(found.campaign_id, 2);
    ck_assert_int_eq(report_benchmark_write(database_path, &found, report_folder), STATUS_OK);
    char *page = read_output("channels.html");
    check_wanted(page, "<summary>two cores, SCHED_FIFO, 2 readers</summary>");
    check_wanted(page, "4096 B: median");
    check_wanted(page, "<th scope=\"row\">ukemi</th><td class=\"number\">23.0</td>"
                       "<td class=\"number\">31.0</td>"
                       "<td class=\"number\"><b>1.10</b> [1.00, 1.20]</td>");
    check_wanted(page, "<th scope=\"row\">futex</th><td class=\"number\">20.0</td>");
    ck_assert_ptr_null(strstr(page, "{{"));
    free(page);
}
END_TEST

START_TEST(any_other_benchmark_has_a_page_of_figures)
{
    make_database();
    add_benchmarks();
    struct report_benchmark found;
    ck_assert_int_eq(report_benchmark_find(database_path, "no/page", &found), STATUS_OK);
    ck_assert_int_eq(report_benchmark_write(database_path, &found, report_folder), STATUS_OK);
    ck_assert_str_eq(found.page, "benchmark.html");
    char *page = read_output("benchmark.html");
    check_wanted(page, "<summary>500 Hz</summary>");
    check_wanted(page, "<th scope=\"row\">loop p99</th><td>us</td>"
                       "<td class=\"number\"><b>7</b></td><td class=\"number\">7</td>"
                       "<td class=\"number\">7</td><td class=\"number\">1</td>"
                       "<td>5 \xC2\xB7 6</td>");
    free(page);
}
END_TEST

START_TEST(what_is_no_benchmark_is_not_written)
{
    make_database();
    add_benchmarks();
    struct report_benchmark found;
    ck_assert_int_eq(report_benchmark_find(database_path, "small", &found), STATUS_EMPTY);
    ck_assert_int_eq(report_benchmark_find(database_path, "7", &found), STATUS_EMPTY);
    found = (struct report_benchmark){.name = "interference"};
    ck_assert_int_eq(report_benchmark_write(database_path, &found, report_folder),
                     STATUS_NOT_FOUND);
}
END_TEST

START_TEST(a_missing_database_or_campaign_is_not_found)
{
    make_database();
    ck_assert_int_eq(report_write("/nonexistent/results.sqlite", NULL, report_folder),
                     STATUS_NOT_FOUND);
    ck_assert_int_eq(report_write(database_path, "other", report_folder), STATUS_NOT_FOUND);
}
END_TEST

UNIT_MAIN("report", wilson_intervals_have_their_known_values, without_trials_nothing_is_known,
          the_median_of_an_even_count_is_between_the_middle_two,
          every_format_shows_special_characters_as_themselves,
          width_counts_characters_and_not_bytes, a_section_repeats_for_every_row_and_escapes_values,
          rows_around_a_query_are_its_parameters, values_are_conditions_and_can_be_padded,
          a_section_alone_on_its_line_leaves_no_line, a_file_is_taken_in_as_it_is,
          a_wrong_template_is_refused, table_1_counts_behaviours_and_compares_with_the_paper,
          the_page_is_complete_without_gnuplot, a_benchmark_has_the_page_of_its_name,
          any_other_benchmark_has_a_page_of_figures, what_is_no_benchmark_is_not_written,
          a_missing_database_or_campaign_is_not_found)
