#include "harness/judge/claim.h"

#include <stdio.h>
#include <string.h>

#include "harness/files/scenario.h"
#include "harness/judge/pack.h"

struct tally { // of the carriers
    unsigned carriers, passed, bad, excused;
    const struct oracle_verdict *excuse, *open; // first that was excused, or that judged nothing
};

static bool is_of_target(const struct promise *promise, const struct target *target)
{
    bool promised = promise->of_target;
    for (unsigned i = 0; target != NULL && i < target->promise_count; i++)
        promised |= strcmp(target->promise[i].name, promise->name) == 0;
    return promised;
}

static bool is_asked(const struct scenario *scenario, enum claim_key key)
{
    return key == CLAIM_COMPLETION ? scenario_asks(scenario) : scenario->must_stand;
}

static bool has_carrier(const struct pack *const *packs, const struct target *target,
                        enum claim_key key)
{
    for (unsigned i = 0; packs[i] != NULL; i++)
        for (const struct claim_carrier *c = packs[i]->carrier; c != NULL && c->oracle; c++)
            if (c->key == key && pack_in_force(packs, packs[i], target))
                return true;
    return false;
}

unsigned claim_carriers(const struct pack *const *packs, const struct scenario *scenario,
                        const struct target *target)
{
    unsigned carriers = 0;
    for (unsigned i = 0; i < scenario->promise_count; i++)
        carriers += !is_of_target(&scenario->promise[i], target);
    for (enum claim_key key = 0; key < CLAIM_KEYS; key++)
        carriers += is_asked(scenario, key) && has_carrier(packs, target, key);
    return carriers;
}

// Promises come last, so that one which has an oracle's name is found.
static const struct oracle_verdict *verdict_of(const struct judgement *judgement, const char *name)
{
    for (unsigned i = judgement->count; i > 0; i--)
        if (strcmp(judgement->oracle[i - 1].oracle, name) == 0)
            return &judgement->oracle[i - 1];
    return NULL;
}

static void take(struct tally *tally, const struct oracle_verdict *verdict)
{
    tally->carriers++;
    tally->passed += verdict->verdict == VERDICT_PASS;
    tally->bad += verdict_is_bad(verdict->verdict);
    if (verdict->verdict == VERDICT_SKIP && tally->open == NULL)
        tally->open = verdict;
}

// A key has an oracle for each course that a trial may take, of which one judges. Where none does
// the pack has said why: nothing is owed after what has happened.
static void take_key(const struct analysis *a, const struct judgement *judgement,
                     enum claim_key key, struct tally *tally)
{
    const struct pack *const *packs = a->packs;
    const struct oracle_verdict *excuse = NULL;
    for (unsigned i = 0; packs[i] != NULL; i++)
        for (const struct claim_carrier *c = packs[i]->carrier; c != NULL && c->oracle; c++) {
            const struct oracle_verdict *verdict = verdict_of(judgement, c->oracle);
            if (c->key != key || !pack_in_force(packs, packs[i], a->target) || verdict == NULL)
                continue;
            if (verdict->verdict != VERDICT_SKIP) {
                take(tally, verdict);
                return;
            }
            excuse = excuse == NULL || c->excuses ? verdict : excuse;
        }
    tally->carriers++;
    tally->excused++;
    tally->excuse = excuse;
}

static struct tally count(const struct analysis *a, const struct judgement *judgement)
{
    struct tally tally = {0};
    for (unsigned i = 0; i < a->scenario->promise_count; i++) {
        const struct oracle_verdict *verdict = verdict_of(judgement, a->scenario->promise[i].name);
        if (verdict != NULL && !is_of_target(&a->scenario->promise[i], a->target))
            take(&tally, verdict);
    }
    for (enum claim_key key = 0; key < CLAIM_KEYS; key++)
        if (is_asked(a->scenario, key) && has_carrier(a->packs, a->target, key))
            take_key(a, judgement, key, &tally);
    return tally;
}

void claim_judge(const struct analysis *a, struct judgement *judgement)
{
    const struct tally tally = count(a, judgement);
    struct oracle_verdict *verdict = &judgement->oracle[judgement->count++];
    char words[192];
    snprintf(verdict->oracle, sizeof verdict->oracle, "claim-judged");
    if (tally.passed + tally.bad > 0) {
        verdict_count(verdict, 0, VERDICT_FAIL, "claims", "%u of the %u that carry it were judged",
                      tally.passed + tally.bad, tally.carriers);
        return;
    }
    judgement->unjudged = tally.carriers > 0 && tally.excused == 0;
    if (tally.carriers == 0)
        snprintf(words, sizeof words,
                 "nothing but the general rules judges this claim; promise "
                 "what it says, under promises");
    else if (tally.excused > 0)
        snprintf(words, sizeof words, "nothing of it is owed: %.120s",
                 tally.excuse == NULL ? "" : tally.excuse->detail);
    else
        snprintf(words, sizeof words, "nothing of it was judged; %.40s: %.110s", tally.open->oracle,
                 tally.open->detail);
    verdict_nothing(verdict, words);
}
