// Oracles: pure functions from history to verdict and margin, and the behaviour classifier of the
// failure table.
//
// Nothing here reads files, clocks or the database: the same history always gives the same
// judgement. Only oracle programs are somebody else's; each is asked twice.
#pragma once

#include <stdbool.h>

#include "harness/history/history.h"
#include "harness/judge/verdict.h"
#include "model/description.h"

struct scenario;
struct target;

// The cells in which oracle programs are run.
struct judge_cell {
    const char *build_folder;
    bool no_wall;
};

// `target` says how much its channels and buses must carry at least; NULL: nothing is known of
// that. `cell` NULL: oracle programs are not run, and their promises are SKIP.
void judge(const struct history *history, const struct scenario *scenario,
           const struct target *target, const struct description *description,
           const struct judge_cell *cell, struct judgement *judgement);
