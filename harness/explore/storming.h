// The trials of a storm: a campaign of one square whose scenarios are drawn. The campaign's workers
// and store run it (campaign.h).
#pragma once

#include "harness/campaign/campaign.h"
#include "harness/files/campaign_file.h"
#include "harness/files/storm_file.h"

#define STORM_TRIALS_MAX 1000000

// Its campaign: so many trials of this series, each with a seed of its own. NULL: no memory. The
// caller frees it with campaign_free; the storm outlives it.
struct campaign *storm_campaign(const struct storm *storm, uint64_t series,
                                unsigned trials) MUST_CHECK;

// The trial of this seed: `draw` of campaign_options, whose context is the storm.
struct scenario *storm_trial(const struct storm *storm, uint64_t seed) MUST_CHECK;
