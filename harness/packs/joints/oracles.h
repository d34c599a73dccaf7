// The oracles of the pack `joints`: what is said of joints is true, and commands move them as they
// say.
#pragma once

#include "harness/judge/pack.h"

// To add one: write it in a file oracle_*.c, and give it a line here.
#define JOINTS_ORACLES(X)                                                                          \
    X("state-truth", oracle_state_truth, "every valid reading of a state is true", "state",        \
      "truth")                                                                                     \
    X("nominal-velocity", oracle_nominal_velocity,                                                 \
      "commands are carried out within their nominal velocity", "reference")                       \
    X("nominal-acceleration", oracle_nominal_acceleration,                                         \
      "commands are carried out within their nominal acceleration", "reference")                   \
    X("velocity-wind-down", oracle_velocity_wind_down,                                             \
      "velocity mode comes to rest after its time-out", "reference")                               \
    X("answers-current", oracle_answers_current,                                                   \
      "references and commands of the legs answer a recent state; all are for all joints",         \
      "state")                                                                                     \
    X("commands-carried", oracle_commands_carried,                                                 \
      "a reference is for all joints that were commanded", "reference", "state")
JOINTS_ORACLES(ORACLE_DECLARE)
