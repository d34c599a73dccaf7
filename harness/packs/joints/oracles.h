// The oracles of the pack `joints`: what is said of joints is true, and commands move them as they
// say.
#pragma once

#include "harness/judge/analysis.h"

void oracle_state_truth(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_nominal_velocity(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_nominal_acceleration(const struct analysis *analysis, struct oracle_verdict *verdict);
void oracle_velocity_wind_down(const struct analysis *analysis, struct oracle_verdict *verdict);
