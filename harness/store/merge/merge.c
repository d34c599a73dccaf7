// Each database is looked at before anything is written; then all is one transaction.
#include "harness/store/merge/merge.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "base/trouble.h"
#include "harness/store/campaign_guard.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/merge/merge_private.h"

#define GUARD_OF_MERGING 0 // no campaign has this number

// ---- before anything is written -----------------------------------------------------------------

static bool are_one_file(const char *a, const char *b)
{
    struct stat first, second;
    return stat(a, &first) == 0 && stat(b, &second) == 0 && first.st_dev == second.st_dev &&
           first.st_ino == second.st_ino;
}

static enum status refuse_benchmark(const char *path, const struct identity *campaign)
{
    log_error("%s: campaign %lld '%s' is a benchmark, whose figures are of one machine; `ukemi "
              "diff` compares two",
              path, (long long)campaign->campaign_id, campaign->name);
    return STATUS_INVALID;
}

// One of the same name says more about what differs.
static const struct identity *nearest(const struct identities *known,
                                      const struct identity *campaign)
{
    for (unsigned i = 0; i < known->count; i++)
        if (strcmp(known->list[i].name, campaign->name) == 0)
            return &known->list[i];
    return &known->list[0];
}

static enum status refuse_other(struct database *into, const struct identities *known,
                                struct database *from, const struct identity *campaign)
{
    char words[1500];
    const enum status status =
        identity_compare(into, nearest(known, campaign), from, campaign, words, sizeof words);
    if (status != STATUS_OK)
        return status;
    log_error("%s: campaign %lld '%s' is none of %s: %s; merge parts of one campaign, or say --add "
              "to have several in one database",
              from->path, (long long)campaign->campaign_id, campaign->name, into->path,
              words[0] != '\0' ? words : "it was run more often");
    return STATUS_INVALID;
}

// Whether all campaigns of `from` may come to those that are known.
static enum status check_campaigns(struct database *into, const struct identities *known,
                                   struct database *from, const struct merge_options *options)
{
    struct identities those = {0};
    enum status status = identities_read(from, &those);
    for (unsigned i = 0; i < those.count && status == STATUS_OK; i++) {
        if (those.list[i].benchmark)
            status = refuse_benchmark(from->path, &those.list[i]);
        else if (!options->add && known->count > 0 && identity_find(known, &those, i) == NULL)
            status = refuse_other(into, known, from, &those.list[i]);
    }
    identities_free(&those);
    return status;
}

// What decides which campaigns they may have: the target, or the first that has any.
struct measure {
    struct database *database;
    struct identities known;
};

static enum status take_measure(struct measure *measure, struct database *database)
{
    const enum status status = identities_read(database, &measure->known);
    if (status == STATUS_OK && measure->known.count > 0) {
        measure->database = database;
        return STATUS_OK;
    }
    identities_free(&measure->known);
    return status;
}

static enum status check_one(const char *into, const char *path, struct measure *measure,
                             const struct merge_options *options)
{
    struct database *from = NULL;
    if (are_one_file(into, path)) {
        log_error("%s: cannot be merged into itself; name another database", path);
        return STATUS_INVALID;
    }
    enum status status = database_open(path, DATABASE_QUERY, &from);
    if (status == STATUS_OK && measure->database == NULL)
        status = take_measure(measure, from);
    if (status == STATUS_OK && from != NULL)
        status = check_campaigns(measure->database, &measure->known, from, options);
    if (measure->database != from)
        database_close(from);
    return status;
}

static enum status check_all(const char *into, bool holds, const char *const *from, unsigned count,
                             const struct merge_options *options)
{
    struct measure measure = {0};
    struct database *target = NULL;
    enum status status = holds ? database_open(into, DATABASE_QUERY, &target) : STATUS_OK;
    if (status == STATUS_OK && target != NULL)
        status = take_measure(&measure, target);
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = check_one(into, from[i], &measure, options);
    if (status == STATUS_OK && measure.database == NULL) {
        log_error("%s: holds no campaign; run one first", from[0]);
        status = STATUS_INVALID;
    }
    if (measure.database != target)
        database_close(measure.database);
    database_close(target);
    identities_free(&measure.known);
    return status;
}

// ---- histories ----------------------------------------------------------------------------------

static enum status name_history(struct database *into, int64_t trial_id, const char *settled)
{
    sqlite3_stmt *s = statement(into, "UPDATE trial SET history_path = ? WHERE trial_id = ?");
    bind_text(s, 1, settled);
    bind_integer(s, 2, trial_id);
    return run(into, s);
}

static enum status copy_history(struct merge *merge, const struct pending *pending)
{
    char settled[PATH_MAX_LENGTH];
    struct history *history = NULL;
    struct history_place place;
    enum status status = kept_history_read(&pending->kept, pending->database, &history);
    history_free(history);
    if (status != STATUS_OK) {
        log_info("%s lacks that history: run its part again there, which finds the loss",
                 pending->database);
        return status;
    }
    histories_place_merged(merge->into->path, pending->kept.hash, &place);
    if (place.file[0] == '\0')
        return STATUS_OK; // too long a path to keep any
    status = histories_copy(pending->kept.file, &place);
    if (status != STATUS_OK)
        return status;
    histories_settle(merge->into->path, place.relative, pending->kept.hash, settled);
    merge->counts->histories++;
    return name_history(merge->into, pending->trial_id, settled);
}

static enum status copy_histories(struct merge *merge, unsigned *copied)
{
    enum status status =
        merge->pending_count > 0 ? histories_prepare(merge->into->path) : STATUS_OK;
    for (*copied = 0; *copied < merge->pending_count && status == STATUS_OK; ++*copied)
        status = copy_history(merge, &merge->pending[*copied]);
    return status;
}

static void confirm_histories(const struct merge *merge, unsigned copied, bool stored)
{
    for (unsigned i = 0; i < copied; i++) {
        struct history_place place;
        const char *hash = merge->pending[i].kept.hash;
        histories_place_merged(merge->into->path, hash, &place);
        histories_confirm(merge->into->path, place.relative, hash, stored);
    }
}

// ---- the transaction ----------------------------------------------------------------------------

static enum status merge_one(struct merge *merge, const char *path)
{
    struct identities known = {0}, those = {0};
    enum status status = database_open(path, DATABASE_QUERY, &merge->from);
    memset(merge->remembered, 0, sizeof merge->remembered);
    if (status == STATUS_OK)
        status = identities_read(merge->into, &known);
    if (status == STATUS_OK)
        status = identities_read(merge->from, &those);
    for (unsigned i = 0; i < those.count && status == STATUS_OK; i++)
        status = merge_campaign(merge, &those.list[i], identity_find(&known, &those, i));
    identities_free(&known);
    identities_free(&those);
    database_close(merge->from);
    merge->from = NULL;
    return status;
}

// Of a campaign that was finished before, or in one of the others, only the chosen ones stay.
static enum status drop_surplus(struct database *into)
{
    struct identities known = {0};
    enum status status = identities_read(into, &known);
    for (unsigned i = 0; i < known.count && status == STATUS_OK; i++) {
        const int64_t campaign_id = known.list[i].campaign_id;
        bool finished = false;
        status = campaign_is_finished(into, campaign_id, &finished);
        if (status == STATUS_OK && finished && !known.list[i].benchmark)
            status = histories_drop_surplus(into, into->path, campaign_id);
    }
    identities_free(&known);
    return status;
}

static enum status merge_all(struct merge *merge, const char *const *from, unsigned count)
{
    unsigned copied = 0;
    histories_sweep_merged(merge->into, merge->into->path);
    enum status status = command(merge->into, "BEGIN IMMEDIATE");
    for (unsigned i = 0; i < count && status == STATUS_OK; i++)
        status = merge_one(merge, from[i]);
    if (status == STATUS_OK)
        status = copy_histories(merge, &copied);
    if (status == STATUS_OK)
        status = check_place(merge->into);
    status = end_transaction(merge->into, status);
    merge->stored = status == STATUS_OK;
    confirm_histories(merge, copied, merge->stored);
    return status == STATUS_OK ? drop_surplus(merge->into) : status;
}

static enum status guard_one(struct database *into, int64_t campaign_id)
{
    if (campaign_guard_hold(into->guard, campaign_id))
        return STATUS_OK;
    log_error("%s: %s is at work on it: wait until that has ended", into->path,
              campaign_id == GUARD_OF_MERGING ? "another merge" : "a campaign");
    return STATUS_BUSY;
}

// Nobody runs a campaign of the target meanwhile, which would wait for the end of the transaction.
static enum status guard_all(struct database *into)
{
    struct identities known = {0};
    enum status status = campaign_guard_open(into->path, &into->guard);
    if (status == STATUS_OK)
        status = guard_one(into, GUARD_OF_MERGING);
    if (status == STATUS_OK)
        status = identities_read(into, &known);
    for (unsigned i = 0; i < known.count && status == STATUS_OK; i++)
        status = guard_one(into, known.list[i].campaign_id);
    identities_free(&known);
    return status;
}

// A target that was made for this and got nothing.
static void remove_made(const char *into)
{
    static const char *const endings[] = {"", "-wal", "-shm", "-histories"};
    char path[PATH_MAX_LENGTH + 16];
    for (size_t i = 0; i < sizeof endings / sizeof endings[0]; i++) {
        snprintf(path, sizeof path, "%s%s", into, endings[i]);
        (void)remove(path); // may not be there, or a folder that is not empty
    }
}

enum status merge_databases(const char *into, const char *const *from, unsigned count,
                            const struct merge_options *options, struct merge_counts *counts)
{
    struct stat about;
    const bool there = stat(into, &about) == 0;
    const bool holds = there && about.st_size > 0; // else of a merge that was killed, say
    *counts = (struct merge_counts){0};
    struct merge merge = {.counts = counts};
    enum status status = check_all(into, holds, from, count, options);
    if (status != STATUS_OK)
        return status;
    status = database_open(into, DATABASE_WRITE, &merge.into);
    if (status == STATUS_OK)
        status = guard_all(merge.into);
    if (status == STATUS_OK)
        status = merge_all(&merge, from, count);
    database_close(merge.into);
    free(merge.pending);
    if (!merge.stored && !there)
        remove_made(into);
    return status;
}
