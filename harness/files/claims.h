// What a target or a scenario says of its trials: promises, observations, and real numbers that may
// be none.
#pragma once

#include <stdbool.h>

#include "harness/files/lengths.h"
#include "harness/formula/formula.h"

#define PROMISES_MAX 32
#define NOT_FINITE_MAX 64
#define CASES_MAX 20
#define PROMISE_PROGRAM_S 60 // an oracle program's time, unless its promise says

// What the windows of promises and observations count from.
enum promise_from { FROM_START, FROM_FAULT, FROM_FAULT_OVER, FROM_RESTART, FROM_CALM };

// What must hold: a formula in a window of the trial, checked when the file is read; or what a
// program says of the whole history.
struct promise {
    char name[NAME_MAX_LENGTH];
    enum formula_operator operator;    // over the window; FORMULA_HOLDS: at its first instant
    char formula[3][FORMULA_TEXT_MAX]; // by operator: one of them is written
    enum promise_from from;
    double after_s; // the window begins so long after `from`
    double for_s;   // and is so long; 0: to the end of the trial
    double looks_s; // so far behind an instant its formula looks, where it says how far
    char
        program[PATH_MAX_LENGTH]; // as the cell has it, "": none; or a whole path of the machine's,
    bool beside;                  // if it lies beside the scenario
    unsigned argument_count;
    char argument[PARAMETERS_MAX][NAME_MAX_LENGTH];
    double timeout_s;            // running time that the program has
    char chain[NAME_MAX_LENGTH]; // instead of either, a chain of the target (chain_config.h); "":
                                 // none
    double p, below_s;           // this share of its instants, per cent, takes less
    unsigned line;               // in the file of the scenario, or
    bool of_target;              // of its target
};

enum observation_kind { OBSERVE_TEXT, OBSERVE_TIME, OBSERVE_VALUE };
enum observation_of { OF_LAST, OF_MIN, OF_MAX, OF_MEAN };

struct observation_case {
    char say[NAME_MAX_LENGTH];
    char when[FORMULA_TEXT_MAX]; // "": in any case
};

struct observation_config { // what is told of a trial (judge/observe.h); one of the three
    char name[NAME_MAX_LENGTH];
    enum observation_kind kind;
    unsigned case_count;
    struct observation_case first_of[CASES_MAX]; // TEXT
    char time_until[FORMULA_TEXT_MAX];           // TIME
    char value[FORMULA_TEXT_MAX];                // VALUE: a term
    enum observation_of of;
    char unit[16];
    enum promise_from from;
    double after_s, for_s; // as of a promise
    unsigned line;         // in the target's file
};

struct not_finite_config { // a real number that may be none (target/not_finite.h)
    char member[FORMULA_NAME_MAX];
    char reason[FORMULA_TEXT_MAX];
};
