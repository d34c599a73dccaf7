// The stamps of frames whose writer's clock is struck by a fault, or goes by an oscillator: what
// they say, and what time it was. Nobody else's stamps are looked at.
#pragma once

#include "clock/clock.h"
#include "clock/oscillator.h"
#include "harness/files/target/target.h"
#include "harness/history/history.h"

struct scenario;

struct stamps {
    unsigned count; // of clocks that are looked at
    struct stamps_clock {
        char process[NAME_MAX_LENGTH];
        bool oscillates; // by this; else by the trial's time
        struct clk_oscillator oscillator;
    } clock[PROCESSES_MAX];
    enum clk_mode mode;
    bool found; // some: the topic is known
    unsigned topic;
};

// Whose stamps are looked at in this trial.
void stamps_begin(struct stamps *stamps, const struct scenario *scenario,
                  const struct target *target, enum clk_mode mode, uint64_t seed);

// Whether this process's are.
bool stamps_has(const struct stamps *stamps, const char *process);

struct stamp { // of a frame that has been read
    const char *channel, *writer;
    instant said;
    instant looked, now; // it was put after the first, up to the second
};

// The time at which the frame stands in the history: what it says, by its writer's oscillator,
// unless its clock is wrong. That is noted there, as a struct stamp_event. NO_MEMORY, FULL.
enum status stamps_look(struct stamps *stamps, struct history *history, const struct stamp *stamp,
                        instant *time) MUST_CHECK;
