#include "harness/doubt/doubting.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "base/text.h"
#include "harness/files/scenario.h"
#include "harness/store/doubted.h"

double doubt_begin_s(const struct trial_record *undisturbed)
{
    double ready_s = 0;
    for (unsigned i = 0; i < undisturbed->process_event_count; i++) {
        const struct process_event *event = &undisturbed->process_event[i];
        if (event->kind == PROCESS_READY && event->generation == 0)
            ready_s = fmax(ready_s, instant_to_s(event->time));
    }
    return ceil(100 * (ready_s + DOUBT_SETTLED_S)) / 100;
}

static struct campaign_square square_of(const char *row, struct scenario *scenario, bool harmless)
{
    struct campaign_square square = {.scenario = scenario, .trials = 1};
    text_copy(square.row, sizeof square.row, row);
    text_copy(square.column, sizeof square.column, scenario->name);
    if (harmless)
        text_copy(square.expected, sizeof square.expected, DOUBT_HARMLESS);
    return square;
}

static struct scenario *undisturbed(const struct scenario *scenario)
{
    struct scenario *same = malloc(sizeof *same);
    if (same == NULL)
        return NULL;
    *same = *scenario;
    same->own_catalogue = NULL;
    return same;
}

static bool add_squares(struct campaign *campaign, const struct scenario *scenario,
                        const struct doubts *doubts)
{
    struct scenario *next = undisturbed(scenario);
    if (next == NULL)
        return false;
    campaign->square[campaign->square_count++] = square_of(DOUBT_OF_ALL, next, false);
    for (unsigned i = 0; i < doubts->count; i++) {
        const struct doubt *doubt = &doubts->doubt[i];
        next = doubt_scenario(scenario, doubt);
        if (next == NULL)
            return false;
        campaign->square[campaign->square_count++] =
            square_of(doubt->name, next, doubt->harmless != NULL);
    }
    return true;
}

struct campaign *doubt_campaign(const struct scenario *scenario, const struct doubts *doubts,
                                uint64_t seed)
{
    struct campaign *campaign = calloc(1, sizeof *campaign);
    if (campaign == NULL)
        return NULL;
    campaign->seed = seed;
    campaign->seeds_equal = true;
    snprintf(campaign->name, sizeof campaign->name, "doubt-%.40s", scenario->name);
    snprintf(campaign->claim, sizeof campaign->claim, "%s notices what is wrong with its target",
             scenario->name);
    text_copy(campaign->file, sizeof campaign->file, scenario->file);
    text_copy(campaign->page, sizeof campaign->page, DOUBT_PAGE);
    if (add_squares(campaign, scenario, doubts))
        return campaign;
    campaign_free(campaign);
    return NULL;
}
