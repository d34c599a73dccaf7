#include "harness/explore/storming.h"

#include <stdlib.h>

#include "base/text.h"
#include "harness/explore/generator.h"
#include "harness/store/findings.h"

// The square's own scenario: none of its trials is of it alone.
static struct scenario *undrawn(const struct storm *storm)
{
    struct scenario *scenario = malloc(sizeof *scenario);
    if (scenario == NULL)
        return NULL;
    *scenario = *storm->scenario;
    scenario->own_catalogue = NULL;
    text_copy(scenario->name, sizeof scenario->name, storm->name);
    text_copy(scenario->claim, sizeof scenario->claim, storm->claim);
    return scenario;
}

struct campaign *storm_campaign(const struct storm *storm, uint64_t series, unsigned trials)
{
    struct campaign *campaign = calloc(1, sizeof *campaign);
    if (campaign == NULL)
        return NULL;
    campaign->seed = series;
    campaign->storm = storm;
    campaign->square_count = 1;
    campaign->square[0].trials = trials;
    campaign->square[0].scenario = undrawn(storm);
    text_copy(campaign->kind, sizeof campaign->kind, CAMPAIGN_STORM);
    text_copy(campaign->name, sizeof campaign->name, storm->name);
    text_copy(campaign->claim, sizeof campaign->claim, storm->claim);
    text_copy(campaign->file, sizeof campaign->file, storm->file);
    text_copy(campaign->page, sizeof campaign->page, STORM_PAGE);
    text_copy(campaign->square[0].row, sizeof campaign->square[0].row, storm->name);
    if (campaign->square[0].scenario != NULL)
        return campaign;
    campaign_free(campaign);
    return NULL;
}

struct scenario *storm_trial(const struct storm *storm, uint64_t seed)
{
    return generator_draw(storm, seed);
}
