// The lab's own oracles, of every trial whatever its target is. To add one: write oracle_NAME in a
// file oracle_*.c, and give it a line here.
#pragma once

#include "harness/judge/pack.h"

// X(name in reports, function, what it checks)
#define LAB_ORACLES(X)                                                                             \
    X("lab-physics", oracle_lab_physics, "the simulated world was sound and ran to the end")       \
    X("lab-history", oracle_lab_history, "nothing is missing from the history")                    \
    X("fault-effective", oracle_fault_effective, "every fault proved its effect")                  \
    X("fault-undone", oracle_fault_undone, "every undoing proved that the effect is gone")         \
    X("peers-survive", oracle_peers_survive, "no process died that was not killed")                \
    X("limits-kept", oracle_limits_kept, "no process exceeded a limit of the cell")                \
    X("messages-true", oracle_messages_true,                                                       \
      "every message says when it was put, and nobody wrote over one")                             \
    X("messages-finite", oracle_finite,                                                            \
      "no process of the target sends what is not a finite number")                                \
    X("turns-returned", oracle_turns_returned, "no process hung")                                  \
    X("activity", oracle_activity,                                                                 \
      "every channel and bus carries at least what the target promises")                           \
    X("not-idle", oracle_idle, "every process that the scenario needs is seen to do something")

LAB_ORACLES(ORACLE_DECLARE)

// Asked where the target has taps.
void oracle_taps(const struct analysis *analysis, struct oracle_verdict *verdict);

// Asked where the lab has looked: at unmodified programs in virtual time.
void oracle_waits(const struct analysis *analysis, struct oracle_verdict *verdict);
