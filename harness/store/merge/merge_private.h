// What the parts of merging share. Private to this folder.
#pragma once

#include "harness/store/database_private.h"
#include "harness/store/kept/kept_history.h"
#include "harness/store/merge/merge.h"

// ---- rows of any table (merge_rows.c) -----------------------------------------------------------

// Names of a table's columns with commas between, without those in `leave_out`, which is such a
// list, too. NULL: no memory, or reported. sqlite3_free.
char *row_columns(struct database *database, const char *table, const char *leave_out);

// Rows of a table that belong to one of another: with the other's key in its place. `leave_out`:
// that key, and what the row gets anew.
struct row_copy {
    struct database *from, *into;
    sqlite3_stmt *select, *insert;
};
enum status row_copy_start(struct row_copy *copy, struct database *from, struct database *into,
                           const char *table, const char *key, const char *leave_out) MUST_CHECK;
enum status row_copy_run(struct row_copy *copy, int64_t from_key, int64_t into_key) MUST_CHECK;
void row_copy_end(struct row_copy *copy);

// The id that a row of `table` has in `into`: of an equal row, which is added if there is none.
// The table's key is TABLE_id, and no two of its rows are equal.
enum status row_map(struct database *from, struct database *into, const char *table, int64_t id,
                    int64_t *mapped) MUST_CHECK;

struct merge;
// The same, from merge->from, of tables that few rows are in and many trials name; remembered.
enum status row_map_often(struct merge *merge, const char *table, int64_t id,
                          int64_t *mapped) MUST_CHECK;

// ---- campaigns (merge_campaign.c) ---------------------------------------------------------------

struct identity {
    int64_t campaign_id;
    bool benchmark;
    char name[NAME_MAX_LENGTH], target[NAME_MAX_LENGTH], clock_mode[16], digest[33];
    char lab_revision[128];
    int64_t seed;
    bool walled;
    double recheck_share;
};
struct identities {
    unsigned count;
    struct identity *list; // by campaign_id
};
enum status identities_read(struct database *database, struct identities *identities) MUST_CHECK;
void identities_free(struct identities *identities);
bool identity_equal(const struct identity *a, const struct identity *b);
// The campaign of `among` that is number `i` of `of`: of several equal ones, that of the same
// place. NULL: none.
const struct identity *identity_find(const struct identities *among, const struct identities *of,
                                     unsigned i);
// How `other`, of `from`, differs from `known`, in words.
enum status identity_compare(struct database *into, const struct identity *known,
                             struct database *from, const struct identity *other, char *words,
                             size_t size) MUST_CHECK;

// ---- trials (merge_trial.c) ---------------------------------------------------------------------

struct pending { // a history to be copied
    struct kept_history kept;
    char database[PATH_MAX_LENGTH]; // that keeps it
    int64_t trial_id;               // in the target
};

#define REMEMBERED_MAX 16

struct merge {
    struct database *into, *from;
    struct {
        const char *table; // of row_map_often; NULL: nothing is remembered here
        int64_t id, mapped;
    } remembered[REMEMBERED_MAX]; // of `from`, by id
    struct merge_counts *counts;
    bool stored; // the transaction has ended well
    unsigned pending_count, pending_room;
    struct pending *pending;
};

// All trials of a square, which is `into_square` there.
struct trial_copy; // opaque; statements that are prepared once
enum status trial_copy_start(struct merge *merge, bool histories,
                             struct trial_copy **copy) MUST_CHECK;
enum status trial_copy_run(struct trial_copy *copy, int64_t from_square,
                           int64_t into_square) MUST_CHECK;
void trial_copy_end(struct trial_copy *copy); // NULL is allowed

// Whether a campaign of the target is finished: which histories it keeps has been chosen then.
enum status campaign_is_finished(struct database *into, int64_t campaign_id,
                                 bool *finished) MUST_CHECK;
// A campaign whole. `known`: the one of `into` that it is part of, NULL: none.
enum status merge_campaign(struct merge *merge, const struct identity *campaign,
                           const struct identity *known) MUST_CHECK;

// ---- judgings (merge_judging.c) -----------------------------------------------------------------

struct judging_copy {
    struct row_copy verdicts, observations;
    struct merge *merge;
    struct judgings *room; // for those of the two trials
};
enum status judging_copy_start(struct judging_copy *copy, struct merge *merge) MUST_CHECK;
// Those of a trial that is new, or, if it is known, those that it has not.
enum status judging_copy_run(struct judging_copy *copy, int64_t from_trial, int64_t into_trial,
                             bool known) MUST_CHECK;
void judging_copy_end(struct judging_copy *copy);
