// What a target's file asks to be told of every trial. Pure: from the history to words and numbers.
#pragma once

#include "harness/judge/analysis.h"

// Adds a row for each observation of the target. One that cannot be told has neither value nor text
// but a reason.
void observe_target(const struct analysis *analysis, struct judgement *judgement);
