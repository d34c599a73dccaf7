// What a failed trial is known by: what was broken first, by whom, and which kinds of faults acted
// then. As the view `signature` of the database has it (schema.sql). Pure.
#pragma once

#include "harness/store/database.h"

#define ACTING_MAX 256

struct target;

struct signature {
    char oracle[NAME_MAX_LENGTH];
    char party[NAME_MAX_LENGTH]; // the process that the verdict's words begin with, or the target
    char acting[ACTING_MAX];     // "kill+stall", sorted; "calm": none acted
    double broken_s;             // NAN: not known; then faults count that are never undone
    double margin;
    char unit[16], detail[192];
};

// False: the trial did not FAIL.
bool signature_of(const struct trial_record *record, const struct target *target,
                  struct signature *signature);

// Whether a smaller trial fails as the first: the same oracle and party, and no kind of fault acts
// that did not act there.
bool signature_kept(const struct signature *first, const struct signature *smaller);
