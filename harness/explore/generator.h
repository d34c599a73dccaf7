// A storm's trials: (storm file, seed) -> the scenario of one trial. Pure.
//
// Each draw has a stream of numbers of its own, named by the row and the number of the fault: a new
// row in the file changes no draw of the others. First each row is kept or left out, one in two (a
// "swarm": Groce et al., Swarm Testing, ISSTA 2012: what hinders others is absent in half of the
// trials). Then each fault draws its row, by weight, and what it is. One that would be in the way
// of those drawn before is drawn anew.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "harness/files/storm_file.h"

#define GENERATOR_ATTEMPTS 12 // of a fault that is in the way; then the trial has one fewer

// The storm's scenario with the faults of this seed, in the order in which they strike, and its
// name and claim; it is also the trial's seed. Uses the storm's catalogue, which outlives it. NULL:
// no memory. The caller frees it with scenario_free.
struct scenario *generator_draw(const struct storm *storm, uint64_t seed) MUST_CHECK;

// Whether two faults of a scenario act at one instant at least; times are those of its triggers.
bool generator_overlap(const struct scenario *scenario, unsigned one, unsigned other);

// The file of a drawn scenario.
void generator_print(FILE *out, const struct storm *storm, const struct scenario *scenario,
                     uint64_t seed);
