// Notices that the chain from balance to the motor boards was interrupted: planned motion must then
// be broken off.
//
// Compares each state with what balance commanded one cycle before. Pure; real-time safe.
#pragma once

#include <stdbool.h>

#include "message/message.h"

#define WATCH_JOINTS_MAX 13

enum interruption {
    INTERRUPTION_NONE,
    INTERRUPTION_FIRST,    // this daemon has just started
    INTERRUPTION_GAP,      // no state for more than two periods
    INTERRUPTION_HARDWARE, // the Hardware daemon was restarted
    INTERRUPTION_HELD,     // references no longer reach the boards
    INTERRUPTION_ASTRAY,   // the boards' references are not those commanded
};

struct balance_watch {
    unsigned joint_count;
    unsigned joint[WATCH_JOINTS_MAX]; // indices in the state
    bool started;
    bool commanding; // expected_rad is set
    uint64_t cycle;
    instant time;
    unsigned held_cycles, astray_cycles; // in a row
    double expected_rad[WATCH_JOINTS_MAX];
};

// Whether all that a state says can be true: numbers, and not larger than a robot. One that is not
// is to be treated as if it had not come.
bool balance_watch_sound(const struct state_message *state, unsigned joint_count);

// The state to be judged next goes on from what was before it.
void balance_watch_begin(struct balance_watch *watch, const struct state_message *state);

// Judges a state; `*cycles` (may be NULL) receives how many periods passed since the last one (1 or
// 2 in normal operation).
enum interruption balance_watch_state(struct balance_watch *watch,
                                      const struct state_message *state, unsigned *cycles);

// What the next state's references should be; call once per state. NULL: nothing is being
// commanded.
void balance_watch_expect(struct balance_watch *watch, const double *reference_rad);

// Whether references of all watched joints reached the boards in this state's cycle.
bool balance_watch_active(const struct balance_watch *watch, const struct state_message *state);
