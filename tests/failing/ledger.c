#include "tests/failing/ledger.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tests/kill/found.h"

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
    (void)count_false_histories(handle, ledger->folder); // which are complaints
    free(sound);
    free(before);
    free(trials);
    sqlite3_close(handle);
}

bool ledger_begun(const struct ledger *ledger)
{
    sqlite3 *handle = open_ledger(ledger);
    const bool begun = handle != NULL && ask_number(handle, "SELECT count(*) FROM campaign") > 1;
    sqlite3_close(handle);
    return begun;
}

bool ledger_complete(const struct ledger *ledger)
{
    sqlite3 *handle = open_ledger(ledger);
    const bool complete = handle != NULL && ask_number(handle, "SELECT count(*) FROM campaign WHERE"
                                                               " finished_utc IS NOT NULL") > 1;
    sqlite3_close(handle);
    return complete;
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
    (void)count_strays(handle, ledger->folder);
    free(trials);
    sqlite3_close(handle);
}
