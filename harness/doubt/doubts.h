// Doubts: what could be wrong with the target, as faults that the judge is not told of. A scenario
// that passes all the same is blind to them.
//
// They follow from target and scenario alone: pure but for the memory. doc/reference/doubt.md says
// which there are.
#pragma once

#include "model/description.h"
#include "harness/files/campaign_file.h"
#include "harness/files/fault/fault_request.h"

struct harmless;
struct scenario;
struct target;

#define DOUBTS_MAX (SQUARES_MAX - 1) // beside the undisturbed trial

struct doubt {
    char name[NAME_MAX_LENGTH];      // "late-10ms camera"
    struct fault_request fault;      // untold, from its instant to the end of the trial
    const struct harmless *harmless; // the scenario's; NULL: it must be noticed
};

struct doubts {
    unsigned count;
    struct doubt doubt[DOUBTS_MAX];
    unsigned left_out;    // for which there is no room
    char unwritten[1024]; // channels of which nobody is known to be the writer: " a b"; "": none
};

// Those of a scenario, striking at_s after the start of the trial. The scenario, whose catalogue
// has their kinds, outlives them. NULL: no memory. The caller frees.
struct doubts *doubts_make(const struct target *target, const struct scenario *scenario,
                           const struct description *description, double at_s) MUST_CHECK;

// Whether the name of a doubt is as the pattern says, with * and ? as in names of files.
bool doubt_is(const struct doubt *doubt, const char *pattern);

// Leaves those that the pattern names.
void doubts_choose(struct doubts *doubts, const char *pattern);

// INVALID, reported with file and line: the scenario calls a doubt harmless that it has not.
enum status doubts_check(const struct scenario *scenario, const struct doubts *doubts) MUST_CHECK;

// The scenario with this doubt; with its catalogue, which stays the other's. NULL: no memory. The
// caller frees it with scenario_free.
struct scenario *doubt_scenario(const struct scenario *scenario,
                                const struct doubt *doubt) MUST_CHECK;
