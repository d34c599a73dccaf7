#include "harness/store/database_migrate.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "base/log.h"

// Columns that older versions have not, and what their rows hold there. With a new version of
// schema.sql its new columns go here; tables, views and indices come from schema.sql.
static const struct {
    const char *table, *column, *value;
} additions[] = {
    {"machine", "memory_mb", "0"},                                        // since version 3
    {"machine", "preemption", "'unknown'"},                               // since version 3
    {"machine", "clock_source", "'unknown'"},                             // since version 3
    {"machine", "governor", "'unknown'"},                                 // since version 3
    {"machine", "rt_limit", "'unknown'"},                                 // since version 3
    {"machine", "hypervisor", "0"},                                       // since version 3
    {"campaign", "kind", "'trials'"},                                     // since version 3
    {"campaign", "walled", "0"},                                          // since version 4
    {"campaign", "page", "iif(target = 'hubo2', 'walking', 'campaign')"}, // since version 6
    {"trial", "runs", "1"},                                               // since version 9
    {"trial", "lacks", "''"},                                             // since version 11
    {"campaign", "digest", "''"},                                         // since version 12
    {"trial", "digest", "''"},                                            // since version 12
};

// What tables and columns were called before; since version 7.
static const struct {
    const char *now, *before;
} renamed[] = {{"square", "cell"}, {"square_id", "cell_id"}};

static const char *name_before(const char *now)
{
    for (size_t i = 0; i < sizeof renamed / sizeof renamed[0]; i++)
        if (strcmp(renamed[i].now, now) == 0)
            return renamed[i].before;
    return now;
}

// Until version 5 an observation was one row of a biped's. Its columns, in the order of the rows
// that they are now; those with a unit are numbers.
static const struct {
    const char *column, *name, *unit;
} biped[] = {
    {"behaviour_text", "behaviour", NULL},
    {"motion", "motion", NULL},
    {"fault_s", "fault_s", "s"},
    {"gait_phase", "gait_phase", ""},
    {"com_margin_m", "com_margin_m", "m"},
    {"capture_point_margin_m", "capture_point_margin_m", "m"},
    {"com_margin_worst_m", "com_margin_worst_m", "m"},
    {"fall_after_s", "fall_after_s", "s"},
    {"reaction_s", "reaction_s", "s"},
    {"stop_s", "stop_s", "s"},
    {"deceleration_max_rad_s2", "deceleration_max_rad_s2", "rad/s2"},
    {"restart_s", "restart_s", "s"},
    {"resume_s", "resume_s", "s"},
    {"steps_after_fault", "steps_after_fault", ""},
    {"iif(completed, 'yes', 'no')", "completed", NULL},
};

#define NAMES_MAX 64
#define OLD "old_" // what a table is called while its rows are copied

struct names {
    unsigned count;
    char name[NAMES_MAX][64];
};

static enum status take_names(struct database *database, sqlite3_stmt *s, struct names *names)
{
    int code = SQLITE_ERROR;
    names->count = 0;
    while (s != NULL && (code = sqlite3_step(s)) == SQLITE_ROW && names->count < NAMES_MAX)
        snprintf(names->name[names->count++], sizeof names->name[0], "%s",
                 (const char *)sqlite3_column_text(s, 0));
    const enum status status =
        code == SQLITE_DONE ? STATUS_OK : complain(database, "reading the older schema");
    sqlite3_finalize(s);
    return status;
}

static enum status names_of(struct database *database, const char *type, struct names *names)
{
    sqlite3_stmt *s = statement(database, "SELECT name FROM sqlite_schema WHERE type = ? AND name "
                                          "NOT LIKE 'sqlite\\_%' ESCAPE '\\'");
    bind_text(s, 1, type);
    return take_names(database, s, names);
}

// Runs `format` with each of the names in place of its one "%w".
static enum status with_each(struct database *database, const struct names *names,
                             const char *format)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < names->count && status == STATUS_OK; i++) {
        char *sql = sqlite3_mprintf(format, names->name[i], names->name[i]);
        status = sql == NULL ? STATUS_NO_MEMORY : command(database, sql);
        sqlite3_free(sql);
    }
    return status;
}

static const char *addition_of(const char *table, const char *column)
{
    for (size_t i = 0; i < sizeof additions / sizeof additions[0]; i++)
        if (strcmp(additions[i].table, table) == 0 && strcmp(additions[i].column, column) == 0)
            return additions[i].value;
    return NULL;
}

static bool holds(const struct names *names, const char *name)
{
    for (unsigned i = 0; i < names->count; i++)
        if (strcmp(names->name[i], name) == 0)
            return true;
    return false;
}

static enum status columns_of(struct database *database, const char *table, struct names *columns)
{
    sqlite3_stmt *s = statement(database, "SELECT name FROM pragma_table_info(?)");
    bind_text(s, 1, table);
    return take_names(database, s, columns);
}

// Copies the rows of `table`, which were those of `old`: columns that both have, and those that are
// added.
static enum status copy_rows(struct database *database, const char *table, const char *old)
{
    struct names before, now;
    enum status status = columns_of(database, old, &before);
    if (status == STATUS_OK)
        status = columns_of(database, table, &now);
    if (status != STATUS_OK)
        return status;
    sqlite3_str *into = sqlite3_str_new(NULL), *from = sqlite3_str_new(NULL);
    for (unsigned i = 0; i < now.count; i++) {
        const char *value = addition_of(table, now.name[i]);
        const char *column = holds(&before, now.name[i]) ? now.name[i] : name_before(now.name[i]);
        const bool known = holds(&before, column);
        if (!known && value == NULL)
            continue; // NULL, or its default
        sqlite3_str_appendf(into, "%s\"%w\"", sqlite3_str_length(into) > 0 ? ", " : "",
                            now.name[i]);
        sqlite3_str_appendf(from, known ? "%s\"%w\"" : "%s%s",
                            sqlite3_str_length(from) > 0 ? ", " : "", known ? column : value);
    }
    char *columns = sqlite3_str_finish(into), *values = sqlite3_str_finish(from);
    char *sql = columns == NULL || values == NULL
                    ? NULL
                    : sqlite3_mprintf("INSERT INTO \"%w\" (%s) SELECT %s FROM \"%w\"", table,
                                      columns, values, old);
    status = sql == NULL ? STATUS_NO_MEMORY : command(database, sql);
    sqlite3_free(columns);
    sqlite3_free(values);
    sqlite3_free(sql);
    return status;
}

static enum status copy_biped_rows(struct database *database)
{
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < sizeof biped / sizeof biped[0] && status == STATUS_OK; i++) {
        const char *column = biped[i].column, *unit = biped[i].unit;
        char *sql = sqlite3_mprintf(
            "INSERT INTO observation SELECT judging_id, %u, %Q, %s, %Q, %s, '' FROM " OLD
            "observation WHERE %s IS NOT NULL",
            i, biped[i].name, unit != NULL ? column : "NULL", unit != NULL ? unit : "",
            unit != NULL ? "''" : column, column);
        status = sql == NULL ? STATUS_NO_MEMORY : command(database, sql);
        sqlite3_free(sql);
    }
    return status;
}

// Rows of the older tables `before`, if they had such a table.
static enum status copy_table(struct database *database, const char *table,
                              const struct names *before)
{
    struct names columns;
    char old[80];
    const char *name = holds(before, table) ? table : name_before(table);
    if (!holds(before, name))
        return STATUS_OK;
    snprintf(old, sizeof old, OLD "%s", name);
    if (strcmp(table, "observation") != 0)
        return copy_rows(database, table, old);
    const enum status status = columns_of(database, OLD "observation", &columns);
    if (status != STATUS_OK || holds(&columns, "number"))
        return status == STATUS_OK ? copy_rows(database, table, old) : status;
    return copy_biped_rows(database);
}

static enum status rewrite(struct database *database)
{
    struct names tables, views, indices, now = {0};
    enum status status = names_of(database, "table", &tables);
    if (status == STATUS_OK)
        status = names_of(database, "view", &views);
    if (status == STATUS_OK)
        status = names_of(database, "index", &indices);
    if (status == STATUS_OK)
        status = with_each(database, &views, "DROP VIEW \"%w\"");
    if (status == STATUS_OK)
        status = with_each(database, &indices, "DROP INDEX \"%w\"");
    if (status == STATUS_OK)
        status = with_each(database, &tables, "ALTER TABLE \"%w\" RENAME TO \"" OLD "%w\"");
    if (status == STATUS_OK)
        status = command(database, database_schema);
    if (status == STATUS_OK)
        status = names_of(database, "table", &now);
    for (unsigned i = 0; i < now.count && status == STATUS_OK; i++)
        if (strncmp(now.name[i], OLD, sizeof OLD - 1) != 0)
            status = copy_table(database, now.name[i], &tables);
    return status == STATUS_OK ? with_each(database, &tables, "DROP TABLE \"" OLD "%w\"") : status;
}

// Rows point at tables that are gone for a moment; the pragmas mean nothing within a transaction.
#define APART "PRAGMA foreign_keys = OFF; PRAGMA legacy_alter_table = ON"
#define TOGETHER "PRAGMA legacy_alter_table = OFF; PRAGMA foreign_keys = ON"

enum status database_migrate(struct database *database)
{
    int64_t version = 0;
    enum status status = command(database, APART);
    if (status == STATUS_OK)
        status = command(database, "BEGIN IMMEDIATE");
    if (status == STATUS_OK)
        status = run_integer(database, statement(database, "PRAGMA user_version"), &version);
    if (status == STATUS_OK && version < DATABASE_VERSION)
        status = rewrite(database);
    status = end_transaction(database, status);
    const enum status back = command(database, TOGETHER);
    return status == STATUS_OK ? back : status;
}

enum status database_migrate_copy(struct database *database)
{
    sqlite3 *copy = NULL;
    int code = sqlite3_open(":memory:", &copy);
    sqlite3_backup *backup =
        code == SQLITE_OK ? sqlite3_backup_init(copy, "main", database->handle, "main") : NULL;
    if (backup != NULL) {
        (void)sqlite3_backup_step(backup, -1); // finish gives its result
        code = sqlite3_backup_finish(backup);
    }
    if (backup == NULL || code != SQLITE_OK) {
        log_error("%s: of an older schema, and cannot be copied into memory: %s", database->path,
                  sqlite3_errmsg(copy));
        sqlite3_close(copy);
        return STATUS_SYSTEM;
    }
    sqlite3_close_v2(database->handle);
    database->handle = copy;
    return database_migrate(database);
}
