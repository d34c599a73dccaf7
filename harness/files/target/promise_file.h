// The promises of a scenario, and of a target.
#pragma once

#include "harness/files/yaml/file_table.h"

struct promise;
struct target;

#define WINDOW_MAX_S 3600.0

extern const struct file_row promise_rows[];
extern const char *const promise_anchors[]; // words of enum promise_from

// Completes a promise that has been read; complains at `key`, "promises[2]", of formulas that
// cannot be read, of a window that the trial does not hold, and of a program that may not be run.
// `scenario_file`: beside it a program may lie; NULL of a target's promise.
void promise_check(struct yaml_source *source, const char *key, const struct target *target,
                   const char *scenario_file, double duration_s, struct promise *promise);
