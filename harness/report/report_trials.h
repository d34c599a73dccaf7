// The trials of a campaign one by one, as other tools read them: a template of reports/trials/
// each. Not real-time; reads the database, never writes it.
#pragma once

#include <stdbool.h>

#include "base/status.h"

struct report_trial_format {
    const char *name; // "junit"; NULL ends the list
    const char *template;
};
extern const struct report_trial_format report_trial_formats[];

// Writes the trials of `campaign` (its name or number; NULL: the newest) to `path`, which is there
// whole or not at all, or to standard output if that is NULL. Where nothing was judged a test of
// its own says so and fails, unless `allow_skip`. Errors as report_write.
enum status report_trials_write(const char *database, const char *campaign,
                                const struct report_trial_format *format, bool allow_skip,
                                const char *path) MUST_CHECK;
