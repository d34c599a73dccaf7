#include <getopt.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli.h"

static const char usage[] = "usage: ukemi judge TRIAL [--db PATH]\n"
                            "       ukemi judge HISTORY.mcap SCENARIO\n\n"
                            "Judges a kept history again, with the oracles of this build. With a "
                            "trial's number the judgement is added\n"
                            "to the database (earlier ones remain) and is the one in force.\n\n"
                            "  --db PATH  the database (default " CLI_DATABASE ")\n";

static enum exit_code judge_history(const char *path, const struct cli_bench *bench,
                                    struct judgement *judgement)
{
    struct history *history;
    enum status status = history_read(path, &history);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    judge(history, bench->used, bench->description, judgement);
    cli_print_judgement(judgement);
    history_free(history);
    return cli_exit_of_verdict(judgement->verdict);
}

static enum exit_code judge_stored(struct database *database, const char *path, int64_t trial_id)
{
    struct stored_trial trial;
    struct cli_bench bench;
    enum status status = database_find_trial(database, trial_id, &trial);
    if (status == STATUS_OK && trial.history_path[0] == '\0') {
        log_error("trial %lld: its history was not kept; ukemi run --trial %lld makes it again",
                  (long long)trial_id, (long long)trial_id);
        status = STATUS_NOT_FOUND;
    }
    if (status == STATUS_OK)
        status = cli_load_stored(&trial, &bench);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    char file[2 * PATH_MAX_LENGTH];
    cli_history_path(path, trial.history_path, file, sizeof file);
    struct judgement judgement = {0};
    enum exit_code code = judge_history(file, &bench, &judgement);
    if (judgement.count > 0) {
        status = database_add_judging(database, trial_id, &judgement);
        if (status != STATUS_OK)
            code = cli_exit_of(status);
    }
    cli_free(&bench);
    return code;
}

int cli_judge(int argc, char **argv)
{
    static const struct option options[] = {
        {"db", required_argument, NULL, 'd'}, {"help", no_argument, NULL, 'h'}, {NULL, 0, NULL, 0}};
    const char *path = CLI_DATABASE;
    for (int option; (option = getopt_long(argc, argv, "h", options, NULL)) != -1;) {
        if (option == 'h')
            return cli_usage(usage, true);
        if (option == '?')
            return EXIT_INPUT;
        path = optarg;
    }
    if (argc - optind == 2) {
        struct cli_bench bench;
        struct judgement judgement;
        enum status status = cli_load_scenario(argv[optind + 1], &bench);
        if (status != STATUS_OK)
            return cli_exit_of(status);
        enum exit_code code = judge_history(argv[optind], &bench, &judgement);
        cli_free(&bench);
        return code;
    }
    uint64_t trial_id;
    if (argc - optind != 1)
        return cli_usage(usage, false);
    if (!cli_number(argv[optind], "TRIAL", INT64_MAX, &trial_id))
        return EXIT_INPUT;
    struct database *database;
    enum status status = database_open(path, DATABASE_READ, &database);
    if (status != STATUS_OK)
        return cli_exit_of(status);
    enum exit_code code = judge_stored(database, path, (int64_t)trial_id);
    database_close(database);
    return code;
}
