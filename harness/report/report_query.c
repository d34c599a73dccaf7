#include "harness/report/report_query.h"

#include <errno.h>
#include <limits.h>
#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "base/trouble.h"
#include "harness/report/report_histogram.h"
#include "harness/store/database.h"
#include "harness/store/benchmark/statistics.h"
#include "harness/files/trusted.h"
#include "harness/history/whole_file.h"

#define FILE_MAX_B ((size_t)1 << 28)

// ---- what SQL lacks -----------------------------------------------------------------------------

static void wilson(sqlite3_context *context, sqlite3_value **argument, int upper)
{
    struct interval interval =
        wilson_interval(sqlite3_value_double(argument[0]), sqlite3_value_double(argument[1]));
    sqlite3_result_double(context, upper ? interval.high : interval.low);
}

static void wilson_low(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    wilson(context, argument, 0);
}

static void wilson_high(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    wilson(context, argument, 1);
}

// SQLite's own printf takes NULL for 0; a time that does not exist must not be printed as one.
static void put_decimal(sqlite3_context *context, sqlite3_value **argument, const char *format)
{
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return; // the result is NULL
    char *text =
        sqlite3_mprintf(format, sqlite3_value_int(argument[1]), sqlite3_value_double(argument[0]));
    sqlite3_result_text(context, text, -1, sqlite3_free);
}

static void decimal(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    put_decimal(context, argument, "%.*f");
}

static void signed_decimal(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    put_decimal(context, argument, "%+.*f");
}

static void plural(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    const char *ending = sqlite3_value_double(argument[0]) == 1 ? "" : "s";
    char *text = sqlite3_mprintf("%s%s", sqlite3_value_text(argument[1]), ending);
    sqlite3_result_text(context, text, -1, sqlite3_free);
}

struct sample { // of the aggregate median
    double *value;
    size_t count, room;
};

static void median_step(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    if (sqlite3_value_type(argument[0]) == SQLITE_NULL)
        return;
    struct sample *sample = sqlite3_aggregate_context(context, sizeof *sample);
    if (sample && sample->count == sample->room) {
        const size_t room = sample->room ? 2 * sample->room : 32;
        double *value = realloc(sample->value, room * sizeof *value);
        if (value) {
            sample->value = value;
            sample->room = room;
        }
    }
    if (!sample || sample->count == sample->room) {
        sqlite3_result_error_nomem(context);
        return;
    }
    sample->value[sample->count++] = sqlite3_value_double(argument[0]);
}

static void median_final(sqlite3_context *context)
{
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    if (!sample || sample->count == 0) {
        sqlite3_result_null(context);
        return;
    }
    sqlite3_result_double(context, median(sample->value, sample->count));
    free(sample->value);
}

enum status report_functions_add(sqlite3 *database)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    if (sqlite3_create_function(database, "wilson_low", 2, flags, NULL, wilson_low, NULL, NULL) ||
        sqlite3_create_function(database, "wilson_high", 2, flags, NULL, wilson_high, NULL, NULL) ||
        sqlite3_create_function(database, "decimal", 2, flags, NULL, decimal, NULL, NULL) ||
        sqlite3_create_function(database, "signed_decimal", 2, flags, NULL, signed_decimal, NULL,
                                NULL) ||
        sqlite3_create_function(database, "plural", 2, flags, NULL, plural, NULL, NULL) ||
        sqlite3_create_function(database, "median", 1, flags, NULL, NULL, median_step,
                                median_final))
        return STATUS_NO_MEMORY;
    return report_histogram_functions_add(database);
}

// ---- files and parameters -----------------------------------------------------------------------

enum status report_read_file(const char *path, char **text)
{
    size_t size_B;
    enum status status = trusted_path(path);
    *text = NULL;
    if (status == STATUS_OK)
        status = whole_file_read(path, FILE_MAX_B, text, &size_B);
    if (status == STATUS_SYSTEM || status == STATUS_NO_MEMORY)
        (void)trouble_note(status == STATUS_NO_MEMORY ? ENOMEM : errno);
    return status;
}

void report_say_unread(const char *path, enum status status)
{
    if (status == STATUS_NOT_FOUND)
        log_error("%s: there is no such file; correct the page that names it, or install the lab "
                  "again",
                  path);
    else if (status == STATUS_TOO_LARGE)
        log_error("%s: larger than %zu MB, which no page needs; shorten it", path,
                  FILE_MAX_B >> 20);
    else if (status != STATUS_INVALID) // that was said
        log_error("%s: cannot be read: %s; make it a file that you may read", path,
                  trouble_words() != NULL ? trouble_words() : strerror(errno));
}

// NOT_FOUND, not said; *sql is the caller's to free.
static enum status read_sql(const struct report_files *files, const char *name,
                            char path[2 * PATH_MAX_LENGTH], char **sql)
{
    char file[NAME_MAX + 1];
    snprintf(file, sizeof file, "%s.sql", name);
    return report_read_file(report_files_find(files, file, path), sql);
}

// The nearest column called `name`; *column is its number.
static const struct report_scope *find(const struct report_scope *scope, const char *name,
                                       size_t length, int *column)
{
    for (; scope; scope = scope->outer)
        for (int i = 0; i < sqlite3_column_count(scope->row); i++) {
            const char *title = sqlite3_column_name(scope->row, i);
            if (title && strlen(title) == length && memcmp(title, name, length) == 0) {
                *column = i;
                return scope;
            }
        }
    return NULL;
}

const char *report_value(const struct report_scope *scope, const char *name, size_t length)
{
    int column;
    const struct report_scope *found = find(scope, name, length, &column);
    if (!found)
        return NULL;
    const char *text = (const char *)sqlite3_column_text(found->row, column);
    return text ? text : "";
}

const char *report_value_hint(const struct report_scope *scope, const char *name, size_t length,
                              char hint[NEAREST_HINT_MAX])
{
    char word[NEAREST_LENGTH_MAX + 1];
    snprintf(word, sizeof word, "%.*s", (int)length, name);
    struct nearest nearest = {.word = word};
    for (; scope != NULL; scope = scope->outer)
        for (int i = 0; i < sqlite3_column_count(scope->row); i++) {
            const char *title = sqlite3_column_name(scope->row, i);
            if (title != NULL)
                nearest_try(&nearest, title);
        }
    return nearest_hint(&nearest, hint);
}

enum status report_query(sqlite3 *database, const struct report_files *files, const char *name,
                         const struct report_scope *scope, sqlite3_stmt **query)
{
    char path[2 * PATH_MAX_LENGTH], *sql;
    enum status status = read_sql(files, name, path, &sql);
    if (status != STATUS_OK && status != STATUS_NOT_FOUND)
        report_say_unread(path, status);
    if (status != STATUS_OK)
        return status;
    *query = NULL;
    if (sqlite3_prepare_v2(database, sql, -1, query, NULL) != SQLITE_OK) {
        log_error("%s: %s", path, sqlite3_errmsg(database));
        status = database_note_trouble(database) ? STATUS_SYSTEM : STATUS_INVALID;
    }
    free(sql);
    for (int i = 1; *query && i <= sqlite3_bind_parameter_count(*query); i++) {
        const char *parameter = sqlite3_bind_parameter_name(*query, i);
        int column;
        const struct report_scope *found =
            parameter ? find(scope, parameter + 1, strlen(parameter + 1), &column) : NULL;
        if (found)
            sqlite3_bind_value(*query, i, sqlite3_column_value(found->row, column));
    }
    return status;
}

enum status report_script(sqlite3 *database, const struct report_files *files, const char *name)
{
    char path[2 * PATH_MAX_LENGTH], *sql, *message = NULL;
    enum status status = read_sql(files, name, path, &sql);
    if (status != STATUS_OK) {
        report_say_unread(path, status);
        return status;
    }
    if (sqlite3_exec(database, sql, NULL, NULL, &message) != SQLITE_OK) {
        log_error("%s: %s", path, message ? message : "SQLite gives no reason");
        status = database_note_trouble(database) ? STATUS_SYSTEM : STATUS_INVALID;
    }
    sqlite3_free(message);
    free(sql);
    return status;
}
