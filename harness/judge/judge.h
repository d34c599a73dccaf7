// Oracles: pure functions from history to verdict and margin, and the behaviour classifier of the
// failure table.
//
// Nothing here reads files, clocks or the database: the same history always gives the same
// judgement. Only oracle programs are somebody else's; each is asked twice.
#pragma once

#include <stdbool.h>

#include "harness/judge/analysis.h"
#include "harness/judge/verdict.h"

// The cells in which oracle programs are run.
struct judge_cell {
    const char *build_folder;
    bool no_wall;
};

// `cell` NULL: oracle programs are not run, and their promises are SKIP.
void judge(const struct judged *judged, const struct judge_cell *cell, struct judgement *judgement);
