// The table of a scenario's doubts. Private to the command line.
#pragma once

#include "harness/cli/cli.h"
#include "harness/doubt/doubts.h"

// Prints what came of them. FAIL: one passed that is not harmless; LAB: none had an effect, or the
// lab failed in one.
enum exit_code cli_doubt_print(const char *database, int64_t campaign_id,
                               const struct scenario *scenario, const struct doubts *doubts);
