// What files of a scenario and of its target ask to be told of a trial. Pure: from the history to
// words and numbers.
#pragma once

#include "harness/judge/analysis.h"

// Adds a row for each observation of the scenario, and of the target, unless the scenario has one
// of that name. One that cannot be told has neither value nor text but a reason.
void observe_asked(const struct analysis *analysis, struct judgement *judgement);

// Adds a row "varied.QUANTITY" for each quantity of the world that was drawn for this trial: of one
// that each part has, the value farthest from the middle of its range.
void observe_variation(const struct analysis *analysis, struct judgement *judgement);
