// What may strike a scenario, and must be borne: a storm's file. Trials are drawn from it
// (harness/explore).
//
// The loader checks everything, as those of scenarios and campaigns do, and reports each error as
// "file:line: key: value: what is wrong; what to do" on standard error, returning INVALID.
#pragma once

#include "harness/files/claims.h"
#include "harness/files/fault/fault_request.h"
#include "harness/files/scenario.h"

#define STORM_ROWS_MAX 48
#define STORM_PLACES_MAX 64
#define STORM_CHOICES_MAX 16
#define STORM_ANY "any" // in `struck`: all that the kind can strike

// A parameter of a fault: one value, two numbers to draw between, or words to choose from.
struct storm_parameter {
    char name[NAME_MAX_LENGTH];
    unsigned value_count;
    char value[STORM_CHOICES_MAX][NAME_MAX_LENGTH];
    bool ranges;      // drawn between two numbers,
    double low, high; // these
};

// A kind of fault that may strike.
struct storm_row {
    char kind[NAME_MAX_LENGTH];
    unsigned struck_count;
    char struck[STORM_PLACES_MAX][NAME_MAX_LENGTH]; // one of these; once loaded, never `any`
    double duration_s[2], restart_after_s[2];       // drawn between the two; restart < 0: never
    unsigned parameter_count;
    struct storm_parameter parameter[PARAMETERS_MAX];
    double weight;                  // how often, beside the other rows'
    unsigned line;                  // in the file
    char name[2 * NAME_MAX_LENGTH]; // of its streams of numbers: its kind, and which of that it is
    const struct fault_kind *fault;
};

struct storm {
    char name[NAME_MAX_LENGTH];
    char claim[PATH_MAX_LENGTH];
    char file[PATH_MAX_LENGTH];
    char target_name[NAME_MAX_LENGTH];
    char scenario_file[PATH_MAX_LENGTH]; // as the file says, relative to its own folder
    double count[2];                     // faults in a trial: whole numbers
    unsigned at_once;                    // that act at the same time
    double calm_s, after_s;              // none acts in the last calm_s, nor strikes before after_s
    unsigned row_count;
    struct storm_row row[STORM_ROWS_MAX];
    unsigned promise_count;
    struct promise promise[PROMISES_MAX]; // beside the scenario's
    // Once it is loaded:
    struct target *target;
    struct scenario *scenario; // with these promises, and without a fault
    struct scenario *written;  // the same as its file has it, unchecked
};

// The target, the scenario and the fault catalogue are read, too. The caller frees.
enum status storm_load(const char *path, struct storm **storm) MUST_CHECK;
void storm_free(struct storm *storm);
