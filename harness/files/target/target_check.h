// Whether everything that trials of a target need is there, before one is run: what a loader cannot
// tell from the file alone. Called once for a command, when target and scenarios are loaded.
#pragma once

#include "base/status.h"

struct scenario;
struct target;

// Looks for the programs (which nobody else may write) of the target, of the scenarios and of their
// faults in the build folder; for the channels and buses of the simulated robot; for the robot's
// files; and lets programs that know --check, as the simulator, read theirs in a cell, once for
// each environment (about 20 ms). INVALID: logged to standard error, with file, line, value and
// remedy. SYSTEM, NO_MEMORY. The scenarios share one catalogue.
enum status target_check(const struct target *target, const struct scenario *const *scenario,
                         unsigned scenario_count, const char *build_folder) MUST_CHECK;

// Only of the programs that the scenario's promises name. INVALID, reported.
enum status oracle_programs_check(const struct target *target, const struct scenario *scenario,
                                  const char *build_folder) MUST_CHECK;

// The same of a family of faults: its file, and its program.
enum status family_check(const char *path, const char *build_folder) MUST_CHECK;
