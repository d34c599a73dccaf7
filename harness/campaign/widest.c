#include "harness/campaign/widest.h"

#include "harness/store/benchmark/statistics.h"

// What runs is taken to end as the others did.
static double width(const struct widest *widest, unsigned square)
{
    const double judged = widest->judged[square],
                 share = judged > 0 ? widest->failed[square] / judged : 0;
    const double expected = judged + widest->running[square];
    const struct interval interval = wilson_interval(share * expected, expected);
    return interval.high - interval.low;
}

bool widest_next(struct widest *widest, const struct campaign *campaign, unsigned *square,
                 unsigned *number)
{
    double most = -1;
    for (unsigned i = 0; i < campaign->square_count; i++) {
        if (widest->next[i] >= campaign->square[i].trials)
            continue;
        const double own = width(widest, i);
        if (own > most || (own == most && widest->next[i] < widest->next[*square])) {
            most = own;
            *square = i;
        }
    }
    if (most < 0)
        return false;
    *number = widest->next[*square]++;
    return true;
}

void widest_start(struct widest *widest, unsigned square)
{
    widest->running[square]++;
}

void widest_end(struct widest *widest, unsigned square, bool stored, enum verdict verdict)
{
    if (widest->running[square] > 0)
        widest->running[square]--;
    if (!stored || (verdict != VERDICT_PASS && verdict != VERDICT_FAIL))
        return;
    widest->judged[square]++;
    widest->failed[square] += verdict == VERDICT_FAIL;
}
