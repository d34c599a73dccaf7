// Rows by the names of their columns, whatever those are.
#include <stdio.h>
#include <string.h>

#include "harness/store/merge/merge_private.h"

#define SPACED ", "

static bool lists(const char *list, const char *name)
{
    char all[512], one[80];
    snprintf(all, sizeof all, SPACED "%s" SPACED, list);
    snprintf(one, sizeof one, SPACED "%s" SPACED, name);
    return strstr(all, one) != NULL;
}

char *row_columns(struct database *database, const char *table, const char *leave_out)
{
    sqlite3_stmt *s = statement(database, "SELECT name FROM pragma_table_info(?) ORDER BY cid");
    sqlite3_str *list = sqlite3_str_new(NULL);
    bind_text(s, 1, table);
    while (s != NULL && sqlite3_step(s) == SQLITE_ROW) {
        const char *name = (const char *)sqlite3_column_text(s, 0);
        if (name != NULL && !lists(leave_out, name))
            sqlite3_str_appendf(list, "%s%s", sqlite3_str_length(list) > 0 ? SPACED : "", name);
    }
    sqlite3_finalize(s);
    return sqlite3_str_finish(list); // NULL, too, for a table without columns
}

static unsigned count_columns(const char *list)
{
    unsigned count = 1;
    for (const char *at = list; (at = strchr(at, ',')) != NULL; at++)
        count++;
    return count;
}

// "INSERT INTO TABLE (KEY, COLUMNS) VALUES (?, ...)ENDING"; without a key: ""
static sqlite3_stmt *prepare_insert(struct database *into, const char *table, const char *key,
                                    const char *columns, const char *ending)
{
    sqlite3_str *sql = sqlite3_str_new(NULL);
    sqlite3_str_appendf(sql, "INSERT INTO %s (%s%s%s) VALUES (?", table, key,
                        key[0] != '\0' ? SPACED : "", columns);
    for (unsigned i = key[0] != '\0' ? 0 : 1; i < count_columns(columns); i++)
        sqlite3_str_appendall(sql, ", ?");
    sqlite3_str_appendf(sql, ")%s", ending);
    char *text = sqlite3_str_finish(sql);
    sqlite3_stmt *s = text != NULL ? statement(into, text) : NULL;
    sqlite3_free(text);
    return s;
}

static sqlite3_stmt *prepare_select(struct database *from, const char *table, const char *key,
                                    const char *columns)
{
    char *text = sqlite3_mprintf("SELECT %s FROM %s WHERE %s = ?1", columns, table, key);
    sqlite3_stmt *s = text != NULL ? statement(from, text) : NULL;
    sqlite3_free(text);
    return s;
}

enum status row_copy_start(struct row_copy *copy, struct database *from, struct database *into,
                           const char *table, const char *key, const char *leave_out)
{
    char *columns = row_columns(into, table, leave_out);
    *copy = (struct row_copy){.from = from, .into = into};
    if (columns != NULL) {
        copy->select = prepare_select(from, table, key, columns);
        copy->insert = prepare_insert(into, table, key, columns, "");
    }
    sqlite3_free(columns);
    return copy->select != NULL && copy->insert != NULL ? STATUS_OK : STATUS_SYSTEM;
}

// From the first column on, behind `before` parameters.
static void bind_row(sqlite3_stmt *insert, sqlite3_stmt *row, int before)
{
    for (int i = 0; i < sqlite3_column_count(row); i++)
        sqlite3_bind_value(insert, before + i + 1, sqlite3_column_value(row, i));
}

enum status row_copy_run(struct row_copy *copy, int64_t from_key, int64_t into_key)
{
    enum status status = STATUS_OK;
    int code;
    bind_integer(copy->select, 1, from_key);
    while ((code = sqlite3_step(copy->select)) == SQLITE_ROW && status == STATUS_OK) {
        bind_integer(copy->insert, 1, into_key);
        bind_row(copy->insert, copy->select, 1);
        if (sqlite3_step(copy->insert) != SQLITE_DONE)
            status = complain(copy->into, "adding rows");
        sqlite3_reset(copy->insert);
    }
    if (status == STATUS_OK && code != SQLITE_DONE)
        status = complain(copy->from, "reading rows");
    sqlite3_reset(copy->select);
    return status;
}

void row_copy_end(struct row_copy *copy)
{
    sqlite3_finalize(copy->select);
    sqlite3_finalize(copy->insert);
    *copy = (struct row_copy){0};
}

// The row that `select` stands at, and the id it gets.
static enum status insert_equal(struct database *into, const char *table, const char *key,
                                const char *columns, sqlite3_stmt *row, int64_t *mapped)
{
    // One that is there already is found by writing it as it is.
    const char *first_end = strchr(columns, ',');
    const int length = first_end != NULL ? (int)(first_end - columns) : (int)strlen(columns);
    char *ending = sqlite3_mprintf(" ON CONFLICT DO UPDATE SET %.*s = excluded.%.*s RETURNING %s",
                                   length, columns, length, columns, key);
    sqlite3_stmt *s = ending != NULL ? prepare_insert(into, table, "", columns, ending) : NULL;
    sqlite3_free(ending);
    if (s != NULL)
        bind_row(s, row, 0);
    return run_integer(into, s, mapped);
}

enum status row_map(struct database *from, struct database *into, const char *table, int64_t id,
                    int64_t *mapped)
{
    char key[64];
    snprintf(key, sizeof key, "%s_id", table);
    char *columns = row_columns(into, table, key);
    sqlite3_stmt *row = columns != NULL ? prepare_select(from, table, key, columns) : NULL;
    bind_integer(row, 1, id);
    enum status status = STATUS_SYSTEM;
    if (row != NULL && sqlite3_step(row) == SQLITE_ROW)
        status = insert_equal(into, table, key, columns, row, mapped);
    else if (row != NULL)
        status = complain(from, "reading rows");
    sqlite3_finalize(row);
    sqlite3_free(columns);
    return status;
}

enum status row_map_often(struct merge *merge, const char *table, int64_t id, int64_t *mapped)
{
    const unsigned place = ((unsigned)id * 2 + (table[0] == 'm')) % REMEMBERED_MAX;
    if (merge->remembered[place].table == NULL || merge->remembered[place].id != id ||
        strcmp(merge->remembered[place].table, table) != 0) {
        const enum status status = row_map(merge->from, merge->into, table, id, mapped);
        if (status != STATUS_OK)
            return status;
        merge->remembered[place].table = table;
        merge->remembered[place].id = id;
        merge->remembered[place].mapped = *mapped;
    }
    *mapped = merge->remembered[place].mapped;
    return STATUS_OK;
}
