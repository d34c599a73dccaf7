// harness/benchmark: runs in the database, whole or not at all, and their histograms read back.
#include "tests/unit/common/unit.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/text.h"
#include "harness/files/scenario.h"
#include "harness/store/benchmark/benchmark.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/benchmark/compare_read.h"
#include "harness/store/database_private.h"

static char folder[64], path[80];
static struct database *database;
#define SECOND_NS 1000000000

static struct histogram h, corrected;
static int64_t campaign_id;

static void start(void)
{
    make_folder(folder, sizeof folder);
    snprintf(path, sizeof path, "%s/r.db", folder);
    ck_assert_int_eq(database_open(path, DATABASE_WRITE, &database), STATUS_OK);
    ck_assert_int_eq(benchmark_start(database, "latency", "a test", "hubo2", &campaign_id),
                     STATUS_OK);
}

static void end(void)
{
    database_close(database);
    unlink(path);
    ck_assert_int_eq(rmdir(folder), 0); // nothing else is left
}

static bool take_text(void *context, int columns, const char *const *name, const char *const *value)
{
    (void)name;
    char *text = context;
    for (int i = 0; i < columns; i++)
        snprintf(text + strlen(text), 512 - strlen(text), "%s%s", i == 0 ? "" : "|",
                 value[i] == NULL ? "NULL" : value[i]);
    text_copy(text + strlen(text), 512 - strlen(text), "\n");
    return true;
}

static void check(const char *sql, const char *wanted)
{
    char text[512] = "";
    ck_assert_int_eq(database_query(database, sql, campaign_id, take_text, text), STATUS_OK);
    ck_assert_str_eq(text, wanted);
}

static const struct figure figures[] = {{"end to end p99", "us", BETTER_LESS, 812.5},
                                        {"missed", "periods", BETTER_NEITHER, 0}};

static struct benchmark_run run_of(const char *square, unsigned number)
{
    return (struct benchmark_run){.square = square,
                                  .scenario = "",
                                  .number = number,
                                  .wall_s = 2,
                                  .figure = figures,
                                  .figure_count = 2};
}

START_TEST(runs_are_trials_of_the_cell_of_their_configuration)
{
    start();
    for (unsigned n = 0; n < 2; n++) {
        const struct benchmark_run runs[] = {run_of("100 Hz", n), run_of("200 Hz", n)};
        ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_OK);
    }
    check("SELECT position, row_name, trials_planned FROM square WHERE campaign_id = ?1",
          "0|100 Hz|2\n1|200 Hz|2\n");
    check("SELECT campaign, square, run, metric, unit, better, value FROM figure_view WHERE"
          " campaign_id = ?1 AND run = 1 ORDER BY square, metric",
          "latency|100 Hz|1|end to end p99|us|less|812.5\n"
          "latency|100 Hz|1|missed|periods||0.0\n"
          "latency|200 Hz|1|end to end p99|us|less|812.5\n"
          "latency|200 Hz|1|missed|periods||0.0\n");
    check("SELECT kind, name, target, clock_mode FROM campaign", "benchmark|latency|hubo2|wall\n");
    end();
}
END_TEST

static void make_history(const char *name)
{
    char file[160];
    snprintf(file, sizeof file, "%s/r.db-histories/%s", folder, name);
    FILE *out = fopen(file, "w");
    ck_assert(out != NULL && fclose(out) == 0);
}

// Whether the history is there; removes it.
static bool remove_history(const char *name)
{
    char file[160];
    snprintf(file, sizeof file, "%s/r.db-histories/%s", folder, name);
    return unlink(file) == 0;
}

static void start_another(int64_t *another)
{
    struct database *next;
    ck_assert_int_eq(database_open(path, DATABASE_WRITE, &next), STATUS_OK);
    ck_assert_int_eq(benchmark_start(next, "latency", "a test", "hubo2", another), STATUS_OK);
    database_close(next);
}

START_TEST(the_next_benchmark_removes_what_an_interrupted_one_left)
{
    const struct benchmark_run first = run_of("100 Hz", 0);
    char histories[96];
    int64_t empty, next;
    start();
    snprintf(histories, sizeof histories, "%s/r.db-histories", folder);
    ck_assert_int_eq(mkdir(histories, 0777), 0);
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, &first, 1), STATUS_OK);
    make_history("1-0-1.mcap"); // of a run that was not stored
    make_history("9-0-0.mcap"); // of another database's campaign
    start_another(&empty);
    ck_assert_int_eq(empty, 2);
    make_history("2-0-0.mcap");
    start_another(&next);
    ck_assert_int_eq(next, 2); // the empty one is gone, and its number is free again
    ck_assert(!remove_history("2-0-0.mcap"));
    ck_assert(remove_history("1-0-1.mcap")); // that one is being measured
    make_history("1-0-1.mcap");
    database_close(database);
    start_another(&next);
    ck_assert(!remove_history("1-0-1.mcap"));
    ck_assert(remove_history("9-0-0.mcap"));
    ck_assert_int_eq(database_open(path, DATABASE_WRITE, &database), STATUS_OK);
    check("SELECT campaign_id, finished_utc, (SELECT count(*) FROM figure_view AS f WHERE"
          " f.campaign_id = c.campaign_id) FROM campaign AS c",
          "1|NULL|2\n2|NULL|0\n");
    ck_assert_int_eq(rmdir(histories), 0);
    end();
}
END_TEST

START_TEST(a_benchmark_without_runs_is_never_finished)
{
    const struct benchmark_run only = run_of("100 Hz", 0);
    start();
    ck_assert_int_eq(benchmark_finish(database, campaign_id, 1), STATUS_OK);
    check("SELECT finished_utc IS NULL FROM campaign WHERE campaign_id = ?1", "1\n");
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, &only, 1), STATUS_OK);
    ck_assert_int_eq(benchmark_finish(database, campaign_id, 1), STATUS_OK);
    check("SELECT finished_utc IS NULL, wall_s FROM campaign WHERE campaign_id = ?1", "0|1.0\n");
    end();
}
END_TEST

START_TEST(a_run_is_stored_whole_or_not_at_all)
{
    const struct figure twice[] = {figures[0], figures[0]};
    const struct figure infinite = {"p50", "us", BETTER_LESS, INFINITY};
    struct benchmark_run runs[] = {run_of("a", 0), run_of("b", 0)};
    start();
    runs[1].figure = twice;
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_INVALID);
    runs[1].figure = &infinite;
    runs[1].figure_count = 1;
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_INVALID);
    runs[1] = runs[0]; // the same run again
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_INVALID);
    runs[1] = run_of("", 0);
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_INVALID);
    check("SELECT (SELECT count(*) FROM square), (SELECT count(*) FROM trial),"
          " (SELECT count(*) FROM figure)",
          "0|0|0\n");
    end();
}
END_TEST

static int64_t store_histograms(void)
{
    int64_t trial_id;
    histogram_reset(&h);
    histogram_reset(&corrected);
    for (int64_t i = 0; i < 1000; i++) {
        const int64_t value_ns = i == 999 ? HISTOGRAM_MAX_NS + 5 : 1000 * i;
        histogram_record(&h, value_ns);
        histogram_record(&corrected, value_ns);
        for (int64_t missed_ns = value_ns - SECOND_NS; missed_ns >= SECOND_NS;
             missed_ns -= SECOND_NS)
            histogram_record(&corrected, missed_ns);
    }
    histogram_record(&h, -1);
    const struct benchmark_histogram both[] = {{"end to end", false, &h},
                                               {"end to end", true, &corrected}};
    struct benchmark_run run = run_of("100 Hz", 0);
    run.histogram = both;
    run.histogram_count = 2;
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, &run, 1), STATUS_OK);
    ck_assert_int_eq(
        run_integer(database, statement(database, "SELECT max(trial_id) FROM trial"), &trial_id),
        STATUS_OK);
    return trial_id;
}

START_TEST(histograms_come_back_as_they_were)
{
    struct stored_histogram *list;
    unsigned count;
    start();
    const int64_t trial_id = store_histograms();
    check("SELECT corrected, counts, overflow, negative, min, p50, p99_9, max FROM histogram"
          " ORDER BY corrected",
          "0|1000|1|1|0|499199|998399|137438953476\n"
          "1|1136|1|0|0|567295|136499429375|137438953476\n");
    for (int i = 0; i < 2; i++) {
        const struct histogram *wanted = i == 0 ? &h : &corrected;
        ck_assert_int_eq(
            benchmark_histograms(database, trial_id, i == 0 ? NULL : "end*", i, &list, &count),
            STATUS_OK);
        ck_assert_uint_eq(count, 1);
        ck_assert_str_eq(list->metric, "end to end");
        ck_assert_int_eq(list->corrected, i);
        ck_assert_double_eq_tol(list->histogram.sum_ns / wanted->sum_ns, 1, 1e-12);
        list->histogram.sum_ns = wanted->sum_ns;
        ck_assert_mem_eq(&list->histogram, wanted, sizeof h);
        free(list);
    }
    ck_assert_int_eq(benchmark_histograms(database, trial_id, "other", true, &list, &count),
                     STATUS_NOT_FOUND);
    // Without a corrected one that as measured will do; the other way around it will not.
    ck_assert_int_eq(command(database, "UPDATE histogram SET metric = 'other' WHERE NOT corrected"),
                     STATUS_OK);
    ck_assert_int_eq(benchmark_histograms(database, trial_id, NULL, true, &list, &count),
                     STATUS_OK);
    ck_assert_uint_eq(count, 2);
    ck_assert(list[0].corrected && !list[1].corrected);
    free(list);
    ck_assert_int_eq(benchmark_histograms(database, trial_id, "end*", false, &list, &count),
                     STATUS_NOT_FOUND);
    bool has;
    ck_assert_int_eq(benchmark_has_run(database, trial_id, &has), STATUS_OK);
    ck_assert(has);
    ck_assert_int_eq(benchmark_has_run(database, trial_id + 1, &has), STATUS_OK);
    ck_assert(!has);
    end();
}
END_TEST

START_TEST(a_histogram_that_contradicts_itself_is_refused)
{
    static const char *const spoil[] = {"counts = counts + 1",     "min = max + 1",
                                        "buckets = x'1c849313'",   "overflow = 0",
                                        "buckets = zeroblob(100)", "max = 7"};
    for (size_t i = 0; i < sizeof spoil / sizeof spoil[0]; i++) {
        struct stored_histogram *list;
        unsigned count;
        char sql[128];
        start();
        const int64_t trial_id = store_histograms();
        snprintf(sql, sizeof sql, "UPDATE histogram SET %s", spoil[i]);
        ck_assert_int_eq(command(database, sql), STATUS_OK);
        ck_assert_int_eq(benchmark_histograms(database, trial_id, NULL, true, &list, &count),
                         STATUS_CORRUPT);
        ck_assert_ptr_null(list);
        end();
    }
}
END_TEST

START_TEST(directions_have_names)
{
    enum better better;
    ck_assert(better_parse("less", &better) && better == BETTER_LESS);
    ck_assert(better_parse("more", &better) && better == BETTER_MORE);
    ck_assert(better_parse("", &better) && better == BETTER_NEITHER);
    ck_assert(!better_parse("fewer", &better));
    ck_assert_str_eq(better_name(BETTER_MORE), "more");
}
END_TEST

static struct trial_record bad_record(void)
{
    static const struct oracle_verdict failed = {
        .oracle = "acceleration-limit", .verdict = VERDICT_FAIL, .unit = "rad/s2", .margin = -3};
    struct trial_record record = {.number = 9, // of a trial of its own: the run's counts
                                  .seed = 5,
                                  .mode = CLK_WALL,
                                  .result = {.outcome = TRIAL_RAN, .simulated_s = 3}};
    record.judgement.verdict = VERDICT_FAIL;
    record.judgement.oracle[record.judgement.count++] = failed;
    text_copy(record.history_path, sizeof record.history_path, "r.db-histories/1-0-1.mcap");
    return record;
}

START_TEST(a_run_that_was_bad_has_its_judgement_and_its_history)
{
    static struct scenario scenario = {.name = "walk", .target = "hubo2"};
    const struct trial_record record = bad_record();
    start();
    struct benchmark_run runs[] = {run_of("100 Hz", 0), run_of("100 Hz", 1)};
    runs[0].seed = 4;
    runs[1].bad = &record;
    runs[1].bad_scenario = &scenario;
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_OK);
    check("SELECT number, seed, verdict, history_path, simulated_s FROM trial_view WHERE"
          " campaign_id = ?1",
          "1|5|FAIL|r.db-histories/1-0-1.mcap|3.0\n");
    check("SELECT number, seed, history_path FROM trial JOIN square USING (square_id) WHERE"
          " campaign_id = ?1 AND number = 0",
          "0|4|NULL\n");
    check("SELECT run, count(*) FROM figure_view WHERE campaign_id = ?1 GROUP BY run",
          "0|2\n1|2\n");
    end();
}
END_TEST

START_TEST(the_history_of_a_run_that_is_not_stored_is_removed)
{
    static struct scenario scenario = {.name = "walk", .target = "hubo2"};
    const struct trial_record record = bad_record();
    char histories[80], file[96];
    start();
    snprintf(histories, sizeof histories, "%s/r.db-histories", folder);
    snprintf(file, sizeof file, "%s/1-0-1.mcap", histories);
    ck_assert_int_eq(mkdir(histories, 0777), 0);
    FILE *history = fopen(file, "wx");
    ck_assert_ptr_nonnull(history);
    ck_assert_int_eq(fclose(history), 0);
    struct benchmark_run runs[] = {run_of("100 Hz", 0), run_of("100 Hz", 0)};
    runs[0].bad = &record;
    runs[0].bad_scenario = &scenario;
    ck_assert_int_eq(benchmark_add_runs(database, campaign_id, runs, 2), STATUS_INVALID);
    ck_assert_int_ne(access(file, F_OK), 0);
    ck_assert_int_eq(rmdir(histories), 0);
    end();
}
END_TEST

START_TEST(databases_of_one_folder_share_no_histories)
{
    struct history_place a, b;
    histories_place("f/a.db", 1, 0, 2, &a);
    histories_place("f/b.db", 1, 0, 2, &b);
    ck_assert_str_eq(a.file, "f/a.db-histories/1-0-2.mcap");
    ck_assert_str_eq(a.relative, "a.db-histories/1-0-2.mcap");
    ck_assert_str_eq(b.file, "f/b.db-histories/1-0-2.mcap");
}
END_TEST

START_TEST(histories_of_earlier_releases_are_found)
{
    char file[96];
    start();
    snprintf(file, sizeof file, "%s/1-0-0.mcap", folder); // relative to the database's folder
    FILE *history = fopen(file, "w");
    ck_assert_ptr_nonnull(history);
    ck_assert_int_eq(fclose(history), 0);
    histories_remove(path, "1-0-0.mcap");
    ck_assert_int_ne(access(file, F_OK), 0);
    end();
}
END_TEST

// ---- squares together ---------------------------------------------------------------------------

static void add_value(int64_t campaign, const char *square, unsigned number, const char *metric,
                      double value)
{
    struct figure figure = {.unit = "us", .better = BETTER_LESS, .value = value};
    text_copy(figure.metric, sizeof figure.metric, metric);
    const struct benchmark_run run = {
        .square = square, .scenario = "", .number = number, .figure = &figure, .figure_count = 1};
    ck_assert_int_eq(benchmark_add_runs(database, campaign, &run, 1), STATUS_OK);
}

static void add_values(int64_t campaign, const char *square, unsigned from, const char *metric,
                       unsigned count, const double *value)
{
    for (unsigned i = 0; i < count; i++)
        add_value(campaign, square, from + i, metric, value[i]);
}

START_TEST(cells_together_are_geometric_means_of_the_runs_that_all_have)
{
    start();
    int64_t after;
    struct compare_data data;
    ck_assert_int_eq(benchmark_start(database, "after", "a test", "", &after), STATUS_OK);
    const struct compare_campaign a = {.campaign_id = campaign_id}, b = {.campaign_id = after};
    const struct compare_choice choice = {.together = true};
    add_values(campaign_id, "x", 0, "p99", 3, (double[]){2, 3, 4});
    add_values(after, "x", 0, "p99", 2, (double[]){9, 1});
    add_values(campaign_id, "y", 1, "p99", 2, (double[]){12, 9}); // has no run 0
    add_values(after, "y", 0, "p99", 2, (double[]){16, 1});
    add_value(campaign_id, "x", 8, "missed", 0);
    add_value(after, "x", 8, "missed", 1);
    add_value(campaign_id, "z", 0, "rate", 5);
    add_value(after, "z", 0, "rate", 7);
    add_value(campaign_id, "z", 9, "gone", 5); // is on one side only
    ck_assert_int_eq(compare_read(database, &a, 1, &b, &choice, &data), STATUS_OK);
    ck_assert_uint_eq(data.count, 2);
    ck_assert_uint_eq(data.not_positive, 1);
    ck_assert_uint_eq(data.only_a, 1);
    const struct comparison *c = &data.list[0];
    ck_assert_str_eq(c->metric, "p99");
    ck_assert_str_eq(c->square, "all squares, geometric means of 2");
    ck_assert_uint_eq(c->a_count, 2);
    ck_assert_uint_eq(c->a[0].run, 1);
    ck_assert_double_eq_tol(c->a[0].value, 6, 1e-12);
    ck_assert_double_eq_tol(c->a[1].value, 6, 1e-12);
    ck_assert_uint_eq(c->b_count, 2);
    ck_assert_double_eq_tol(c->b[0].value, 12, 1e-12);
    ck_assert_double_eq_tol(c->b[1].value, 1, 1e-12);
    ck_assert_str_eq(data.list[1].metric, "rate");
    ck_assert_double_eq_tol(data.list[1].b[0].value, 7, 1e-12);
    compare_data_free(&data);
    end();
}
END_TEST

UNIT_MAIN("benchmark", databases_of_one_folder_share_no_histories,
          histories_of_earlier_releases_are_found,
          cells_together_are_geometric_means_of_the_runs_that_all_have,
          runs_are_trials_of_the_cell_of_their_configuration, a_run_is_stored_whole_or_not_at_all,
          the_next_benchmark_removes_what_an_interrupted_one_left,
          a_benchmark_without_runs_is_never_finished, histograms_come_back_as_they_were,
          a_histogram_that_contradicts_itself_is_refused, directions_have_names,
          a_run_that_was_bad_has_its_judgement_and_its_history,
          the_history_of_a_run_that_is_not_stored_is_removed)
