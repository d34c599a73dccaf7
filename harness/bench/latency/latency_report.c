#include "harness/bench/latency/latency_report.h"

#include <stdio.h>
#include <sqlite3.h>

#include "base/log.h"
#include "harness/bench/machine/histogram_export.h"
#include "harness/bench/latency/latency_ratio.h"
#include "harness/bench/latency/latency_rows.h"
#include "harness/report/report_page.h"
#include "harness/history/whole_file.h"

static enum status open_file(const char *folder, const char *label, const char *ending,
                             struct whole_file **file)
{
    char name[NAME_MAX_LENGTH], path[2 * PATH_MAX_LENGTH];
    latency_file_name(label, name, sizeof name);
    snprintf(path, sizeof path, "%s/%s.%s", folder, name, ending);
    return whole_file_start(path, file);
}

static enum status write_histograms(const struct latency_configuration *configuration,
                                    const struct latency_result *result, const char *folder)
{
    const struct histogram *const columns[] = {
        &result->figures->floor[FLOOR_WAKE],
        &result->figures->stage[latency_ratios[0].stage][LATENCY_CLEAN]};
    struct whole_file *file = NULL;
    enum status status = open_file(folder, configuration->label, "hgrm", &file);
    if (status != STATUS_OK)
        return status;
    histogram_write_hgrm(&result->figures->corrected, whole_file_stream(file));
    status = whole_file_commit(file);
    if (status == STATUS_OK)
        status = open_file(folder, configuration->label, "cyclictest", &file);
    if (status != STATUS_OK)
        return status;
    histogram_write_cyclictest(columns, sizeof columns / sizeof columns[0],
                               whole_file_stream(file));
    return whole_file_commit(file);
}

enum status latency_report(const struct latency_bench_facts *facts,
                           const struct latency_configuration *configuration,
                           struct latency_result *const *result, unsigned count,
                           unsigned main_count, const char *folder)
{
    struct report_files files;
    sqlite3 *database = NULL;
    enum status status = report_make_folder(folder);
    for (unsigned i = 0; i < main_count && status == STATUS_OK; i++)
        status = write_histograms(&configuration[i], result[i], folder);
    if (status == STATUS_OK && sqlite3_open(":memory:", &database) != SQLITE_OK)
        status = STATUS_NO_MEMORY;
    if (status == STATUS_OK)
        status = latency_rows(database, facts, configuration, result, count, main_count);
    if (status == STATUS_OK)
        status = report_files_own("latency", &files);
    if (status == STATUS_OK)
        status = report_page(database, &files, "latency.html", folder);
    if (status != STATUS_OK)
        log_error("%s: the latency report is not complete: %s", folder, status_text(status));
    sqlite3_close(database);
    return status;
}
