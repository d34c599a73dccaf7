#include "harness/judge/verdict.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"

// ERROR outweighs FAIL: a broken lab says nothing about the target. Where nothing was judged
// nothing has passed.
enum verdict verdict_worst(const unsigned count[VERDICT_COUNT])
{
    static const enum verdict from_worst[] = {VERDICT_ERROR, VERDICT_FAIL, VERDICT_PASS};
    for (size_t i = 0; i < sizeof from_worst / sizeof from_worst[0]; i++)
        if (count[from_worst[i]] > 0)
            return from_worst[i];
    return VERDICT_SKIP;
}

bool verdict_is_bad(enum verdict verdict)
{
    return verdict == VERDICT_FAIL || verdict == VERDICT_ERROR;
}

void judge_conclude(struct judgement *judgement)
{
    invariant(judgement->count <= VERDICTS_MAX);
    unsigned count[VERDICT_COUNT] = {0};
    for (unsigned i = 0; i < judgement->count; i++)
        count[judgement->oracle[i].verdict]++;
    judgement->verdict = verdict_worst(count);
    if (judgement->unjudged && judgement->verdict == VERDICT_PASS)
        judgement->verdict = VERDICT_SKIP;
}

static double broken_s(const struct oracle_verdict *oracle)
{
    return isnan(oracle->broken_s) ? INFINITY : oracle->broken_s;
}

const struct oracle_verdict *judgement_decisive(const struct judgement *judgement)
{
    const struct oracle_verdict *first = NULL;
    for (unsigned i = 0; i < judgement->count; i++) {
        const struct oracle_verdict *oracle = &judgement->oracle[i];
        if (oracle->verdict == judgement->verdict &&
            (first == NULL || broken_s(oracle) < broken_s(first)))
            first = oracle;
    }
    return first;
}

void judgement_add(struct judgement *judgement, const char *oracle, enum verdict verdict,
                   double margin, const char *unit, const char *detail)
{
    invariant(judgement->count < VERDICTS_MAX);
    struct oracle_verdict *new = &judgement->oracle[judgement->count++];
    *new = (struct oracle_verdict){.verdict = verdict, .margin = margin, .broken_s = NAN};
    snprintf(new->oracle, sizeof new->oracle, "%s", oracle);
    snprintf(new->unit, sizeof new->unit, "%s", unit);
    snprintf(new->detail, sizeof new->detail, "%s", detail);
    judge_conclude(judgement);
}

const struct observation *judgement_observed(const struct judgement *judgement, const char *name)
{
    for (unsigned i = 0; i < judgement->observation_count; i++)
        if (strcmp(judgement->observation[i].name, name) == 0)
            return &judgement->observation[i];
    return NULL;
}

void judgement_observe(struct judgement *judgement, const struct observation *observation)
{
    invariant(judgement->observation_count <= OBSERVATIONS_MAX);
    if (judgement->observation_count < OBSERVATIONS_MAX &&
        judgement_observed(judgement, observation->name) == NULL)
        judgement->observation[judgement->observation_count++] = *observation;
}

void judgement_compare(struct judgement *judgement, const char *hash, const char *again)
{
    expects(hash[0] != '\0' || again[0] == '\0'); // of nothing there is no second one
    char detail[192];
    bool same = strcmp(hash, again) == 0;
    if (same)
        snprintf(detail, sizeof detail, "the same seed gave the same history twice: %s", hash);
    else
        snprintf(detail, sizeof detail, "the same seed gave two histories: %.33s and %.33s", hash,
                 again);
    judgement_add(judgement, "determinism", same ? VERDICT_PASS : VERDICT_ERROR, same ? 1 : 0,
                  "histories", detail);
}

const char *verdict_name(enum verdict verdict)
{
    switch (verdict) {
    case VERDICT_PASS:
        return "PASS";
    case VERDICT_FAIL:
        return "FAIL";
    case VERDICT_ERROR:
        return "ERROR";
    case VERDICT_SKIP:
        return "SKIP";
    }
    return "UNKNOWN";
}
