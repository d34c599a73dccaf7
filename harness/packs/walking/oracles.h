// The oracles of the pack `walking`, and what they share.
#pragma once

#include "harness/judge/pack.h"

// To add one: write it in a file oracle_*.c, and give it a line here.
#define WALKING_ORACLES(X)                                                                         \
    X("segments-end-stable", oracle_segments_end_stable,                                           \
      "every segment ends standing on both feet")                                                  \
    X("upright-without-fault", oracle_upright_without_fault,                                       \
      "the robot does not fall before a fault", "truth")                                           \
    X("completes-without-fault", oracle_completes_without_fault,                                   \
      "without a fault, the motion is completed", "truth")                                         \
    X("stays-upright", oracle_stays_upright,                                                       \
      "the robot does not fall if the scenario promises so", "truth")                              \
    X("completes-after-fault", oracle_completes_after_fault,                                       \
      "a robot that stands after the fault's end completes the motion", "truth")                   \
    X("restart-and-resume", oracle_restart_and_resume,                                             \
      "a killed component returns, and the motion is completed", "truth")
WALKING_ORACLES(ORACLE_DECLARE)

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
