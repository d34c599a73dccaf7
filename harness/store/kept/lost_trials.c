#include "harness/store/kept/lost_trials.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/database_private.h"
#include "harness/store/kept/kept_history.h"

struct search {
    char folder[PATH_MAX_LENGTH];
    const char *database;
    int64_t *trial_id; // of those lost
    unsigned count, room;
    char *words; // of the first
    size_t size;
    bool no_memory;
};

static bool add(struct search *search, int64_t trial_id)
{
    if (search->count == search->room) {
        const unsigned room = search->room == 0 ? 16 : 2 * search->room;
        int64_t *grown = realloc(search->trial_id, room * sizeof *grown);
        if (grown == NULL) {
            search->no_memory = true;
            return false;
        }
        search->trial_id = grown;
        search->room = room;
    }
    search->trial_id[search->count++] = trial_id;
    return true;
}

// Whether a history is there as it was stored.
static bool is_whole(const struct search *search, const struct kept_history *kept)
{
    struct history *history;
    if (access(kept->file, F_OK) != 0 ||
        kept_history_read(kept, search->database, &history) != STATUS_OK)
        return false;
    history_free(history);
    return true;
}

// Columns: trial_id, history_path, history_hash, clock_mode, and the trial in words.
static bool look(void *context, int columns, const char *const *name, const char *const *value)
{
    struct search *search = context;
    struct stored_trial trial = {.trial_id = strtoll(value[0], NULL, 10)};
    struct kept_history kept;
    (void)name;
    if (columns != 5)
        return false;
    snprintf(trial.history_path, sizeof trial.history_path, "%s", value[1]);
    snprintf(trial.history_hash, sizeof trial.history_hash, "%s", value[2]);
    trial.mode = strcmp(value[3], "wall") == 0 ? CLK_WALL : CLK_VIRTUAL;
    kept_history_of(&trial, search->folder, &kept);
    if (is_whole(search, &kept))
        return true;
    const char *what = access(kept.file, F_OK) != 0 ? "gone" : "not what it was";
    if (search->count == 0)
        snprintf(search->words, search->size, "the history of trial %s is %s", value[0], what);
    log_error("LOST  %s: its history %s is %s; the trial is removed and runs again", value[4],
              kept.file, what);
    return add(search, trial.trial_id);
}

// A campaign that lacks trials is not finished.
static enum status remove_all(struct database *database, int64_t campaign_id,
                              const struct search *search)
{
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = database_reopen_campaign(database, campaign_id);
    for (unsigned i = 0; i < search->count && status == STATUS_OK; i++) {
        sqlite3_stmt *s = statement(database, "DELETE FROM trial WHERE trial_id = ?");
        bind_integer(s, 1, search->trial_id[i]);
        status = run(database, s);
    }
    return end_transaction(database, status);
}

enum status lost_trials_remove(struct database *database, int64_t campaign_id, unsigned *count,
                               char *words, size_t size)
{
    struct search search = {.database = database->path, .words = words, .size = size};
    histories_root(database->path, search.folder, sizeof search.folder);
    words[0] = '\0';
    enum status status = database_query(
        database,
        "SELECT trial_id, history_path, history_hash, clock_mode, row_name || ', ' || column_name"
        " || ', trial ' || number || ', seed ' || seed FROM trial_view WHERE campaign_id = ?1"
        " AND history_path IS NOT NULL",
        campaign_id, look, &search);
    if (search.no_memory)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK && search.count > 0)
        status = remove_all(database, campaign_id, &search);
    *count = search.count;
    free(search.trial_id);
    return status;
}
