// Findings of storms that are known, each with a reason: scenarios/findings/known.yaml of any
// place.
#pragma once

#include "base/status.h"
#include "harness/files/lengths.h"

#define KNOWN_MAX 256
#define KNOWN_FOLDER "scenarios/findings"

struct known_finding { // with * and ? as in names of files
    char target[NAME_MAX_LENGTH], oracle[NAME_MAX_LENGTH], party[NAME_MAX_LENGTH];
    char acting[FORMULA_TEXT_MAX];
    char reason[FORMULA_TEXT_MAX];
};

struct known_findings {
    unsigned count;
    struct known_finding finding[KNOWN_MAX];
};

// Reads the files of all places. INVALID, reported; NO_MEMORY. No such file is no error. The
// caller frees.
enum status known_load(struct known_findings **known) MUST_CHECK;
// One file.
enum status known_load_file(const char *path, struct known_findings **known) MUST_CHECK;

// The reason of the first that has these words; NULL: it is not known.
const char *known_reason(const struct known_findings *known, const char *target, const char *oracle,
                         const char *party, const char *acting);
