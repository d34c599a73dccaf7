#include "harness/view/view_trial.h"
#include "harness/packs/packs.h"

#include <errno.h>
#include <inttypes.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/files/scenario.h"
#include "harness/history/file_place.h"
#include "harness/history/whole_file.h"
#include "harness/judge/judge_apart.h"
#include "harness/view/view.h"

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
                  file_place_why(errno));
    return status;
}

// Of which mode it was nobody needs to know: the limit is the longer one.
static void judge_now(const struct history *history, const struct view_request *known,
                      struct judgement *judgement)
{
    const struct judged judged = {.history = history,
                                  .scenario = known->scenario,
                                  .target = known->target,
                                  .description = known->description,
                                  .packs = all_packs};
    judge_apart(&judged, NULL,
                limits_wall_s(&known->target->limits, known->scenario->duration_s, false),
                judgement);
}

// With what is `known` besides. `database`: which holds the judgement; NULL: it is made here.
static enum status view_history(const struct kept_history *kept, const char *database,
                                const struct view_request *known, struct judgement *judgement,
                                const char *path)
{
    struct history *history;
    char hash[33];
    enum status status = database != NULL ? kept_history_read(kept, database, &history)
                                          : history_read(kept->file, &history);
    if (status != STATUS_OK)
        return status;
    history_hash(history, hash);
    if (database == NULL)
        judge_now(history, known, judgement);
    struct view_request request = *known;
    request.history = history;
    request.hash = hash;
    request.judgement = judgement;
    request.claim = known->scenario == NULL ? "" : known->scenario->claim;
    status = write_page(&request, path);
    history_free(history);
    return status;
}

enum status view_trial(const struct view_stored *stored, const char *path)
{
    struct stored_trial trial;
    char title[2 * NAME_MAX_LENGTH + 64], again[PATH_MAX_LENGTH + 64];
    struct judgement *judgement = calloc(1, sizeof *judgement);
    enum status status = judgement == NULL ? STATUS_NO_MEMORY : STATUS_OK;
    if (status == STATUS_OK)
        status = database_find_trial(stored->database, stored->trial_id, &trial);
    if (status == STATUS_OK)
        status = database_find_judgement(stored->database, stored->trial_id, judgement);
    if (status == STATUS_OK) {
        snprintf(title, sizeof title, "trial %" PRId64 ": %s, seed %" PRIu64, stored->trial_id,
                 trial.scenario, trial.seed);
        snprintf(again, sizeof again, "ukemi run --trial %" PRId64 " --db %s", stored->trial_id,
                 stored->database_path);
        const struct view_request known = {.target = stored->target,
                                           .description = stored->description,
                                           .scenario = stored->scenario,
                                           .title = title,
                                           .lacks = trial.lacks,
                                           .again = trial.is_run ? "" : again};
        status = view_history(stored->history, stored->database_path, &known, judgement, path);
    }
    free(judgement);
    return status;
}

enum status view_file(const char *history, const struct scenario *scenario,
                      const struct target *target, const struct description *description,
                      const char *path)
{
    const struct view_request known = {.target = target,
                                       .description = description,
                                       .scenario = scenario,
                                       .title = scenario->name,
                                       .lacks = "",
                                       .again = ""};
    struct kept_history file = {.trial_id = 0};
    if (strlen(history) >= sizeof file.file) {
        log_error("%.40s...: this path is too long; choose a shorter one", history);
        return STATUS_TOO_LARGE;
    }
    text_copy(file.file, sizeof file.file, history);
    struct judgement *judgement = calloc(1, sizeof *judgement);
    const enum status status =
        judgement == NULL ? STATUS_NO_MEMORY : view_history(&file, NULL, &known, judgement, path);
    free(judgement);
    return status;
}
