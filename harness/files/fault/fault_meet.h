// Faults of one scenario that meet on one process or channel, and cannot then be proven each by
// itself: one that strikes what another has ended, two that replace the same number.
#pragma once

#include "harness/files/yaml/yaml_source.h"

struct catalogue;
struct scenario;
struct target;

// Why fault `j` of the scenario cannot be proven beside its fault `i`; NULL: it can, or their times
// are not known beforehand.
const char *faults_clash(const struct catalogue *catalogue, const struct target *target,
                         const struct scenario *scenario, unsigned i, unsigned j);

// Complains of each fault of the scenario that meets another so, at its line. Faults whose times
// are not known beforehand are left to the trial.
void faults_meet_check(struct yaml_source *source, const struct catalogue *catalogue,
                       const struct target *target, const struct scenario *scenario);
