// Change points of a quantity over the nights, for the queries of reports/ (change_points.h).
#pragma once

#include <sqlite3.h>

#include "base/status.h"

// Adds the aggregate change(number, value, relevant): the last change point of the values in the
// order of their numbers, as JSON: "at", the number of the first value after it, "before", "after"
// (means), "p", and "fresh": 1 if it cannot be seen yet without the last value. NULL: there is
// none. Values that are NULL are left out; of more than CHANGE_VALUES_MAX the first are.
enum status report_change_function_add(sqlite3 *database) MUST_CHECK;
