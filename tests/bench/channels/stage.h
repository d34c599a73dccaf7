// A stage: all mechanisms in one setting (cores, scheduling, readers), measured in rounds.
//
// For each size there is a world of its own; in each round every mechanism sends one block of
// frames, in an order that is shuffled anew. So what the machine does to one in a round it does to
// its neighbours, and a ratio within a round is worth more than a time.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "tests/bench/channels/mechanism.h"
#include "tests/bench/channels/team.h"

#define SIZES_MAX 8
#define ROUNDS_MAX 32

struct setting {
    struct placement placement;
    unsigned readers;
};

struct plan { // the same for all stages
    size_t size_B[SIZES_MAX];
    unsigned sizes, rounds, frames; // frames <= BLOCK_FRAMES_MAX - WARM_FRAMES
    uint64_t seed;
    bool chosen[MECHANISM_COUNT];
};
#define WARM_FRAMES 3 // of each block, sent before those that count

struct block {
    uint32_t sent, come, wrong, waited;
    int64_t latency_ns[BLOCK_FRAMES_MAX]; // of those that came
};

// What came of a stage, in shared memory.
struct outcome {
    bool ready[SIZES_MAX][MECHANISM_COUNT]; // false: never delivered a frame, and has no blocks
    struct block block[SIZES_MAX][MECHANISM_COUNT][ROUNDS_MAX];
};

// Whether this mechanism is chosen and was there to build with.
bool stage_takes(const struct plan *plan, unsigned mechanism);

// Runs the stage. False, with a message, if it could not run.
bool stage_run(const struct plan *plan, const struct setting *setting, struct outcome *outcome);
