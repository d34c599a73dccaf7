// The trials of a scenario's doubts: a campaign of one column, first the undisturbed trial, then
// one for each doubt. The campaign's workers and store run it (campaign.h).
#pragma once

#include "harness/campaign/campaign.h"
#include "harness/doubt/doubts.h"

#define DOUBT_SETTLED_S 0.1 // a doubt begins so long after the last process is ready

// When all that runs in an undisturbed trial was ready, and DOUBT_SETTLED_S more, to a hundredth of
// a second; s.
double doubt_begin_s(const struct trial_record *undisturbed);

// The campaign; `seed` is its undisturbed trial's and all others'. NULL: no memory. The caller
// frees it with campaign_free; the scenario, whose catalogue it uses, outlives it.
struct campaign *doubt_campaign(const struct scenario *scenario, const struct doubts *doubts,
                                uint64_t seed) MUST_CHECK;
