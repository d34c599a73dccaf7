// Goes through movements step by step: repetitions, the next page, the exit. Pure.
#pragma once

#include <stdbool.h>

#include "model/movement.h"

struct play {
    const struct movements *movements;
    const struct movement *movement;  // NULL: at the end
    unsigned step, turn;              // the next step, and how often it has been repeated
    unsigned played;                  // steps taken
    bool leaving;                     // asked to end: the exit follows instead of a repetition
    double last_rad[MOVEMENT_SERVOS]; // angles of the step taken last
    bool moved;                       // a step has been taken
};

// `repeat` 0: as the movement says.
void play_start(struct play *play, const struct movements *movements,
                const struct movement *movement, unsigned repeat);

// The repetitions are over with this one; then comes the exit.
void play_leave(struct play *play);

// The next step, with the velocity at its end of each servo: where a movement says none, that of a
// curve through the angles before and behind it that does not overshoot; 0 before a pause and at
// the end. False: it is over.
bool play_next(struct play *play, struct movement_step *step);
