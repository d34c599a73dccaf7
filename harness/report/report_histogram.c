#include "harness/report/report_histogram.h"

#include <stdlib.h>

#include "harness/history/histogram_code.h"

#define US_PER_NS 1e-3

// The histogram of an argument, for the caller to free; NULL: it is none, or empty.
static struct histogram *histogram_of(sqlite3_context *context, sqlite3_value *argument)
{
    const uint8_t *bytes = sqlite3_value_blob(argument);
    struct histogram *h = malloc(sizeof *h);
    if (h == NULL)
        sqlite3_result_error_nomem(context);
    if (h != NULL && bytes != NULL &&
        histogram_decode(bytes, (size_t)sqlite3_value_bytes(argument), h) && h->count > 0)
        return h;
    free(h);
    return NULL;
}

static void quantile(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    struct histogram *h = histogram_of(context, argument[0]);
    if (h != NULL)
        sqlite3_result_double(
            context, US_PER_NS * (double)histogram_quantile(h, sqlite3_value_double(argument[1])));
    free(h);
}

static void share(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    struct histogram *h = histogram_of(context, argument[0]);
    const double from_us = sqlite3_value_double(argument[1]);
    const double to_us = sqlite3_value_double(argument[2]);
    struct histogram_bucket bucket;
    uint64_t within = 0;
    if (h == NULL)
        return;
    for (unsigned position = 0; histogram_next(h, &position, &bucket);) {
        const double us = 0.5 * US_PER_NS * ((double)bucket.from_ns + (double)bucket.to_ns);
        within += us >= from_us && us < to_us ? bucket.count : 0;
    }
    sqlite3_result_double(context, (double)within / (double)h->count);
    free(h);
}

static void sum_step(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    struct histogram **sum = sqlite3_aggregate_context(context, sizeof(struct histogram *));
    struct histogram *h = histogram_of(context, argument[0]);
    if (sum == NULL)
        sqlite3_result_error_nomem(context);
    if (sum == NULL || h == NULL || *sum == NULL) {
        if (sum != NULL && h != NULL)
            *sum = h;
        else
            free(h);
        return;
    }
    histogram_add(*sum, h);
    free(h);
}

static void sum_final(sqlite3_context *context)
{
    struct histogram **sum = sqlite3_aggregate_context(context, 0);
    if (sum == NULL || *sum == NULL)
        return; // NULL
    uint8_t *bytes = malloc(HISTOGRAM_CODE_MAX_B);
    if (bytes == NULL)
        sqlite3_result_error_nomem(context);
    else
        sqlite3_result_blob64(context, bytes, histogram_encode(*sum, bytes), SQLITE_TRANSIENT);
    free(bytes);
    free(*sum);
}

enum status report_histogram_functions_add(sqlite3 *database)
{
    const int flags = SQLITE_UTF8 | SQLITE_DETERMINISTIC;
    return sqlite3_create_function(database, "histogram_quantile", 2, flags, NULL, quantile, NULL,
                                   NULL) == SQLITE_OK &&
                   sqlite3_create_function(database, "histogram_share", 3, flags, NULL, share, NULL,
                                           NULL) == SQLITE_OK &&
                   sqlite3_create_function(database, "histogram_sum", 1, flags, NULL, NULL,
                                           sum_step, sum_final) == SQLITE_OK
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}
