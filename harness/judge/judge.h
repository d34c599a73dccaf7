// Oracles: pure functions from history to verdict and margin, and the behaviour classifier of the
// failure table.
//
// Nothing here reads files, clocks or the database: the same history always gives the same
// judgement.
#pragma once

#include "harness/history/history.h"
#include "harness/files/scenario.h"
#include "harness/judge/verdict.h"
#include "model/description.h"

// `target` says how much its channels and buses must carry at least; NULL: nothing is known of
// that.
void judge(const struct history *history, const struct scenario *scenario,
           const struct target *target, const struct description *description,
           struct judgement *judgement);
