#include "harness/store/benchmark/compare_read.h"

#include <fnmatch.h>
#include <inttypes.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "harness/store/database_private.h"

// ---- campaigns --------------------------------------------------------------------------------

#define CAMPAIGNS                                                                                  \
    "SELECT campaign_id, machine_id, name, started_utc, lab_revision FROM campaign JOIN build"     \
    " USING (build_id) WHERE kind = 'benchmark' AND "

static void copy(sqlite3_stmt *s, int column, char *text, size_t size)
{
    const unsigned char *value = sqlite3_column_text(s, column);
    snprintf(text, size, "%s", value == NULL ? "" : (const char *)value);
}

// Takes up to `wanted` rows and finalises the statement; *taken says how many there were.
static enum status take_campaigns(struct database *database, sqlite3_stmt *s, unsigned wanted,
                                  struct compare_campaign *found, unsigned *taken)
{
    *taken = 0;
    if (s == NULL)
        return STATUS_SYSTEM;
    int code;
    while ((code = sqlite3_step(s)) == SQLITE_ROW && *taken < wanted) {
        struct compare_campaign *campaign = &found[(*taken)++];
        campaign->campaign_id = sqlite3_column_int64(s, 0);
        campaign->machine_id = sqlite3_column_int64(s, 1);
        copy(s, 2, campaign->name, sizeof campaign->name);
        copy(s, 3, campaign->started_utc, sizeof campaign->started_utc);
        copy(s, 4, campaign->lab_revision, sizeof campaign->lab_revision);
    }
    const enum status status = code == SQLITE_DONE || code == SQLITE_ROW
                                   ? STATUS_OK
                                   : complain(database, "reading campaigns");
    sqlite3_finalize(s);
    return status;
}

// Says so if the newest of that name was interrupted: what is compared instead is older than one
// may think.
static enum status mention_unfinished(struct database *database,
                                      const struct compare_campaign *found)
{
    int64_t newer = 0;
    sqlite3_stmt *s =
        statement(database, "SELECT coalesce(max(campaign_id), 0) FROM campaign WHERE kind ="
                            " 'benchmark' AND name = ?1 AND campaign_id > ?2");
    bind_text(s, 1, found->name);
    bind_integer(s, 2, found->campaign_id);
    const enum status status = run_integer(database, s, &newer);
    if (status == STATUS_OK && newer > 0)
        log_info("number %" PRId64 " '%s' is newer than number %" PRId64
                 ", but not finished, and left out",
                 newer, found->name, found->campaign_id);
    return status;
}

enum status compare_find(struct database *database, const char *name,
                         struct compare_campaign *found)
{
    char *rest;
    unsigned taken;
    const int64_t number = strtoll(name, &rest, 10);
    const bool by_number = name[0] >= '0' && name[0] <= '9' && *rest == '\0';
    sqlite3_stmt *s =
        statement(database, by_number ? CAMPAIGNS "campaign_id = ?1"
                                      : CAMPAIGNS "name = ?1 AND finished_utc IS NOT NULL"
                                                  " ORDER BY campaign_id DESC LIMIT 1");
    if (by_number)
        bind_integer(s, 1, number);
    else
        bind_text(s, 1, name);
    const enum status status = take_campaigns(database, s, 1, found, &taken);
    if (status == STATUS_OK && taken == 1 && !by_number)
        return mention_unfinished(database, found);
    if (status != STATUS_OK || taken == 1)
        return status;
    log_error("%s: no finished benchmark %s is in %s; `ukemi show` lists what there is", name,
              by_number ? "of this number" : "of this name", database->path);
    return STATUS_NOT_FOUND;
}

enum status compare_find_before(struct database *database, const struct compare_campaign *campaign,
                                unsigned count, struct compare_campaign *found)
{
    unsigned taken;
    sqlite3_stmt *s = statement(database, CAMPAIGNS "name = ?1 AND finished_utc IS NOT NULL AND"
                                                    " campaign_id < ?2 ORDER BY campaign_id DESC");
    bind_text(s, 1, campaign->name);
    bind_integer(s, 2, campaign->campaign_id);
    const enum status status = take_campaigns(database, s, count, found, &taken);
    if (status != STATUS_OK || taken == count)
        return status;
    log_error("--last %u: only %u finished benchmarks '%s' are older than number %" PRId64
              "; give a smaller number",
              count, taken, campaign->name, campaign->campaign_id);
    return STATUS_NOT_FOUND;
}

// ---- figures ----------------------------------------------------------------------------------

// A row: square, metric, unit, better, campaign, run, value, whether it is b's. The rows of a
// metric follow each other.
enum column { SQUARE, METRIC, UNIT, BETTER, CAMPAIGN, RUN, VALUE, OF_B };

// What is shown of a campaign's figures. Parameters: 1 b's campaign, 2 and 3 the squares of a and
// b, or NULL, 4 the shell pattern, or NULL.
#define EACH                                                                                       \
    "WITH f AS (SELECT coalesce(?2 || ' -> ' || ?3, square) AS shown, * FROM (SELECT *, 0 AS of_b" \
    " FROM figure_view WHERE square = coalesce(?2, square) AND campaign_id IN (0%s) UNION ALL"     \
    " SELECT *, 1 FROM figure_view WHERE square = coalesce(?3, square) AND campaign_id = ?1) "     \
    "WHERE"                                                                                        \
    " ?4 IS NULL OR shell_match(?4, metric) OR shell_match(?4, coalesce(?2 || ' -> ' || ?3, "      \
    "square)"                                                                                      \
    " || ': ' || metric)) "
#define APART                                                                                      \
    "SELECT shown, metric, unit, better, f.campaign_id, run, value, of_b FROM f LEFT JOIN square " \
    "AS"                                                                                           \
    " o ON o.campaign_id = ?1 AND o.row_name = f.square AND ?2 IS NULL"                            \
    " ORDER BY o.position IS NULL, o.position, shown, metric, of_b, f.campaign_id, run"

// All squares of a metric that both sides have as one: of each run the geometric mean of its
// values. A run that lacks one of the squares is left out. The value is NULL where one is not
// positive.
#define TOGETHER                                                                                   \
    ", both AS (SELECT shown, metric FROM f GROUP BY 1, 2 HAVING max(of_b) > min(of_b)), m AS"     \
    " (SELECT metric, count(DISTINCT shown) AS squares, min(value) > 0 AS positive FROM f JOIN "   \
    "both"                                                                                         \
    " USING (shown, metric) GROUP BY metric)"                                                      \
    " SELECT 'all squares, geometric means of ' || squares, f.metric, unit, better, campaign_id, " \
    "run,"                                                                                         \
    " CASE WHEN positive THEN exp(avg(ln(value))) END, of_b FROM f JOIN both USING (shown,"        \
    " metric) JOIN m USING (metric) GROUP BY f.metric, unit, of_b, campaign_id, run"               \
    " HAVING count(*) = squares UNION ALL SELECT shown, metric, unit, better, campaign_id, run,"   \
    " value, of_b FROM f WHERE (shown, metric) NOT IN (SELECT * FROM both) ORDER BY 2, 1, of_b, "  \
    "campaign_id, run"

static void shell_match(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *pattern = (const char *)sqlite3_value_text(argument[0]);
    const char *text = (const char *)sqlite3_value_text(argument[1]);
    sqlite3_result_int(context, pattern != NULL && text != NULL && fnmatch(pattern, text, 0) == 0);
}

static sqlite3_stmt *figures(struct database *database, const struct compare_campaign *a,
                             unsigned a_count, const struct compare_campaign *b,
                             const struct compare_choice *choice)
{
    char of_a[COMPARE_CAMPAIGNS_MAX * 24] = "", text[sizeof EACH APART TOGETHER + sizeof of_a];
    int length = 0;
    for (unsigned i = 0; i < a_count && i < COMPARE_CAMPAIGNS_MAX; i++)
        length +=
            snprintf(of_a + length, sizeof of_a - (size_t)length, ", %" PRId64, a[i].campaign_id);
    snprintf(text, sizeof text, choice->together ? EACH TOGETHER : EACH APART, of_a);
    if (sqlite3_create_function(database->handle, "shell_match", 2, SQLITE_UTF8, NULL, shell_match,
                                NULL, NULL) != SQLITE_OK)
        return NULL;
    sqlite3_stmt *s = statement(database, text);
    bind_integer(s, 1, b->campaign_id);
    if (choice->a_square != NULL) {
        bind_text(s, 2, choice->a_square);
        bind_text(s, 3, choice->b_square);
    }
    if (choice->metric != NULL)
        bind_text(s, 4, choice->metric);
    return s;
}

static enum status append(struct measured **values, size_t *count, const struct measured *value)
{
    if (*count == RANK_VALUES_MAX) {
        log_error("more than %d runs of one metric; compare fewer campaigns", RANK_VALUES_MAX);
        return STATUS_TOO_LARGE;
    }
    struct measured *more = realloc(*values, (*count + 1) * sizeof *more);
    if (more == NULL)
        return STATUS_NO_MEMORY;
    *values = more;
    more[(*count)++] = *value;
    return STATUS_OK;
}

// The comparison in hand is complete: it stays if both sides measured it.
static void complete(struct compare_data *data)
{
    if (data->count == 0)
        return;
    struct comparison *last = &data->list[data->count - 1];
    if (last->a_count > 0 && last->b_count > 0)
        return;
    data->only_a += last->b_count == 0;
    data->only_b += last->a_count == 0;
    free(last->a);
    free(last->b);
    data->count--;
}

static bool belongs(const struct compare_data *data, const struct comparison *row, bool *started)
{
    const struct comparison *last = data->count == 0 ? NULL : &data->list[data->count - 1];
    const bool same = *started && last != NULL && strcmp(last->square, row->square) == 0 &&
                      strcmp(last->metric, row->metric) == 0;
    *started = true;
    return same;
}

static enum status start_metric(struct compare_data *data, const struct comparison *row)
{
    complete(data);
    struct comparison *more = realloc(data->list, (data->count + 1) * sizeof *more);
    if (more == NULL)
        return STATUS_NO_MEMORY;
    data->list = more;
    more[data->count++] = *row;
    return STATUS_OK;
}

static enum status take_row(sqlite3_stmt *s, struct compare_data *data, bool *started,
                            char last_without[64])
{
    struct comparison row = {0};
    char better[8], both[160];
    copy(s, SQUARE, row.square, sizeof row.square);
    copy(s, METRIC, row.metric, sizeof row.metric);
    copy(s, UNIT, row.unit, sizeof row.unit);
    copy(s, BETTER, better, sizeof better);
    snprintf(both, sizeof both, "%s: %s", row.square, row.metric);
    if (sqlite3_column_type(s, VALUE) == SQLITE_NULL) { // of no run: it has no geometric mean
        data->not_positive += strcmp(last_without, row.metric) != 0;
        copy(s, METRIC, last_without, sizeof row.metric);
        return STATUS_OK;
    }
    const struct measured value = {.group = (unsigned)sqlite3_column_int64(s, CAMPAIGN),
                                   .run = (unsigned)sqlite3_column_int64(s, RUN),
                                   .value = sqlite3_column_double(s, VALUE)};
    if (!better_parse(better, &row.better) || !isfinite(value.value)) {
        log_error("%s: the database holds %g, better '%s', which is not a figure; put back a copy",
                  both, value.value, better);
        return STATUS_CORRUPT;
    }
    enum status status = belongs(data, &row, started) ? STATUS_OK : start_metric(data, &row);
    if (status != STATUS_OK)
        return status;
    struct comparison *c = &data->list[data->count - 1];
    if (strcmp(c->unit, row.unit) != 0) {
        log_error("%s: is in '%s' on one side and in '%s' on the other; compare runs of programs "
                  "that measure the same",
                  both, c->unit, row.unit);
        return STATUS_INVALID;
    }
    c->better = row.better; // as the later side says, whose rows come last
    return sqlite3_column_int(s, OF_B) != 0 ? append(&c->b, &c->b_count, &value)
                                            : append(&c->a, &c->a_count, &value);
}

// Whether a campaign has a square of that name; false is said.
static enum status has_square(struct database *database, const struct compare_campaign *campaign,
                              const char *square, bool *has)
{
    int64_t count = 0;
    sqlite3_stmt *s =
        statement(database, "SELECT count(*) FROM square WHERE campaign_id = ? AND row_name = ?");
    bind_integer(s, 1, campaign->campaign_id);
    bind_text(s, 2, square);
    const enum status status = run_integer(database, s, &count);
    *has = count > 0;
    if (status == STATUS_OK && !*has)
        log_error("number %" PRId64
                  " '%s' has no square '%s'; `ukemi show TRIAL` of one of its runs "
                  "names that run's",
                  campaign->campaign_id, campaign->name, square);
    return status;
}

// Says why there is nothing to compare: NOT_FOUND.
static enum status nothing_common(struct database *database, const struct compare_campaign *a,
                                  const struct compare_campaign *b,
                                  const struct compare_choice *choice)
{
    bool a_has = true, b_has = true;
    enum status status = STATUS_OK;
    if (choice->a_square != NULL)
        status = has_square(database, a, choice->a_square, &a_has);
    if (choice->a_square != NULL && status == STATUS_OK)
        status = has_square(database, b, choice->b_square, &b_has);
    if (status != STATUS_OK)
        return status;
    if (choice->together && (a_has && b_has))
        log_error("--together: no metric has a geometric mean: values of 0, or no run in all "
                  "squares; choose others with --metric");
    else if (a_has && b_has)
        log_error("number %" PRId64 " '%s' and number %" PRId64
                  " '%s' have no square and metric in "
                  "common%s%s; `ukemi show` lists what they have",
                  a->campaign_id, a->name, b->campaign_id, b->name,
                  choice->metric == NULL ? "" : " that matches ",
                  choice->metric == NULL ? "" : choice->metric);
    return STATUS_NOT_FOUND;
}

enum status compare_read(struct database *database, const struct compare_campaign *a,
                         unsigned a_count, const struct compare_campaign *b,
                         const struct compare_choice *choice, struct compare_data *data)
{
    *data = (struct compare_data){0};
    sqlite3_stmt *s = figures(database, a, a_count, b, choice);
    if (s == NULL)
        return STATUS_SYSTEM;
    bool started = false;
    char last_without[64] = "";
    int code = SQLITE_DONE;
    enum status status = STATUS_OK;
    while (status == STATUS_OK && (code = sqlite3_step(s)) == SQLITE_ROW)
        status = take_row(s, data, &started, last_without);
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = complain(database, "reading figures");
    sqlite3_finalize(s);
    complete(data);
    if (status == STATUS_OK && data->count == 0)
        status = nothing_common(database, a, b, choice);
    if (status != STATUS_OK)
        compare_data_free(data);
    return status;
}

void compare_data_free(struct compare_data *data)
{
    for (size_t i = 0; i < data->count; i++) {
        free(data->list[i].a);
        free(data->list[i].b);
    }
    free(data->list);
    *data = (struct compare_data){0};
}
