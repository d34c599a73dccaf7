// What one state or reference of a robot says of its joints' readings, for who follows a reference
// through the stack. Pure.
#pragma once

#include "message/message.h"
#include "model/description.h"

// When the oldest valid reading in the state came; INSTANT_NEVER without one.
instant oldest_reading(const struct description *description, const struct state_message *state);

// Bit per board that the reference speaks to. Fingers are driven otherwise, and not followed.
uint64_t reference_boards(const struct description *description,
                          const struct reference_message *reference);

// When the last reading came of a joint on these boards that the reference moves; INSTANT_NEVER if
// one was read before `since`.
instant reference_read(const struct description *description, const struct state_message *state,
                       const struct reference_message *reference, uint64_t boards, instant since);
