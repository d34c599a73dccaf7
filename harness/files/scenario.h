// What the robot is asked to do, when which fault strikes, and what must hold: a scenario's file.
//
// Loaders check everything (unknown keys, ranges, names against the target and the fault catalogue)
// and report each error as "file:line: key: value: what is wrong; what to do" on standard error,
// returning INVALID. The caller frees.
#pragma once

#include <stdbool.h>

#include "base/status.h"
#include "harness/files/claims.h"
#include "harness/files/fault/fault_request.h"
#include "harness/files/target/target.h"

#define SCENARIO_OBSERVATIONS_MAX 16
#define OSCILLATORS_MAX 4
#define REPLACEMENTS_MAX 16
#define HARMLESS_MAX 64
#define OSCILLATOR_PROCESSES_MAX 32

// What a scenario need not notice (harness/doubt/doubts.h).
struct harmless {
    char doubt[NAME_MAX_LENGTH]; // "late-10ms camera"; with * and ? as in names of files
    char reason[FORMULA_TEXT_MAX];
    unsigned line; // in the scenario's file
};

// What the operator asks the robot for.
enum asked {
    ASKED_AS_RECORDED, // what its recorded commands say, or else the goal of the environment
    ASKED_GOAL,        // the goal of the environment
    ASKED_WALK,        // walking commands, one after the other; its program ends when all are done
    ASKED_STANCE,      // nothing: the robot stands where it stood
};

// A variant under test: this program runs in place of the one the target file names.
struct replacement {
    char component[NAME_MAX_LENGTH]; // row of the failure table, or process name
    char program[PATH_MAX_LENGTH];   // relative to the build's folder
    char arguments[PATH_MAX_LENGTH]; // in place of the target file's; "": those
    unsigned line;                   // in the scenario's file
};

struct oscillator_config { // of the clocks of some processes
    unsigned process_count;
    char process[OSCILLATOR_PROCESSES_MAX][NAME_MAX_LENGTH];
    double offset_min_us, offset_max_us, drift_min_ppm, drift_max_ppm;
    double wander_ppm, wander_period_s;
};

struct catalogue; // catalogue.h

struct scenario {
    char name[NAME_MAX_LENGTH];
    char claim[PATH_MAX_LENGTH];
    char file[PATH_MAX_LENGTH];
    char target[NAME_MAX_LENGTH];
    double duration_s, watch_s;
    char operator_program[PATH_MAX_LENGTH], operator_arguments[PATH_MAX_LENGTH];
    unsigned operator_line; // in file
    bool operator_checks;   // run with --check, it says what is wrong with its arguments
    unsigned environment_count;
    char environment[PARAMETERS_MAX][NAME_MAX_LENGTH];
    unsigned environment_line;
    unsigned bus_bitrate_bit_s; // of all buses in this trial; 0: what the target says
    unsigned redundancy;        // of all networks: 1 + enum eth_redundancy; 0: what the target says
    unsigned replacement_count;
    struct replacement replacement[REPLACEMENTS_MAX];
    bool must_complete, must_stand;
    bool unvaried;    // its world is as the model says, whatever the seed
    enum asked asked; // what must_complete judges
    unsigned idle_count;
    char idle[PROCESSES_MAX][NAME_MAX_LENGTH]; // processes of which nothing need be seen
    bool column;                               // of campaigns, which give it its fault
    unsigned oscillator_count;
    struct oscillator_config oscillator[OSCILLATORS_MAX];
    unsigned fault_count;
    struct fault_request fault[FAULTS_MAX];
    unsigned replaced_count; // faults of its own, in whose place a campaign put its own
    char replaced[FAULTS_MAX][NAME_MAX_LENGTH]; // their kinds
    const struct catalogue *catalogue;          // what its faults are
    struct catalogue *own_catalogue;            // the same; NULL: its campaign's
    unsigned promise_count;
    struct promise promise[PROMISES_MAX];
    unsigned observation_count;
    struct observation_config observation[SCENARIO_OBSERVATIONS_MAX]; // beside the target's
    unsigned not_finite_count;
    struct not_finite_config not_finite[NOT_FINITE_MAX]; // beside the target's
    unsigned harmless_count;
    struct harmless harmless[HARMLESS_MAX];
};

// How many of its faults the judge is told of.
unsigned scenario_told(const struct scenario *scenario);

// Whether a trial without a fault must come to what the operator asked for.
static inline bool scenario_asks(const struct scenario *scenario)
{
    return scenario->must_complete || scenario->asked != ASKED_AS_RECORDED;
}

// `target` may be NULL: then the scenario's own one is found and loaded for the checks. What is
// struck and how is checked against the target and against the fault catalogue, which is read once,
// and kept with the scenario.
enum status scenario_load(const char *path, const struct target *target,
                          struct scenario **scenario) MUST_CHECK;
// As it is written, to be written again (scenario_text.h): names and programs are what the file
// says, and only its keys are checked. INVALID, NO_MEMORY. The caller frees.
enum status scenario_read(const char *path, struct scenario **scenario) MUST_CHECK;
void scenario_free(struct scenario *scenario);
