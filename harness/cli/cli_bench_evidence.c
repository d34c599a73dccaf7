// What `ukemi bench` says at its end of runs that were judged FAIL or ERROR: which, why, where the history is, what shows it.
#include <string.h>

#include "base/text.h"
#include "harness/cli/cli_bench.h"

#define NAMED_MAX 5 // `ukemi show` lists more

struct printing {
    const char *path;     // of the database
    const char *database; // words that name it on a command line, "" for the usual one
    unsigned rows;
};

enum column { TRIAL, VERDICT, CELL, RUN, WHY, HISTORY, COLUMNS };

static bool print_run(void *context, int columns, const char *const *name, const char *const *value)
{
    struct printing *printing = context;
    (void)name;
    if (columns != COLUMNS)
        return false;
    if (printing->rows == 0)
        puts("\njudged FAIL or ERROR, the newest first:");
    if (printing->rows++ == NAMED_MAX) {
        printf("  ... and more; ukemi show%s lists them\n", printing->database);
        return false;
    }
    printf("  %s, run %s: %s: ", value[CELL], value[RUN], value[VERDICT]);
    text_print(stdout, value[WHY] == NULL ? "" : value[WHY], " ");
    putchar('\n');
    if (value[HISTORY] == NULL) {
        printf("    ukemi show %s%s; no history of it was kept\n", value[TRIAL],
               printing->database);
        return true;
    }
    char file[2 * PATH_MAX_LENGTH];
    cli_history_path(printing->path, value[HISTORY], file, sizeof file);
    printf("    ukemi show %s%s; its history: %s\n", value[TRIAL], printing->database, file);
    return true;
}

enum status cli_bench_print_bad(struct database *database, const char *path, int64_t campaign_id)
{
    char words[PATH_MAX_LENGTH + 8] = "";
    if (strcmp(path, CLI_DATABASE) != 0)
        snprintf(words, sizeof words, " --db %s", path);
    struct printing printing = {.path = path, .database = words};
    return database_query(
        database,
        "SELECT trial_id, verdict, row_name, number + 1, (SELECT oracle || ': ' || detail"
        " FROM verdict AS v WHERE v.judging_id = t.judging_id AND v.verdict = t.verdict LIMIT 1),"
        " history_path FROM trial_view AS t WHERE campaign_id = ? ORDER BY trial_id DESC",
        campaign_id, print_run, &printing);
}
