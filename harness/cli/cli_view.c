#include <errno.h>
#include <getopt.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/history/whole_file.h"
#include "harness/judge/judge.h"
#include "harness/view/view.h"

static const char usage[] =
    "usage: ukemi view TRIAL [--output FILE] [--db PATH]\n"
    "       ukemi view HISTORY.mcap SCENARIO [--output FILE]\n\n"
    "Writes one HTML page, which needs no network, with a slider for the time of a trial whose\n"
    "history was kept: signals, promises, faults, lives of processes, traffic, output, and the\n"
    "robot's body. Its address may end in #t=SECONDS.\n\n"
    "  --output FILE  where it goes, whole or not at all (default trial-TRIAL.html, view.html)\n"
    "  --db PATH      the database (default " CLI_DATABASE ")\n";

static enum status write_page(const struct view_request *request, const char *path)
{
    struct whole_file *file = NULL;
    enum status status = whole_file_start(path, &file);
    const bool started = status == STATUS_OK;
    if (started)
        status = view_write(request, whole_file_stream(file));
    if (status == STATUS_OK)
        status = whole_file_commit(file);
    else if (started)
        whole_file_drop(file);
    if (status == STATUS_SYSTEM)
        log_error("%s: cannot be written: %s; name another file with --output", path,
                  strerror(errno));
    return status;
}

// The page of a history, with what is `known` besides.
static enum status view_history(const char *history_path, const struct cli_bench *bench,
                                const struct view_request *known, const char *path)
{
    struct history *history;
    char hash[33];
    enum status status = history_read(history_path, &history);
    if (status != STATUS_OK)
        return status;
    history_hash(history, hash);
    struct view_request request = *known;
    request.history = history;
    request.hash = hash;
    request.target = bench->target;
    request.description = bench->description;
    request.scenario = bench->used;
    request.claim = bench->used == NULL ? "" : bench->used->claim;
    struct judgement *judged = NULL;
    if (request.judgement == NULL && bench->used != NULL) {
        judged = calloc(1, sizeof *judged);
        if (judged != NULL)
            judge(history, bench->used, bench->target, bench->description, NULL, judged);
        request.judgement = judged;
    }
    status = write_page(&request, path);
    free(judged);
    history_free(history);
    return status;
}

enum status cli_view_trial(struct database *database, const char *database_path, int64_t trial_id,
                           const char *path)
{
    struct cli_bench bench;
    struct stored_trial trial;
    char file[2 * PATH_MAX_LENGTH], title[2 * NAME_MAX_LENGTH + 64], again[PATH_MAX_LENGTH + 64];
    struct judgement *judgement = calloc(1, sizeof *judgement);
    enum status status = judgement == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    if (status == STATUS_OK)
        status = database_find_trial(database, trial_id, &trial);
    if (status == STATUS_OK)
        status = database_find_judgement(database, trial_id, judgement);
    if (status == STATUS_OK)
        status = cli_load_kept(database, database_path, trial_id, &bench, file, sizeof file);
    if (status == STATUS_OK) {
        snprintf(title, sizeof title, "trial %" PRId64 ": %s, seed %" PRIu64, trial_id,
                 trial.scenario, trial.seed);
        snprintf(again, sizeof again, "ukemi run --trial %" PRId64 " --db %s", trial_id,
                 database_path);
        struct view_request request = {
            .judgement = judgement, .title = title, .again = trial.is_run ? "" : again};
        status = view_history(file, &bench, &request, path);
        cli_free(&bench);
    }
    free(judgement);
    return status;
}

static enum status view_stored(const char *word, const char *database_path, const char *output)
{
    char usual[64];
    int64_t trial_id;
    struct database *database;
    enum status status = cli_open_trial(word, database_path, &database, &trial_id);
    if (status != STATUS_OK)
        return status;
    snprintf(usual, sizeof usual, "trial-%" PRId64 ".html", trial_id);
    const char *path = output != NULL ? output : usual;
    status = cli_view_trial(database, database_path, trial_id, path);
    database_close(database);
    if (status == STATUS_OK)
        printf("page: %s\n", path);
    return status;
}

static enum status view_file(const char *file, const char *scenario, const char *output)
{
    struct cli_bench bench;
    const char *path = output != NULL ? output : "view.html";
    enum status status = cli_load_scenario(scenario, &bench);
    if (status != STATUS_OK)
        return status;
    const struct view_request request = {.title = bench.used->name};
    status = view_history(file, &bench, &request, path);
    cli_free(&bench);
    if (status == STATUS_OK)
        printf("page: %s\n", path);
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
    const enum status status = argc - optind == 2 ? view_file(word, argv[optind + 1], output)
                                                  : view_stored(word, database, output);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
