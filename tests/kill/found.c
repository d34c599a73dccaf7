// What was found: it is said at once, and a database is asked.
#include "tests/kill/found.h"

#include <dirent.h>
#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "harness/history/history.h"

unsigned complaints;

void complain(const char *format, ...)
{
    va_list arguments;
    complaints++;
    fputs("# ", stdout);
    va_start(arguments, format);
    vprintf(format, arguments);
    va_end(arguments);
    putchar('\n');
    fflush(stdout);
}

double now_s(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

char *ask(sqlite3 *handle, const char *sql)
{
    sqlite3_stmt *s = NULL;
    char *answer = NULL;
    if (sqlite3_prepare_v2(handle, sql, -1, &s, NULL) == SQLITE_OK && sqlite3_step(s) == SQLITE_ROW)
        answer = strdup(
            sqlite3_column_text(s, 0) == NULL ? "" : (const char *)sqlite3_column_text(s, 0));
    else
        complain("%.100s: %s", sql, sqlite3_errmsg(handle));
    sqlite3_finalize(s);
    return answer == NULL ? strdup("?") : answer;
}

long ask_number(sqlite3 *handle, const char *sql)
{
    char *answer = ask(handle, sql);
    const long number = strcmp(answer, "?") == 0 ? -1 : atol(answer);
    free(answer);
    return number;
}

unsigned count_false_histories(sqlite3 *handle, const char *folder)
{
    static const char named[] =
        "SELECT history_path, history_hash FROM trial WHERE history_path IS NOT NULL";
    sqlite3_stmt *s = NULL;
    unsigned count = 0;
    if (sqlite3_prepare_v2(handle, named, -1, &s, NULL) != SQLITE_OK) {
        complain("histories: %s", sqlite3_errmsg(handle));
        return 1;
    }
    while (sqlite3_step(s) == SQLITE_ROW) {
        char path[2 * PATH_SIZE], hash[33] = "";
        struct history *history = NULL;
        snprintf(path, sizeof path, "%s/%s", folder, sqlite3_column_text(s, 0));
        if (history_read(path, &history) == STATUS_OK)
            history_hash(history, hash);
        history_free(history);
        if (strcmp(hash, (const char *)sqlite3_column_text(s, 1)) == 0)
            continue;
        complain("%s: is not the history of its trial", path);
        count++;
    }
    sqlite3_finalize(s);
    return count;
}

unsigned count_strays(sqlite3 *handle, const char *results)
{
    char folder[2 * PATH_SIZE], sql[256];
    snprintf(folder, sizeof folder, "%s/u.db-histories", results);
    DIR *listing = opendir(folder);
    unsigned count = 0;
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        if (entry->d_name[0] == '.')
            continue;
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM trial WHERE history_path = 'u.db-histories/%.100s'",
                 entry->d_name);
        if (ask_number(handle, sql) >= 1) // of a trial, and of the same one in other campaigns
            continue;
        complain("left: %s/%s, which no trial names", folder, entry->d_name);
        count++;
    }
    if (listing != NULL)
        closedir(listing);
    return count;
}
