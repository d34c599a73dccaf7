#include "harness/store/doubted.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#include "harness/store/database_private.h"

struct reading {
    doubted_take *take;
    void *context;
};

static const char *text(const char *value)
{
    return value == NULL ? "" : value;
}

static double number(const char *value)
{
    return value == NULL ? NAN : strtod(value, NULL);
}

static bool take_row(void *context, int columns, const char *const *name, const char *const *value)
{
    const struct reading *reading = context;
    (void)name;
    if (columns < 9)
        return false;
    const struct doubted doubted = {.trial_id = strtoll(text(value[0]), NULL, 10),
                                    .name = text(value[1]),
                                    .outcome = text(value[2]),
                                    .by = text(value[3]),
                                    .as = text(value[4]),
                                    .after_s = number(value[5]),
                                    .claim = text(value[6]),
                                    .why = text(value[7]),
                                    .harmless = strcmp(text(value[8]), DOUBT_HARMLESS) == 0};
    reading->take(reading->context, &doubted);
    return true;
}

#define OBSERVED(name, column)                                                                     \
    "(SELECT " column " FROM observation AS o WHERE o.judging_id = t.judging_id AND o.name = "     \
    "'" name "')"

enum status doubted_read(struct database *database, int64_t campaign_id, doubted_take *take,
                         void *context)
{
    struct reading reading = {take, context};
    return database_query(
        database,
        "SELECT trial_id, row_name, " OBSERVED("doubt", "text") ", " OBSERVED(
            "noticed-by",
            "text") " AS by, " OBSERVED("noticed-as",
                                        "text") ", " OBSERVED("noticed-after",
                                                              "value") ", claim,"
                                                                       " coalesce((SELECT detail "
                                                                       "FROM verdict AS v WHERE "
                                                                       "v.judging_id = "
                                                                       "t.judging_id AND"
                                                                       "  v.oracle = "
                                                                       "coalesce(" OBSERVED(
                                                                           "noticed-by",
                                                                           "text") ", "
                                                                                   "'doubt-"
                                                                                   "effective')), "
                                                                                   "reason),"
                                                                                   " expected FROM "
                                                                                   "trial_view AS t"
                                                                                   " WHERE "
                                                                                   "campaign_id = "
                                                                                   "?1 AND "
                                                                                   "row_name <> "
                                                                                   "'" DOUBT_OF_ALL
                                                                                   "' ORDER BY "
                                                                                   "position",
        campaign_id, take_row, &reading);
}
