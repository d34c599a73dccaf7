#include <getopt.h>
#include <inttypes.h>

#include "harness/cli/cli.h"
#include "harness/view/view_trial.h"

static const char usage[] =
    "usage: ukemi view TRIAL [--output FILE] [--db PATH]\n"
    "       ukemi view HISTORY.mcap SCENARIO [--output FILE]\n\n"
    "Writes one HTML page about a trial whose history was kept, with a slider for the time:\n"
    "signals, promises, faults, lives of processes, traffic, output, and the robot's body. The\n"
    "page needs no network. Its address may end in #t=SECONDS.\n\n"
    "  --output FILE  the file to write (default trial-TRIAL.html, view.html)\n"
    "  --db PATH      the database (default " CLI_DATABASE ")\n";

static enum status view_stored(const char *word, const char *database_path, const char *output)
{
    char usual[64];
    struct kept_history kept;
    struct cli_bench bench;
    struct view_stored stored = {.database_path = database_path};
    enum status status = cli_open_trial(word, database_path, &stored.database, &stored.trial_id);
    if (status != STATUS_OK)
        return status;
    snprintf(usual, sizeof usual, "trial-%" PRId64 ".html", stored.trial_id);
    const char *path = output != NULL ? output : usual;
    status = cli_load_kept(stored.database, database_path, stored.trial_id, &bench, &kept);
    if (status == STATUS_OK) {
        stored.history = &kept;
        stored.target = bench.target;
        stored.description = bench.description;
        stored.scenario = bench.used;
        status = view_trial(&stored, path);
        cli_free(&bench);
    }
    database_close(stored.database);
    if (status == STATUS_OK)
        fprintf(cli_beside(path), "page: %s\n", path);
    return status;
}

static enum status view_kept(const char *history, const char *scenario, const char *output)
{
    struct cli_bench bench;
    const char *path = output != NULL ? output : "view.html";
    enum status status = cli_load_scenario(scenario, &bench);
    if (status != STATUS_OK)
        return status;
    status = view_file(history, bench.used, bench.target, bench.description, path);
    cli_free(&bench);
    if (status == STATUS_OK)
        fprintf(cli_beside(path), "page: %s\n", path);
    return status;
}

int cli_view(int argc, char **argv)
{
    static const struct option options[] = {{"output", required_argument, NULL, 'o'},
                                            {"db", required_argument, NULL, 'd'},
                                            {"help", no_argument, NULL, 'h'},
                                            {NULL, 0, NULL, 0}};
    const char *database = CLI_DATABASE, *output = NULL;
    for (int option; (option = getopt_long(argc, argv, "ho:", options, NULL)) != -1;) {
        if (option == 'h')
            return cli_usage(usage, true);
        if (option == '?')
            return cli_wrong_word("view", NULL);
        if (option == 'd')
            database = optarg;
        else
            output = optarg;
    }
    const enum exit_code code = cli_check_words("view", usage, argc, argv, 1, 2);
    if (code != EXIT_PASS)
        return code;
    const char *word = argv[optind];
    const enum status status = argc - optind == 2 ? view_kept(word, argv[optind + 1], output)
                                                  : view_stored(word, database, output);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
