#include "harness/report/report_change.h"

#include <stdbool.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/benchmark/change_points.h"

struct entry {
    sqlite3_int64 number;
    double value;
};
struct sample {
    struct entry *entry;
    size_t count, room;
    double relevant;
};

static void take(sqlite3_context *context, int count, sqlite3_value **argument)
{
    (void)count;
    struct sample *sample = sqlite3_aggregate_context(context, sizeof *sample);
    if (sample == NULL || sqlite3_value_type(argument[1]) == SQLITE_NULL)
        return;
    if (sample->count == sample->room) {
        const size_t room = sample->room ? 2 * sample->room : 32;
        struct entry *more = realloc(sample->entry, room * sizeof *more);
        if (more == NULL) {
            sqlite3_result_error_nomem(context);
            return;
        }
        sample->entry = more;
        sample->room = room;
    }
    sample->relevant = sqlite3_value_double(argument[2]);
    sample->entry[sample->count++] =
        (struct entry){sqlite3_value_int64(argument[0]), sqlite3_value_double(argument[1])};
}

static int by_number(const void *a, const void *b)
{
    const struct entry *one = a, *other = b;
    return (one->number > other->number) - (one->number < other->number);
}

// The last point of n values; false: there is none.
static bool last_point(const double *value, size_t n, double relevant, struct change_point *last)
{
    struct change_point point[CHANGE_VALUES_MAX];
    size_t count;
    if (change_points(value, n, relevant, point, &count) != STATUS_OK || count == 0)
        return false;
    *last = point[count - 1];
    return true;
}

static void tell(sqlite3_context *context, struct sample *sample)
{
    double value[CHANGE_VALUES_MAX];
    struct change_point last, before;
    qsort(sample->entry, sample->count, sizeof *sample->entry, by_number);
    const size_t skipped =
        sample->count > CHANGE_VALUES_MAX ? sample->count - CHANGE_VALUES_MAX : 0;
    const struct entry *entry = sample->entry + skipped;
    const size_t n = sample->count - skipped;
    for (size_t i = 0; i < n; i++)
        value[i] = entry[i].value;
    if (!last_point(value, n, sample->relevant, &last))
        return; // NULL
    const bool fresh =
        !last_point(value, n - 1, sample->relevant, &before) || before.index + 1 < last.index;
    char *text = sqlite3_mprintf(
        "{\"at\": %lld, \"before\": %!.17g, \"after\": %!.17g, \"p\": %!.17g, \"fresh\": %d}",
        entry[last.index].number, last.before, last.after, last.p, fresh);
    sqlite3_result_text(context, text, -1, sqlite3_free);
}

static void final(sqlite3_context *context)
{
    struct sample *sample = sqlite3_aggregate_context(context, 0);
    if (sample == NULL)
        return; // NULL
    if (sample->count > 0)
        tell(context, sample);
    free(sample->entry);
}

enum status report_change_function_add(sqlite3 *database)
{
    return sqlite3_create_function(database, "change", 3, SQLITE_UTF8 | SQLITE_DETERMINISTIC, NULL,
                                   NULL, take, final) == SQLITE_OK
               ? STATUS_OK
               : STATUS_NO_MEMORY;
}
