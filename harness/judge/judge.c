#include "harness/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "harness/oracles.h"

struct oracle {
    const char *name;
    void (*judge)(const struct analysis *analysis, struct oracle_verdict *verdict);
};

static const struct oracle oracles[] = {
#define ORACLE_ENTRY(name, function, claim) {name, function},
    ORACLE_TABLE(ORACLE_ENTRY)
#undef ORACLE_ENTRY
};

// ERROR outweighs FAIL: a broken lab says nothing about the target. Where nothing was judged
// nothing has passed.
void judge_conclude(struct judgement *judgement)
{
    static const int weight[] = {
        [VERDICT_SKIP] = 0, [VERDICT_PASS] = 1, [VERDICT_FAIL] = 2, [VERDICT_ERROR] = 3};
    judgement->verdict = VERDICT_SKIP;
    for (unsigned i = 0; i < judgement->count; i++)
        if (weight[judgement->oracle[i].verdict] > weight[judgement->verdict])
            judgement->verdict = judgement->oracle[i].verdict;
}

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

const char *motion_name(enum motion_class motion)
{
    static const char *const name[MOTION_COUNT] = {"Static", "Quasi-Static", "Dynamic"};
    return motion < MOTION_COUNT ? name[motion] : "Unknown";
}

const char *behaviour_text(enum behaviour behaviour, unsigned joints, char *buffer, size_t size)
{
    static const char *const of[] = {[JOINTS_NONE] = "",
                                     [JOINTS_ARMS] = " in Arms",
                                     [JOINTS_LEGS] = " in Legs",
                                     [JOINTS_ALL] = " in All Joints"};
    static const char *const text[BEHAVIOUR_COUNT] = {
        [BEHAVIOUR_NO_EFFECT] = "No Effect",
        [BEHAVIOUR_SUDDEN_STOP] = "Sudden Stop",
        [BEHAVIOUR_SMOOTH_STOP] = "Smooth Stop",
        [BEHAVIOUR_FINISHES_LAST_PLAN] = "Finishes last plan provided",
        [BEHAVIOUR_FALLS_OVER] = "Falls over",
        [BEHAVIOUR_CONTINUES] = "Continues",
    };
    bool stop = behaviour == BEHAVIOUR_SUDDEN_STOP || behaviour == BEHAVIOUR_SMOOTH_STOP;
    snprintf(buffer, size, "%s%s", behaviour < BEHAVIOUR_COUNT ? text[behaviour] : "Unknown",
             stop && joints <= JOINTS_ALL ? of[joints] : "");
    return buffer;
}
