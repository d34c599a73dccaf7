// Is every trial that is reported done whole, and are all as in the undisturbed campaign?
#include "tests/kill/assassin.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

// Not if the lab was killed before it came so far.
static bool are_there(const struct books *books)
{
    return access(books->path, F_OK) == 0;
}

static sqlite3 *open_books(const struct books *books)
{
    sqlite3 *handle = NULL;
    char attach[PATH_SIZE + 32];
    snprintf(attach, sizeof attach, "ATTACH 'file:%s?mode=ro' AS undisturbed", books->reference);
    if (sqlite3_open_v2(books->path, &handle, SQLITE_OPEN_READWRITE | SQLITE_OPEN_URI, NULL) !=
            SQLITE_OK ||
        sqlite3_busy_timeout(handle, 10000) != SQLITE_OK ||
        sqlite3_exec(handle, attach, NULL, NULL, NULL) != SQLITE_OK) {
        complain("%s: %s", books->path, sqlite3_errmsg(handle));
        sqlite3_close(handle);
        return NULL;
    }
    return handle;
}

struct rule {
    const char *what, *sql; // rows that must not be
};

static unsigned apply(sqlite3 *handle, const struct rule *rules, size_t count)
{
    unsigned broken = 0;
    for (size_t i = 0; i < count; i++) {
        long rows = ask_number(handle, rules[i].sql);
        if (rows != 0) {
            complain("%s: %ld", rules[i].what, rows);
            broken++;
        }
    }
    return broken;
}

static const struct rule always[] = {
    {"rows that refer to nothing", "SELECT count(*) FROM pragma_foreign_key_check"},
    {"campaigns, but one", "SELECT max(count(*) - 1, 0) FROM campaign"},
    {"trials not judged",
     "SELECT count(*) FROM trial WHERE trial_id NOT IN (SELECT trial_id FROM judging)"},
    {"trials that did not run", "SELECT count(*) FROM trial WHERE outcome <> 'ran'"},
    {"trials without a hash", "SELECT count(*) FROM trial WHERE length(history_hash) <> 32"},
    {"verdicts missing",
     "SELECT count(*) FROM judging AS j JOIN (SELECT DISTINCT oracle FROM undisturbed.verdict WHERE"
     " oracle <> 'determinism') AS o WHERE j.number = 0 AND NOT EXISTS (SELECT 1 FROM verdict AS v"
     " WHERE v.judging_id = j.judging_id AND v.oracle = o.oracle)"},
    {"faults missing", "SELECT count(*) FROM trial WHERE (SELECT count(*) FROM fault WHERE"
                       " fault.trial_id = trial.trial_id) <> 1"},
    {"process events missing",
     "SELECT count(*) FROM trial WHERE (SELECT count(*) FROM process_event"
     " AS e WHERE e.trial_id = trial.trial_id AND kind = 'ready') < 8"},
    // In real time a busy machine may leave nothing to observe.
    {"observations missing",
     "SELECT count(*) FROM judging AS j JOIN fault AS f USING (trial_id) JOIN trial AS t"
     " USING (trial_id) WHERE t.clock_mode = 'virtual' AND f.effective AND j.verdict IN ('PASS', "
     "'FAIL') AND j.judging_id NOT IN (SELECT judging_id FROM observation)"},
    {"second runs missing",
     "SELECT count(*) FROM trial AS t JOIN undisturbed.trial AS u USING (seed)"
     " WHERE t.clock_mode = 'virtual' AND (t.recheck_hash IS NULL) <>"
     " (u.recheck_hash IS NULL)"},
};

unsigned books_check(const struct books *books, unsigned *trials, bool *finished)
{
    *trials = 0;
    *finished = false;
    if (!are_there(books))
        return 0;
    sqlite3 *handle = open_books(books);
    if (handle == NULL)
        return 1;
    unsigned broken = 0;
    char *sound = ask(handle, "PRAGMA main.integrity_check");
    if (strcmp(sound, "ok") != 0) {
        complain("%s: integrity_check: %s", books->path, sound);
        broken++;
    }
    free(sound);
    // Killed before there was a schema: nothing is there.
    if (ask_number(handle, "SELECT count(*) FROM main.sqlite_schema WHERE name = 'trial'") == 1) {
        broken += apply(handle, always, sizeof always / sizeof always[0]);
        broken += count_false_histories(handle, books->results);
        *trials = (unsigned)ask_number(handle, "SELECT count(*) FROM trial");
        *finished =
            ask_number(handle, "SELECT count(*) FROM campaign WHERE finished_utc IS NOT NULL") == 1;
    }
    sqlite3_close(handle);
    return broken;
}

char *books_list(const struct books *books)
{
    sqlite3 *handle = are_there(books) ? open_books(books) : NULL;
    char *list = NULL;
    if (handle != NULL &&
        ask_number(handle, "SELECT count(*) FROM main.sqlite_schema WHERE name = 'trial'") == 1)
        list = ask(
            handle,
            "SELECT group_concat(trial_id || ' ' || square_id || ' ' || number || ' ' ||"
            " seed || ' ' || history_hash || ' ' || finished_utc, char(10)) FROM"
            " (SELECT * FROM trial ORDER BY (SELECT min(judging_id) FROM judging AS j" // as stored
            " WHERE j.trial_id = trial.trial_id))");
    sqlite3_close(handle);
    return list == NULL ? strdup("") : list;
}

// ---- at the end ---------------------------------------------------------------------------------

// A text that must be the same in both databases: all rows in order, one line each.
#define ROWS(line, from, order)                                                                    \
    "SELECT group_concat(row, char(10)) FROM (SELECT " line " AS row FROM " from                   \
    " ORDER BY " order ")"

static const struct rule trials_as_planned[] = {
    {"trials", ROWS("position || ' ' || number || ' ' || target || ' ' || scenario || ' ' || seed",
                    "trial_view", "position, number")},
};

static const struct rule everything_else[] = {
    {"trials", ROWS("position || ' ' || number || ' ' || outcome || ' ' || reason || ' ' ||"
                    " simulated_s || ' ' || grants || ' ' || history_hash || ' ' ||"
                    " quote(recheck_hash) || ' ' || quote(history_path) || is_example || ' ' ||"
                    " verdict || ' ' || quote(observed)",
                    "trial_view", "position, number")},
    {"observations", ROWS("position || ' ' || t.number || ' ' || o.name || ' ' || quote(value) ||"
                          " text || o.reason",
                          "observation AS o JOIN trial_view AS t USING (judging_id)",
                          "position, t.number, o.number")},
    {"verdicts",
     ROWS("position || ' ' || number || ' ' || v.oracle || ' ' || v.verdict || ' ' ||"
          " quote(v.margin) || ' ' || v.unit || ' ' || v.detail",
          "verdict AS v JOIN trial_view AS t USING (judging_id)", "position, number, v.oracle")},
    {"process events", ROWS("position || ' ' || t.number || ' ' || e.time_s || ' ' || e.process ||"
                            " ' ' || e.kind || ' ' || e.value",
                            "process_event AS e JOIN trial_view AS t USING (trial_id)",
                            "position, t.number, e.number")},
    {"faults",
     ROWS("position || ' ' || t.number || ' ' || f.requested || ' ' || f.applied_s ||"
          " f.effect_evidence || ' ' || quote(f.undone_s) || f.undo_evidence",
          "fault AS f JOIN trial_view AS t USING (trial_id)", "position, t.number, f.number")},
    {"texts", ROWS("position || ' ' || row_name || ' ' || name || ' ' || text || ' ' || trials ||"
                   " ' of ' || total || ' ' || failed",
                   "observed_texts", "position, name, text")},
};

// On the wall clock a trial may be an ERROR on a busy machine; a cell of such has no example.
static const struct rule at_the_end[] = {
    {"cells with a kept trial but without one example",
     "SELECT count(*) FROM (SELECT sum(is_example AND history_path IS NOT NULL) AS examples,"
     " max(verdict IN ('PASS', 'FAIL') AND history_path IS NOT NULL) AS kept FROM trial_view"
     " GROUP BY position) WHERE examples <> kept"},
};

// Says the first line that differs.
static void show_difference(const char *what, const char *here, const char *undisturbed)
{
    while (*here != '\0' && *undisturbed != '\0' &&
           strcspn(here, "\n") == strcspn(undisturbed, "\n") &&
           strncmp(here, undisturbed, strcspn(here, "\n")) == 0) {
        here += strcspn(here, "\n") + (here[strcspn(here, "\n")] != '\0');
        undisturbed +=
            strcspn(undisturbed, "\n") + (undisturbed[strcspn(undisturbed, "\n")] != '\0');
    }
    complain("%s differ: '%.*s', undisturbed '%.*s'", what, (int)strcspn(here, "\n"), here,
             (int)strcspn(undisturbed, "\n"), undisturbed);
}

static unsigned compare(sqlite3 *handle, sqlite3 *undisturbed, const struct rule *rules,
                        size_t count)
{
    unsigned broken = 0;
    for (size_t i = 0; i < count; i++) {
        char *here = ask(handle, rules[i].sql), *there = ask(undisturbed, rules[i].sql);
        if (strcmp(here, there) != 0) {
            show_difference(rules[i].what, here, there);
            broken++;
        }
        free(here);
        free(there);
    }
    return broken;
}

unsigned books_compare(const struct books *books, unsigned *same)
{
    *same = 0;
    sqlite3 *handle = open_books(books);
    if (handle == NULL)
        return 1;
    sqlite3 *undisturbed = NULL;
    if (sqlite3_open_v2(books->reference, &undisturbed, SQLITE_OPEN_READWRITE, NULL) != SQLITE_OK)
        complain("%s: %s", books->reference, sqlite3_errmsg(undisturbed));
    unsigned broken = apply(handle, at_the_end, sizeof at_the_end / sizeof at_the_end[0]);
    broken += compare(handle, undisturbed, trials_as_planned,
                      sizeof trials_as_planned / sizeof trials_as_planned[0]);
    if (books->same_hashes)
        broken += compare(handle, undisturbed, everything_else,
                          sizeof everything_else / sizeof everything_else[0]);
    sqlite3_close(undisturbed);
    broken += count_strays(handle, books->results);
    *same =
        (unsigned)ask_number(handle, "SELECT count(*) FROM main.trial AS t JOIN undisturbed.trial"
                                     " AS u USING (seed) WHERE t.history_hash = u.history_hash");
    sqlite3_close(handle);
    return broken;
}
