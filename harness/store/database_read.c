// Reading trials back from the database.
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/store/benchmark/benchmark.h"
#include "harness/store/database_private.h"

#define COLUMNS_MAX 64

static void copy_text(sqlite3_stmt *s, int column, char *text, size_t size)
{
    const unsigned char *value = sqlite3_column_text(s, column);
    snprintf(text, size, "%s", value == NULL ? "" : (const char *)value);
}

static enum verdict verdict_of(const char *name)
{
    for (enum verdict v = VERDICT_PASS; v <= VERDICT_SKIP; v++)
        if (strcmp(verdict_name(v), name) == 0)
            return v;
    return VERDICT_ERROR;
}

#define TRIAL_COLUMNS                                                                              \
    "SELECT t.trial_id, t.position, t.number, t.seed, t.target, t.scenario, c.file, "              \
    "t.clock_mode, t.history_hash,"                                                                \
    " t.history_path, t.verdict, c.kind = 'benchmark', c.page = 'doubt', t.row_name,"              \
    " (SELECT applied_s FROM fault AS f WHERE f.trial_id = t.trial_id ORDER BY f.number DESC"      \
    "  LIMIT 1), t.lacks, campaign_id, c.kind = 'storm' FROM trial_view AS t JOIN campaign AS c "  \
    "USING (campaign_id) "

// Takes the one row of a statement with TRIAL_COLUMNS and finalises it. NOT_FOUND without one.
static enum status take_trial(struct database *database, sqlite3_stmt *s,
                              struct stored_trial *trial)
{
    if (s == NULL)
        return STATUS_SYSTEM;
    enum status status = STATUS_NOT_FOUND;
    int code = sqlite3_step(s);
    if (code == SQLITE_ROW) {
        char mode[16], verdict[16];
        *trial = (struct stored_trial){.trial_id = sqlite3_column_int64(s, 0),
                                       .campaign_id = sqlite3_column_int64(s, 16),
                                       .square = (unsigned)sqlite3_column_int(s, 1),
                                       .number = (unsigned)sqlite3_column_int(s, 2),
                                       .seed = (uint64_t)sqlite3_column_int64(s, 3)};
        copy_text(s, 4, trial->target, sizeof trial->target);
        copy_text(s, 5, trial->scenario, sizeof trial->scenario);
        copy_text(s, 6, trial->campaign_file, sizeof trial->campaign_file);
        copy_text(s, 7, mode, sizeof mode);
        copy_text(s, 8, trial->history_hash, sizeof trial->history_hash);
        copy_text(s, 9, trial->history_path, sizeof trial->history_path);
        copy_text(s, 10, verdict, sizeof verdict);
        trial->mode = strcmp(mode, "wall") == 0 ? CLK_WALL : CLK_VIRTUAL;
        trial->verdict = verdict_of(verdict);
        trial->is_run = sqlite3_column_int(s, 11) != 0;
        trial->is_doubt = sqlite3_column_int(s, 12) != 0;
        copy_text(s, 13, trial->doubt, sizeof trial->doubt);
        trial->doubt_at_s =
            sqlite3_column_type(s, 14) == SQLITE_NULL ? NAN : sqlite3_column_double(s, 14);
        copy_text(s, 15, trial->lacks, sizeof trial->lacks);
        trial->is_storm = sqlite3_column_int(s, 17) != 0;
        status = STATUS_OK;
    } else if (code != SQLITE_DONE) {
        status = complain(database, "reading a trial");
    }
    sqlite3_finalize(s);
    return status;
}

static void say_missing(struct database *database, int64_t trial_id)
{
    bool is_run;
    if (benchmark_has_run(database, trial_id, &is_run) == STATUS_OK && is_run)
        log_error("%s: trial %lld is a run of a benchmark: it has figures and no history; "
                  "`ukemi show %lld` shows them",
                  database->path, (long long)trial_id, (long long)trial_id);
    else
        log_error("%s: there is no trial %lld; `ukemi show` lists what there is", database->path,
                  (long long)trial_id);
}

enum status database_find_trial(struct database *database, int64_t trial_id,
                                struct stored_trial *trial)
{
    sqlite3_stmt *s = statement(database, TRIAL_COLUMNS "WHERE t.trial_id = ?");
    bind_integer(s, 1, trial_id);
    enum status status = take_trial(database, s, trial);
    if (status == STATUS_NOT_FOUND)
        say_missing(database, trial_id);
    return status;
}

enum status database_typical_trial(struct database *database, int64_t campaign_id, unsigned square,
                                   bool kept, struct stored_trial *trial)
{
    sqlite3_stmt *s = statement(
        database, TRIAL_COLUMNS
        "WHERE t.campaign_id = ?1 AND t.position = ?2 AND t.verdict IN ('PASS', 'FAIL')"
        " AND t.outcome = 'ran' AND (t.history_path IS NOT NULL OR NOT ?3) ORDER BY t.verdict = "
        "'FAIL',"
        " (SELECT count(*) FROM trial_view AS o WHERE o.campaign_id = ?1 AND o.position = ?2"
        "  AND o.observed IS t.observed) DESC, t.number LIMIT 1");
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, square);
    bind_integer(s, 3, kept);
    return take_trial(database, s, trial);
}

// Whether a count over one trial of a campaign is above zero.
static enum status look_up(struct database *database, const char *sql, int64_t campaign_id,
                           unsigned square, unsigned number, bool *found)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(database, sql);
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, square);
    bind_integer(s, 3, number);
    enum status status = run_integer(database, s, &count);
    *found = count > 0;
    return status;
}

#define ONE_TRIAL                                                                                  \
    "FROM trial JOIN square USING (square_id) WHERE campaign_id = ? AND position = ? AND number "  \
    "= ?"

// ?4 is a file's name.
#define OF_FILE "substr(history_path, -length('/' || ?4)) = '/' || ?4"

enum status database_has_trial(struct database *database, int64_t campaign_id, unsigned square,
                               unsigned number, bool *has)
{
    return look_up(database, "SELECT count(*) " ONE_TRIAL, campaign_id, square, number, has);
}

enum status database_keeps_history(struct database *database, int64_t campaign_id, unsigned square,
                                   unsigned number, const char *file, bool *keeps)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(database, "SELECT count(*) " ONE_TRIAL " AND " OF_FILE);
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, square);
    bind_integer(s, 3, number);
    bind_text(s, 4, file);
    const enum status status = run_integer(database, s, &count);
    *keeps = count > 0;
    return status;
}

enum status database_names_history(struct database *database, const char *file, bool *names)
{
    int64_t count = 0;
    sqlite3_stmt *s =
        statement(database, "SELECT count(*) FROM trial WHERE ?1 IS NOT NULL AND " OF_FILE);
    bind_text(s, 1, "");
    bind_text(s, 4, file);
    const enum status status = run_integer(database, s, &count);
    *names = count > 0;
    return status;
}

enum status database_is_judged(struct database *database, int64_t trial_id, bool *judged)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(database, "SELECT count(*) FROM judging WHERE trial_id = ?");
    bind_integer(s, 1, trial_id);
    const enum status status = run_integer(database, s, &count);
    *judged = count > 0;
    return status;
}

enum status database_square_count(struct database *database, int64_t campaign_id, unsigned square,
                                  unsigned *judged, unsigned *failed)
{
    int64_t count[2] = {0, 0};
    static const char *const what[2] = {"passed + failed", "failed"};
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < 2 && status == STATUS_OK; i++) {
        char sql[160];
        snprintf(sql, sizeof sql,
                 "SELECT %s FROM square_verdicts WHERE campaign_id = ? AND position = ?", what[i]);
        sqlite3_stmt *s = statement(database, sql);
        bind_integer(s, 1, campaign_id);
        bind_integer(s, 2, square);
        status = run_integer(database, s, &count[i]);
    }
    *judged = (unsigned)count[0];
    *failed = (unsigned)count[1];
    return status;
}

unsigned database_count(struct database *database, int64_t campaign_id, enum verdict verdict)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(
        database, "SELECT count(*) FROM trial_view WHERE campaign_id = ? AND verdict = ?");
    bind_integer(s, 1, campaign_id);
    bind_text(s, 2, verdict_name(verdict));
    return run_integer(database, s, &count) == STATUS_OK ? (unsigned)count : 0;
}

void database_agreement(struct database *database, int64_t campaign_id, char *words, size_t size)
{
    sqlite3_stmt *s =
        statement(database, "SELECT words FROM campaign_agreement WHERE campaign_id = ?");
    words[0] = '\0';
    bind_integer(s, 1, campaign_id);
    const int code = s != NULL ? sqlite3_step(s) : SQLITE_ERROR;
    if (code == SQLITE_ROW)
        copy_text(s, 0, words, size);
    else if (s != NULL && code != SQLITE_DONE)
        (void)complain(database, "reading what was expected");
    sqlite3_finalize(s);
}

enum status database_query(struct database *database, const char *sql, int64_t parameter,
                           database_row *row, void *context)
{
    sqlite3_stmt *s = statement(database, sql);
    if (s == NULL)
        return STATUS_SYSTEM;
    if (sqlite3_bind_parameter_count(s) > 0)
        bind_integer(s, 1, parameter);
    const char *name[COLUMNS_MAX], *value[COLUMNS_MAX];
    int code,
        columns = sqlite3_column_count(s) < COLUMNS_MAX ? sqlite3_column_count(s) : COLUMNS_MAX;
    bool more = true;
    while ((code = sqlite3_step(s)) == SQLITE_ROW && more) {
        for (int i = 0; i < columns; i++) {
            name[i] = sqlite3_column_name(s, i);
            value[i] = (const char *)sqlite3_column_text(s, i);
        }
        more = row(context, columns, name, value);
    }
    enum status status = code == SQLITE_DONE || !more ? STATUS_OK : complain(database, "reading");
    sqlite3_finalize(s);
    return status;
}

static bool take_verdict(void *context, int columns, const char *const *name,
                         const char *const *value)
{
    (void)name;
    struct judgement *judgement = context;
    struct oracle_verdict *verdict = &judgement->oracle[judgement->count];
    if (columns < 6 || judgement->count == VERDICTS_MAX)
        return false;
    judgement->count++;
    snprintf(verdict->oracle, sizeof verdict->oracle, "%s", value[0]);
    verdict->verdict = verdict_of(value[1]);
    verdict->margin = value[2] == NULL ? NAN : strtod(value[2], NULL);
    verdict->broken_s = value[5] == NULL ? NAN : strtod(value[5], NULL);
    snprintf(verdict->unit, sizeof verdict->unit, "%s", value[3]);
    snprintf(verdict->detail, sizeof verdict->detail, "%s", value[4]);
    return true;
}

static bool take_observation(void *context, int columns, const char *const *name,
                             const char *const *value)
{
    (void)name;
    struct judgement *judgement = context;
    if (columns < 5 || judgement->observation_count == OBSERVATIONS_MAX)
        return false;
    struct observation *row = &judgement->observation[judgement->observation_count++];
    *row = (struct observation){.value = value[1] == NULL ? NAN : strtod(value[1], NULL)};
    snprintf(row->name, sizeof row->name, "%s", value[0]);
    snprintf(row->unit, sizeof row->unit, "%s", value[2]);
    snprintf(row->text, sizeof row->text, "%s", value[3]);
    snprintf(row->reason, sizeof row->reason, "%s", value[4]);
    return true;
}

enum status database_find_judgement(struct database *database, int64_t trial_id,
                                    struct judgement *judgement)
{
    *judgement = (struct judgement){.count = 0};
    enum status status =
        database_query(database,
                       "SELECT oracle, v.verdict, margin, unit, detail, broken_s FROM verdict AS v"
                       " JOIN judging_in_force USING (judging_id) WHERE trial_id = ?1",
                       trial_id, take_verdict, judgement);
    if (status == STATUS_OK)
        status = database_query(database,
                                "SELECT name, value, unit, text, reason FROM observation_view"
                                " WHERE trial_id = ?1 ORDER BY number",
                                trial_id, take_observation, judgement);
    judge_conclude(judgement);
    return status;
}
