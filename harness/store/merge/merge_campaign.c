// Campaigns: which are the same, and what belongs to one besides its trials.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/store/kept/campaign_contents.h"
#include "harness/store/merge/merge_private.h"

// ---- which is which -----------------------------------------------------------------------------

static void copy_text(sqlite3_stmt *s, int column, char *text, size_t size)
{
    const unsigned char *value = sqlite3_column_text(s, column);
    snprintf(text, size, "%s", value != NULL ? (const char *)value : "");
}

static void take_identity(sqlite3_stmt *s, struct identity *identity)
{
    *identity = (struct identity){.campaign_id = sqlite3_column_int64(s, 0),
                                  .benchmark = sqlite3_column_int(s, 1) != 0,
                                  .seed = sqlite3_column_int64(s, 4),
                                  .walled = sqlite3_column_int(s, 6) != 0,
                                  .recheck_share = sqlite3_column_double(s, 7)};
    copy_text(s, 2, identity->name, sizeof identity->name);
    copy_text(s, 3, identity->target, sizeof identity->target);
    copy_text(s, 5, identity->clock_mode, sizeof identity->clock_mode);
    copy_text(s, 8, identity->digest, sizeof identity->digest);
    copy_text(s, 9, identity->lab_revision, sizeof identity->lab_revision);
}

enum status identities_read(struct database *database, struct identities *identities)
{
    int64_t count = 0;
    *identities = (struct identities){0};
    enum status status =
        run_integer(database, statement(database, "SELECT count(*) FROM campaign"), &count);
    if (status != STATUS_OK)
        return status;
    identities->list = calloc((size_t)count + 1, sizeof *identities->list);
    if (identities->list == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    int code = SQLITE_ERROR;
    sqlite3_stmt *s = statement(
        database, "SELECT campaign_id, kind = 'benchmark', name, target, seed, clock_mode, walled,"
                  " recheck_share, digest, lab_revision FROM campaign JOIN build USING (build_id)"
                  " ORDER BY campaign_id");
    while (s != NULL && (code = sqlite3_step(s)) == SQLITE_ROW && identities->count < count)
        take_identity(s, &identities->list[identities->count++]);
    status = code == SQLITE_DONE || code == SQLITE_ROW ? STATUS_OK
                                                       : complain(database, "reading campaigns");
    sqlite3_finalize(s);
    return status;
}

void identities_free(struct identities *identities)
{
    free(identities->list);
    *identities = (struct identities){0};
}

bool identity_equal(const struct identity *a, const struct identity *b)
{
    return a->benchmark == b->benchmark && a->seed == b->seed && a->walled == b->walled &&
           a->recheck_share == b->recheck_share && strcmp(a->name, b->name) == 0 &&
           strcmp(a->target, b->target) == 0 && strcmp(a->clock_mode, b->clock_mode) == 0 &&
           strcmp(a->digest, b->digest) == 0 && strcmp(a->lab_revision, b->lab_revision) == 0;
}

const struct identity *identity_find(const struct identities *among, const struct identities *of,
                                     unsigned i)
{
    unsigned before = 0; // equal ones in `of`
    for (unsigned k = 0; k < i; k++)
        before += identity_equal(&of->list[k], &of->list[i]);
    for (unsigned k = 0; k < among->count; k++)
        if (identity_equal(&among->list[k], &of->list[i]) && before-- == 0)
            return &among->list[k];
    return NULL;
}

static void note(char *words, size_t size, bool differs, const char *what, const char *known,
                 const char *other)
{
    if (differs)
        text_add(words, size, "%sits %s was %s, and is %s", words[0] != '\0' ? ", " : "", what,
                 known, other);
}

enum status identity_compare(struct database *into, const struct identity *known,
                             struct database *from, const struct identity *other, char *words,
                             size_t size)
{
    char seeds[2][32], contents_words[1024] = "";
    struct contents *contents = NULL;
    words[0] = '\0';
    snprintf(seeds[0], sizeof seeds[0], "%lld", (long long)known->seed);
    snprintf(seeds[1], sizeof seeds[1], "%lld", (long long)other->seed);
#define DIFFERS(member) strcmp(known->member, other->member) != 0
    note(words, size, DIFFERS(name), "name", known->name, other->name);
    note(words, size, DIFFERS(target), "target", known->target, other->target);
    note(words, size, known->seed != other->seed, "seed", seeds[0], seeds[1]);
    note(words, size, DIFFERS(clock_mode), "clock", known->clock_mode, other->clock_mode);
    note(words, size, known->walled != other->walled, "wall", known->walled ? "there" : "off",
         other->walled ? "there" : "off");
    note(words, size, DIFFERS(lab_revision), "lab", known->lab_revision, other->lab_revision);
#undef DIFFERS
    enum status status = STATUS_OK;
    if (strcmp(known->digest, other->digest) != 0)
        status = contents_read(from, other->campaign_id, &contents);
    if (contents != NULL && status == STATUS_OK)
        status = contents_compare(into, known->campaign_id, contents, contents_words,
                                  sizeof contents_words);
    contents_free(contents);
    if (contents_words[0] != '\0')
        text_add(words, size, "%s%s", words[0] != '\0' ? ", " : "", contents_words);
    return status;
}

// ---- its own row, and what it is made of --------------------------------------------------------

static enum status insert_campaign(struct merge *merge, int64_t from_id, int64_t *into_id)
{
    int64_t build_id = 0, machine_id = 0, ids[2] = {0};
    sqlite3_stmt *row = statement(
        merge->from, "SELECT build_id, machine_id, kind, name, file, target, seed, clock_mode,"
                     " recheck_share, jobs, walled, started_utc, page, digest FROM campaign"
                     " WHERE campaign_id = ?");
    sqlite3_stmt *s = statement(
        merge->into, "INSERT INTO campaign (build_id, machine_id, kind, name, file, target, seed,"
                     " clock_mode, recheck_share, jobs, walled, started_utc, page, digest,"
                     " trial_first) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?,"
                     " (SELECT trial_id FROM free_trial)) RETURNING campaign_id");
    enum status status = row != NULL && s != NULL ? STATUS_OK : STATUS_SYSTEM;
    bind_integer(row, 1, from_id);
    if (status == STATUS_OK && sqlite3_step(row) != SQLITE_ROW)
        status = complain(merge->from, "reading a campaign");
    for (int i = 0; i < 2 && status == STATUS_OK; i++)
        ids[i] = sqlite3_column_int64(row, i);
    if (status == STATUS_OK)
        status = row_map(merge->from, merge->into, "build", ids[0], &build_id);
    if (status == STATUS_OK)
        status = row_map(merge->from, merge->into, "machine", ids[1], &machine_id);
    for (int i = 2; status == STATUS_OK && i < sqlite3_column_count(row); i++)
        sqlite3_bind_value(s, i + 1, sqlite3_column_value(row, i));
    sqlite3_finalize(row);
    bind_integer(s, 1, build_id);
    bind_integer(s, 2, machine_id);
    if (status == STATUS_OK)
        return run_integer(merge->into, s, into_id);
    sqlite3_finalize(s);
    return status;
}

static enum status add_squares(struct merge *merge, int64_t from_id, int64_t into_id)
{
    struct row_copy squares;
    enum status status = row_copy_start(&squares, merge->from, merge->into, "square", "campaign_id",
                                        "campaign_id, square_id");
    if (status == STATUS_OK)
        status = row_copy_run(&squares, from_id, into_id);
    row_copy_end(&squares);
    return status;
}

// The row of the table content that `row` stands at.
static enum status add_content(struct merge *merge, sqlite3_stmt *row, int64_t into_id)
{
    int64_t bytes_id = 0;
    enum status status = STATUS_OK;
    if (sqlite3_column_type(row, 3) != SQLITE_NULL)
        status =
            row_map(merge->from, merge->into, "bytes", sqlite3_column_int64(row, 3), &bytes_id);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(merge->into, "INSERT INTO content (name, hash, path, bytes_id, campaign_id)"
                               " VALUES (?, ?, ?, nullif(?, 0), ?)");
    for (int i = 0; i < 3 && s != NULL; i++)
        sqlite3_bind_value(s, i + 1, sqlite3_column_value(row, i));
    bind_integer(s, 4, bytes_id);
    bind_integer(s, 5, into_id);
    return run(merge->into, s);
}

static enum status add_contents(struct merge *merge, int64_t from_id, int64_t into_id)
{
    int code = SQLITE_DONE;
    sqlite3_stmt *row = statement(
        merge->from, "SELECT name, hash, path, bytes_id FROM content WHERE campaign_id = ?");
    enum status status = row != NULL ? STATUS_OK : STATUS_SYSTEM;
    bind_integer(row, 1, from_id);
    while (status == STATUS_OK && (code = sqlite3_step(row)) == SQLITE_ROW)
        status = add_content(merge, row, into_id);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = complain(merge->from, "reading contents");
    sqlite3_finalize(row);
    return status;
}

// ---- what follows from its parts ----------------------------------------------------------------

// The session that `row` stands at; one that is known may have ended since.
static enum status add_session(struct merge *merge, sqlite3_stmt *row, int64_t into_id)
{
    int64_t machine_id = 0;
    const enum status status =
        row_map(merge->from, merge->into, "machine", sqlite3_column_int64(row, 0), &machine_id);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s = statement(
        merge->into,
        "INSERT INTO session (machine_id, name, shard, shards, jobs, job, restarts, started_utc,"
        " ended_utc, wall_s, trials, campaign_id) VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)"
        " ON CONFLICT (name) DO UPDATE SET ended_utc = coalesce(ended_utc, excluded.ended_utc),"
        " wall_s = coalesce(wall_s, excluded.wall_s), trials = coalesce(trials, excluded.trials)");
    for (int i = 1; i < sqlite3_column_count(row) && s != NULL; i++)
        sqlite3_bind_value(s, i + 1, sqlite3_column_value(row, i));
    bind_integer(s, 1, machine_id);
    bind_integer(s, 12, into_id);
    return run(merge->into, s);
}

static enum status add_sessions(struct merge *merge, int64_t from_id, int64_t into_id)
{
    int code = SQLITE_DONE;
    sqlite3_stmt *row = statement(
        merge->from, "SELECT machine_id, name, shard, shards, jobs, job, restarts, started_utc,"
                     " ended_utc, wall_s, trials FROM session WHERE campaign_id = ?");
    enum status status = row != NULL ? STATUS_OK : STATUS_SYSTEM;
    bind_integer(row, 1, from_id);
    while (status == STATUS_OK && (code = sqlite3_step(row)) == SQLITE_ROW)
        status = add_session(merge, row, into_id);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = complain(merge->from, "reading sessions");
    sqlite3_finalize(row);
    return status;
}

// Least and greatest, never the first, so that the order of merging is of no matter. One that was
// finished has all trials. Its time is that of all sessions, which an older lab did not store.
static enum status unite_campaign(struct merge *merge, int64_t from_id, int64_t into_id)
{
    sqlite3_stmt *row = statement(merge->from, "SELECT started_utc, finished_utc, jobs, wall_s"
                                               " FROM campaign WHERE campaign_id = ?");
    sqlite3_stmt *s = statement(
        merge->into,
        "UPDATE campaign SET started_utc = min(started_utc, ?1), finished_utc ="
        " min(coalesce(finished_utc, ?2), coalesce(?2, finished_utc)), jobs = max(jobs, ?3),"
        " wall_s = nullif(max(coalesce(wall_s, 0), coalesce(?4, 0), (SELECT coalesce(sum(wall_s),"
        " 0) FROM session WHERE campaign_id = ?5)), 0) WHERE campaign_id = ?5");
    enum status status = row != NULL && s != NULL ? STATUS_OK : STATUS_SYSTEM;
    bind_integer(row, 1, from_id);
    if (status == STATUS_OK && sqlite3_step(row) != SQLITE_ROW)
        status = complain(merge->from, "reading a campaign");
    for (int i = 0; i < 4 && status == STATUS_OK; i++)
        sqlite3_bind_value(s, i + 1, sqlite3_column_value(row, i));
    sqlite3_finalize(row);
    bind_integer(s, 5, into_id);
    if (status == STATUS_OK)
        return run(merge->into, s);
    sqlite3_finalize(s);
    return status;
}

// ---- squares ------------------------------------------------------------------------------------

static enum status refuse_square(struct merge *merge, sqlite3_stmt *row)
{
    log_error("%s: square '%s, %s' of campaign '%s' is not there, or planned otherwise, in %s: "
              "they are of other campaigns; merge each into a database of its own",
              merge->from->path, sqlite3_column_text(row, 2), sqlite3_column_text(row, 3),
              sqlite3_column_text(row, 6), merge->into->path);
    return STATUS_INVALID;
}

// The square that `row` stands at.
static enum status merge_square(struct merge *merge, struct trial_copy *copy, sqlite3_stmt *row,
                                int64_t into_id)
{
    int64_t square_id;
    sqlite3_stmt *s = statement(
        merge->into, "SELECT square_id FROM square WHERE position = ?2 AND row_name = ?3 AND"
                     " column_name = ?4 AND scenario = ?5 AND trials_planned = ?6 AND campaign_id"
                     " = ?1");
    bind_integer(s, 1, into_id);
    for (int i = 1; i <= 5 && s != NULL; i++)
        sqlite3_bind_value(s, i + 1, sqlite3_column_value(row, i));
    const enum status status = run_integer(merge->into, s, &square_id);
    if (status == STATUS_NOT_FOUND)
        return refuse_square(merge, row);
    return status == STATUS_OK ? trial_copy_run(copy, sqlite3_column_int64(row, 0), square_id)
                               : status;
}

static enum status merge_squares(struct merge *merge, int64_t from_id, int64_t into_id)
{
    struct trial_copy *copy = NULL;
    bool finished = false;
    enum status status = campaign_is_finished(merge->into, into_id, &finished);
    if (status == STATUS_OK)
        status = trial_copy_start(merge, !finished, &copy);
    int code = SQLITE_DONE;
    sqlite3_stmt *row = statement(
        merge->from, "SELECT square_id, position, row_name, column_name, scenario, trials_planned,"
                     " name FROM square JOIN campaign USING (campaign_id) WHERE campaign_id = ?"
                     " ORDER BY position");
    if (status == STATUS_OK && row == NULL)
        status = STATUS_SYSTEM;
    bind_integer(row, 1, from_id);
    while (status == STATUS_OK && (code = sqlite3_step(row)) == SQLITE_ROW)
        status = merge_square(merge, copy, row, into_id);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = complain(merge->from, "reading squares");
    sqlite3_finalize(row);
    trial_copy_end(copy);
    return status;
}

enum status campaign_is_finished(struct database *into, int64_t campaign_id, bool *finished)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(
        into, "SELECT count(*) FROM campaign WHERE campaign_id = ? AND finished_utc IS NOT NULL");
    bind_integer(s, 1, campaign_id);
    const enum status status = run_integer(into, s, &count);
    *finished = count > 0;
    return status;
}

static enum status add_campaign(struct merge *merge, int64_t from_id, int64_t *into_id)
{
    enum status status = insert_campaign(merge, from_id, into_id);
    if (status == STATUS_OK)
        status = add_squares(merge, from_id, *into_id);
    merge->counts->campaigns++;
    return status == STATUS_OK ? add_contents(merge, from_id, *into_id) : status;
}

enum status merge_campaign(struct merge *merge, const struct identity *campaign,
                           const struct identity *known)
{
    int64_t into_id = known != NULL ? known->campaign_id : 0;
    enum status status =
        known != NULL ? STATUS_OK : add_campaign(merge, campaign->campaign_id, &into_id);
    if (status == STATUS_OK)
        status = merge_squares(merge, campaign->campaign_id, into_id);
    if (status == STATUS_OK)
        status = add_sessions(merge, campaign->campaign_id, into_id);
    return status == STATUS_OK ? unite_campaign(merge, campaign->campaign_id, into_id) : status;
}
