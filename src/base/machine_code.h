// One instruction of x86-64, as far as it must be known in order to follow a loop: how long it is,
// and which memory it reads or writes. (Intel 64 and IA-32 Architectures Software Developer's
// Manual, volume 2.)
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define MACHINE_REGISTERS 16
enum { MACHINE_RSP = 4, MACHINE_RBP = 5 }; // as instructions number them

struct machine_state {
    uint64_t general[MACHINE_REGISTERS]; // RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8 ... R15
    uint64_t instruction;                // where it is
    uint64_t fs;                         // base of the segment FS
};

struct machine_memory {
    uint64_t address;
    uint8_t size_B;
};

#define MACHINE_MEMORY_MAX 2

struct machine_instruction {
    uint8_t length_B;
    uint8_t memory_count;
    struct machine_memory memory[MACHINE_MEMORY_MAX];
};

// Reads the instruction at state->instruction, no byte more than it has. False: one whose effect is
// not confined to registers and to the memory named here, such as a system call, or one that is not
// known: strings, ports, AVX.
bool machine_code_read(const struct machine_state *state, struct machine_instruction *instruction);
