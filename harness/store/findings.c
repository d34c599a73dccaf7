#include "harness/store/findings.h"

#include <stdlib.h>

#include "harness/store/database_private.h"

struct reading {
    finding_take *take;
    void *context;
};

static const char *text(const char *value)
{
    return value == NULL ? "" : value;
}

static bool take_row(void *context, int columns, const char *const *name, const char *const *value)
{
    const struct reading *reading = context;
    (void)name;
    if (columns < 15)
        return false;
    const struct finding finding = {
        .target = text(value[0]),
        .oracle = text(value[1]),
        .party = text(value[2]),
        .acting = text(value[3]),
        .trials = (unsigned)strtoul(text(value[4]), NULL, 10),
        .first_id = strtoll(text(value[5]), NULL, 10),
        .seed = strtoull(text(value[6]), NULL, 10),
        .storm = text(value[7]),
        .name = text(value[8]),
        .fewest_id = strtoll(text(value[9]), NULL, 10),
        .fewest_seed = strtoull(text(value[10]), NULL, 10),
        .fewest = (unsigned)strtoul(text(value[11]), NULL, 10),
        .detail = text(value[12]),
        .first_seen = text(value[13]),
        .last_seen = text(value[14]),
    };
    reading->take(reading->context, &finding);
    return true;
}

enum status findings_read(struct database *database, int64_t campaign_id, finding_take *take,
                          void *context)
{
    struct reading reading = {take, context};
    return database_query(
        database,
        "WITH ranked AS (SELECT s.*, t.seed, c.file, c.name, b.lab_revision,"
        "  (SELECT count(*) FROM fault AS f WHERE f.trial_id = s.trial_id) AS faults"
        "  FROM signature AS s JOIN trial AS t USING (trial_id) JOIN campaign AS c USING"
        "  (campaign_id) JOIN build AS b ON b.build_id = t.build_id"
        "  WHERE c.kind = 'storm' AND (?1 = 0 OR s.campaign_id = ?1)),"
        " placed AS (SELECT *, count(*) OVER whole AS trials,"
        "  first_value(trial_id) OVER early AS first_id, first_value(seed) OVER early AS "
        "first_seed,"
        "  first_value(lab_revision) OVER early AS first_seen,"
        "  last_value(lab_revision) OVER (early ROWS BETWEEN UNBOUNDED PRECEDING AND UNBOUNDED"
        "  FOLLOWING) AS last_seen, row_number() OVER (PARTITION BY target, oracle, party, acting"
        "  ORDER BY faults, trial_id) AS place FROM ranked WINDOW"
        "  whole AS (PARTITION BY target, oracle, party, acting),"
        "  early AS (PARTITION BY target, oracle, party, acting ORDER BY trial_id))"
        " SELECT target, oracle, party, acting, trials, first_id, first_seed, file, name, trial_id,"
        " seed, faults, detail, first_seen, last_seen FROM placed WHERE place = 1"
        " ORDER BY trials DESC, first_id",
        campaign_id, take_row, &reading);
}
