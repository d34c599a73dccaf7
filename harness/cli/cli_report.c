#include <ctype.h>
#include <getopt.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/report/report.h"
#include "harness/report/report_benchmark.h"
#include "harness/report/report_trials.h"

static const char usage[] =
    "usage: ukemi report [CAMPAIGN] [--db PATH] [--to FOLDER]\n"
    "       ukemi report [CAMPAIGN] --format junit|tap|github [--output FILE] [--allow-skip] "
    "[--db PATH]\n\n"
    "Writes the report of a campaign as text, Markdown, LaTeX, CSV and one HTML page, or the page\n"
    "of a stored benchmark. CAMPAIGN is a name or number (default: the newest campaign of "
    "trials).\n"
    "With --format it writes the trials one by one, for other tools.\n\n"
    "  --db PATH        the database (default " CLI_DATABASE ")\n"
    "  --to FOLDER      where to write it (default report; for a benchmark report/NAME)\n"
    "  --format junit   JUnit's XML: a suite per square, a case per trial\n"
    "           tap     TAP version 14: a test point per trial\n"
    "           github  annotations of GitHub Actions for what did not pass\n"
    "  --output FILE    write to FILE, completely or not at all; default: standard output\n"
    "  --allow-skip     with --format: no failing test says that nothing was judged\n";

static enum status report_of_trials(const char *path, const char *campaign, const char *folder)
{
    folder = folder != NULL ? folder : CLI_REPORT;
    const enum status status = report_write(path, campaign, folder);
    if (status == STATUS_OK)
        printf("report: %s/index.html\n", folder);
    return status;
}

// The name of a benchmark is anybody's: as a folder it has letters, digits and '-'.
static void folder_of(const char *name, char *folder, size_t size)
{
    snprintf(folder, size, CLI_REPORT "/%s", name);
    for (char *letter = folder + sizeof CLI_REPORT; *letter; letter++)
        if (!isalnum((unsigned char)*letter) && *letter != '_')
            *letter = '-';
}

static enum status report_of_benchmark(const char *path, struct report_benchmark *benchmark,
                                       const char *folder)
{
    char usual[sizeof CLI_REPORT + sizeof benchmark->name + 1];
    folder_of(benchmark->name, usual, sizeof usual);
    folder = folder != NULL ? folder : usual;
    const enum status status = report_benchmark_write(path, benchmark, folder);
    if (status == STATUS_OK)
        printf("report: %s/%s\n", folder, benchmark->page);
    return status;
}

// What is named may be either.
static enum status write_report(const char *path, const char *campaign, const char *folder)
{
    struct report_benchmark benchmark;
    const enum status status =
        campaign != NULL ? report_benchmark_find(path, campaign, &benchmark) : STATUS_EMPTY;
    if (status == STATUS_OK)
        return report_of_benchmark(path, &benchmark, folder);
    return status == STATUS_EMPTY ? report_of_trials(path, campaign, folder) : status;
}

struct arguments {
    const char *path, *folder, *output;
    const struct report_trial_format *format; // NULL: the whole report
    bool allow_skip;
};

static bool read_format(const char *name, struct arguments *a)
{
    for (a->format = report_trial_formats; a->format->name != NULL; a->format++)
        if (strcmp(name, a->format->name) == 0)
            return true;
    log_error("--format: '%s' is not a format of reports; write junit, tap or github", name);
    return false;
}

// What the options say together. Errors are reported.
static enum exit_code settle(const struct arguments *a)
{
    if (a->format == NULL && a->allow_skip)
        return cli_refuse_idle("--allow-skip", "without --format: a page says what was judged");
    if (a->format == NULL)
        return cli_refuse_idle(a->output != NULL ? "--output" : NULL,
                               "without --format: a report is a folder; name it with --to");
    return cli_refuse_idle(a->folder != NULL ? "--to" : NULL,
                           "with --format, which writes one file; name it with --output");
}

// EXIT_PASS to go on, else the exit code; *done: help was asked for.
static enum exit_code parse(int argc, char **argv, struct arguments *a, bool *done)
{
    static const struct option options[] = {{"db", required_argument, NULL, 'd'},
                                            {"to", required_argument, NULL, 't'},
                                            {"format", required_argument, NULL, 'f'},
                                            {"output", required_argument, NULL, 'o'},
                                            {"allow-skip", no_argument, NULL, 'S'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    for (int option; (option = getopt_long(argc, argv, "ho:", options, NULL)) != -1;) {
        *done = option == 'h';
        if (*done)
            return cli_usage(usage, true);
        if (option == '?')
            return cli_wrong_word("report", NULL);
        if (option == 'f' && !read_format(optarg, a))
            return EXIT_INPUT;
        a->allow_skip |= option == 'S';
        if (option == 'd')
            a->path = optarg;
        if (option == 't')
            a->folder = optarg;
        if (option == 'o')
            a->output = optarg;
    }
    const enum exit_code code = cli_check_words("report", usage, argc, argv, 0, 1);
    return code == EXIT_PASS ? settle(a) : code;
}

int cli_report(int argc, char **argv)
{
    struct arguments a = {.path = CLI_DATABASE};
    bool done = false;
    const enum exit_code code = parse(argc, argv, &a, &done);
    if (done || code != EXIT_PASS)
        return code;
    const char *campaign = optind < argc ? argv[optind] : NULL;
    const enum status status =
        a.format != NULL ? report_trials_write(a.path, campaign, a.format, a.allow_skip, a.output)
                         : write_report(a.path, campaign, a.folder);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
