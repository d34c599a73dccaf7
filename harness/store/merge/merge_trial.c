// Trials: the same one has one row, wherever and however often it ran.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/merge/merge_private.h"

// What a trial has for itself in each database; all else is copied as it is.
#define OWN "trial_id, square_id, build_id, machine_id, history_path"
#define OWN_COUNT 4 // of these, without the path, which is set when the file is there

enum { // columns of `select`, before those that are copied
    TRIAL_ID,
    NUMBER,
    BUILD_ID,
    MACHINE_ID,
    HISTORY_PATH,
    HISTORY_HASH,
    CLOCK_MODE,
    SEED,
    OUTCOME,
    COPIED
};

struct trial_copy {
    struct merge *merge;
    sqlite3_stmt *select, *find, *insert;
    struct row_copy faults, buses, events;
    struct judging_copy judgings;
    bool histories; // are copied, too
};

static enum status prepare(struct trial_copy *copy, char *columns)
{
    if (columns == NULL)
        return STATUS_SYSTEM;
    sqlite3_str *insert = sqlite3_str_new(NULL);
    sqlite3_str_appendf(insert,
                        "INSERT INTO trial (trial_id, square_id, build_id, machine_id, %s)"
                        " VALUES (?, ?, ?, ?",
                        columns);
    sqlite3_str_appendall(insert, ", ?");
    for (const char *at = columns; (at = strchr(at, ',')) != NULL; at++)
        sqlite3_str_appendall(insert, ", ?");
    sqlite3_str_appendall(insert, ")");
    char *inserting = sqlite3_str_finish(insert);
    char *selecting =
        sqlite3_mprintf("SELECT trial_id, number, build_id, machine_id, history_path, history_hash,"
                        " clock_mode, seed, outcome, %s FROM trial WHERE square_id = ?"
                        " ORDER BY number",
                        columns);
    if (inserting != NULL && selecting != NULL) {
        copy->insert = statement(copy->merge->into, inserting);
        copy->select = statement(copy->merge->from, selecting);
    }
    sqlite3_free(inserting);
    sqlite3_free(selecting);
    return copy->insert != NULL && copy->select != NULL ? STATUS_OK : STATUS_SYSTEM;
}

enum status trial_copy_start(struct merge *merge, bool histories, struct trial_copy **started)
{
    struct trial_copy *copy = calloc(1, sizeof *copy);
    *started = copy;
    if (copy == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    copy->merge = merge;
    copy->histories = histories;
    char *columns = row_columns(merge->into, "trial", OWN);
    enum status status = prepare(copy, columns);
    sqlite3_free(columns);
    copy->find =
        statement(merge->into, "SELECT trial_id FROM trial WHERE square_id = ? AND number = ?");
    if (status == STATUS_OK && copy->find == NULL)
        status = STATUS_SYSTEM;
    if (status == STATUS_OK)
        status = row_copy_start(&copy->faults, merge->from, merge->into, "fault", "trial_id",
                                "trial_id");
    if (status == STATUS_OK)
        status = row_copy_start(&copy->buses, merge->from, merge->into, "bus_load", "trial_id",
                                "trial_id");
    if (status == STATUS_OK)
        status = row_copy_start(&copy->events, merge->from, merge->into, "process_event",
                                "trial_id", "trial_id");
    return status == STATUS_OK ? judging_copy_start(&copy->judgings, merge) : status;
}

void trial_copy_end(struct trial_copy *copy)
{
    if (copy == NULL)
        return;
    sqlite3_finalize(copy->select);
    sqlite3_finalize(copy->find);
    sqlite3_finalize(copy->insert);
    row_copy_end(&copy->faults);
    row_copy_end(&copy->buses);
    row_copy_end(&copy->events);
    judging_copy_end(&copy->judgings);
    free(copy);
}

// ---- a trial that is new ------------------------------------------------------------------------

static enum status insert_row(struct trial_copy *copy, int64_t square_id, int64_t *trial_id)
{
    struct merge *merge = copy->merge;
    sqlite3_stmt *row = copy->select;
    int64_t build_id, machine_id;
    enum status status =
        row_map_often(merge, "build", sqlite3_column_int64(row, BUILD_ID), &build_id);
    if (status == STATUS_OK)
        status =
            row_map_often(merge, "machine", sqlite3_column_int64(row, MACHINE_ID), &machine_id);
    if (status == STATUS_OK)
        status = place_trial(merge->into, square_id, (unsigned)sqlite3_column_int64(row, NUMBER),
                             trial_id);
    if (status != STATUS_OK)
        return status;
    const int64_t own[OWN_COUNT] = {*trial_id, square_id, build_id, machine_id};
    for (int i = 0; i < OWN_COUNT; i++)
        bind_integer(copy->insert, i + 1, own[i]);
    for (int i = COPIED; i < sqlite3_column_count(row); i++)
        sqlite3_bind_value(copy->insert, OWN_COUNT + 1 + i - COPIED, sqlite3_column_value(row, i));
    if (sqlite3_step(copy->insert) != SQLITE_DONE)
        status = complain(merge->into, "adding a trial");
    sqlite3_reset(copy->insert);
    return status;
}

static enum status add_trial(struct trial_copy *copy, int64_t square_id, int64_t *trial_id)
{
    const int64_t from_id = sqlite3_column_int64(copy->select, TRIAL_ID);
    enum status status = insert_row(copy, square_id, trial_id);
    if (status == STATUS_OK)
        status = row_copy_run(&copy->faults, from_id, *trial_id);
    if (status == STATUS_OK)
        status = row_copy_run(&copy->buses, from_id, *trial_id);
    if (status == STATUS_OK)
        status = row_copy_run(&copy->events, from_id, *trial_id);
    copy->merge->counts->trials++;
    return status == STATUS_OK ? judging_copy_run(&copy->judgings, from_id, *trial_id, false)
                               : status;
}

// ---- a trial that is known ----------------------------------------------------------------------

static const char *text(sqlite3_stmt *s, int column)
{
    const unsigned char *value = sqlite3_column_text(s, column);
    return value != NULL ? (const char *)value : "";
}

static const char *hash_words(const char *hash)
{
    return hash[0] != '\0' ? hash : "none, as the lab failed";
}

static enum status refuse(const struct trial_copy *copy, sqlite3_stmt *known, int64_t trial_id)
{
    sqlite3_stmt *row = copy->select;
    const bool wall = strcmp(text(row, CLOCK_MODE), "wall") == 0;
    log_error("%s, %s, trial %lld, seed %lld has two results: its history is %s in %s, where it is "
              "trial %lld, and %s as trial %lld of %s; %s",
              text(known, 4), text(known, 5), sqlite3_column_int64(row, NUMBER),
              sqlite3_column_int64(row, SEED), hash_words(text(known, 0)), copy->merge->into->path,
              (long long)trial_id, hash_words(text(row, HISTORY_HASH)),
              sqlite3_column_int64(row, TRIAL_ID), copy->merge->from->path,
              wall ? "in real time each run is another: merge parts that have no trial in common"
                   : "a machine, library or program differs, or the target is not deterministic: "
                     "`ukemi run --trial` tells which on each machine. Nothing was merged");
    return STATUS_INVALID;
}

static enum status compare(const struct trial_copy *copy, int64_t trial_id)
{
    sqlite3_stmt *row = copy->select;
    sqlite3_stmt *known =
        statement(copy->merge->into, "SELECT history_hash, seed, outcome, clock_mode, row_name,"
                                     " column_name FROM trial JOIN square USING (square_id)"
                                     " WHERE trial_id = ?");
    bind_integer(known, 1, trial_id);
    enum status status = STATUS_OK;
    if (known == NULL || sqlite3_step(known) != SQLITE_ROW)
        status = known == NULL ? STATUS_SYSTEM : complain(copy->merge->into, "reading a trial");
    else if (strcmp(text(known, 0), text(row, HISTORY_HASH)) != 0 ||
             sqlite3_column_int64(known, 1) != sqlite3_column_int64(row, SEED) ||
             strcmp(text(known, 2), text(row, OUTCOME)) != 0 ||
             strcmp(text(known, 3), text(row, CLOCK_MODE)) != 0)
        status = refuse(copy, known, trial_id);
    sqlite3_finalize(known);
    return status;
}

// Binds a value of the trial in `from` to each parameter of `s`, and then runs it.
static enum status update(const struct trial_copy *copy, sqlite3_stmt *s, const char *columns,
                          int64_t trial_id)
{
    const struct merge *merge = copy->merge;
    char *sql = sqlite3_mprintf("SELECT %s FROM trial WHERE trial_id = ?", columns);
    sqlite3_stmt *other = sql != NULL ? statement(merge->from, sql) : NULL;
    sqlite3_free(sql);
    bind_integer(other, 1, sqlite3_column_int64(copy->select, TRIAL_ID));
    if (s == NULL || other == NULL || sqlite3_step(other) != SQLITE_ROW) {
        sqlite3_finalize(other);
        sqlite3_finalize(s);
        return STATUS_SYSTEM;
    }
    const int count = sqlite3_column_count(other);
    for (int i = 0; i < count; i++)
        sqlite3_bind_value(s, i + 1, sqlite3_column_value(other, i));
    sqlite3_finalize(other);
    bind_integer(s, count + 1, trial_id);
    return run(merge->into, s);
}

// Of two equal runs the times of the one that ended first are kept, so that the order of merging is
// of no matter; and whatever only one of them knows.
static enum status unite(const struct trial_copy *copy, int64_t trial_id)
{
    struct database *into = copy->merge->into;
    const enum status status =
        update(copy,
               statement(into, "UPDATE trial SET recheck_hash = coalesce(recheck_hash, ?1),"
                               " is_example = max(is_example, ?2) WHERE trial_id = ?3"),
               "recheck_hash, is_example", trial_id);
    return status == STATUS_OK
               ? update(copy,
                        statement(into, "UPDATE trial SET finished_utc = ?1, wall_s = ?2, cpu_s ="
                                        " ?3 WHERE trial_id = ?4 AND (?1, ?2, ?3) <"
                                        " (finished_utc, wall_s, cpu_s)"),
                        "finished_utc, wall_s, cpu_s", trial_id)
               : status;
}

static enum status know_trial(struct trial_copy *copy, int64_t trial_id)
{
    enum status status = compare(copy, trial_id);
    if (status == STATUS_OK)
        status = unite(copy, trial_id);
    copy->merge->counts->known++;
    return status == STATUS_OK
               ? judging_copy_run(&copy->judgings, sqlite3_column_int64(copy->select, TRIAL_ID),
                                  trial_id, true)
               : status;
}

// ---- histories ----------------------------------------------------------------------------------

// Room for one more.
static bool grow(struct merge *merge)
{
    if (merge->pending_count < merge->pending_room)
        return true;
    const unsigned room = merge->pending_room == 0 ? 64 : 2 * merge->pending_room;
    struct pending *grown = realloc(merge->pending, room * sizeof *grown);
    if (grown == NULL) {
        (void)trouble_note(ENOMEM);
        return false;
    }
    merge->pending = grown;
    merge->pending_room = room;
    return true;
}

static enum status lacks_history(struct database *into, int64_t trial_id, bool *lacks)
{
    int64_t count = 0;
    sqlite3_stmt *s =
        statement(into, "SELECT count(*) FROM trial WHERE trial_id = ? AND history_path IS NULL");
    bind_integer(s, 1, trial_id);
    const enum status status = run_integer(into, s, &count);
    *lacks = count > 0;
    return status;
}

static enum status note_history(struct trial_copy *copy, int64_t trial_id)
{
    struct merge *merge = copy->merge;
    sqlite3_stmt *row = copy->select;
    bool lacks = false;
    if (sqlite3_column_type(row, HISTORY_PATH) == SQLITE_NULL)
        return STATUS_OK;
    const enum status status = lacks_history(merge->into, trial_id, &lacks);
    if (status != STATUS_OK || !lacks)
        return status;
    if (!grow(merge))
        return STATUS_NO_MEMORY;
    struct pending *pending = &merge->pending[merge->pending_count++];
    struct stored_trial trial = {.trial_id = sqlite3_column_int64(row, TRIAL_ID),
                                 .mode = strcmp(text(row, CLOCK_MODE), "wall") == 0 ? CLK_WALL
                                                                                    : CLK_VIRTUAL};
    char folder[PATH_MAX_LENGTH];
    histories_root(merge->from->path, folder, sizeof folder);
    snprintf(trial.history_path, sizeof trial.history_path, "%s", text(row, HISTORY_PATH));
    snprintf(trial.history_hash, sizeof trial.history_hash, "%s", text(row, HISTORY_HASH));
    *pending = (struct pending){.trial_id = trial_id};
    kept_history_of(&trial, folder, &pending->kept);
    text_copy(pending->database, sizeof pending->database, merge->from->path);
    return STATUS_OK;
}

// ---- a square -----------------------------------------------------------------------------------

// Of the row that `select` stands at.
static enum status take(struct trial_copy *copy, int64_t square_id)
{
    int64_t trial_id = 0;
    bind_integer(copy->find, 1, square_id);
    bind_integer(copy->find, 2, sqlite3_column_int64(copy->select, NUMBER));
    const int found = sqlite3_step(copy->find);
    if (found == SQLITE_ROW)
        trial_id = sqlite3_column_int64(copy->find, 0);
    enum status status = found == SQLITE_ROW || found == SQLITE_DONE
                             ? STATUS_OK
                             : complain(copy->merge->into, "looking for a trial");
    sqlite3_reset(copy->find);
    if (status == STATUS_OK)
        status = found == SQLITE_ROW ? know_trial(copy, trial_id)
                                     : add_trial(copy, square_id, &trial_id);
    return status == STATUS_OK && copy->histories ? note_history(copy, trial_id) : status;
}

enum status trial_copy_run(struct trial_copy *copy, int64_t from_square, int64_t into_square)
{
    enum status status = STATUS_OK;
    int code = SQLITE_DONE;
    bind_integer(copy->select, 1, from_square);
    while (status == STATUS_OK && (code = sqlite3_step(copy->select)) == SQLITE_ROW)
        status = take(copy, into_square);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = complain(copy->merge->from, "reading trials");
    sqlite3_reset(copy->select);
    return status;
}
