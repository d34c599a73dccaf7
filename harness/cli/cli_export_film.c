#include <errno.h>
#include <inttypes.h>
#include <string.h>

#include "base/log.h"
#include "harness/cli/cli.h"
#include "harness/cli/cli_export.h"
#include "harness/files/scenario.h"
#include "harness/history/file_place.h"
#include "harness/history/whole_file.h"
#include "harness/view/film.h"

// The history is freed.
static enum status write_film(struct history *read, const struct cli_bench *bench,
                              const char *title, const char *path)
{
    struct view_request request = {.target = bench->target,
                                   .description = bench->description,
                                   .scenario = bench->used,
                                   .title = title};
    struct whole_file *file;
    request.history = read;
    enum status status = whole_file_start(path, &file);
    if (status == STATUS_OK) {
        const enum status made = film_write(&request, whole_file_stream(file));
        if (made == STATUS_OK)
            status = whole_file_commit(file);
        else
            whole_file_drop(file);
        if (made != STATUS_OK) {
            history_free(read);
            return made;
        }
    }
    if (status == STATUS_SYSTEM)
        log_error("%s: cannot be written: %s; name another file with -o", path,
                  file_place_why(errno));
    history_free(read);
    return status;
}

static enum status film_trial(const char *word, const char *database_path, const char *output)
{
    int64_t trial_id;
    struct database *database;
    struct stored_trial trial;
    struct cli_bench bench;
    struct kept_history kept;
    struct history *history;
    char title[NAME_MAX_LENGTH + 64];
    enum status status = cli_open_trial(word, database_path, &database, &trial_id);
    if (status != STATUS_OK)
        return status;
    status = database_find_trial(database, trial_id, &trial);
    if (status == STATUS_OK)
        status = cli_load_kept(database, database_path, trial_id, &bench, &kept);
    database_close(database);
    if (status != STATUS_OK)
        return status;
    snprintf(title, sizeof title, "%.*s, seed %" PRIu64, NAME_MAX_LENGTH, trial.scenario,
             trial.seed);
    status = kept_history_read(&kept, database_path, &history);
    if (status == STATUS_OK)
        status = write_film(history, &bench, title, output);
    cli_free(&bench);
    return status;
}

static enum status film_history(const char *file, const char *scenario, const char *output)
{
    struct cli_bench bench;
    enum status status = cli_load_scenario(scenario, &bench);
    if (status != STATUS_OK)
        return status;
    struct history *history;
    status = history_read(file, &history);
    if (status == STATUS_OK)
        status = write_film(history, &bench, bench.used->name, output);
    cli_free(&bench);
    return status;
}

enum status export_film(const char *source, const char *scenario, const char *database_path,
                        const char *output)
{
    if (output == NULL) {
        log_error("a film is not for a terminal; name a file with -o, such as film.webp");
        return STATUS_INVALID;
    }
    const enum status status = scenario == NULL ? film_trial(source, database_path, output)
                                                : film_history(source, scenario, output);
    if (status == STATUS_OK)
        fprintf(cli_beside(output), "film: %s\n", output);
    return status;
}
