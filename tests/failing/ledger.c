#include "tests/failing/ledger.h"

#include <dirent.h>
#include <sqlite3.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/history/history.h"
#include "tests/kill/assassin.h"

#define ROWS(line, from, order)                                                                    \
    "SELECT coalesce(group_concat(row, char(10)), '') FROM (SELECT " line " AS row FROM " from     \
    " ORDER BY " order ")"

static const char all_before[] =
    ROWS("trial_id || ' ' || position || ' ' || number || ' ' || seed || ' ' || history_hash || ' '"
         " || quote(history_path) || is_example || ' ' || finished_utc || ' ' || (SELECT"
         " group_concat(oracle || verdict || quote(margin) || detail) FROM (SELECT * FROM verdict"
         " JOIN judging USING (judging_id) WHERE judging.trial_id = trial_view.trial_id AND"
         " judging.number = 0 ORDER BY oracle))",
         "trial_view WHERE campaign_id = 1", "trial_id");

#define TRIALS(where)                                                                              \
    ROWS("position || ' ' || t.number || ' ' || seed || ' ' || outcome || ' ' || reason || ' ' ||" \
         " simulated_s || ' ' || grants || ' ' || history_hash || ' ' || t.verdict || ' ' ||"      \
         " quote(observed) || ' ' || (SELECT count(*) FROM process_event AS e WHERE"               \
         " e.trial_id = t.trial_id) || ' ' || (SELECT count(*) FROM fault AS f WHERE f.trial_id"   \
         " = t.trial_id) || ' ' || (SELECT count(*) FROM verdict AS v WHERE v.judging_id ="        \
         " t.judging_id)",                                                                         \
         "trial_view AS t WHERE " where, "position, t.number")

static sqlite3 *open_ledger(const struct ledger *ledger)
{
    char path[600];
    sqlite3 *handle = NULL;
    snprintf(path, sizeof path, "%s/u.db", ledger->folder);
    if (sqlite3_open_v2(path, &handle, SQLITE_OPEN_READWRITE, NULL) == SQLITE_OK &&
        sqlite3_busy_timeout(handle, 10000) == SQLITE_OK)
        return handle;
    complain("%s: %s", path, sqlite3_errmsg(handle));
    sqlite3_close(handle);
    return NULL;
}

// The one text of a query; the caller frees it.
static char *ask(sqlite3 *handle, const char *sql)
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

static long ask_number(sqlite3 *handle, const char *sql)
{
    char *answer = ask(handle, sql);
    const long number = atol(answer);
    free(answer);
    return number;
}

bool ledger_open(struct ledger *ledger)
{
    sqlite3 *handle = open_ledger(ledger);
    if (handle == NULL)
        return false;
    ledger->before = ask(handle, all_before);
    ledger->trials = ask(handle, TRIALS("campaign_id = 1"));
    const long finished =
        ask_number(handle, "SELECT count(*) FROM campaign WHERE finished_utc IS NOT NULL");
    sqlite3_close(handle);
    return finished == 1 && ledger->trials[0] != '\0';
}

// Each line of `part` is one of `whole`.
static bool is_part(const char *part, const char *whole)
{
    while (*part != '\0') {
        const size_t length = strcspn(part, "\n");
        char *line = strndup(part, length);
        const bool there = line != NULL && strstr(whole, line) != NULL;
        free(line);
        if (!there)
            return false;
        part += length + (part[length] != '\0');
    }
    return true;
}

static void check_histories(const struct ledger *ledger, sqlite3 *handle)
{
    sqlite3_stmt *s = NULL;
    if (sqlite3_prepare_v2(handle,
                           "SELECT history_path, history_hash FROM trial WHERE history_path"
                           " IS NOT NULL",
                           -1, &s, NULL) != SQLITE_OK)
        return complain("histories: %s", sqlite3_errmsg(handle));
    while (sqlite3_step(s) == SQLITE_ROW) {
        char path[1024], hash[33] = "";
        struct history *history = NULL;
        snprintf(path, sizeof path, "%s/%s", ledger->folder, sqlite3_column_text(s, 0));
        if (history_read(path, &history) == STATUS_OK)
            history_hash(history, hash);
        history_free(history);
        if (strcmp(hash, (const char *)sqlite3_column_text(s, 1)) != 0)
            complain("%s: is not the history of its trial", path);
    }
    sqlite3_finalize(s);
}

void ledger_check(const struct ledger *ledger)
{
    sqlite3 *handle = open_ledger(ledger);
    if (handle == NULL)
        return;
    char *sound = ask(handle, "PRAGMA integrity_check");
    char *before = ask(handle, all_before), *trials = ask(handle, TRIALS("campaign_id > 1"));
    if (strcmp(sound, "ok") != 0)
        complain("integrity_check: %s", sound);
    if (ask_number(handle, "SELECT count(*) FROM pragma_foreign_key_check") != 0)
        complain("rows that refer to nothing");
    if (ask_number(handle, "SELECT count(*) FROM judging WHERE (SELECT count(*) FROM verdict WHERE"
                           " verdict.judging_id = judging.judging_id) <> (SELECT count(*) FROM"
                           " verdict WHERE judging_id = 1)") != 0)
        complain("a judging is not whole");
    if (strcmp(before, ledger->before) != 0)
        complain("what was stored before has changed:\n%s\nwas\n%s", before, ledger->before);
    if (!is_part(trials, ledger->trials))
        complain("a trial is stored that is not the undisturbed one:\n%s\nundisturbed\n%s", trials,
                 ledger->trials);
    check_histories(ledger, handle);
    free(sound);
    free(before);
    free(trials);
    sqlite3_close(handle);
}

bool ledger_complete(const struct ledger *ledger)
{
    sqlite3 *handle = open_ledger(ledger);
    const bool complete = handle != NULL && ask_number(handle, "SELECT count(*) FROM campaign WHERE"
                                                               " finished_utc IS NOT NULL") > 1;
    sqlite3_close(handle);
    return complete;
}

static void check_strays(const struct ledger *ledger, sqlite3 *handle)
{
    char folder[600], sql[300];
    snprintf(folder, sizeof folder, "%s/u.db-histories", ledger->folder);
    DIR *listing = opendir(folder);
    for (struct dirent *entry; listing != NULL && (entry = readdir(listing)) != NULL;) {
        snprintf(sql, sizeof sql,
                 "SELECT count(*) FROM trial WHERE history_path = 'u.db-histories/%.100s'",
                 entry->d_name);
        if (entry->d_name[0] != '.' && ask_number(handle, sql) != 1)
            complain("left: %s/%s, which no trial names", folder, entry->d_name);
    }
    if (listing != NULL)
        closedir(listing);
}

void ledger_check_complete(const struct ledger *ledger)
{
    sqlite3 *handle = open_ledger(ledger);
    if (handle == NULL)
        return;
    char *trials = ask(handle, TRIALS("campaign_id > 1"));
    if (ask_number(handle, "SELECT count(*) FROM campaign") != 2 ||
        ask_number(handle, "SELECT count(*) FROM campaign WHERE finished_utc IS NULL") != 0)
        complain("there are %ld campaigns, %ld not finished",
                 ask_number(handle, "SELECT count(*) FROM campaign"),
                 ask_number(handle, "SELECT count(*) FROM campaign WHERE finished_utc IS NULL"));
    if (strcmp(trials, ledger->trials) != 0)
        complain("the campaign is not the undisturbed one:\n%s\nundisturbed\n%s", trials,
                 ledger->trials);
    check_strays(ledger, handle);
    free(trials);
    sqlite3_close(handle);
}
