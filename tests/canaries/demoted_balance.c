// Canary: the Balance daemon, except that it asks for a priority below Planner's.
//
// Linked with the real daemon and --wrap=participant_join. It walks as well on a quiet machine; only what it misses under load tells, and
// `ukemi diff` of two benchmarks of interference finds it (doc/reference/interference.md).
#include "robot/participant.h"

#define PRIORITY 3 // Planner has 5

enum status __real_participant_join(int priority, struct clk **clk);
enum status __wrap_participant_join(int priority, struct clk **clk);

enum status __wrap_participant_join(int priority, struct clk **clk)
{
    (void)priority;
    return __real_participant_join(PRIORITY, clk);
}
