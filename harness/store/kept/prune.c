#include "harness/store/kept/prune.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/store/campaign_guard.h"
#include "harness/store/database_private.h"
#include "harness/store/kept/campaign_histories.h"

struct row {
    int64_t trial_id, campaign_id;
    bool needed, failed;
    unsigned ago; // runs of its campaign since: 1 is the newest
    char file[PATH_MAX_LENGTH];
};

struct pruning {
    struct database *database;
    const char *path;
    const struct prune_options *options;
    struct prune_counts *counts;
    struct row *row;
    size_t count, room;
    int guard;
    bool no_memory;
};

// ---- what there is ------------------------------------------------------------------------------

// What shows a finding: of doubts what passed, of all others an oracle that is broken. Everything
// that is kept, the oldest first.
static const char every[] =
    "WITH run AS (SELECT campaign_id, name, page, dense_rank() OVER (PARTITION BY name, kind ORDER"
    " BY campaign_id DESC) AS ago FROM campaign), kept AS (SELECT t.trial_id, t.history_path,"
    " t.is_example, r.name, r.page, r.ago, s.campaign_id, s.row_name, s.column_name, j.judging_id,"
    " coalesce(j.verdict, 'PASS') AS verdict FROM trial AS t JOIN square AS s USING (square_id)"
    " JOIN run AS r USING (campaign_id) LEFT JOIN judging_in_force AS j USING (trial_id) WHERE"
    " t.history_path IS NOT NULL), shows AS (SELECT k.trial_id, row_number() OVER (PARTITION BY"
    " k.name, k.row_name, k.column_name, v.oracle ORDER BY k.campaign_id DESC, k.trial_id) AS"
    " place FROM kept AS k JOIN verdict AS v USING (judging_id) WHERE v.verdict IN ('FAIL',"
    " 'ERROR') UNION ALL SELECT trial_id, row_number() OVER (PARTITION BY name, row_name,"
    " column_name ORDER BY campaign_id DESC, trial_id) FROM kept WHERE page = 'doubt' AND verdict ="
    " 'PASS'), example AS (SELECT name, min(ago) AS ago FROM kept WHERE is_example GROUP BY name)"
    " SELECT k.trial_id, k.campaign_id, k.history_path, k.trial_id IN (SELECT trial_id FROM shows"
    " WHERE place = 1) OR k.trial_id IN (SELECT trial_id FROM finding WHERE night_id IN (SELECT"
    " max(night_id) FROM night GROUP BY name)) OR (k.is_example AND k.ago = (SELECT ago FROM"
    " example AS e WHERE e.name = k.name)), k.verdict IN ('FAIL', 'ERROR'), k.ago FROM kept AS k"
    " WHERE ?1 = ?1 ORDER BY k.campaign_id, k.trial_id";

static bool take_row(void *context, int columns, const char *const *name, const char *const *value)
{
    struct pruning *p = context;
    (void)name;
    if (columns != 6)
        return false;
    if (p->count == p->room) {
        const size_t room = p->room > 0 ? 2 * p->room : 256;
        struct row *more = realloc(p->row, room * sizeof *more);
        if (more == NULL) {
            p->no_memory = true;
            return false;
        }
        p->row = more;
        p->room = room;
    }
    struct row *row = &p->row[p->count++];
    *row = (struct row){.trial_id = strtoll(value[0], NULL, 10),
                        .campaign_id = strtoll(value[1], NULL, 10),
                        .needed = value[3][0] == '1',
                        .failed = value[4][0] == '1',
                        .ago = (unsigned)strtoul(value[5], NULL, 10)};
    text_copy(row->file, sizeof row->file, value[2]);
    return true;
}

static const char *name_of(const char *file)
{
    const char *slash = strrchr(file, '/');
    return slash == NULL ? file : slash + 1;
}

static double size_of(const struct pruning *p, const struct row *row)
{
    char folder[PATH_MAX_LENGTH], path[2 * PATH_MAX_LENGTH];
    struct stat about;
    histories_root(p->path, folder, sizeof folder);
    snprintf(path, sizeof path, "%s/%s", folder, row->file);
    return stat(path, &about) == 0 ? (double)about.st_size : 0;
}

// Files that several rows name are counted once.
static int by_file(const void *a, const void *b)
{
    return strcmp((*(const struct row *const *)a)->file, (*(const struct row *const *)b)->file);
}

static enum status measure(struct pruning *p)
{
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers
    const struct row **row = calloc(p->count + 1, sizeof *row);
    if (row == NULL)
        return STATUS_NO_MEMORY;
    for (size_t i = 0; i < p->count; i++)
        row[i] = &p->row[i];
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers
    qsort(row, p->count, sizeof *row, by_file);
    for (size_t i = 0; i < p->count; i++)
        if (i == 0 || strcmp(row[i]->file, row[i - 1]->file) != 0)
            p->counts->left_B += size_of(p, row[i]);
    free(row);
    return STATUS_OK;
}

// ---- what goes ----------------------------------------------------------------------------------

// The row forgets it before the file goes: killed in between, there is a file too many, which the
// next run of the campaign removes.
static enum status drop(struct pruning *p, struct row *row)
{
    bool named = true;
    const double size_B = size_of(p, row);
    enum status status = database_drop_history(p->database, row->trial_id);
    if (status == STATUS_OK)
        status = database_names_history(p->database, name_of(row->file), &named);
    if (status != STATUS_OK)
        return status;
    if (!named) {
        histories_remove(p->path, row->file);
        p->counts->freed_B += size_B;
        p->counts->left_B -= size_B;
    }
    p->counts->dropped++;
    row->file[0] = '\0';
    return STATUS_OK;
}

static bool may_go(const struct pruning *p, const struct row *row)
{
    return row->file[0] != '\0' && !row->needed && !(row->failed && p->options->keep_failures);
}

// Of old campaigns, or, with a bound that is exceeded, of any. A campaign that is run is left
// alone.
static enum status drop_those(struct pruning *p, bool old)
{
    enum status status = STATUS_OK;
    int64_t held = 0, busy = 0;
    for (size_t i = 0; i < p->count && status == STATUS_OK; i++) {
        struct row *row = &p->row[i];
        const bool wanted = old ? row->ago > p->options->nights
                                : p->options->size_B > 0 && p->counts->left_B > p->options->size_B;
        if (!wanted || !may_go(p, row) || row->campaign_id == busy)
            continue;
        if (row->campaign_id != held) {
            if (held != 0)
                campaign_guard_release(p->guard, held);
            held = campaign_guard_hold(p->guard, row->campaign_id) ? row->campaign_id : 0;
            busy = held == 0 ? row->campaign_id : 0;
        }
        if (held != 0)
            status = drop(p, row);
    }
    if (held != 0)
        campaign_guard_release(p->guard, held);
    return status;
}

static enum status prune(struct pruning *p)
{
    enum status status = database_query(p->database, every, 0, take_row, p);
    if (p->no_memory)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = measure(p);
    if (status == STATUS_OK)
        status = drop_those(p, true);
    if (status == STATUS_OK)
        status = drop_those(p, false);
    for (size_t i = 0; i < p->count; i++) {
        p->counts->kept += p->row[i].file[0] != '\0';
        p->counts->needed += p->row[i].file[0] != '\0' && p->row[i].needed;
    }
    p->counts->too_large = p->options->size_B > 0 && p->counts->left_B > p->options->size_B;
    return status;
}

enum status prune_histories(const char *path, const struct prune_options *options,
                            struct prune_counts *counts)
{
    struct pruning p = {.path = path, .options = options, .counts = counts, .guard = -1};
    *counts = (struct prune_counts){0};
    enum status status = database_open(path, DATABASE_QUERY, &p.database); // makes none
    database_close(p.database);
    p.database = NULL;
    if (status == STATUS_OK)
        status = database_open(path, DATABASE_WRITE, &p.database);
    if (status == STATUS_OK)
        status = campaign_guard_open(path, &p.guard);
    if (status == STATUS_OK)
        status = prune(&p);
    database_close(p.database);
    if (p.guard >= 0)
        close(p.guard); // after the database, whose locks it takes
    free(p.row);
    return status;
}
