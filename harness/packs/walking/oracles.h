// The oracles of the pack `walking`, and what they share.
#pragma once

#include "harness/judge/analysis.h"

void oracle_segments_end_stable(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_upright_without_fault(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_completes_without_fault(const struct analysis *analysis,
                                    struct oracle_verdict *verdict);
void oracle_stays_upright(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_completes_after_fault(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_restart_and_resume(const struct analysis *analysis, struct oracle_verdict *verdict);

// What the robot did at and after the first fault (observe.c).
void observe(const struct analysis *analysis, struct judgement *judgement);

// Whether the motion asked for was completed by the end of the trial, the margin (m or s, see unit)
// and why, in words (completion.c).
struct completion {
    bool completed;
    double margin;
    const char *unit;
    char words[128];
};
void assess_completion(const struct analysis *analysis, struct completion *completion);
