// The oracles of every trial. To add one: write oracle_NAME in a file oracle_*.c, and give it a
// line in oracle_table.h.
//
// Each is a pure function of the analysed history; it fills verdict, margin, unit and detail with
// the verdict_* functions of analysis.h. Its name is filled in beforehand.
#pragma once

#include "harness/judge/analysis.h"
#include "harness/judge/oracle_table.h"

#define ORACLE_DECLARE(name, function, claim)                                                      \
    void function(const struct analysis *analysis, struct oracle_verdict *verdict);
ORACLE_TABLE(ORACLE_DECLARE)
#undef ORACLE_DECLARE

// What the robot did at and after the first fault (observe.c).
void observe(const struct analysis *analysis, struct observation *observation);

// Whether the motion asked for was completed by the end of the trial, the margin (m or s, see unit)
// and why, in words (completion.c).
struct completion {
    bool completed;
    double margin;
    const char *unit;
    char words[128];
};
void assess_completion(const struct analysis *analysis, struct completion *completion);
