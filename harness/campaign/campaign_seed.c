// Which seeds a campaign's trials have.
#include <math.h>
#include <stdio.h>

#include "base/random.h"
#include "harness/campaign/campaign.h"
#include "harness/files/campaign_file.h"
#include "harness/files/scenario.h"
#include "harness/trial/strike/trigger.h"

#define SEED_CANDIDATES 64
#define GOLDEN_RATIO                                                                               \
    0.6180339887498949 // its multiples modulo 1 are spread evenly, however many there are

// Where in its range a seed makes the first fault strike, 0..1; NAN if nothing is drawn.
static double strike_position(const struct scenario *scenario, uint64_t seed)
{
    const struct trigger *at = &scenario->fault[0].at;
    struct trigger_state drawn;
    if (scenario->fault_count == 0)
        return NAN;
    trigger_draw(&drawn, at, seed, 0);
    return at->kind == TRIGGER_PHASE
               ? (drawn.phase - at->phase_min) / (at->phase_max - at->phase_min)
               : (instant_to_s(drawn.time) - at->time_min_s) / (at->time_max_s - at->time_min_s);
}

// Where trial `number` of a column is to strike. The same for every row, so that rows can be
// compared.
static double position_wanted(uint64_t campaign_seed, const struct campaign_square *square,
                              unsigned number)
{
    char name[2 * NAME_MAX_LENGTH];
    struct random_stream stream;
    snprintf(name, sizeof name, "spread/%s", square->column);
    random_start(&stream, campaign_seed, name);
    return fmod(random_uniform(&stream, 0, 1) + number * GOLDEN_RATIO, 1);
}

uint64_t campaign_trial_seed(uint64_t campaign_seed, const struct campaign_square *square,
                             unsigned number)
{
    char name[4 * NAME_MAX_LENGTH];
    snprintf(name, sizeof name, "trial/%s/%s/%s/%u", square->row, square->column,
             square->scenario->name, number);
    struct random_stream stream;
    random_start(&stream, campaign_seed, name);
    double wanted = position_wanted(campaign_seed, square, number), best_distance = INFINITY;
    uint64_t best = 0;
    for (unsigned i = 0; i < SEED_CANDIDATES; i++) {
        uint64_t seed = random_bits(&stream) >> 1;
        double distance = fabs(strike_position(square->scenario, seed) - wanted);
        if (i == 0 || distance < best_distance) {
            best = seed;
            best_distance = isfinite(distance) ? distance : INFINITY;
        }
    }
    return best;
}

bool campaign_rechecks(uint64_t trial_seed, double recheck_share)
{
    struct random_stream stream;
    random_start(&stream, trial_seed, "recheck");
    return random_uniform(&stream, 0, 1) < recheck_share;
}
