#include "harness/store/session.h"

#include <stdio.h>
#include <stdlib.h>

#include "harness/store/database_private.h"

static const char *environment(const char *name)
{
    const char *value = getenv(name);
    return value != NULL ? value : "";
}

// Of Slurm, which others may imitate; "" in none.
static void name_job(char *job, size_t size)
{
    const char *array = environment("SLURM_ARRAY_JOB_ID");
    job[0] = '\0';
    if (array[0] != '\0')
        snprintf(job, size, "slurm %.24s_%.24s", array, environment("SLURM_ARRAY_TASK_ID"));
    else if (environment("SLURM_JOB_ID")[0] != '\0')
        snprintf(job, size, "slurm %.24s", environment("SLURM_JOB_ID"));
}

static enum status insert(struct database *database, int64_t campaign_id,
                          const struct session_start *start, int64_t *session_id)
{
    char job[64];
    struct origin origin;
    const enum status status = store_origin(database, &origin);
    if (status != STATUS_OK)
        return status;
    name_job(job, sizeof job);
    const long restarts = strtol(environment("SLURM_RESTART_COUNT"), NULL, 10);
    sqlite3_stmt *s = statement(
        database, "INSERT INTO session (campaign_id, name, shard, shards, machine_id, jobs, job,"
                  " restarts, started_utc) VALUES (?, lower(hex(randomblob(16))), ?, ?, ?, ?, ?, ?,"
                  " strftime('%Y-%m-%dT%H:%M:%SZ')) RETURNING session_id");
    bind_integer(s, 1, campaign_id);
    bind_integer(s, 2, start->shard);
    bind_integer(s, 3, start->shards);
    bind_integer(s, 4, origin.machine_id);
    bind_integer(s, 5, start->jobs);
    bind_text(s, 6, job);
    bind_integer(s, 7, restarts > 0 ? restarts : 0);
    return run_integer(database, s, session_id);
}

enum status session_begin(struct database *database, int64_t campaign_id,
                          const struct session_start *start, int64_t *session_id)
{
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = insert(database, campaign_id, start, session_id);
    return end_transaction(database, status);
}

enum status session_end(struct database *database, int64_t session_id, double wall_s,
                        unsigned trials)
{
    sqlite3_stmt *s = statement(database, "UPDATE session SET wall_s = ?, trials = ?, ended_utc ="
                                          " strftime('%Y-%m-%dT%H:%M:%SZ') WHERE session_id = ?");
    bind_real(s, 1, wall_s);
    bind_integer(s, 2, trials);
    bind_integer(s, 3, session_id);
    return run(database, s);
}

enum status session_shards(struct database *database, int64_t campaign_id, unsigned *shards)
{
    int64_t count = 0;
    sqlite3_stmt *s =
        statement(database, "SELECT iif(min(shards) = max(shards), max(shards), 0) FROM session"
                            " WHERE campaign_id = ? AND shards > 1");
    bind_integer(s, 1, campaign_id);
    const enum status status = run_integer(database, s, &count);
    *shards = (unsigned)count;
    return status;
}
