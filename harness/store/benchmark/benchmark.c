#include "harness/store/benchmark/benchmark.h"

#include <errno.h>
#include <inttypes.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/store/benchmark/benchmark_left.h"
#include "harness/store/campaign_guard.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/database_private.h"
#include "harness/history/histogram_code.h"

static const char *const better_names[] = {
    [BETTER_NEITHER] = "", [BETTER_LESS] = "less", [BETTER_MORE] = "more"};

const char *better_name(enum better better)
{
    return better_names[better <= BETTER_MORE ? better : BETTER_NEITHER];
}

bool better_parse(const char *word, enum better *better)
{
    for (*better = BETTER_NEITHER; *better <= BETTER_MORE; ++*better)
        if (strcmp(word, better_names[*better]) == 0)
            return true;
    return false;
}

// ---- campaign and square ------------------------------------------------------------------------

static enum status insert_campaign(struct database *database, const char *name, const char *made_by,
                                   const char *target, int64_t *campaign_id)
{
    struct origin origin;
    const enum status status = store_origin(database, &origin);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO campaign (kind, name, file, target, seed, clock_mode, recheck_share, jobs,"
        " build_id, machine_id, started_utc) VALUES ('benchmark', ?, ?, ?, 0, 'wall', 0, 1, ?, ?,"
        " strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING campaign_id");
    bind_text(s, 1, name);
    bind_text(s, 2, made_by);
    bind_text(s, 3, target);
    bind_integer(s, 4, origin.build_id);
    bind_integer(s, 5, origin.machine_id);
    return run_integer(database, s, campaign_id);
}

enum status benchmark_start(struct database *database, const char *name, const char *made_by,
                            const char *target, int64_t *campaign_id)
{
    const bool first =
        database->guard < 0; // of this ukemi: later, one of those unfinished is its own
    enum status status = STATUS_OK;
    if (first)
        status = campaign_guard_open(database->path, &database->guard);
    if (status == STATUS_OK)
        status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK && first)
        status = benchmark_clear_left(database);
    if (status == STATUS_OK)
        status = insert_campaign(database, name, made_by, target, campaign_id);
    // Guarded before others can see it, who would take it for left behind.
    if (status == STATUS_OK && !campaign_guard_hold(database->guard, *campaign_id)) {
        log_error("%s: cannot be locked: %s; name another file with --db", database->path,
                  strerror(errno));
        status = STATUS_SYSTEM;
    }
    return end_transaction(database, status);
}

enum status benchmark_finish(struct database *database, int64_t campaign_id, double wall_s)
{
    sqlite3_stmt *s = statement(
        database,
        "UPDATE campaign SET wall_s = ?1, finished_utc = strftime('%Y-%m-%dT%H:%M:%SZ') WHERE"
        " campaign_id = ?2 AND EXISTS (SELECT * FROM square WHERE campaign_id = ?2)");
    bind_real(s, 1, wall_s);
    bind_integer(s, 2, campaign_id);
    return run(database, s);
}

// The square of that name; a new one is the campaign's last. How many runs it will have only its
// runs tell.
static enum status find_square(struct database *database, int64_t campaign_id,
                               const struct benchmark_run *run, int64_t *square_id)
{
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO square (campaign_id, position, row_name, column_name, scenario, claim, "
        "expected,"
        " trials_planned) VALUES (?1, (SELECT count(*) FROM square WHERE campaign_id = ?1), ?2, '',"
        " ?3, '', '', 1) ON CONFLICT (campaign_id, row_name, column_name, scenario) DO UPDATE SET"
        " trials_planned = trials_planned + 1 RETURNING square_id");
    bind_integer(s, 1, campaign_id);
    bind_text(s, 2, run->square);
    bind_text(s, 3, run->scenario);
    return run_integer(database, s, square_id);
}

// ---- a run ------------------------------------------------------------------------------------

static enum status insert_plain(struct database *database, int64_t square_id,
                                const struct benchmark_run *run, int64_t *trial_id)
{
    sqlite3_stmt *s = statement(
        database,
        "INSERT INTO trial (square_id, number, target, scenario, seed, clock_mode, build_id,"
        " machine_id, outcome, reason, simulated_s, wall_s, cpu_s, grants, history_hash,"
        " trial_id, finished_utc) SELECT ?1, ?2, c.target, ?3, ?6, 'wall', c.build_id, "
        "c.machine_id, 'ran',"
        " '', 0, ?4, ?5, 0, '', (SELECT trial_id FROM free_trial), strftime('%Y-%m-%dT%H:%M:%SZ')"
        " FROM square JOIN campaign AS c USING (campaign_id) WHERE square_id = ?1 RETURNING "
        "trial_id");
    bind_integer(s, 1, square_id);
    bind_integer(s, 2, run->number);
    bind_text(s, 3, run->scenario);
    bind_real(s, 4, run->wall_s);
    bind_real(s, 5, run->cpu_s);
    bind_integer(s, 6, (int64_t)run->seed);
    return run_integer(database, s, trial_id);
}

// With all that is known of it.
static enum status insert_bad(struct database *database, int64_t square_id,
                              const struct benchmark_run *run, int64_t *trial_id)
{
    struct trial_record *record = malloc(sizeof *record); // large
    if (record == NULL)
        return STATUS_NO_MEMORY;
    *record = *run->bad;
    record->number = run->number;
    const enum status status =
        store_trial(database, square_id, run->bad_scenario, record, trial_id);
    free(record);
    return status;
}

static enum status insert_figure(struct database *database, int64_t trial_id,
                                 const struct figure *figure)
{
    sqlite3_stmt *s = statement(database, "INSERT INTO figure (trial_id, metric, unit, better,"
                                          " value) VALUES (?, ?, ?, ?, ?)");
    bind_integer(s, 1, trial_id);
    bind_text(s, 2, figure->metric);
    bind_text(s, 3, figure->unit);
    bind_text(s, 4, better_name(figure->better));
    bind_real(s, 5, figure->value);
    return run(database, s);
}

static enum status insert_histogram(struct database *database, int64_t trial_id,
                                    const struct benchmark_histogram *histogram)
{
    static const double share[] = {0.5, 0.9, 0.99, 0.999};
    const struct histogram *h = histogram->histogram;
    uint8_t *bytes = malloc(HISTOGRAM_CODE_MAX_B);
    if (bytes == NULL)
        return STATUS_NO_MEMORY;
    sqlite3_stmt *s = statement(
        database, "INSERT INTO histogram (trial_id, metric, unit, corrected, counts, overflow,"
                  " negative, min, mean, p50, p90, p99, p99_9, max, buckets)"
                  " VALUES (?, ?, 'ns', ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, trial_id);
    bind_text(s, 2, histogram->metric);
    bind_integer(s, 3, histogram->corrected);
    bind_integer(s, 4, (int64_t)h->count);
    bind_integer(s, 5, (int64_t)h->overflow);
    bind_integer(s, 6, (int64_t)h->negative);
    bind_integer(s, 7, histogram_min(h));
    bind_real(s, 8, histogram_mean(h));
    for (int i = 0; i < 4; i++)
        bind_integer(s, 9 + i, histogram_quantile(h, share[i]));
    bind_integer(s, 13, histogram_max(h));
    if (s != NULL)
        sqlite3_bind_blob64(s, 14, bytes, histogram_encode(h, bytes), SQLITE_TRANSIENT);
    const enum status status = run(database, s);
    free(bytes);
    return status;
}

static enum status insert_sample(struct database *database, int64_t trial_id, unsigned number,
                                 const struct benchmark_sample *sample)
{
    sqlite3_stmt *s =
        statement(database, "INSERT INTO sample (trial_id, metric, number, time_s, value, apart)"
                            " VALUES (?, ?, ?, ?, ?, ?)");
    bind_integer(s, 1, trial_id);
    bind_text(s, 2, sample->metric);
    bind_integer(s, 3, number);
    bind_real(s, 4, sample->time_s);
    bind_real(s, 5, sample->value);
    bind_integer(s, 6, sample->apart);
    return run(database, s);
}

static enum status add_run(struct database *database, int64_t campaign_id,
                           const struct benchmark_run *run, int64_t *trial_id)
{
    int64_t square_id;
    enum status status = find_square(database, campaign_id, run, &square_id);
    if (status == STATUS_OK)
        status = (run->bad != NULL ? insert_bad : insert_plain)(database, square_id, run, trial_id);
    for (unsigned i = 0; status == STATUS_OK && i < run->figure_count; i++)
        status = insert_figure(database, *trial_id, &run->figure[i]);
    for (unsigned i = 0; status == STATUS_OK && i < run->histogram_count; i++)
        status = insert_histogram(database, *trial_id, &run->histogram[i]);
    for (unsigned i = 0; status == STATUS_OK && i < run->sample_count; i++)
        status = insert_sample(database, *trial_id, i, &run->sample[i]);
    return status;
}

// ---- what cannot be stored --------------------------------------------------------------------

static enum status check_figures(const struct benchmark_run *run)
{
    for (unsigned i = 0; i < run->figure_count; i++) {
        const struct figure *figure = &run->figure[i];
        if (figure->metric[0] == '\0' || !isfinite(figure->value)) {
            log_error("%s: '%s' is %g %s; a figure has a name and a finite value", run->square,
                      figure->metric, figure->value, figure->unit);
            return STATUS_INVALID;
        }
        for (unsigned k = 0; k < i; k++)
            if (strcmp(run->figure[k].metric, figure->metric) == 0) {
                log_error("%s: run %u has '%s' twice; a run measures a metric once", run->square,
                          run->number, figure->metric);
                return STATUS_INVALID;
            }
    }
    return STATUS_OK;
}

static enum status check_run(struct database *database, int64_t campaign_id,
                             const struct benchmark_run *run)
{
    int64_t stored = 0;
    if (run->square[0] == '\0') {
        log_error("run %u: its square has no name; give the configuration one", run->number);
        return STATUS_INVALID;
    }
    enum status status = check_figures(run);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s = statement(
        database, "SELECT count(*) FROM trial JOIN square USING (square_id) WHERE"
                  " campaign_id = ? AND row_name = ? AND square.scenario = ? AND number = ?");
    bind_integer(s, 1, campaign_id);
    bind_text(s, 2, run->square);
    bind_text(s, 3, run->scenario);
    bind_integer(s, 4, run->number);
    status = run_integer(database, s, &stored);
    if (status != STATUS_OK || stored == 0)
        return status;
    log_error("%s: run %u is stored already; number the runs of a square", run->square,
              run->number);
    return STATUS_INVALID;
}

enum status benchmark_add_runs(struct database *database, int64_t campaign_id,
                               const struct benchmark_run *runs, unsigned count)
{
    int64_t trial_id;
    enum status status = check_place(database);
    if (status == STATUS_OK)
        status = command(database, "BEGIN IMMEDIATE");
    for (unsigned i = 0; status == STATUS_OK && i < count; i++) {
        status = check_run(database, campaign_id, &runs[i]);
        if (status == STATUS_OK)
            status = add_run(database, campaign_id, &runs[i], &trial_id);
    }
    status = end_transaction(database, status);
    for (unsigned i = 0; i < count; i++) {
        const struct trial_record *bad = runs[i].bad;
        if (bad == NULL)
            continue;
        histories_confirm(database->path, bad->history_path, bad->result.hash, status == STATUS_OK);
        if (status != STATUS_OK)
            histories_remove(database->path, bad->history_path);
    }
    return status;
}
