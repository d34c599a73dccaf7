#include "harness/cli/cli_export.h"

#include <inttypes.h>
#include <stdlib.h>

#include "base/log.h"
#include "harness/export/histogram_export.h"

enum status export_find_histograms(struct database *database, int64_t trial_id,
                                   const struct histogram_choice *choice,
                                   struct stored_histogram **list, unsigned *count)
{
    const enum status status =
        benchmark_histograms(database, trial_id, choice->metric, !choice->uncorrected, list, count);
    if (status != STATUS_OK || choice->text != HISTOGRAM_HGRM || *count == 1)
        return status;
    log_error("trial %" PRId64 " has %u such histograms, and hgrm holds one: choose with --metric "
              "'%s', '%s' ...",
              trial_id, *count, (*list)[0].metric, (*list)[1].metric);
    free(*list);
    *list = NULL;
    *count = 0;
    return STATUS_INVALID;
}

enum status export_write_histograms(enum histogram_text text, const struct stored_histogram *list,
                                    unsigned count, FILE *out)
{
    if (text == HISTOGRAM_HGRM) {
        histogram_write_hgrm(&list[0].histogram, out);
        return STATUS_OK;
    }
    // NOLINTNEXTLINE(bugprone-sizeof-expression): of pointers
    const struct histogram **each = calloc(count, sizeof *each);
    if (each == NULL)
        return STATUS_NO_MEMORY;
    // cyclictest says nothing of the kind, but whoever reads its text skips what begins so.
    for (unsigned i = 0; i < count; i++) {
        fprintf(out, "# Column %u: %s%s\n", i, list[i].metric,
                list[i].corrected ? ", corrected for coordinated omission" : "");
        each[i] = &list[i].histogram;
    }
    histogram_write_cyclictest(each, count, out);
    free(each);
    return STATUS_OK;
}
