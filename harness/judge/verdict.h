// Verdicts and observations, and their words: what every room that shows or stores them needs.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "harness/files/claims.h"

// Of an oracle SKIP says that there was nothing to judge, of a trial that this machine cannot run
// it.
enum verdict { VERDICT_PASS, VERDICT_FAIL, VERDICT_ERROR, VERDICT_SKIP };
#define VERDICT_COUNT (VERDICT_SKIP + 1)

#define OBSERVATIONS_MAX 64 // the target's own, and those of all packs
// What a job adds to its oracles' verdicts (job.c): each of them once.
enum added_verdict {
    ADDED_LAB,
    ADDED_DETERMINISM,
    ADDED_STORED_HASH,
    ADDED_UNTOLD, // by judge(), of faults that it was not told of
    ADDED_VERDICTS
};
#define VERDICTS_MAX (64 + PROMISES_MAX) // judge() makes sure that all oracles of all packs fit

struct oracle_verdict {
    char oracle[NAME_MAX_LENGTH]; // "velocity-limit", "restart-and-resume" ...
    enum verdict verdict;
    double margin; // signed distance to the threshold in `unit`; positive holds
    char unit[16];
    char detail[192]; // what was worst, instant, value and bound, in words
    double broken_s;  // since the start: when it was first broken; NAN: its oracle does not say
};

// What a target was seen to do: words or a number. It weighs nothing in the verdict.
struct observation {
    char name[NAME_MAX_LENGTH];
    double value; // NAN: none
    char unit[16];
    char text[NAME_MAX_LENGTH]; // "": none
    char reason[128];           // why it could not be told; "": it has a value or a text
};

struct judgement {
    enum verdict verdict; // the worst of the oracles'; SKIP, where that is PASS, if it is
    bool unjudged;        // nothing of what the scenario claims was judged (claim.h)
    unsigned observation_count;
    struct observation observation[OBSERVATIONS_MAX];
    unsigned count;
    struct oracle_verdict oracle[VERDICTS_MAX];
};

// The worst of so many verdicts of each kind: ERROR, FAIL, PASS; SKIP if there is no other. Nothing
// else weighs verdicts.
enum verdict verdict_worst(const unsigned count[VERDICT_COUNT]);
bool verdict_is_bad(enum verdict verdict); // FAIL or ERROR

// Sets a judgement's verdict: the worst of its oracles', but no PASS without a claim that was
// judged.
void judge_conclude(struct judgement *judgement);

// Adds a verdict that no oracle gives, and concludes again. Asserts that there is room for it
// (enum added_verdict).
void judgement_add(struct judgement *judgement, const char *oracle, enum verdict verdict,
                   double margin, const char *unit, const char *detail);
// Adds the verdict of comparing two hashes of the same trial.
void judgement_compare(struct judgement *judgement, const char *hash, const char *again);

// Adds what was observed. The first of a name stays: a later one is dropped, as one without room.
void judgement_observe(struct judgement *judgement, const struct observation *observation);
// NULL: there is none of this name.
const struct observation *judgement_observed(const struct judgement *judgement, const char *name);

// Of the oracles with the judgement's verdict the one that was broken first, by its instant; those
// without an instant come last, and otherwise in their order. NULL if none has given one.
const struct oracle_verdict *judgement_decisive(const struct judgement *judgement);

const char *verdict_name(enum verdict verdict);
