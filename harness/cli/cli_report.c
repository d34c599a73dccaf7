#include <ctype.h>

#include "harness/cli/cli.h"
#include "harness/report/report.h"
#include "harness/report/report_benchmark.h"
#include "harness/report/report_trials.h"

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

int cli_report(const struct cli_line *line)
{
    const char *path = line->value[CLI_DB].text, *output = line->value[CLI_OUTPUT].text;
    const char *campaign = line->words > 0 ? line->word[0] : NULL;
    const bool one_by_one = line->value[CLI_FORMAT].given;
    const bool allow_skip = line->value[CLI_ALLOW_SKIP].given;
    if (!one_by_one && allow_skip)
        return cli_refuse_idle("--allow-skip", "without --format: a page says what was judged");
    const enum status status =
        one_by_one ? report_trials_write(path, campaign,
                                         &report_trial_formats[line->value[CLI_FORMAT].choice],
                                         allow_skip, output)
                   : write_report(path, campaign, output);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
