#include "harness/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/judge/oracles.h"

struct oracle {
    const char *name;
    void (*judge)(const struct analysis *analysis, struct oracle_verdict *verdict);
};

static const struct oracle oracles[] = {
#define ORACLE_ENTRY(name, function, claim) {name, function},
    ORACLE_TABLE(ORACLE_ENTRY)
#undef ORACLE_ENTRY
};

void judge(const struct history *history, const struct scenario *scenario,
           const struct target *target, const struct description *description,
           struct judgement *judgement)
{
    *judgement = (struct judgement){.verdict = VERDICT_SKIP};
    struct analysis analysis;
    if (!analysis_start(&analysis, history, scenario, target, description)) {
        analysis_free(&analysis);
        judgement->count = 1;
        snprintf(judgement->oracle[0].oracle, sizeof judgement->oracle[0].oracle, "lab-history");
        verdict_no_memory(&judgement->oracle[0]);
        judge_conclude(judgement);
        return;
    }
    for (size_t i = 0; i < ORACLE_COUNT; i++) {
        struct oracle_verdict *verdict = &judgement->oracle[judgement->count++];
        snprintf(verdict->oracle, sizeof verdict->oracle, "%s", oracles[i].name);
        oracles[i].judge(&analysis, verdict);
    }
    judge_conclude(judgement);
    observe(&analysis, &judgement->observation);
    analysis_free(&analysis);
}
