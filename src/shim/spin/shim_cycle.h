// Private to src/shim/spin: whether a thread that is followed instruction by instruction is in a
// loop that no step of its own will ever leave.
//
// It is if all registers are at one place what they were there before, and all memory that the
// instructions in between have named is what it was at first: then it does the same again, for
// ever, until somebody else writes to that memory.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <ucontext.h>

#include "base/machine_code.h"

#define SHIM_CYCLE_MEMORY_MAX 64
#define SHIM_CYCLE_VECTORS_B 256 // XMM0 to XMM15
#define SHIM_CYCLE_VALUE_B 16

// What a loop looks at, and what stood there.
struct shim_looked_at {
    unsigned count;
    struct {
        struct machine_memory memory;
        uint8_t value[SHIM_CYCLE_VALUE_B];
    } at[SHIM_CYCLE_MEMORY_MAX];
};

struct shim_cycle {
    struct machine_state state; // at the place to which it may come back
    uint64_t flags;
    uint8_t vectors[SHIM_CYCLE_VECTORS_B];
    struct shim_looked_at since; // then
    unsigned steps, until;       // since then; when another place is taken
};

enum shim_cycle_step {
    SHIM_CYCLE_GOES_ON,
    SHIM_CYCLE_CLOSED, // the thread is in such a loop: cycle->since is all that can end it
    SHIM_CYCLE_LOST,   // it is not followed any further
};

void shim_cycle_begin(struct shim_cycle *cycle);
// Before each instruction. fs: the base of that segment.
enum shim_cycle_step shim_cycle_step(struct shim_cycle *cycle, const ucontext_t *context,
                                     uint64_t fs);
// Whether all of it stands there still.
bool shim_is_as_looked_at(const struct shim_looked_at *memory);
