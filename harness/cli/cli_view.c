#include <inttypes.h>

#include "harness/cli/cli_rerun.h"
#include "harness/view/view_trial.h"

// The trial, with the history that was kept or, if there is none, that of a run of today.
static enum status load(const struct view_stored *stored, struct cli_bench *bench,
                        struct kept_history *kept, struct cli_rerun *rerun)
{
    struct stored_trial trial;
    enum status status = database_find_trial(stored->database, stored->trial_id, &trial);
    if (status != STATUS_OK)
        return status;
    if (cli_history_is_there(stored->database_path, &trial))
        return cli_load_kept(stored->database, stored->database_path, stored->trial_id, bench,
                             kept);
    status = cli_rerun(stored->database, &trial, rerun);
    *kept = rerun->kept;
    return status == STATUS_OK
               ? cli_load_stored(stored->database, stored->database_path, &trial, bench)
               : status;
}

static enum status view_stored(const char *word, const char *database_path, const char *output)
{
    char usual[64];
    struct kept_history kept;
    struct cli_bench bench;
    struct cli_rerun rerun = {0};
    struct view_stored stored = {.database_path = database_path};
    enum status status = cli_open_trial(word, database_path, &stored.database, &stored.trial_id);
    if (status != STATUS_OK)
        return status;
    snprintf(usual, sizeof usual, "trial-%" PRId64 ".html", stored.trial_id);
    const char *path = output != NULL ? output : usual;
    status = load(&stored, &bench, &kept, &rerun);
    if (status == STATUS_OK) {
        stored.history = &kept;
        stored.target = bench.target;
        stored.description = bench.description;
        stored.scenario = bench.used;
        status = view_trial(&stored, path);
        cli_free(&bench);
    }
    cli_rerun_free(&rerun);
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

int cli_view(const struct cli_line *line)
{
    const char *word = line->word[0], *output = line->value[CLI_OUTPUT].text;
    const enum status status = line->words == 2
                                   ? view_kept(word, line->word[1], output)
                                   : view_stored(word, line->value[CLI_DB].text, output);
    return status == STATUS_OK ? EXIT_PASS : (int)cli_exit_of(status);
}
