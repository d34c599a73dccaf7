// What PC and nodes say to one another.
#pragma once

#include <stdint.h>

#define CYCLE_NS 5000000     // a command to each node, and its answer
#define TICK_NS 1000000      // of a node
#define ANSWER_AT_NS TICK_NS // in the cycle: all nodes answer at once
#define NETWORK "eth0"

struct command { // 30 bytes: a 16 bit reference, P and D gain for up to five joints
    int64_t cycle;
    int16_t value[11];
} __attribute__((packed));

struct answer {
    int64_t cycle;
    int32_t arrived_ns; // the command, after the cycle's begin
    int32_t sum;        // of the command's values
    int16_t value[7];
} __attribute__((packed));

_Static_assert(sizeof(struct command) == 30 && sizeof(struct answer) == 30, "as in the paper");
