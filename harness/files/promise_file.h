// The promises of a scenario file.
#pragma once

#include "harness/files/file_table.h"
#include "harness/files/scenario.h"

extern const struct file_row promise_rows[];

// Completes a promise that has been read; complains at `key`, "promises[2]", of formulas that
// cannot be read and of a window that the trial does not hold.
void promise_check(struct yaml_source *source, const char *key, const struct target *target,
                   double duration_s, struct promise *promise);
