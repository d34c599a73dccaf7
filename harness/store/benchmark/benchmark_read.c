// Histograms of benchmarks, read back. What a database holds may be anything.
#include <fnmatch.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/store/benchmark/benchmark.h"
#include "harness/store/database_private.h"
#include "harness/history/histogram_code.h"

enum status benchmark_has_run(struct database *database, int64_t trial_id, bool *has)
{
    int64_t count = 0;
    sqlite3_stmt *s = statement(
        database, "SELECT count(*) FROM trial JOIN square USING (square_id) JOIN campaign USING"
                  " (campaign_id) WHERE trial_id = ? AND kind = 'benchmark'");
    bind_integer(s, 1, trial_id);
    const enum status status = run_integer(database, s, &count);
    *has = count > 0;
    return status;
}

// ---- runs that were judged FAIL or ERROR ------------------------------------------------------

struct each_bad {
    bool (*each)(void *context, const struct bad_run *run);
    void *context;
};

static bool pass_on(void *context, int columns, const char *const *name, const char *const *value)
{
    const struct each_bad *to = context;
    (void)name;
    if (columns != 6)
        return false;
    const struct bad_run run = {.trial = value[0],
                                .verdict = value[1],
                                .square = value[2],
                                .run = value[3],
                                .why = value[4] == NULL ? "" : value[4],
                                .history = value[5]};
    return to->each(to->context, &run);
}

enum status benchmark_each_bad(struct database *database, int64_t campaign_id,
                               bool (*each)(void *context, const struct bad_run *run),
                               void *context)
{
    struct each_bad to = {each, context};
    return database_query(
        database,
        "SELECT trial_id, verdict, row_name, number + 1, (SELECT oracle || ': ' || detail"
        " FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict"
        " ORDER BY broken_s NULLS LAST LIMIT 1),"
        " history_path FROM trial_view AS t WHERE campaign_id = ? ORDER BY trial_id DESC",
        campaign_id, pass_on, &to);
}

// ---- benchmarks by name -----------------------------------------------------------------------

enum status benchmark_find(struct database *database, const char *word, int64_t *campaign_id,
                           char *name, size_t size)
{
    sqlite3_stmt *s = statement(
        database, "SELECT campaign_id, name, kind = 'benchmark' FROM campaign WHERE (name = ?1 AND"
                  " (kind <> 'benchmark' OR finished_utc IS NOT NULL)) OR CAST(campaign_id AS TEXT)"
                  " = ?1 ORDER BY campaign_id DESC LIMIT 1");
    if (s == NULL)
        return STATUS_SYSTEM;
    bind_text(s, 1, word);
    const int code = sqlite3_step(s);
    enum status status = STATUS_EMPTY;
    if (code == SQLITE_ROW && sqlite3_column_int(s, 2)) {
        *campaign_id = sqlite3_column_int64(s, 0);
        snprintf(name, size, "%s", (const char *)sqlite3_column_text(s, 1));
        status = STATUS_OK;
    } else if (code != SQLITE_ROW && code != SQLITE_DONE)
        status = complain(database, "reading campaigns");
    sqlite3_finalize(s);
    return status;
}

// ---- histograms -------------------------------------------------------------------------------

// The buckets, and what is exact beside them. False: they contradict each other.
static bool take_histogram(sqlite3_stmt *s, struct stored_histogram *stored)
{
    struct histogram *h = &stored->histogram;
    const unsigned char *metric = sqlite3_column_text(s, 0);
    snprintf(stored->metric, sizeof stored->metric, "%s",
             metric == NULL ? "" : (const char *)metric);
    stored->corrected = sqlite3_column_int(s, 1) != 0;
    const uint8_t *bytes = sqlite3_column_blob(s, 2);
    if (!histogram_decode(bytes, (size_t)sqlite3_column_bytes(s, 2), h))
        return false;
    const int64_t counts = sqlite3_column_int64(s, 3), overflow = sqlite3_column_int64(s, 4);
    if (counts < 0 || overflow < 0 || h->count > (uint64_t)counts ||
        h->count + (uint64_t)overflow != (uint64_t)counts)
        return false;
    h->count = (uint64_t)counts;
    h->overflow = (uint64_t)overflow;
    h->negative = (uint64_t)sqlite3_column_int64(s, 5);
    h->sum_ns = sqlite3_column_double(s, 7) * (double)counts;
    if (counts == 0)
        return true;
    h->min_ns = sqlite3_column_int64(s, 6);
    h->max_ns = sqlite3_column_int64(s, 8);
    return h->min_ns >= 0 && h->min_ns <= h->max_ns &&
           (overflow == 0 || h->max_ns > HISTOGRAM_MAX_NS);
}

#define ROWS                                                                                       \
    "SELECT metric, corrected, buckets, counts, overflow, negative, min, mean, max"                \
    " FROM histogram AS h WHERE trial_id = ?1 AND corrected = (SELECT max(corrected) FROM"         \
    " histogram AS o WHERE o.trial_id = ?1 AND o.metric = h.metric AND o.corrected <= ?2)"         \
    " ORDER BY metric"

// Takes the rows whose metric matches into *list, which grows.
static enum status take_rows(struct database *database, sqlite3_stmt *s, const char *pattern,
                             struct stored_histogram **list, unsigned *count)
{
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW) {
        const char *metric = (const char *)sqlite3_column_text(s, 0);
        if (pattern != NULL && (metric == NULL || fnmatch(pattern, metric, 0) != 0))
            continue;
        struct stored_histogram *more = realloc(*list, (*count + 1) * sizeof **list);
        if (more == NULL)
            return STATUS_NO_MEMORY;
        *list = more;
        if (!take_histogram(s, &more[(*count)++])) {
            log_error("%s: the histogram '%s' is damaged: its buckets and its figures contradict "
                      "each other; put back a copy",
                      database->path, metric == NULL ? "" : metric);
            return STATUS_CORRUPT;
        }
    }
    return code == SQLITE_DONE ? STATUS_OK : complain(database, "reading histograms");
}

enum status benchmark_histograms(struct database *database, int64_t trial_id, const char *pattern,
                                 bool corrected, struct stored_histogram **list, unsigned *count)
{
    *list = NULL;
    *count = 0;
    sqlite3_stmt *s = statement(database, ROWS);
    if (s == NULL)
        return STATUS_SYSTEM;
    bind_integer(s, 1, trial_id);
    bind_integer(s, 2, corrected);
    enum status status = take_rows(database, s, pattern, list, count);
    sqlite3_finalize(s);
    if (status == STATUS_OK && *count == 0) {
        log_error("trial %lld has no %s histogram%s%s; `ukemi show %lld` lists what it has",
                  (long long)trial_id, corrected ? "such" : "uncorrected",
                  pattern == NULL ? "" : " of a metric ", pattern == NULL ? "" : pattern,
                  (long long)trial_id);
        status = STATUS_NOT_FOUND;
    }
    if (status != STATUS_OK) {
        free(*list);
        *list = NULL;
        *count = 0;
    }
    return status;
}
