#include "harness/judge/judge.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "base/trouble.h"
#include "harness/files/scenario.h"
#include "harness/history/wait.h"
#include "harness/judge/claim.h"
#include "harness/judge/observe.h"
#include "harness/judge/oracle_program.h"
#include "harness/judge/oracles.h"
#include "harness/judge/promise.h"
#include "harness/judge/promise_chain.h"
#include "harness/judge/untold.h"

static const struct oracle lab_oracles[] = {LAB_ORACLES(ORACLE_ENTRY){0}};

const struct pack pack_lab = {.name = "lab", .summary = "of every trial", .oracle = lab_oracles};

static const struct oracle tap_oracles[] = {
    {"taps", oracle_taps, "every tap understood what it was sent", {NULL}}, {.name = NULL}};

const struct pack pack_taps = {
    .name = "taps", .summary = "of a target with taps", .oracle = tap_oracles};

static const struct oracle wait_oracles[] = {
    {"not-stuck",
     oracle_waits,
     "no process waits for good for one that waits for it, or is gone",
     {NULL}},
    {.name = NULL}};

const struct pack pack_waits = {
    .name = "waits", .summary = "of a target with unmodified programs", .oracle = wait_oracles};

static unsigned count_oracles(const struct pack *pack)
{
    unsigned count = 0;
    while (pack->oracle != NULL && pack->oracle[count].name != NULL)
        count++;
    return count;
}

// A verdict that finds no room would be lost, and with it an ERROR: looked at in every trial, for
// all packs there are.
static void check_room(const struct pack *const *packs)
{
    unsigned count = count_oracles(&pack_lab) + count_oracles(&pack_taps) +
                     count_oracles(&pack_waits) + PROMISES_MAX + CLAIM_VERDICTS + ADDED_VERDICTS;
    for (unsigned i = 0; packs[i] != NULL; i++)
        count += count_oracles(packs[i]);
    invariant(count <= VERDICTS_MAX);
}

// Each pack may use what those before it have found.
static bool study(struct analysis *analysis)
{
    const struct pack *const *packs = analysis->packs;
    for (unsigned i = 0; packs[i] != NULL; i++) {
        const struct pack *pack = packs[i];
        if (!pack_in_force(packs, pack, analysis->target))
            continue;
        if (pack->study != NULL && !pack->study(analysis, &analysis->found[i]))
            return false;
        const double given_up_s = pack->given_up_s != NULL ? pack->given_up_s(analysis) : INFINITY;
        if (given_up_s < analysis->given_up_s) {
            analysis->given_up_s = given_up_s;
            analysis->given_up = pack->given_up;
        }
        if (pack->unsound != NULL)
            analysis->unsound += pack->unsound(analysis, &analysis->unsound_words);
    }
    return true;
}

static void forget(struct analysis *analysis)
{
    const struct pack *const *packs = analysis->packs;
    for (unsigned i = 0; packs[i] != NULL; i++)
        if (packs[i]->forget != NULL)
            packs[i]->forget(analysis->found[i]);
    analysis_free(analysis);
}

// A channel of the target has its topic from the start; that it was silent, its events show.
static bool was_recorded(const struct history *history, const char *topic)
{
    const int number = history_topic(history, topic);
    for (size_t i = 0; number >= 0 && i < history_length(history); i++)
        if (history_event(history, i)->topic == number)
            return true;
    return false;
}

static void ask(const struct oracle *oracle, const struct analysis *analysis,
                struct oracle_verdict *verdict)
{
    char words[64];
    snprintf(verdict->oracle, sizeof verdict->oracle, "%s", oracle->name);
    for (unsigned i = 0; i < ORACLE_TOPICS_MAX && oracle->topic[i] != NULL; i++)
        if (!was_recorded(analysis->history, oracle->topic[i])) {
            snprintf(words, sizeof words, "no %.40s was recorded", oracle->topic[i]);
            verdict_silent(analysis, verdict, oracle->topic[i], words);
            return;
        }
    oracle->judge(analysis, verdict);
}

static void ask_all(const struct pack *pack, const struct analysis *analysis,
                    struct judgement *judgement)
{
    // There is room: see check_room.
    expects(judgement->count + count_oracles(pack) <= VERDICTS_MAX);
    const unsigned count = count_oracles(pack);
    for (unsigned i = 0; i < count; i++)
        ask(&pack->oracle[i], analysis, &judgement->oracle[judgement->count++]);
}

// What the lab could not tell because the target has written where it must not, or has taken more
// than it may, is the target's affair, which messages-true, limits-kept or turns-returned say: the
// trial is a FAIL by them.
static void excuse_lab(const struct analysis *analysis, struct judgement *judgement)
{
    if (trouble_words() != NULL ||
        (analysis->limit.count == 0 && !was_spoiled(analysis) && !was_fouled(analysis)))
        return;
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->oracle[i].verdict == VERDICT_ERROR)
            verdict_nothing(&judgement->oracle[i], "not to be told, by the target's doing");
}

static bool has_failed(const struct judgement *judgement)
{
    for (unsigned i = 0; i < judgement->count; i++)
        if (judgement->oracle[i].verdict == VERDICT_FAIL)
            return true;
    return false;
}

// A fault that waits for what the target does, and for which it never did that, is the lab's affair
// only where the target did all that it had to.
static void excuse_waiting(const struct analysis *a, struct judgement *judgement)
{
    bool waits = !a->struck && a->scenario->fault_count > 0 && has_failed(judgement);
    for (unsigned i = 0; i < a->scenario->fault_count; i++)
        waits &= a->scenario->fault[i].at.kind != TRIGGER_TIME;
    for (unsigned i = 0; waits && i < judgement->count; i++)
        if (strcmp(judgement->oracle[i].oracle, "fault-effective") == 0)
            verdict_nothing(&judgement->oracle[i],
                            "the target never came to where the fault was to strike");
}

static void ask_promises(const struct analysis *analysis, const struct judge_cell *cell,
                         struct judgement *judgement)
{
    expects(judgement->count + analysis->scenario->promise_count <= VERDICTS_MAX);
    for (unsigned i = 0; i < analysis->scenario->promise_count; i++) {
        const struct promise *promise = &analysis->scenario->promise[i];
        struct oracle_verdict *verdict = &judgement->oracle[judgement->count++];
        snprintf(verdict->oracle, sizeof verdict->oracle, "%s", promise->name);
        if (promise->program[0] != '\0')
            oracle_program_judge(analysis, promise, cell, verdict);
        else if (promise->chain[0] != '\0')
            promise_chain_judge(analysis, promise, verdict);
        else
            promise_judge(analysis, promise, verdict);
        // What was not seen because the target used too much is the target's affair.
        if (verdict->verdict == VERDICT_ERROR && analysis->limit.count > 0)
            verdict_nothing(verdict, "the trial was ended before: a limit was exceeded");
    }
}

static void say_no_memory(struct judgement *judgement)
{
    judgement->count = 1;
    snprintf(judgement->oracle[0].oracle, sizeof judgement->oracle[0].oracle, "%s",
             lab_oracles[0].name);
    verdict_no_memory(&judgement->oracle[0]);
    judge_conclude(judgement);
}

static void judge_told(const struct judged *judged, const struct judge_cell *cell,
                       struct judgement *judgement)
{
    const struct target *target = judged->target;
    const struct pack *const *packs = judged->packs;
    struct analysis analysis;
    if (!analysis_start(&analysis, judged) || !study(&analysis)) {
        forget(&analysis);
        say_no_memory(judgement);
        return;
    }
    ask_all(&pack_lab, &analysis, judgement);
    if (target != NULL && target->tap_count > 0)
        ask_all(&pack_taps, &analysis, judgement);
    if (history_topic(judged->history, TOPIC_WAIT) >= 0)
        ask_all(&pack_waits, &analysis, judgement);
    observe_asked(&analysis, judgement);
    for (unsigned i = 0; packs[i] != NULL; i++)
        if (pack_in_force(packs, packs[i], target)) {
            ask_all(packs[i], &analysis, judgement);
            if (packs[i]->observe != NULL)
                packs[i]->observe(&analysis, judgement);
        }
    observe_variation(&analysis, judgement);
    ask_promises(&analysis, cell, judgement);
    excuse_lab(&analysis, judgement);
    excuse_waiting(&analysis, judgement);
    claim_judge(&analysis, judgement);
    judge_conclude(judgement);
    forget(&analysis);
}

void judge(const struct judged *judged, const struct judge_cell *cell, struct judgement *judgement)
{
    struct untold_view view;
    *judgement = (struct judgement){.verdict = VERDICT_SKIP};
    check_room(judged->packs);
    if (scenario_told(judged->scenario) == judged->scenario->fault_count) {
        judge_told(judged, cell, judgement);
        return;
    }
    if (!untold_view_make(judged->history, judged->scenario, judged->target, &view)) {
        say_no_memory(judgement);
        return;
    }
    struct judged told = *judged;
    told.history = view.history;
    told.scenario = view.scenario;
    judge_told(&told, cell, judgement);
    untold_view_free(&view);
    struct analysis whole;
    if (analysis_start(&whole, judged))
        untold_conclude(&whole, judgement);
    else
        say_no_memory(judgement);
    analysis_free(&whole);
}
