#include "harness/store/benchmark/benchmark_left.h"

#include <stdlib.h>

#include "harness/store/campaign_guard.h"
#include "harness/store/kept/campaign_histories.h"
#include "harness/store/database_private.h"

#define LEFT_MAX 256 // at a time; the next benchmark goes on

struct left {
    unsigned count;
    int64_t campaign_id[LEFT_MAX];
};

static bool note(void *context, int columns, const char *const *name, const char *const *value)
{
    struct left *left = context;
    (void)name;
    if (columns == 1 && left->count < LEFT_MAX)
        left->campaign_id[left->count++] = strtoll(value[0], NULL, 10);
    return left->count < LEFT_MAX;
}

static enum status clear(struct database *database, int64_t campaign_id)
{
    histories_sweep(database, database->path, campaign_id);
    sqlite3_stmt *s = statement(database, "DELETE FROM campaign WHERE campaign_id = ?1 AND NOT"
                                          " EXISTS (SELECT * FROM square WHERE campaign_id = ?1)");
    bind_integer(s, 1, campaign_id);
    return run(database, s);
}

enum status benchmark_clear_left(struct database *database)
{
    struct left left = {.count = 0};
    enum status status = database_query(
        database,
        "SELECT campaign_id FROM campaign WHERE kind = 'benchmark' AND finished_utc IS NULL"
        " AND campaign_id > ? ORDER BY campaign_id DESC",
        0, note, &left);
    for (unsigned i = 0; status == STATUS_OK && i < left.count; i++) {
        if (!campaign_guard_hold(database->guard, left.campaign_id[i]))
            continue; // being measured
        status = clear(database, left.campaign_id[i]);
        campaign_guard_release(database->guard, left.campaign_id[i]);
    }
    return status;
}
