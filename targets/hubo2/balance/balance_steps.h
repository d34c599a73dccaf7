// Balance walks by steps: those that come are put on its stack (walk/step_stack.h), whose segment
// it takes as it would take one that was sent, by the same rules, and then provides to be
// published. Real-time safe.
#pragma once

#include "targets/hubo2/balance/balance_core.h"

// Whether the steps are tried from now on; what they make is taken or refused in some cycles. Not
// while balance_steps_trying.
bool balance_receive_steps(struct balance *balance, const struct footsteps_message *steps);
bool balance_steps_trying(const struct balance *balance);

// Before each cycle. The segment to be published, which lasts until the next call; NULL: none.
struct segment_message *balance_steps_cycle(struct balance *balance);
// After each cycle, when the state is answered: what takes half a millisecond.
void balance_steps_work(struct balance *balance);
