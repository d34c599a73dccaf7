// Whether what a scenario claims was judged. What judges it are its carriers: the promises of its
// own file, and the oracles that packs have for `must_complete` and `must_stand`. Promises of the
// target hold in every trial, so they are none.
#pragma once

#include "harness/judge/analysis.h"
#include "harness/judge/verdict.h"

#define CLAIM_VERDICTS 1 // that claim_judge adds

// How many carriers a scenario has.
unsigned claim_carriers(const struct pack *const *packs, const struct scenario *scenario,
                        const struct target *target);

// Adds the verdict "claim-judged" to those of all oracles and promises. Without a carrier that
// passed or failed, and without a reason of a pack for that, the judgement says of itself that it
// is none (judgement.unjudged).
void claim_judge(const struct analysis *analysis, struct judgement *judgement);
