#include "harness/store/night/night.h"

#include "base/log.h"
#include "harness/store/database_private.h"

#define GOES_ON_S 86400.0 // beside its budget: an older night is over

static const char *const words[] = {
    [NIGHT_NOT_BEGUN] = "not begun", [NIGHT_BEGUN] = "begun",
    [NIGHT_FINISHED] = "finished",   [NIGHT_OUT_OF_TIME] = "out of time",
    [NIGHT_LOST] = "trials lost",    [NIGHT_FAILED] = "failed",
};

const char *night_ended_words(enum night_ended ended)
{
    return words[ended];
}

// ---- a night ----------------------------------------------------------------------------------

static enum status find_unfinished(struct database *database, const struct night_start *start,
                                   struct night *night)
{
    sqlite3_stmt *s = statement(
        database, "SELECT night_id, spent_s FROM night WHERE name = ? AND finished_utc IS NULL AND"
                  " unixepoch() - unixepoch(started_utc) < ? ORDER BY night_id DESC LIMIT 1");
    if (s == NULL)
        return STATUS_SYSTEM;
    bind_text(s, 1, start->name);
    bind_real(s, 2, GOES_ON_S + start->budget_s);
    const int step = sqlite3_step(s);
    if (step == SQLITE_ROW) {
        night->night_id = sqlite3_column_int64(s, 0);
        night->spent_s = sqlite3_column_double(s, 1);
        night->resumed = true;
    }
    sqlite3_finalize(s);
    return step == SQLITE_ROW    ? STATUS_OK
           : step == SQLITE_DONE ? STATUS_NOT_FOUND
                                 : complain(database, "reading the nights");
}

static enum status insert_night(struct database *database, const struct night_start *start,
                                struct night *night)
{
    sqlite3_stmt *s =
        statement(database, "UPDATE night SET finished_utc = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE"
                            " name = ? AND finished_utc IS NULL");
    bind_text(s, 1, start->name);
    const enum status status = run(database, s);
    if (status != STATUS_OK)
        return status;
    s = statement(database,
                  "INSERT INTO night (name, file, budget_s, judging_first, started_utc) VALUES"
                  " (?, ?, ?, (SELECT coalesce(max(judging_id), 0) + 1 FROM judging),"
                  " strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING night_id");
    bind_text(s, 1, start->name);
    bind_text(s, 2, start->file);
    bind_real(s, 3, start->budget_s);
    return run_integer(database, s, &night->night_id);
}

enum status night_begin(struct database *database, const struct night_start *start,
                        struct night *night)
{
    *night = (struct night){0};
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status != STATUS_OK)
        return status;
    status = find_unfinished(database, start, night);
    if (status == STATUS_NOT_FOUND)
        status = insert_night(database, start, night);
    return end_transaction(database, status);
}

enum status night_spend(struct database *database, const struct night *night, double spent_s)
{
    sqlite3_stmt *s = statement(database, "UPDATE night SET spent_s = ? WHERE night_id = ?");
    bind_real(s, 1, spent_s);
    bind_integer(s, 2, night->night_id);
    return run(database, s);
}

enum status night_end(struct database *database, const struct night *night)
{
    sqlite3_stmt *s = statement(database, "UPDATE night SET finished_utc = "
                                          "strftime('%Y-%m-%dT%H:%M:%SZ') WHERE night_id = ?");
    bind_integer(s, 1, night->night_id);
    return run(database, s);
}

// ---- its parts --------------------------------------------------------------------------------

enum status night_part_put(struct database *database, const struct night *night,
                           const struct night_part *part)
{
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO night_part (night_id, position, name, priority, campaign_id, ended, planned,"
        " passed, failed, errors, skipped, wall_s) VALUES (?, ?, ?, ?, nullif(?, 0), ?, ?, ?, ?, ?,"
        " ?, ?) ON CONFLICT (night_id, position) DO UPDATE SET name = excluded.name, priority ="
        " excluded.priority, campaign_id = coalesce(excluded.campaign_id, campaign_id), ended ="
        " excluded.ended, planned = excluded.planned, passed = excluded.passed, failed ="
        " excluded.failed, errors = excluded.errors, skipped = excluded.skipped, wall_s = wall_s +"
        " excluded.wall_s");
    bind_integer(s, 1, night->night_id);
    bind_integer(s, 2, part->position);
    bind_text(s, 3, part->name);
    bind_integer(s, 4, part->priority);
    bind_integer(s, 5, part->campaign_id);
    bind_text(s, 6, words[part->ended]);
    bind_integer(s, 7, part->planned);
    bind_integer(s, 8, part->count[VERDICT_PASS]);
    bind_integer(s, 9, part->count[VERDICT_FAIL]);
    bind_integer(s, 10, part->count[VERDICT_ERROR]);
    bind_integer(s, 11, part->count[VERDICT_SKIP]);
    bind_real(s, 12, part->wall_s);
    return run(database, s);
}

enum status night_part_finished(struct database *database, const struct night *night,
                                unsigned position, bool *finished)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(database, "SELECT count(*) FROM night_part WHERE night_id = ? AND"
                                          " position = ? AND ended = 'finished'");
    bind_integer(s, 1, night->night_id);
    bind_integer(s, 2, position);
    const enum status status = run_integer(database, s, &count);
    *finished = count > 0;
    return status;
}

enum status night_last_of(struct database *database, const struct night *night,
                          const char *campaign, int64_t *night_id)
{
    sqlite3_stmt *s =
        statement(database, "SELECT coalesce(max(night_id), 0) FROM night_part JOIN night AS n"
                            " USING (night_id) WHERE night_part.name = ?1 AND campaign_id IS NOT"
                            " NULL AND night_id < ?2 AND n.name = (SELECT name FROM night WHERE"
                            " night_id = ?2)");
    bind_text(s, 1, campaign);
    bind_integer(s, 2, night->night_id);
    return run_integer(database, s, night_id);
}
