// Makes a failing scenario smaller while it fails alike, in passes until none helps (delta
// debugging: Zeller and Hildebrandt, IEEE TSE 28, 2002): fewer faults, weaker and shorter ones, at
// rounder instants, a trial that ends soon after, less of an environment.
//
// Whoever asks says whether a candidate fails alike; several at a time, which may run beside each
// other. No candidate is tried twice. What comes out depends on the answers alone.
#pragma once

#include "harness/files/scenario.h"

#define SHRINK_BATCH_MAX 16

// Answers for each of `count` candidates whether it fails as the first one did. Not OK: give up.
typedef enum status shrink_ask(void *context, struct scenario *const *candidate, unsigned count,
                               bool *fails);

struct shrink_request {
    const struct scenario *scenario; // each fault strikes at an instant
    const struct target *target;
    double decided_s; // when it failed; NAN: not known
    unsigned runs_max;
    shrink_ask *ask;
    void *context;
};

struct shrink_result {
    struct scenario *scenario; // the caller frees; its catalogue is the request's
    unsigned faults_before, runs;
    unsigned numbers; // of its faults, that were tried nearer to harmless
    bool minimal; // without any of its faults, or with any number halved, it does not fail alike
};

// NO_MEMORY, or what `ask` says.
enum status shrink(const struct shrink_request *request, struct shrink_result *result) MUST_CHECK;

// How many numbers a fault has that can be nearer to harmless, and one of them: its present value,
// and the harmless end.
unsigned shrink_numbers(const struct scenario *scenario, unsigned fault);
bool shrink_number(const struct scenario *scenario, unsigned fault, unsigned number, double *value,
                   double *harmless);
void shrink_set_number(struct scenario *scenario, unsigned fault, unsigned number, double value);
