// What a night finds, beside the nights before. Trials are made up, and verdicts are put in place
// of theirs.
#include "tests/unit/campaign/made_up_campaign.h"

#include "base/text.h"
#include "harness/store/night/night.h"

#define WINDOW 30

static struct night night;
static struct night_outcome outcome;
static const struct night_start small = {.name = "small", .file = "small.yaml", .budget_s = 100};

static void with_database(enum status (*act)(struct database *))
{
    struct database *database;
    ck_assert_int_eq(database_open(database_path, DATABASE_WRITE, &database), STATUS_OK);
    ck_assert_int_eq(act(database), STATUS_OK);
    database_close(database);
}

static enum status begin(struct database *database)
{
    return night_begin(database, &small, &night);
}

static enum status end(struct database *database)
{
    const enum status status = night_find(database, &night, WINDOW, &outcome);
    return status == STATUS_OK ? night_end(database, &night) : status;
}

static int64_t campaign_id;
static enum status put(struct database *database)
{
    const struct night_part part = {
        .name = "made-up", .priority = 1, .campaign_id = campaign_id, .ended = NIGHT_FINISHED};
    return night_part_put(database, &night, &part);
}

static enum status begun(void *context, struct database *database, int64_t id)
{
    (void)context;
    campaign_id = id;
    return put(database);
}

static void change(const char *sql)
{
    sqlite3 *handle;
    ck_assert_int_eq(sqlite3_open(database_path, &handle), SQLITE_OK);
    char *error = NULL;
    ck_assert_msg(sqlite3_exec(handle, sql, NULL, NULL, &error) == SQLITE_OK, "%s: %s", sql, error);
    sqlite3_close(handle);
}

// A night's campaign, whose trials all pass but those of square 0 whose numbers are up to `bad`.
static void run_night(int bad)
{
    char sql[512];
    with_database(begin);
    options.begun = begun;
    options.go_on = true;
    (void)run_campaign();
    snprintf(sql, sizeof sql,
             "UPDATE verdict SET verdict = iif((SELECT position = 0 AND number < %d FROM trial_view"
             " AS t WHERE t.judging_id = verdict.judging_id) AND oracle = (SELECT min(oracle) FROM"
             " verdict), 'FAIL', 'PASS') WHERE judging_id >= (SELECT judging_first FROM night ORDER"
             " BY night_id DESC LIMIT 1)",
             bad);
    change(sql);
    change("UPDATE judging SET verdict = (SELECT min(verdict) FROM verdict AS v WHERE v.judging_id"
           " = judging.judging_id)"); // FAIL before PASS
    with_database(end);
}

// The one finding of the last night.
static void expect(const char *state, int trials)
{
    char sql[256];
    snprintf(sql, sizeof sql,
             "SELECT count(*) FROM finding WHERE night_id = (SELECT max(night_id) FROM night) AND"
             " state = '%s' AND trials = %d AND column_name = 'Static'",
             state, trials);
    ck_assert_int_eq(count_rows(sql), 1);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM finding WHERE night_id = (SELECT"
                                " max(night_id) FROM night)"),
                     1);
}

START_TEST(a_finding_is_new_then_known_then_gone)
{
    plan_campaign();
    run_night(0);
    ck_assert_uint_eq(outcome.new_failures + outcome.known + outcome.gone, 0);
    ck_assert_uint_eq(outcome.ran, 10);
    run_night(2);
    expect("new", 2);
    ck_assert_uint_eq(outcome.new_failures, 1);
    run_night(3); // more trials that show it are no news
    expect("known", 3);
    ck_assert_uint_eq(outcome.new_failures, 0);
    ck_assert_uint_eq(outcome.known, 1);
    run_night(0);
    expect("gone", 3);
    run_night(0);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM finding WHERE night_id = 5"), 0);
}
END_TEST

START_TEST(what_comes_and_goes_with_the_same_contents_is_flaky_else_it_is_back)
{
    plan_campaign();
    run_night(1);
    expect("new", 1);
    run_night(0);
    run_night(1);
    expect("flaky", 1);
    ck_assert_uint_eq(outcome.new_failures, 0);
    run_night(0);
    change("UPDATE campaign SET digest = 'other' WHERE campaign_id < (SELECT max(campaign_id) FROM"
           " campaign)");
    change("UPDATE campaign SET digest = 'another' WHERE campaign_id = (SELECT max(campaign_id)"
           " FROM campaign)");
    run_night(1);
    expect("back", 1);
    ck_assert_uint_eq(outcome.new_failures, 1);
}
END_TEST

// Trials of the square that were not run say nothing of it.
START_TEST(what_was_not_looked_at_is_not_gone)
{
    plan_campaign();
    run_night(2);
    with_database(begin);
    options.budget_s = 1e-9; // is over
    (void)run_campaign();
    with_database(end);
    expect("not run", 2);
    ck_assert_uint_eq(outcome.ran, 0);
    options.budget_s = 0;
    run_night(2);
    expect("known", 2);
}
END_TEST

START_TEST(a_night_that_is_not_finished_goes_on_unless_it_is_long_ago)
{
    plan_campaign();
    with_database(begin);
    ck_assert(!night.resumed);
    with_database(begin);
    ck_assert(night.resumed);
    ck_assert_int_eq(night.night_id, 1);
    change("UPDATE night SET started_utc = '2020-01-01T00:00:00Z'");
    with_database(begin);
    ck_assert(!night.resumed);
    ck_assert_int_eq(night.night_id, 2);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM night WHERE finished_utc IS NOT NULL"), 1);
}
END_TEST

// Its budget leaves it unfinished, and the next run of the same contents goes on with it.
START_TEST(a_campaign_that_time_ran_out_for_goes_on)
{
    plan_campaign();
    options.go_on = options.widest_first = true;
    options.budget_s = 1e-9;
    struct campaign_summary summary = run_campaign();
    ck_assert(summary.stopped_early);
    ck_assert_uint_eq(summary.done, 0);
    options.budget_s = 0;
    summary = run_campaign();
    ck_assert_int_eq(summary.campaign_id, 1);
    ck_assert(!summary.stopped_early);
    ck_assert_uint_eq(summary.done, 10);
    ck_assert_int_eq(count_rows("SELECT count(*) FROM campaign WHERE finished_utc IS NULL"), 0);
    ck_assert_int_eq(run_campaign().campaign_id, 2); // the first one is finished
}
END_TEST

UNIT_MAIN("night", a_finding_is_new_then_known_then_gone,
          what_comes_and_goes_with_the_same_contents_is_flaky_else_it_is_back,
          what_was_not_looked_at_is_not_gone,
          a_night_that_is_not_finished_goes_on_unless_it_is_long_ago,
          a_campaign_that_time_ran_out_for_goes_on)
