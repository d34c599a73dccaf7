#include <ctype.h>
#include <getopt.h>

#include "harness/cli/cli.h"
#include "harness/report/report.h"
#include "harness/report/report_benchmark.h"

static const char usage[] =
    "usage: ukemi report [CAMPAIGN] [--db PATH] [--to FOLDER]\n\n"
    "Writes the report of a campaign (its name or number; default: the newest of trials) as text,\n"
    "Markdown, LaTeX, CSV and one HTML page; or the page of a stored benchmark.\n\n"
    "  --db PATH    the database (default " CLI_DATABASE ")\n"
    "  --to FOLDER  where it goes (default report; of a benchmark report/NAME)\n";

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

int cli_report(int argc, char **argv)
{
    static const struct option options[] = {{"db", required_argument, NULL, 'd'},
                                            {"to", required_argument, NULL, 't'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *path = CLI_DATABASE, *folder = NULL;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h')
            return cli_usage(usage, true);
        if (option == '?')
            return cli_wrong_word("report", NULL);
        if (option == 'd')
            path = optarg;
        else
            folder = optarg;
    }
    const enum exit_code code = cli_check_words("report", usage, argc, argv, 0, 1);
    if (code != EXIT_PASS)
        return code;
    const enum status status = write_report(path, optind < argc ? argv[optind] : NULL, folder);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
