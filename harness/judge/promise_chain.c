#include "harness/judge/promise_chain.h"

#include <math.h>
#include <stdlib.h>

#include "harness/chain/chain_figures.h"
#include "harness/files/target/chain_file.h"
#include "harness/judge/promise.h"
#include "harness/judge/promise_silence.h"

struct looking { // at one promise
    const struct analysis *analysis;
    const struct promise *promise;
    double from_s, to_s;
    uint64_t due, stalled; // instants in the window; of these, touched by a stall
    double took_s;         // the promised share takes at most so long; INFINITY: never answered
};

// The instants that were due and answered, by how long that took; the others took longer.
static void weigh(struct looking *l, const struct chain_figures *figures)
{
    const struct chain_count *first = figures->owed[0];
    const uint64_t answered = histogram_count(&figures->corrected);
    l->stalled = first[CHAIN_STALLED].due;
    l->due = first[CHAIN_CLEAN].due;
    const double rank = ceil(l->promise->p / 100 * (double)l->due);
    l->took_s = rank > (double)answered
                    ? INFINITY
                    : 1e-9 * (double)histogram_quantile(&figures->corrected,
                                                        rank / fmax(1, (double)answered));
}

// False: no memory.
static bool look(struct looking *l)
{
    const struct analysis *a = l->analysis;
    const struct chain_config *chain = chain_find(a->target, l->promise->chain);
    const struct chain_window window = {instant_s(l->from_s), instant_s(l->to_s)};
    struct chain_figures *figures = chain_figures_create(chain);
    struct chain_record record = {0};
    const bool done = figures != NULL && chain_measure(chain, a->history, a->robot, a->description,
                                                       &record) == STATUS_OK;
    if (done) {
        chain_figures_add(figures, chain, &record, a->clock != NULL ? &a->clock->stalls : NULL,
                          window, NULL);
        weigh(l, figures);
    }
    chain_free(&record);
    free(figures);
    return done;
}

static void tell_unanswered(const struct looking *l, struct oracle_verdict *verdict)
{
    verdict_count(verdict, 1, VERDICT_FAIL, "chains",
                  "%s: more than %g %% of %llu instants were never answered, from %.3f to %.3f s",
                  l->promise->chain, 100 - l->promise->p, (unsigned long long)l->due, l->from_s,
                  l->to_s);
}

static void tell(const struct looking *l, struct oracle_verdict *verdict)
{
    const struct judged_clock *clock = l->analysis->clock;
    const double bound_s = l->promise->below_s;
    const char *const chain = l->promise->chain;
    const bool watched = clock != NULL && clock->stalls.touch != NULL;
    if (l->due == 0)
        promise_vacuous(verdict, "no instant of %s that counts was due from %.3f to %.3f s", chain,
                        l->from_s, l->to_s);
    else if (clock == NULL)
        promise_vacuous(verdict,
                        "%s: p%g takes %.6f s; by which clock the trial ran, and whether the "
                        "machine stood still, its history does not say",
                        chain, l->promise->p, l->took_s);
    else if (!clock->real_time)
        promise_vacuous(verdict,
                        "%s: p%g is planned to take %.6f s; computing takes no time on the virtual "
                        "clock, so run it with --wall",
                        chain, l->promise->p, l->took_s);
    else if (!watched && l->took_s >= bound_s)
        promise_vacuous(verdict,
                        "%s: p%g takes %.6f s, over %.6f; nobody watched whether the machine stood "
                        "still",
                        chain, l->promise->p, l->took_s, bound_s);
    else if (isinf(l->took_s))
        tell_unanswered(l, verdict);
    else
        verdict_margin(verdict, bound_s - l->took_s, "s",
                       "%s: p%g of %llu instants takes %.6f s, of %.6f, from %.3f to %.3f s; %llu "
                       "in stalls of the machine left out",
                       chain, l->promise->p, (unsigned long long)l->due, l->took_s, bound_s,
                       l->from_s, l->to_s, (unsigned long long)l->stalled);
}

void promise_chain_judge(const struct analysis *a, const struct promise *promise,
                         struct oracle_verdict *verdict)
{
    struct looking l = {.analysis = a,
                        .promise = promise,
                        .from_s = promise_anchor_s(a, promise->from) + promise->after_s,
                        .to_s = a->end_s};
    if (a->target == NULL || chain_find(a->target, promise->chain) == NULL) {
        verdict_count(verdict, 1, VERDICT_ERROR, "chains", "the target has no chain %s",
                      promise->chain);
        return;
    }
    if (!isfinite(l.from_s) || l.from_s >= a->end_s) {
        promise_vacuous(verdict, isfinite(l.from_s)
                                     ? "its window begins when the trial has ended"
                                     : "the event from which its window counts did not happen");
        return;
    }
    if (promise->for_s > 0)
        l.to_s = fmin(l.from_s + promise->for_s, a->end_s);
    if (!look(&l))
        verdict_no_memory(verdict);
    else
        tell(&l, verdict);
}
