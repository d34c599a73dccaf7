#include <getopt.h>
#include <inttypes.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/judge/tracks.h"

static const char usage[] = "usage: ukemi series TRIAL [--db PATH]\n\n"
                            "Prints the time series of a trial whose history was kept, as gnuplot "
                            "reads them: what the\nreport plots around the first fault "
                            "(doc/reference/report.md).\n\n"
                            "  --db PATH  the database (default " CLI_DATABASE ")\n";

static enum exit_code print_series(struct database *database, const char *path, int64_t trial_id)
{
    struct cli_bench bench;
    char file[2 * PATH_MAX_LENGTH];
    enum status status = cli_load_kept(database, path, trial_id, &bench, file, sizeof file);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    struct history *history;
    status = history_read(file, &history);
    if (status == STATUS_OK) {
        const struct tracks_frame frame = tracks_frame(history);
        status = tracks_write(bench.target, bench.description, history, &frame, stdout);
        if (status == STATUS_NOT_FOUND)
            log_error("trial %" PRId64
                      ": target %s has nothing to draw over time; add `quantities` "
                      "to its target.yaml (doc/reference/files.md)",
                      trial_id, bench.target->name);
        history_free(history);
    }
    cli_free(&bench);
    return status == STATUS_OK ? EXIT_PASS : cli_exit_of(status);
}

int cli_series(int argc, char **argv)
{
    const char *path;
    int code;
    if (!cli_database_option(argc, argv, &(struct cli_form){"series", usage, 1, 1, NULL}, &path,
                             &code))
        return code;
    return cli_with_trial(argv[optind], path, print_series);
}
