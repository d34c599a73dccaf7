// The oracles of the pack `can`: what the motor boards are sent, and what they and the sensors
// reply.
#pragma once

#include "harness/judge/pack.h"

// To add one: write it in a file oracle_*.c, and give it a line here.
#define CAN_ORACLES(X)                                                                             \
    X("position-limit", oracle_position_limit, "references on the bus stay within the range",      \
      "bus-log")                                                                                   \
    X("velocity-limit", oracle_velocity_limit, "references on the bus keep the maximum velocity",  \
      "bus-log")                                                                                   \
    X("acceleration-limit", oracle_acceleration_limit,                                             \
      "references on the bus keep the maximum acceleration", "bus-log")                            \
    X("readings-heard", oracle_readings_heard,                                                     \
      "valid readings of a state are what boards replied in its cycle", "state", "bus-log")        \
    X("readings-complete", oracle_readings_complete,                                               \
      "without a fault, no published state lacks a reading", "state")
CAN_ORACLES(ORACLE_DECLARE)

// What the oracles of references share: one scan of the bus log (struct pack's `study`); freed by
// free().
bool references_study(const struct analysis *analysis, void **found);
