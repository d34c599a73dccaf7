// What `ukemi bench` says at its end of runs that were judged FAIL or ERROR: which, why, where the history is, what shows it.
#include <string.h>

#include "base/text.h"
#include "harness/cli/cli_bench.h"
#include "harness/store/benchmark.h"

#define NAMED_MAX 5 // `ukemi show` lists more

struct printing {
    const char *path;     // of the database
    const char *database; // words that name it on a command line, "" for the usual one
    unsigned rows;
};

static bool print_run(void *context, const struct bad_run *run)
{
    struct printing *printing = context;
    if (printing->rows == 0)
        puts("\njudged FAIL or ERROR, the newest first:");
    if (printing->rows++ == NAMED_MAX) {
        printf("  ... and more; ukemi show%s lists them\n", printing->database);
        return false;
    }
    printf("  %s, run %s: %s: ", run->cell, run->run, run->verdict);
    text_print(stdout, run->why, " ");
    printf("\n    ukemi show %s%s; ", run->trial, printing->database);
    if (run->history == NULL) {
        puts("no history of it was kept");
        return true;
    }
    char file[2 * PATH_MAX_LENGTH];
    cli_history_path(printing->path, run->history, file, sizeof file);
    printf("its history: %s\n", file);
    return true;
}

enum status cli_bench_print_bad(struct database *database, const char *path, int64_t campaign_id)
{
    char words[PATH_MAX_LENGTH + 8] = "";
    if (strcmp(path, CLI_DATABASE) != 0)
        snprintf(words, sizeof words, " --db %s", path);
    struct printing printing = {.path = path, .database = words};
    return benchmark_each_bad(database, campaign_id, print_run, &printing);
}
