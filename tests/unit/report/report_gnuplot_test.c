// report: a plot without anything to draw is told as such, and gnuplot's own messages never reach
// the terminal.
#include "tests/unit/common/unit.h"

#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "harness/report/report_gnuplot.h"

static char folder[64], data[128], said[128];

static void put(const char *path, const char *text)
{
    FILE *out = fopen(path, "w");
    ck_assert_ptr_nonnull(out);
    fputs(text, out);
    ck_assert_int_eq(fclose(out), 0);
}

static void start(const char *table)
{
    make_folder(folder, sizeof folder);
    snprintf(data, sizeof data, "%s/data", folder);
    snprintf(said, sizeof said, "%s/said", folder);
    put(data, table);
}

// What is said on standard error meanwhile is in `words`.
static enum status run_said(char *const *argument, char words[256])
{
    const int null = open("/dev/null", O_WRONLY), kept = dup(STDERR_FILENO);
    const int caught = open(said, O_CREAT | O_TRUNC | O_RDWR, 0600);
    ck_assert(null >= 0 && kept >= 0 && caught >= 0);
    ck_assert_int_ge(dup2(caught, STDERR_FILENO), 0);
    const enum status status = gnuplot_run(argument, null, "tracks");
    ck_assert_int_ge(dup2(kept, STDERR_FILENO), 0);
    const ssize_t size_B = pread(caught, words, 255, 0);
    words[size_B > 0 ? size_B : 0] = '\0';
    close(null);
    close(kept);
    close(caught);
    return status;
}

static enum status draw(const char *figure, char words[256])
{
    char settings[512], style[] = "reports/common/style.gp", script[128];
    snprintf(settings, sizeof settings,
             "data='%s'; templates='.'; name='f'; from_s=0; to_s=1; fault_s=0.5; repair_s=0.7; "
             "fault_colour='#888888'",
             data);
    snprintf(script, sizeof script, "%s", figure);
    char *argument[] = {"gnuplot", "-d", "-e", settings, style, script, NULL};
    return run_said(argument, words);
}

#define TRACKS "reports/common/tracks.gp"
#define TITLES "time_s\ta\tb\n"

START_TEST(a_table_has_values_if_a_number_stands_beside_its_first_column)
{
    static const struct {
        const char *table;
        bool has;
    } cases[] = {{"", false},
                 {TITLES, false},
                 {TITLES "0\tNaN\tNaN\n1\tNaN\tNaN\n", false},
                 {TITLES "0\tinf\t-inf\n", false},
                 {TITLES "0\tNaN\tNaN\n1\tNaN\t-2.5\n", true},
                 {"block\tn\n\n\nrow\t0\n", true},
                 {"only\nNaN\n", false},
                 {"only\n7\n", true}};
    for (size_t i = 0; i < sizeof cases / sizeof cases[0]; i++) {
        start(cases[i].table);
        ck_assert_msg(gnuplot_data_has_values(data) == cases[i].has, "%s", cases[i].table);
    }
}
END_TEST

START_TEST(tracks_of_which_some_are_empty_constant_or_short_are_drawn_in_silence)
{
    static const char *const tables[] = {
        TITLES "0\t1\t2\n1\t2\t1\n",     TITLES "0\tNaN\t1\n1\tNaN\t2\n",
        TITLES "0\t1\tNaN\n1\t2\tNaN\n", TITLES "0\t1\t2\n",
        TITLES "0\t1\t0\n1\t1\t0\n",     TITLES "0\tNaN\tNaN\n1\tNaN\tNaN\n"};
    char words[256];
    for (size_t i = 0; i < sizeof tables / sizeof tables[0]; i++) {
        start(tables[i]);
        const enum status status = draw(TRACKS, words);
        ck_assert_msg(status == STATUS_OK || status == STATUS_NOT_FOUND, "table %zu", i);
        ck_assert_str_eq(words, "");
    }
}
END_TEST

START_TEST(a_plot_without_a_point_is_empty_and_silent)
{
    static const char *const figures[] = {TRACKS, "reports/walking/path.gp",
                                          "reports/walking/joints.gp", "reports/latency/tail.gp",
                                          "reports/walking/body.gp"};
    char words[256];
    for (size_t i = 0; i < sizeof figures / sizeof figures[0]; i++) {
        start(i == 0 ? TITLES : "time_s\tpelvis_m\ttilt_deg\tc\n0\tNaN\tNaN\tNaN\n");
        const enum status status = draw(figures[i], words);
        ck_assert_msg(status != STATUS_INVALID, "%s: %s", figures[i], words);
        ck_assert_str_eq(words, "");
    }
}
END_TEST

START_TEST(a_script_that_is_wrong_is_reported_in_one_line)
{
    char words[256];
    start(TITLES "0\t1\t2\n1\t2\t1\n");
    char script[160];
    snprintf(script, sizeof script, "%s/wrong.gp", folder);
    put(script, "set terminal svg\nplot data using 1:2 wiht lines\n");
    const enum status status = draw(script, words);
    if (status == STATUS_NOT_FOUND)
        return; // no gnuplot here
    ck_assert_int_eq(status, STATUS_INVALID);
    ck_assert_ptr_nonnull(strstr(words, "error: plot tracks: gnuplot failed: "));
    ck_assert_ptr_eq(strchr(words, '\n'), words + strlen(words) - 1);
}
END_TEST

UNIT_MAIN("report_gnuplot", a_table_has_values_if_a_number_stands_beside_its_first_column,
          tracks_of_which_some_are_empty_constant_or_short_are_drawn_in_silence,
          a_plot_without_a_point_is_empty_and_silent,
          a_script_that_is_wrong_is_reported_in_one_line)
