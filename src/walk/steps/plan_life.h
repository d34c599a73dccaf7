// The life of a plan of steps, as its maker sees it in what balance says: a pure step (life, event)
// -> life, by a table. Real-time safe.
#pragma once

#include <stdint.h>

#include "message/message.h"

enum plan_life {
    PLAN_NONE,    // none is under way
    PLAN_OFFERED, // its first part was sent; balance has not taken it yet
    PLAN_TAKEN,   // balance executes it
    PLAN_LIFE_COUNT
};

enum plan_event {
    PLAN_BEGUN,    // its first part was sent
    PLAN_EXECUTED, // balance says that it executes it
    PLAN_AWAITED,  // it does not say so, and had little time to
    PLAN_OVERDUE,  // it does not say so, and had time enough
    PLAN_DROPPED,  // it has begun anew since: its epoch is another one
    PLAN_EVENT_COUNT
};

enum plan_life plan_life_step(enum plan_life life, enum plan_event event);

struct plan_offer {
    uint64_t plan_id, epoch; // balance's, when it was sent
    instant sent;            // the first part
};

// What balance's newest status says of a plan.
enum plan_event plan_event_of(const struct plan_offer *offer,
                              const struct balance_status_message *status, instant now,
                              duration patience);
