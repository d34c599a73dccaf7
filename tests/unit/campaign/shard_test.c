// Parts of a campaign, and what they become when they are merged, in any order: the campaign that
// was run whole. Trials are made up.
#include "tests/unit/campaign/made_up_campaign.h"

#include "base/text.h"
#include "harness/campaign/missing.h"
#include "harness/store/merge/merge.h"

#define PARTS 3

static char part_path[PARTS][128], whole_path[128], merged_path[128];

// Runs what `options` say into the database at `path`.
static struct campaign_summary run_into(const char *path)
{
    options.database = path;
    return run_campaign();
}

static struct campaign_summary run_part(unsigned index)
{
    options.shard = (struct shard){.index = index, .count = PARTS, .overlap = 0.3};
    const struct campaign_summary summary = run_into(part_path[index]);
    options.shard = (struct shard){0};
    return summary;
}

static void plan_parts(void)
{
    plan_campaign();
    for (unsigned i = 0; i < PARTS; i++)
        snprintf(part_path[i], sizeof part_path[i], "%s/part-%u/u.db", folder, i);
    snprintf(whole_path, sizeof whole_path, "%s/whole.db", folder);
    snprintf(merged_path, sizeof merged_path, "%s/merged.db", folder);
}

static enum status merge(const char *into, const char *const *from, unsigned count)
{
    struct merge_counts counts;
    return merge_databases(into, from, count, &(struct merge_options){0}, &counts);
}

static int64_t count_in(const char *path, const char *sql)
{
    snprintf(database_path, sizeof database_path, "%s", path);
    return count_rows(sql);
}

// Everything that a database says of trials, by their places: but times of the wall, and what
// machine it was.
static const char *const facts[] = {
    "SELECT c.name, c.seed, c.digest, c.finished_utc IS NULL, s.* FROM campaign AS c JOIN square "
    "AS "
    "s USING (campaign_id) ORDER BY s.position",
    "SELECT trial_id, position, number, seed, outcome, simulated_s, grants, history_hash,"
    " recheck_hash, is_example, history_path, verdict, observed, digest FROM trial_view ORDER BY 1",
    "SELECT * FROM fault ORDER BY trial_id, number",
    "SELECT * FROM bus_load ORDER BY trial_id, bus",
    "SELECT * FROM process_event ORDER BY trial_id, number",
    "SELECT j.trial_id, j.number, v.oracle, v.verdict, v.margin, v.unit, v.detail, v.broken_s FROM"
    " judging AS j JOIN verdict AS v USING (judging_id) ORDER BY 1, 2, 3",
    "SELECT j.trial_id, j.number, o.number, o.name, o.value, o.unit, o.text, o.reason FROM judging "
    "AS"
    " j JOIN observation AS o USING (judging_id) ORDER BY 1, 2, 3",
    "SELECT name, hash, path, bytes_id IS NULL FROM content ORDER BY name",
};

static void add_facts(const char *path, const char *sql, char *text, size_t size)
{
    sqlite3 *handle;
    sqlite3_stmt *s;
    ck_assert_int_eq(sqlite3_open(path, &handle), SQLITE_OK);
    ck_assert_msg(sqlite3_prepare_v2(handle, sql, -1, &s, NULL) == SQLITE_OK, "%s",
                  sqlite3_errmsg(handle));
    while (sqlite3_step(s) == SQLITE_ROW) {
        for (int i = 0; i < sqlite3_column_count(s); i++) {
            const char *value = (const char *)sqlite3_column_text(s, i);
            // Histories are in the folder of each.
            const char *slash = value != NULL ? strrchr(value, '/') : NULL;
            text_add(text, size, "%s|", value == NULL ? "NULL" : slash != NULL ? slash : value);
        }
        text_add(text, size, "\n");
    }
    sqlite3_finalize(s);
    sqlite3_close(handle);
}

static void assert_equal(const char *path, const char *other)
{
    static char a[1 << 18], b[1 << 18];
    for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++) {
        a[0] = b[0] = '\0';
        add_facts(path, facts[i], a, sizeof a);
        add_facts(other, facts[i], b, sizeof b);
        ck_assert_uint_lt(strlen(a), sizeof a - 1);
        ck_assert_msg(strcmp(a, b) == 0, "%s\n%s\n%s\n%s\n%s", facts[i], path, a, other, b);
    }
}

static void finish(const char *path)
{
    options.only_finish = true;
    const struct campaign_summary summary = run_into(path);
    options.only_finish = false;
    ck_assert_uint_eq(summary.done, summary.total);
}

START_TEST(parts_are_parsed_from_zero_on)
{
    static const struct {
        const char *word;
        bool good;
    } words[] = {{"0/4", true},
                 {"3/4", true},
                 {"0/1", true},
                 {"4/4", false},
                 {"5/4", false},
                 {"-1/4", false},
                 {"1/0", false},
                 {"0/0", false},
                 {"1", false},
                 {"/4", false},
                 {"1/", false},
                 {"1/4/4", false},
                 {"+1/4", false},
                 {" 1/4", false},
                 {"a/4", false},
                 {"1.5/4", false},
                 {"99999999999999999999/4", false},
                 {"0/100001", false}};
    for (size_t i = 0; i < sizeof words / sizeof words[0]; i++) {
        struct shard shard = {0};
        const char *why;
        ck_assert_msg(shard_parse(words[i].word, &shard, &why) == words[i].good, "%s",
                      words[i].word);
    }
}
END_TEST

START_TEST(every_trial_is_of_one_part)
{
    plan_parts();
    campaign.square[1].trials = 9; // more than the other square has
    for (unsigned square = 0; square < 2; square++)
        for (unsigned n = 0; n < campaign.square[square].trials; n++) {
            unsigned parts = 0, with_overlap = 0;
            for (unsigned i = 0; i < PARTS; i++) {
                parts += shard_has(&(struct shard){i, PARTS, 0}, &campaign, square, n);
                with_overlap += shard_has(&(struct shard){i, PARTS, 1}, &campaign, square, n);
            }
            ck_assert_uint_eq(parts, 1);
            ck_assert_uint_eq(with_overlap, 2);
        }
    ck_assert_uint_eq(shard_total(&(struct shard){0, 4, 0}, &campaign), 4); // of 14
    ck_assert_uint_eq(shard_total(&(struct shard){3, 4, 0}, &campaign), 3);
}
END_TEST

// Three orders, in one merge or three, with repetitions.
START_TEST(parts_merged_in_any_order_are_the_whole_campaign_row_by_row)
{
    plan_parts();
    campaign.recheck_share = 0.5;
    ck_assert_uint_eq(run_into(whole_path).done, 10);
    unsigned trials = 0;
    for (unsigned i = 0; i < PARTS; i++)
        trials += run_part(i).done;
    ck_assert_uint_gt(trials, 10); // some overlap
    static const unsigned order[3][PARTS] = {{0, 1, 2}, {2, 0, 1}, {1, 2, 0}};
    for (unsigned i = 0; i < 3; i++) {
        const char *from[PARTS];
        for (unsigned k = 0; k < PARTS; k++)
            from[k] = part_path[order[i][k]];
        snprintf(merged_path, sizeof merged_path, "%s/merged-%u.db", folder, i);
        for (unsigned k = 0; k < PARTS && i % 2 == 0; k++)
            ck_assert_int_eq(merge(merged_path, &from[k], 1), STATUS_OK);
        ck_assert_int_eq(merge(merged_path, from, PARTS), STATUS_OK);
        ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM session"), PARTS);
        ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM trial"), 10);
        finish(merged_path);
        assert_equal(whole_path, merged_path);
        ck_assert_int_eq(merge(merged_path, from, PARTS), STATUS_OK);
        assert_equal(whole_path, merged_path);
    }
}
END_TEST

START_TEST(merging_is_associative)
{
    plan_parts();
    char other[160];
    snprintf(other, sizeof other, "%s/other.db", folder);
    for (unsigned i = 0; i < PARTS; i++)
        run_part(i);
    const char *const all[PARTS] = {part_path[0], part_path[1], part_path[2]};
    const char *const last[2] = {part_path[0], other};
    ck_assert_int_eq(merge(whole_path, all, PARTS), STATUS_OK);
    ck_assert_int_eq(merge(other, all + 1, 2), STATUS_OK);
    ck_assert_int_eq(merge(merged_path, last, 2), STATUS_OK);
    assert_equal(whole_path, merged_path);
    ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM session"), PARTS);
}
END_TEST

START_TEST(what_is_missing_is_told_by_part)
{
    plan_parts();
    run_part(0);
    run_part(2);
    const char *const from[2] = {part_path[0], part_path[2]};
    ck_assert_int_eq(merge(merged_path, from, 2), STATUS_OK);
    struct missing missing;
    options.database = merged_path;
    ck_assert_int_eq(missing_find(&campaign, &target, &options, &missing), STATUS_OK);
    ck_assert_uint_eq(missing.total, 10);
    ck_assert_uint_eq(missing.shards, PARTS);
    ck_assert_uint_eq(missing.of_shard[0], 0);
    ck_assert_uint_eq(missing.of_shard[1], missing.missing); // but those that overlap
    ck_assert_uint_gt(missing.missing, 0);
    missing_free(&missing);
    options.only_finish = true;
    struct campaign_summary summary = run_campaign();
    ck_assert_uint_lt(summary.done, summary.total);
    ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM campaign WHERE finished_utc IS "
                                           "NULL"),
                     1);
}
END_TEST

START_TEST(a_part_goes_on_where_it_was_killed_and_does_nothing_twice)
{
    plan_parts();
    behave.kill_number = 3; // of part 0: places 0, 3, 6, 9 are numbers 0, 1, 3, 4
    ck_assert_uint_eq(run_part(0).lost, 1);
    behave.kill_number = UINT_MAX;
    ck_assert_uint_eq(run_part(0).lost, 0);
    const int64_t trials = count_in(part_path[0], "SELECT count(*) FROM trial");
    ck_assert_int_eq(count_in(part_path[0], "UPDATE trial SET finished_utc = 'before'"
                                            " RETURNING 1"),
                     1);
    run_part(0);
    ck_assert_int_eq(count_in(part_path[0], "SELECT count(*) FROM trial WHERE finished_utc ="
                                            " 'before'"),
                     trials);
    ck_assert_int_eq(count_in(part_path[0], "SELECT count(*) FROM campaign"), 1);
    ck_assert_int_eq(count_in(part_path[0], "SELECT count(*) FROM session WHERE shards = 3"), 3);
}
END_TEST

// ---- what is refused, and leaves the target as it was
// ------------------------------------------------

// One part merged; then `from` is refused, and nothing has changed.
static void refuse(const char *from)
{
    static char before[1 << 18], after[1 << 18];
    const char *const first[1] = {part_path[0]}, *const second[2] = {part_path[1], from};
    if (access(merged_path, F_OK) != 0)
        ck_assert_int_eq(merge(merged_path, first, 1), STATUS_OK);
    for (int round = 0; round < 2; round++) {
        char *text = round == 0 ? before : after;
        text[0] = '\0';
        for (size_t i = 0; i < sizeof facts / sizeof facts[0]; i++)
            add_facts(merged_path, facts[i], text, sizeof before);
        if (round == 0)
            ck_assert_int_eq(merge(merged_path, second, 2), STATUS_INVALID);
    }
    ck_assert_str_eq(before, after);
}

// Nor is one made.
static void refuse_afresh(const char *from)
{
    const char *const second[2] = {part_path[1], from};
    char fresh[160];
    snprintf(fresh, sizeof fresh, "%s/fresh.db", folder);
    ck_assert_int_eq(merge(fresh, second, 2), STATUS_INVALID);
    ck_assert_int_ne(access(fresh, F_OK), 0);
}

START_TEST(a_trial_with_two_histories_is_refused)
{
    plan_parts();
    for (unsigned i = 0; i < PARTS; i++)
        run_part(i);
    const char *const all[PARTS] = {part_path[0], part_path[1], part_path[2]};
    ck_assert_int_eq(merge(merged_path, all, 1), STATUS_OK);
    char other[160];
    snprintf(other, sizeof other, "%s/other.db", folder);
    ck_assert_int_eq(merge(other, all, 1), STATUS_OK);
    count_in(other, "UPDATE trial SET history_hash = '0' || substr(history_hash, 2), history_path ="
                    " NULL WHERE trial_id = 1 RETURNING 1");
    refuse(other);
}
END_TEST

START_TEST(another_campaign_is_refused)
{
    plan_parts();
    for (unsigned i = 0; i < PARTS; i++)
        run_part(i);
    char other[160];
    snprintf(other, sizeof other, "%s/other.db", folder);
    campaign.seed = 6;
    run_into(other);
    refuse(other);
    refuse_afresh(other);
    campaign.seed = 5;
    campaign.square[1].trials = 4; // planned otherwise
    snprintf(other, sizeof other, "%s/shorter.db", folder);
    run_into(other);
    refuse(other);
    snprintf(other, sizeof other, "%s/named.db", folder);
    strcpy(campaign.name, "another");
    run_into(other);
    refuse(other);
    // But both may be in one database, if that is said.
    const char *const from[1] = {other};
    struct merge_counts counts;
    ck_assert_int_eq(
        merge_databases(merged_path, from, 1, &(struct merge_options){.add = true}, &counts),
        STATUS_OK);
    ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM campaign"), 2);
    ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM trial WHERE trial_id > 10"), 9);
}
END_TEST

START_TEST(a_merge_onto_itself_is_refused)
{
    plan_parts();
    run_part(0);
    run_part(1);
    refuse(merged_path);
}
END_TEST

START_TEST(a_history_that_a_part_has_lost_is_refused)
{
    plan_parts();
    run_part(0);
    run_part(1);
    char command[200];
    snprintf(command, sizeof command, "rm %s/part-1/u.db-histories/*", folder);
    ck_assert_int_eq(system(command), 0);
    const char *const from[2] = {part_path[0], part_path[1]};
    ck_assert_int_ne(merge(merged_path, from, 2), STATUS_OK);
    ck_assert_int_ne(access(merged_path, F_OK), 0);
}
END_TEST

START_TEST(what_was_judged_again_is_merged_once_in_the_order_of_time)
{
    plan_parts();
    run_part(0);
    const char *const from[1] = {part_path[0]};
    ck_assert_int_eq(merge(merged_path, from, 1), STATUS_OK);
    struct database *database;
    struct judgement judgement = {.verdict = VERDICT_FAIL, .count = 1};
    judgement.oracle[0] = (struct oracle_verdict){
        .oracle = "new", .verdict = VERDICT_FAIL, .margin = -1, .unit = "m"};
    ck_assert_int_eq(database_open(part_path[0], DATABASE_READ, &database), STATUS_OK);
    ck_assert_int_eq(database_add_judging(database, 1, &judgement), STATUS_OK);
    database_close(database);
    for (int i = 0; i < 2; i++)
        ck_assert_int_eq(merge(merged_path, from, 1), STATUS_OK);
    ck_assert_int_eq(count_in(merged_path, "SELECT count(*) FROM judging WHERE trial_id = 1"), 2);
    ck_assert_int_eq(count_in(merged_path,
                              "SELECT count(*) FROM judging_in_force WHERE trial_id = 1"
                              " AND number = 1 AND verdict = 'FAIL'"),
                     1);
}
END_TEST

UNIT_MAIN("shard", parts_are_parsed_from_zero_on, every_trial_is_of_one_part,
          parts_merged_in_any_order_are_the_whole_campaign_row_by_row, merging_is_associative,
          what_is_missing_is_told_by_part,
          a_part_goes_on_where_it_was_killed_and_does_nothing_twice,
          a_trial_with_two_histories_is_refused, another_campaign_is_refused,
          a_merge_onto_itself_is_refused, a_history_that_a_part_has_lost_is_refused,
          what_was_judged_again_is_merged_once_in_the_order_of_time)
