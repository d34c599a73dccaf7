#include "harness/store/kept/kept_history.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"

static void name_file(const char *relative, const char *folder, char *file, size_t size)
{
    const bool whole = folder[0] == '\0' || relative[0] == '/';
    snprintf(file, size, "%s%s%s", whole ? "" : folder, whole ? "" : "/", relative);
}

void kept_history_of(const struct stored_trial *trial, const char *folder,
                     struct kept_history *kept)
{
    *kept =
        (struct kept_history){.trial_id = trial->trial_id, .virtual = trial->mode == CLK_VIRTUAL};
    text_copy(kept->hash, sizeof kept->hash, trial->history_hash);
    name_file(trial->history_path, folder, kept->file, sizeof kept->file);
}

enum status kept_history_find(sqlite3 *database, const char *relative, const char *folder,
                              struct kept_history *kept)
{
    sqlite3_stmt *s = NULL;
    *kept = (struct kept_history){0};
    name_file(relative, folder, kept->file, sizeof kept->file);
    if (sqlite3_prepare_v2(database,
                           "SELECT trial_id, history_hash, clock_mode = 'virtual' FROM trial"
                           " WHERE history_path = ? ORDER BY trial_id DESC LIMIT 1",
                           -1, &s, NULL) != SQLITE_OK)
        return STATUS_SYSTEM;
    sqlite3_bind_text(s, 1, relative, -1, SQLITE_STATIC);
    const bool found = sqlite3_step(s) == SQLITE_ROW;
    if (found) {
        kept->trial_id = sqlite3_column_int64(s, 0);
        text_copy(kept->hash, sizeof kept->hash, (const char *)sqlite3_column_text(s, 1));
        kept->virtual = sqlite3_column_int(s, 2) != 0;
    }
    sqlite3_finalize(s);
    return found ? STATUS_OK : STATUS_NOT_FOUND;
}

// What helps: the trial itself, if it is one that can be had again. `file`: where its history may
// go.
static void say_remedy(const struct kept_history *kept, const char *database, const char *file)
{
    if (kept->virtual)
        log_info("the history of trial %" PRId64 " can be made again: `ukemi run --trial %" PRId64
                 "%s%s --keep %s`",
                 kept->trial_id, kept->trial_id, database != NULL ? " --db " : "",
                 database != NULL ? database : "", file);
    else
        log_info("put back the history of trial %" PRId64 ": a trial in real time cannot be had "
                 "again",
                 kept->trial_id);
}

enum status kept_history_read(const struct kept_history *kept, const char *database,
                              struct history **history)
{
    char hash[33];
    enum status status = history_read_hash(kept->file, history, hash);
    const bool is_history = status == STATUS_OK; // perhaps another trial's evidence
    if (is_history && kept->hash[0] != '\0' && strcmp(hash, kept->hash) != 0) {
        log_error("%s: is not the history of trial %" PRId64 ": its hash is %s, the trial's %s",
                  kept->file, kept->trial_id, hash, kept->hash);
        history_free(*history);
        *history = NULL;
        status = STATUS_CORRUPT;
    }
    if (status != STATUS_OK && trouble_words() == NULL)
        say_remedy(kept, database, is_history ? "FILE.mcap" : kept->file);
    return status;
}
