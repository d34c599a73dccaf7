// report: whole reports of a small database, of campaigns and of benchmarks.
#include "tests/unit/common/unit.h"

#include <sqlite3.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/report/report.h"
#include "harness/report/report_benchmark.h"
#include "harness/report/report_query.h"

static char folder[64];

// ---- a database -----------------------------------------------------------------------------

static void run_sql(sqlite3 *database, const char *sql)
{
    char *message = NULL;
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK)
        ck_abort_msg("%s", message);
}

// One trial of square `square`, seen to behave as `words` say, with its centre of mass `margin_m`
// inside.
static void add_trial(sqlite3 *database, int square, int number, const char *motion,
                      const char *words, double margin_m, const char *verdict)
{
    const int id = 100 * square + number;
    char *sql = sqlite3_mprintf(
        "INSERT INTO trial VALUES (%d, %d, %d, 'hubo2', 's', 7, 'virtual', 1, 1, 'ran', '', 14, 1, "
        "0.5, 9,"
        " 'aaaabbbbccccddddaaaabbbbccccdddd', 'aaaabbbbccccddddaaaabbbbccccdddd', NULL, 0, 'now', "
        "NULL, NULL, 1, 'wall', '', '');"
        "INSERT INTO judging VALUES (%d, %d, 0, 1, 'now', %Q);"
        "INSERT INTO verdict VALUES (%d, 'velocity-limit', %Q, 0.25, 'rad/s', 'RKN <worst>', NULL);"
        "INSERT INTO observation VALUES (%d, 0, 'behaviour', NULL, '', %Q, ''),"
        " (%d, 1, 'motion', NULL, '', %Q, ''), (%d, 2, 'fault_s', 6, 's', '', ''),"
        " (%d, 3, 'gait_phase', 0.5, '', '', ''), (%d, 4, 'com_margin_m', %f, 'm', '', ''),"
        " (%d, 5, 'capture_point_margin_m', %f, 'm', '', ''), (%d, 6, 'completed', NULL, '', "
        "'yes', '')",
        id, square, number, id, id, verdict, id, verdict, id, words, id, motion, id, id, id,
        margin_m, id, margin_m, id);
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

static void check_wanted(const char *page, const char *wanted)
{
    if (!strstr(page, wanted))
        ck_abort_msg("missing: %s in:\n%s", wanted, page);
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
    ck_assert_int_eq(report_read_file("harness/store/schema.sql", &schema), STATUS_OK);
    run_sql(database, schema);
    free(schema);
    run_sql(database,
            "INSERT INTO machine VALUES (1, 'CPU <1>', 2, '6.1', 1000, 'none', 'tsc', "
            "'none', 'none', 0);"
            "INSERT INTO build VALUES (1, 'v1', 'gcc', 'glibc', '2.2', '3.40');"
            "INSERT INTO campaign VALUES (1, 'trials', 'small', 'f', 'hubo2', 7, 'virtual', 1, 2, "
            "1, 1, 1, "
            "'now', 'now', 60, 'walking', '', NULL);"
            "INSERT INTO square VALUES (1, 1, 0, 'Hardware', 'Static', 's', 'c', 'No Effect', 1),"
            " (2, 1, 1, 'Hardware', 'Quasi-Static', 's', 'c', 'Sudden Stop in All Joints', 1),"
            " (3, 1, 2, 'Hardware', 'Dynamic', 's', 'c', 'Falls over', 5)");
    add_trial(database, 1, 0, "Static", "No Effect", 0.05, "PASS");
    add_trial(database, 2, 0, "Quasi-Static", "Sudden Stop in Legs", 0.02, "PASS");
    for (int i = 0; i < 2; i++)
        add_trial(database, 3, i, "Dynamic", "Falls over", -0.01, "PASS");
    for (int i = 2; i < 5; i++)
        add_trial(database, 3, i, "Dynamic", "Sudden Stop in All Joints", 0.02, "PASS");
    add_trial(database, 3, 5, "Dynamic", "No Effect", 0.02, "ERROR"); // says nothing
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
        "1 of 3 squares agree with the paper, 1 more when the CoM was outside.\n",
        "Trials: 7 PASS, 0 FAIL, 1 ERROR, 0 SKIP; 1 of 3 squares as expected. Run twice with the "
        "same hash: 8 of 8.\n"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        check_wanted(text, wanted[i]);
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

// ---- since the last time ------------------------------------------------------------------------

// Campaign 2: the trials of campaign 1 again, by another lab.
static void add_next_night(const char *what_changed)
{
    sqlite3 *database;
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    run_sql(
        database,
        "INSERT INTO build VALUES (2, 'v2', 'gcc', 'glibc', '2.2', '3.40');"
        "INSERT INTO campaign SELECT 2, kind, name, file, target, seed, clock_mode, recheck_share,"
        " jobs, walled, 2, 1, '2026-11-24T01:00:00Z', 'now', 60, page, digest, NULL FROM campaign;"
        "INSERT INTO square SELECT square_id + 3, 2, position, row_name, column_name, scenario, "
        "claim,"
        " expected, trials_planned FROM square;"
        "INSERT INTO trial SELECT trial_id + 300, square_id + 3, number, target, scenario,"
        " seed, clock_mode, 2, 1, outcome, reason, simulated_s, wall_s, cpu_s, grants,"
        " history_hash, recheck_hash, NULL, 0, 'now', NULL, NULL, 1, cell, lacks, digest FROM "
        "trial;"
        "INSERT INTO judging SELECT judging_id + 300, trial_id + 300, 0, 2, 'now', verdict FROM "
        "judging;"
        "INSERT INTO verdict SELECT judging_id + 300, oracle, verdict, margin, unit, detail, "
        "broken_s FROM "
        "verdict;"
        "CREATE TEMP TABLE o AS SELECT * FROM observation;"
        "UPDATE o SET judging_id = judging_id + 300; INSERT INTO observation SELECT * FROM o;"
        // A seed of its own for each trial of a square, as campaigns give it.
        "UPDATE trial SET seed = trial_id % 100");
    run_sql(database, what_changed);
    sqlite3_close(database);
}

static void reports_of_next_night(const char *what_changed, const char *const *wanted)
{
    make_database();
    add_next_night(what_changed);
    ck_assert_int_eq(report_write(database_path, "small", report_folder), STATUS_OK);
    char *text = read_output("table1.txt");
    for (; *wanted; wanted++)
        check_wanted(text, *wanted);
    free(text);
}

START_TEST(what_no_trial_measured_is_no_number)
{
    sqlite3 *database;
    make_database();
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    run_sql(database,
            "UPDATE campaign SET page = 'campaign'; DELETE FROM fault;"
            "INSERT INTO observation SELECT judging_id, 7, 'clear_m', NULL, 'm', '', 'no box' "
            "FROM judging;"
            "INSERT INTO observation SELECT judging_id, 8, 'went_m', iif(judging_id < 200, NULL, "
            "2), 'm', '', iif(judging_id < 200, 'it stood', '') FROM judging");
    sqlite3_close(database);
    ck_assert_int_eq(report_write(database_path, "small", report_folder), STATUS_OK);
    char *csv = read_output("observations.csv"), *page = read_output("index.html");
    char *table = read_output("table.txt");
    // A trial is named by its place in its square, not by who finished first.
    ck_assert_int_eq(strncmp(csv, "row,column,trial,seed,name,", 27), 0);
    check_wanted(csv, ",clear_m,,m,,no box");
    check_wanted(csv, ",went_m,2,m,,\n");
    check_wanted(page, "Seen in no trial: clear_m.");
    ck_assert_ptr_null(strstr(page, "<td>clear_m</td>"));
    check_wanted(page, "<b>–</b>"); // the median of none
    check_wanted(table, "What hubo2 did\n");
    free(csv);
    free(page);
    free(table);
}
END_TEST

START_TEST(a_night_that_repeats_the_last_one_says_so)
{
    reports_of_next_night("",
                          (const char *const[]){"of 8 trials: 0 broken, 1 bad as then, 0 fixed, ",
                                                "0 alike with another history, 7 the same bit "
                                                "for bit.\n",
                                                NULL});
}
END_TEST

START_TEST(a_trial_that_failed_overnight_is_broken_and_can_be_run_again)
{
    static const char broken[] =
        "FAIL  Hardware, Dynamic: 2 of 6; trial 601 passed last in campaign 1 of now (lab v1)\n"
        "      velocity-limit: RKN <worst>\n      claim: c Observed: behaviour: ";
    reports_of_next_night(
        "UPDATE judging SET verdict = 'FAIL' WHERE trial_id IN (601, 602);"
        "UPDATE verdict SET verdict = 'FAIL' WHERE judging_id IN (601, 602);",
        (const char *const[]){
            "2 broken, 1 bad as then", broken, "\n      ukemi run --trial 601 --db ",
            "ERROR  Hardware, Dynamic: 1 of 6; trial 605 has never passed\n", NULL});
}
END_TEST

START_TEST(every_kind_of_change_is_counted_once)
{
    reports_of_next_night(
        "UPDATE judging SET verdict = 'PASS' WHERE trial_id = 605;" // was ERROR
        "UPDATE judging SET verdict = 'SKIP' WHERE trial_id = 400;"
        "UPDATE observation SET text = 'No Effect' WHERE judging_id = 500 AND name = 'behaviour';"
        "UPDATE trial SET history_hash = 'bbbbbbbbccccddddaaaabbbbccccdddd' WHERE"
        " trial_id IN (500, 601);"
        "UPDATE trial SET seed = 4711 WHERE trial_id = 604",
        (const char *const[]){
            "of 7 trials of 8: 0 broken, 0 bad as then, 1 fixed, 1 no longer run,\n1 "
            "behaves otherwise, 1 alike with another history, 3 the same",
            "Warning: 1 trial of the time before is not in this campaign.\n", NULL});
    char *page = read_output("index.html");
    static const char *const wanted[] = {
        ">fixed</td>", ">no longer run</td>", ">behaves otherwise</td>",
        "<td>Sudden Stop in Legs</td><td>No Effect</td>", "lab or libraries are not"};
    for (size_t i = 0; i < sizeof wanted / sizeof wanted[0]; i++)
        check_wanted(page, wanted[i]);
    ck_assert_ptr_null(strstr(page, "although lab, libraries"));
    free(page);
}
END_TEST

START_TEST(another_history_of_the_same_lab_is_a_warning)
{
    reports_of_next_night(
        "UPDATE campaign SET build_id = 1; UPDATE trial SET build_id = 1;"
        "UPDATE trial SET history_hash = '' WHERE trial_id = 500",
        (const char *const[]){"Warning: 1 trial has another history although lab", NULL});
}
END_TEST

START_TEST(the_first_campaign_has_no_last_time)
{
    make_database();
    ck_assert_int_eq(report_write(database_path, "small", report_folder), STATUS_OK);
    char *text = read_output("table1.txt"), *page = read_output("index.html");
    ck_assert_ptr_null(strstr(text, "Since"));
    ck_assert_ptr_null(strstr(page, "Since the last time"));
    ck_assert_ptr_nonnull(strstr(text, "trial 305 not run before\n"));
    free(text);
    free(page);
}
END_TEST

START_TEST(a_row_that_is_a_fault_is_no_failed_component)
{
    make_database();
    sqlite3 *database;
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    run_sql(database,
            "UPDATE square SET row_name = 'bus loss', expected = '';"
            "INSERT INTO fault SELECT trial_id, 0, 'bus-loss', 'can0', '', 6, 1, 'e', 0, NULL,"
            " 0, '' FROM trial");
    sqlite3_close(database);
    ck_assert_int_eq(report_write(database_path, "small", report_folder), STATUS_OK);
    char *page = read_output("index.html");
    ck_assert_ptr_nonnull(strstr(page, "<th scope=\"col\">Fault</th>"));
    ck_assert_ptr_nonnull(strstr(page, "id=\"example-bus-loss-dynamic\""));
    ck_assert_ptr_null(strstr(page, "Failed component"));
    ck_assert_ptr_null(strstr(page, ">Paper</th>"));
    free(page);
}
END_TEST

// ---- the page of a benchmark --------------------------------------------------------------------

// Campaign 2: two runs of one setting of two mechanisms; then three of a benchmark that has no page
// of its own.
static void add_benchmarks(void)
{
    setenv("UKEMI_PATH", "tests/bench/channels", 1); // its page
    sqlite3 *database;
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    run_sql(
        database,
        "INSERT INTO campaign SELECT value, 'benchmark', iif(value = 2, 'channels', 'no/page'),"
        " 'f', '', 0, 'wall', 0, 1, 1, 1, 1, 'now', 'now', 1, 'campaign', '', NULL FROM "
        "json_each('[2, "
        "3, 4, 5]');"
        "INSERT INTO square SELECT 10 + value, value, 0, iif(value = 2, 'two cores, SCHED_FIFO, 2"
        " readers, 4096 B', '500 Hz'), '', '', '', '', 0 FROM json_each('[2, 3, 4, 5]');");
    run_sql(database,
            "INSERT INTO trial SELECT 1000 + value, 10 + max(value, 2), value = 1, '', '', 0,"
            " 'wall', 1, 1, 'ran', '', 0, 1, 1, 0, '', NULL, NULL, 0, 'now', NULL, NULL, 1, "
            "'wall', '', ''"
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

static unsigned count_of(const char *text, const char *word)
{
    unsigned count = 0;
    for (const char *at = text; (at = strstr(at, word)) != NULL; at++)
        count++;
    return count;
}

START_TEST(plots_of_channels_shade_ours_and_nobody_else)
{
    make_database();
    add_benchmarks();
    sqlite3 *database;
    ck_assert_int_eq(sqlite3_open(database_path, &database), SQLITE_OK);
    for (const char *const *name = (const char *const[]){"futex", "ukemi", "pipe", "iceoryx", NULL};
         *name != NULL; name++) {
        char sql[256];
        snprintf(sql, sizeof sql,
                 "INSERT OR REPLACE INTO figure VALUES (1001, '%s median', 'us', 'less', 9),"
                 " (1001, '%s p99', 'us', 'less', 9), (1001, '%s per futex', 'ratio', 'less', 2)",
                 *name, *name, *name);
        run_sql(database, sql);
    }
    sqlite3_close(database);
    struct report_benchmark found;
    ck_assert_int_eq(report_benchmark_find(database_path, "channels", &found), STATUS_OK);
    ck_assert_int_eq(report_benchmark_write(database_path, &found, report_folder), STATUS_OK);
    for (const char *const *plot =
             (const char *const[]){"channels_ratio.svg", "channels_time.svg", NULL};
         *plot != NULL; plot++) {
        char *drawn = read_output(*plot);
        ck_assert_uint_eq(count_of(drawn, "fill-opacity = '0.130000'"), 1); // one panel
        free(drawn);
    }
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

UNIT_MAIN("report_pages", table_1_counts_behaviours_and_compares_with_the_paper,
          the_page_is_complete_without_gnuplot, what_no_trial_measured_is_no_number,
          a_night_that_repeats_the_last_one_says_so,
          a_trial_that_failed_overnight_is_broken_and_can_be_run_again,
          every_kind_of_change_is_counted_once, another_history_of_the_same_lab_is_a_warning,
          the_first_campaign_has_no_last_time, a_row_that_is_a_fault_is_no_failed_component,
          a_benchmark_has_the_page_of_its_name, plots_of_channels_shade_ours_and_nobody_else,
          any_other_benchmark_has_a_page_of_figures, what_is_no_benchmark_is_not_written,
          a_missing_database_or_campaign_is_not_found)
