#include "harness/report/report_benchmark.h"

#include <stdbool.h>
#include <stdio.h>
#include <string.h>

#include "harness/store/benchmark/benchmark.h"
#include "harness/store/chosen.h"
#include "harness/report/report_page.h"

enum status report_benchmark_find(const char *database_path, const char *benchmark,
                                  struct report_benchmark *found)
{
    struct database *database = NULL;
    enum status status = database_open(database_path, DATABASE_QUERY, &database);
    if (status == STATUS_OK)
        status = benchmark_find(database, benchmark, &found->campaign_id, found->name,
                                sizeof found->name);
    database_close(database);
    return status;
}

// Finds the prelude that makes a page one of benchmarks, in a folder of its own or in reports/.
static enum status find_prelude(const char *benchmark, char path[PATH_MAX_LENGTH])
{
    char relative[128];
    snprintf(relative, sizeof relative, "reports/%s/prelude.sql", benchmark);
    const enum status status = places_find(relative, path, PATH_MAX_LENGTH);
    if (status != STATUS_NOT_FOUND)
        return status;
    snprintf(relative, sizeof relative, "reports/%s_prelude.sql", benchmark);
    return places_find(relative, path, PATH_MAX_LENGTH);
}

// Makes the views of a benchmark's own page.
static enum status prepare(sqlite3 *database, char *prelude, struct report_files *files)
{
    char *name = strrchr(prelude, '/');
    *name++ = '\0';
    *strrchr(name, '.') = '\0';
    const enum status status = report_files_in(prelude, files);
    return status == STATUS_OK ? report_script(database, files, name) : status;
}

// The page of its own, or the one for all: a name that leads elsewhere (whoever stores a benchmark
// names it) has none of its own.
static enum status choose_page(sqlite3 *database, struct report_benchmark *benchmark,
                               struct report_files *files)
{
    char prelude[PATH_MAX_LENGTH];
    const enum status status = strchr(benchmark->name, '/') == NULL
                                   ? find_prelude(benchmark->name, prelude)
                                   : STATUS_NOT_FOUND;
    snprintf(benchmark->page, sizeof benchmark->page, "%s.html",
             status == STATUS_OK ? benchmark->name : "benchmark");
    if (status == STATUS_NOT_FOUND)
        return report_files_own("benchmark", files);
    return status == STATUS_OK ? prepare(database, prelude, files) : status;
}

enum status report_benchmark_write(const char *database_path, struct report_benchmark *benchmark,
                                   const char *folder)
{
    struct report_files files;
    struct database *stored = NULL;
    sqlite3 *database = NULL;
    enum status status = database_open(database_path, DATABASE_QUERY, &stored);
    if (status == STATUS_OK)
        status = chosen_benchmark(stored, benchmark->name, benchmark->campaign_id);
    if (status == STATUS_OK)
        status = report_connect(&stored, &database);
    if (status == STATUS_OK)
        status = choose_page(database, benchmark, &files);
    if (status == STATUS_OK)
        status = report_page(database, &files, benchmark->page, folder);
    sqlite3_close(database);
    database_close(stored);
    return status;
}
