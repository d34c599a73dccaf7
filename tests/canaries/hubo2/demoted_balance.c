// Canary: the Balance daemon, except that it asks for a priority below Planner's.
//
// Linked with the real daemon and --wrap=participant_join. It walks as well on a quiet machine;
// only what it misses under load tells, and `ukemi diff` of two benchmarks of interference finds it
// (doc/reference/interference.md).
#include <stdlib.h>

#include "robot/participant.h"

#define PRIORITY "3" // Planner has 5

enum status __real_participant_join(struct clk **clk);
enum status __wrap_participant_join(struct clk **clk);

enum status __wrap_participant_join(struct clk **clk)
{
    return setenv("UKEMI_PRIORITY", PRIORITY, 1) == 0 ? __real_participant_join(clk)
                                                      : STATUS_NO_MEMORY;
}
