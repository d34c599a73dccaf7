// Judgings are the same if what they say is.
#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <xxhash.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/store/merge/merge_private.h"

#define JUDGINGS_MAX 1000 // of one trial that can be told apart

struct judging {
    int64_t judging_id, number, build_id;
    char judged_utc[32], verdict[8];
    XXH128_hash_t said;
};

struct judgings {
    unsigned count;
    struct judging list[JUDGINGS_MAX];
};

enum status judging_copy_start(struct judging_copy *copy, struct merge *merge)
{
    *copy = (struct judging_copy){.merge = merge, .room = malloc(2 * sizeof *copy->room)};
    if (copy->room == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    enum status status = row_copy_start(&copy->verdicts, merge->from, merge->into, "verdict",
                                        "judging_id", "judging_id");
    if (status == STATUS_OK)
        status = row_copy_start(&copy->observations, merge->from, merge->into, "observation",
                                "judging_id", "judging_id");
    return status;
}

void judging_copy_end(struct judging_copy *copy)
{
    row_copy_end(&copy->verdicts);
    row_copy_end(&copy->observations);
    free(copy->room);
}

// ---- what one says ------------------------------------------------------------------------------

static void add_value(XXH3_state_t *state, sqlite3_stmt *s, int column)
{
    const int type = sqlite3_column_type(s, column);
    const double number = type == SQLITE_FLOAT ? sqlite3_column_double(s, column) : 0;
    const void *bytes = type == SQLITE_FLOAT ? &number : sqlite3_column_blob(s, column);
    const size_t size_B =
        type == SQLITE_FLOAT ? sizeof number : (size_t)sqlite3_column_bytes(s, column);
    (void)XXH3_128bits_update(state, &type, sizeof type);
    (void)XXH3_128bits_update(state, &size_B, sizeof size_B);
    if (bytes != NULL)
        (void)XXH3_128bits_update(state, bytes, size_B);
}

static enum status add_rows(XXH3_state_t *state, struct database *database, const char *sql,
                            int64_t judging_id)
{
    int code = SQLITE_ERROR;
    sqlite3_stmt *s = statement(database, sql);
    bind_integer(s, 1, judging_id);
    while (s != NULL && (code = sqlite3_step(s)) == SQLITE_ROW)
        for (int i = 0; i < sqlite3_column_count(s); i++)
            add_value(state, s, i);
    const enum status status =
        code == SQLITE_DONE ? STATUS_OK : complain(database, "reading a judging");
    sqlite3_finalize(s);
    return status;
}

static enum status hash_said(struct database *database, int64_t judging_id, XXH128_hash_t *said)
{
    XXH3_state_t *state = XXH3_createState();
    if (state == NULL) {
        (void)trouble_note(ENOMEM);
        return STATUS_NO_MEMORY;
    }
    (void)XXH3_128bits_reset(state);
    enum status status = add_rows(state, database,
                                  "SELECT oracle, verdict, margin, unit, detail, broken_s FROM"
                                  " verdict WHERE judging_id = ? ORDER BY oracle",
                                  judging_id);
    if (status == STATUS_OK)
        status = add_rows(state, database,
                          "SELECT number, name, value, unit, text, reason FROM observation WHERE"
                          " judging_id = ? ORDER BY number",
                          judging_id);
    *said = XXH3_128bits_digest(state);
    XXH3_freeState(state);
    return status;
}

static enum status too_many(struct database *database, int64_t trial_id)
{
    log_error("%s: trial %lld was judged more than %d times: such databases are not merged",
              database->path, (long long)trial_id, JUDGINGS_MAX - 1);
    return STATUS_TOO_LARGE;
}

static enum status read_judgings(struct database *database, int64_t trial_id, bool said,
                                 struct judgings *judgings)
{
    int code = SQLITE_ERROR;
    judgings->count = 0;
    sqlite3_stmt *s = statement(database, "SELECT judging_id, number, build_id, judged_utc, verdict"
                                          " FROM judging WHERE trial_id = ? ORDER BY number");
    bind_integer(s, 1, trial_id);
    while (s != NULL && (code = sqlite3_step(s)) == SQLITE_ROW && judgings->count < JUDGINGS_MAX) {
        struct judging *judging = &judgings->list[judgings->count++];
        *judging = (struct judging){.judging_id = sqlite3_column_int64(s, 0),
                                    .number = sqlite3_column_int64(s, 1),
                                    .build_id = sqlite3_column_int64(s, 2)};
        snprintf(judging->judged_utc, sizeof judging->judged_utc, "%s", sqlite3_column_text(s, 3));
        snprintf(judging->verdict, sizeof judging->verdict, "%s", sqlite3_column_text(s, 4));
    }
    enum status status = code == SQLITE_DONE  ? STATUS_OK
                         : code == SQLITE_ROW ? too_many(database, trial_id)
                                              : complain(database, "reading judgings");
    sqlite3_finalize(s);
    for (unsigned i = 0; said && i < judgings->count && status == STATUS_OK; i++)
        status = hash_said(database, judgings->list[i].judging_id, &judgings->list[i].said);
    return status;
}

// ---- adding -------------------------------------------------------------------------------------

static enum status add_judging(struct judging_copy *copy, const struct judging *judging,
                               int64_t trial_id, int64_t number, int64_t *judging_id)
{
    struct merge *merge = copy->merge;
    int64_t build_id;
    enum status status = row_map_often(merge, "build", judging->build_id, &build_id);
    if (status != STATUS_OK)
        return status;
    sqlite3_stmt *s =
        statement(merge->into, "INSERT INTO judging (trial_id, number, build_id, judged_utc,"
                               " verdict) VALUES (?, ?, ?, ?, ?) RETURNING judging_id");
    bind_integer(s, 1, trial_id);
    bind_integer(s, 2, number);
    bind_integer(s, 3, build_id);
    bind_text(s, 4, judging->judged_utc);
    bind_text(s, 5, judging->verdict);
    status = run_integer(merge->into, s, judging_id);
    if (status == STATUS_OK)
        status = row_copy_run(&copy->verdicts, judging->judging_id, *judging_id);
    return status == STATUS_OK ? row_copy_run(&copy->observations, judging->judging_id, *judging_id)
                               : status;
}

static enum status set_number(struct database *into, int64_t judging_id, int64_t number)
{
    sqlite3_stmt *s = statement(into, "UPDATE judging SET number = ? WHERE judging_id = ?");
    bind_integer(s, 1, number);
    bind_integer(s, 2, judging_id);
    return run(into, s);
}

static int by_time(const void *first, const void *second)
{
    const struct judging *a = first, *b = second;
    const int time = strcmp(a->judged_utc, b->judged_utc);
    if (time != 0 || a->number != b->number)
        return time != 0 ? time : a->number < b->number ? -1 : 1;
    return memcmp(&a->said, &b->said, sizeof a->said);
}

// Numbers those of a trial by when they were made. `all` has the numbers that they had where they
// were made, and is sorted.
static enum status number_by_time(struct database *into, struct judgings *all)
{
    enum status status = STATUS_OK;
    qsort(all->list, all->count, sizeof all->list[0], by_time);
    for (unsigned i = 0; i < all->count && status == STATUS_OK; i++) // out of each other's way
        status = set_number(into, all->list[i].judging_id, JUDGINGS_MAX + (int64_t)i);
    for (unsigned i = 0; i < all->count && status == STATUS_OK; i++)
        status = set_number(into, all->list[i].judging_id, (int64_t)i);
    return status;
}

static struct judging *find_said(struct judgings *among, const struct judging *judging)
{
    for (unsigned i = 0; i < among->count; i++)
        if (XXH128_isEqual(among->list[i].said, judging->said))
            return &among->list[i];
    return NULL;
}

static enum status make_earlier(struct database *into, const struct judging *there,
                                const struct judging *judging)
{
    if (strcmp(judging->judged_utc, there->judged_utc) >= 0)
        return STATUS_OK;
    sqlite3_stmt *s = statement(into, "UPDATE judging SET judged_utc = ? WHERE judging_id = ?");
    bind_text(s, 1, judging->judged_utc);
    bind_integer(s, 2, there->judging_id);
    return run(into, s);
}

static enum status add_unknown(struct judging_copy *copy, const struct judgings *those,
                               struct judgings *there, int64_t trial_id)
{
    struct merge *merge = copy->merge;
    enum status status = STATUS_OK;
    const unsigned before = there->count;
    for (unsigned i = 0; i < those->count && status == STATUS_OK; i++) {
        const struct judging *judging = &those->list[i], *same = find_said(there, judging);
        if (same != NULL) {
            status = make_earlier(merge->into, same, judging);
        } else if (there->count == JUDGINGS_MAX) {
            status = too_many(merge->into, trial_id);
        } else {
            struct judging *added = &there->list[there->count++];
            *added = *judging;
            status = add_judging(copy, judging, trial_id, 2 * JUDGINGS_MAX + (int64_t)there->count,
                                 &added->judging_id);
            merge->counts->judgings++;
        }
    }
    return status == STATUS_OK && there->count > before ? number_by_time(merge->into, there)
                                                        : status;
}

enum status judging_copy_run(struct judging_copy *copy, int64_t from_trial, int64_t into_trial,
                             bool known)
{
    struct merge *merge = copy->merge;
    struct judgings *those = &copy->room[0], *there = &copy->room[1];
    int64_t judging_id;
    enum status status = read_judgings(merge->from, from_trial, known, those);
    if (status == STATUS_OK && known)
        status = read_judgings(merge->into, into_trial, true, there);
    for (unsigned i = 0; i < those->count && !known && status == STATUS_OK; i++)
        status = add_judging(copy, &those->list[i], into_trial, those->list[i].number, &judging_id);
    return status == STATUS_OK && known ? add_unknown(copy, those, there, into_trial) : status;
}
