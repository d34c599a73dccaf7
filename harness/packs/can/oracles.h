// The oracles of the pack `can`: what the motor boards are sent, and what they and the sensors
// reply.
#pragma once

#include "harness/judge/analysis.h"

// What the oracles of references share: one scan of the bus log (struct pack's `study`); freed by
// free().
bool references_study(const struct analysis *analysis, void **found);

void oracle_position_limit(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_velocity_limit(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_acceleration_limit(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_readings_heard(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_readings_complete(const struct analysis *analysis, struct oracle_verdict *verdict);
