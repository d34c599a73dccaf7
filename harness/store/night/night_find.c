// What a night found. A trial has a place: campaign, square and number. A finding is an oracle that
// is broken somewhere in a square. What was known before is what the last run before of each place
// showed, in whichever night that was.
#include "harness/store/night/night.h"
#include "harness/store/database_private.h"

#define PLACE "campaign, row_name, column_name, number"
#define FINDING "campaign, row_name, column_name, broken, oracle"

static const char prepare[] = "DROP TABLE IF EXISTS temp.looked_at; DROP TABLE IF EXISTS temp.ran;"
                              " DROP TABLE IF EXISTS temp.broke; DROP TABLE IF EXISTS temp.known";

// The nights that are looked at.
static const char make_looked_at[] =
    "CREATE TEMP TABLE looked_at AS SELECT night_id, night_id = ?1 AS tonight FROM night WHERE"
    " night_id <= ?1 AND name = (SELECT name FROM night WHERE night_id = ?1)"
    " ORDER BY night_id DESC LIMIT ?2";

static const char make_rest[] =
    // Their trials; of a campaign that was begun anew in a night the newer ones.
    "CREATE TEMP TABLE ran AS SELECT * FROM (SELECT t.night_id, tonight, " PLACE ", trial_id,"
    " t.verdict, judging_id, contents, history_path IS NULL AS bare, row_number() OVER (PARTITION"
    " BY " PLACE ", t.night_id ORDER BY campaign_id DESC) AS place FROM night_trial AS t JOIN"
    " looked_at USING (night_id)) WHERE place = 1;"
    " CREATE INDEX temp.ran_place ON ran (" PLACE ", night_id);"
    " CREATE TEMP TABLE broke AS SELECT ran.*, v.verdict AS broken, v.oracle FROM ran JOIN verdict"
    " AS v USING (judging_id) WHERE v.verdict IN ('FAIL', 'ERROR');"
    " CREATE INDEX temp.broke_finding ON broke (" FINDING ");"
    // What the last run before of each place showed.
    " CREATE TEMP TABLE known AS SELECT b.* FROM broke AS b WHERE NOT tonight AND b.trial_id ="
    " (SELECT trial_id FROM ran AS r WHERE NOT r.tonight AND r.campaign = b.campaign AND"
    "  r.row_name = b.row_name AND r.column_name = b.column_name AND r.number = b.number"
    "  ORDER BY night_id DESC LIMIT 1);"
    " CREATE INDEX temp.known_finding ON known (" FINDING ")";

#define SAME(one, other)                                                                           \
    one ".campaign = " other ".campaign AND " one ".row_name = " other ".row_name AND " one        \
        ".column_name = " other ".column_name AND " one ".broken = " other ".broken AND " one      \
        ".oracle = " other ".oracle"
#define SAME_PLACE(one, other)                                                                     \
    one ".campaign = " other ".campaign AND " one ".row_name = " other ".row_name AND " one        \
        ".column_name = " other ".column_name AND " one ".number = " other ".number"

// One that comes and goes with the same contents is flaky, and new only the first time.
static const char store_seen[] =
    "WITH shown AS (SELECT *, row_number() OVER same AS first, count(*) OVER (PARTITION BY " FINDING
    ") AS n FROM broke WHERE tonight WINDOW same AS (PARTITION BY " FINDING
    " ORDER BY bare, number))"
    " INSERT INTO finding SELECT ?1, " FINDING ", CASE"
    " WHEN EXISTS (SELECT 1 FROM known AS k WHERE " SAME(
        "k", "s") ") THEN 'known'"
                  " WHEN NOT EXISTS (SELECT 1 FROM broke AS b WHERE NOT b.tonight AND " SAME(
                      "b",
                      "s") ")"
                           " THEN 'new'"
                           " WHEN EXISTS (SELECT 1 FROM shown AS x JOIN ran AS r ON " SAME_PLACE(
                               "r",
                               "x") "  WHERE " SAME("x",
                                                    "s") " AND NOT r.tonight AND r.contents = "
                                                         "x.contents AND x.contents <> ''"
                                                         "  AND NOT EXISTS (SELECT 1 FROM broke AS "
                                                         "b WHERE b.trial_id = r.trial_id AND"
                                                         "  b.night_id = r.night_id AND " SAME(
                                                             "b",
                                                             "x") ")) THEN 'flaky'"
                                                                  " ELSE 'back' END, n, trial_id "
                                                                  "FROM shown AS s WHERE first = 1";

static const char store_unseen[] =
    "INSERT INTO finding SELECT ?1, " FINDING ", iif(sum(EXISTS (SELECT 1 FROM ran AS r WHERE"
    " r.tonight AND r.verdict <> 'SKIP' AND " SAME_PLACE(
        "r", "k") ")) = count(*), 'gone',"
                  " 'not run'), count(*), (SELECT trial_id FROM known AS o WHERE " SAME(
                      "o", "k") " ORDER BY bare, night_id DESC, number LIMIT 1) FROM known AS k "
                                "WHERE NOT EXISTS (SELECT 1 FROM"
                                " broke AS b WHERE b.tonight AND " SAME("b",
                                                                        "k") ") GROUP BY " FINDING;

static enum status run_with(struct database *database, const char *sql, int64_t night_id,
                            int64_t second)
{
    sqlite3_stmt *s = statement(database, sql);
    bind_integer(s, 1, night_id);
    if (s != NULL && sqlite3_bind_parameter_count(s) > 1)
        bind_integer(s, 2, second);
    return run(database, s);
}

static enum status find(struct database *database, int64_t night_id, unsigned window)
{
    enum status status = run_with(database, "DELETE FROM finding WHERE night_id = ?1", night_id, 0);
    if (status == STATUS_OK)
        status = command(database, prepare);
    if (status == STATUS_OK)
        status = run_with(database, make_looked_at, night_id, window);
    if (status == STATUS_OK)
        status = command(database, make_rest);
    if (status == STATUS_OK)
        status = run_with(database, store_seen, night_id, 0);
    return status == STATUS_OK ? run_with(database, store_unseen, night_id, 0) : status;
}

static enum status count(struct database *database, int64_t night_id, const char *what,
                         unsigned *number)
{
    int64_t value = 0;
    char *sql = sqlite3_mprintf("SELECT count(*) FROM finding WHERE night_id = ?1 AND %s", what);
    if (sql == NULL)
        return STATUS_NO_MEMORY;
    sqlite3_stmt *s = statement(database, sql);
    sqlite3_free(sql);
    bind_integer(s, 1, night_id);
    const enum status status = run_integer(database, s, &value);
    *number = (unsigned)value;
    return status;
}

static enum status count_ran(struct database *database, const char *what, unsigned *number)
{
    int64_t value = 0;
    const enum status status = run_integer(database, statement(database, what), &value);
    *number = (unsigned)value;
    return status;
}

static enum status tell(struct database *database, int64_t night_id, struct night_outcome *outcome)
{
    const struct {
        const char *what;
        unsigned *number;
    } counts[] = {{"state IN ('new', 'back') AND verdict = 'FAIL'", &outcome->new_failures},
                  {"state IN ('new', 'back') AND verdict = 'ERROR'", &outcome->new_errors},
                  {"state = 'flaky'", &outcome->flaky},
                  {"state = 'known'", &outcome->known},
                  {"state = 'gone'", &outcome->gone},
                  {"state = 'not run'", &outcome->not_run}};
    enum status status = STATUS_OK;
    for (size_t i = 0; i < sizeof counts / sizeof counts[0] && status == STATUS_OK; i++)
        status = count(database, night_id, counts[i].what, counts[i].number);
    if (status == STATUS_OK)
        status = count_ran(database, "SELECT count(*) FROM ran WHERE tonight", &outcome->ran);
    return status == STATUS_OK
               ? count_ran(database, "SELECT count(*) FROM ran WHERE tonight AND verdict <> 'SKIP'",
                           &outcome->judged)
               : status;
}

enum status night_find(struct database *database, const struct night *night, unsigned window,
                       struct night_outcome *outcome)
{
    *outcome = (struct night_outcome){0};
    enum status status = command(database, "BEGIN IMMEDIATE");
    if (status != STATUS_OK)
        return status;
    status = end_transaction(database, find(database, night->night_id, window));
    return status == STATUS_OK ? tell(database, night->night_id, outcome) : status;
}
