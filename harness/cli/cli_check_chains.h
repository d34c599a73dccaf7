// What of a target's chains a short trial on the virtual clock can join.
#pragma once

#include "base/status.h"

struct target;

// Runs the scenario that each chain names, for a few seconds, and prints for each link how many
// messages there were and how many answered something. INVALID, reported: a link that nothing was
// joined to; what loading says. A chain that names no scenario is only said to be so.
enum status cli_check_chains(const struct target *target) MUST_CHECK;
