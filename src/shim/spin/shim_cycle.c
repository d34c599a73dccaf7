#include "shim/spin/shim_cycle.h"

#include <string.h>

#include "shim/shim.h"

#define FLAGS_OF_STEPS (UINT64_C(1) << 8 | UINT64_C(1) << 16) // TF, RF

static struct machine_state state_of(const greg_t *r, uint64_t fs)
{
    return (struct machine_state){
        .general = {(uint64_t)r[REG_RAX], (uint64_t)r[REG_RCX], (uint64_t)r[REG_RDX],
                    (uint64_t)r[REG_RBX], (uint64_t)r[REG_RSP], (uint64_t)r[REG_RBP],
                    (uint64_t)r[REG_RSI], (uint64_t)r[REG_RDI], (uint64_t)r[REG_R8],
                    (uint64_t)r[REG_R9], (uint64_t)r[REG_R10], (uint64_t)r[REG_R11],
                    (uint64_t)r[REG_R12], (uint64_t)r[REG_R13], (uint64_t)r[REG_R14],
                    (uint64_t)r[REG_R15]},
        .instruction = (uint64_t)r[REG_RIP],
        .fs = fs};
}

// The kernel reads it before it refuses what is asked for; cells refuse process_vm_readv.
static bool is_readable(uint64_t address)
{
    const uint64_t word = address & ~(uint64_t)7;
    return KERNEL(SYS_rt_sigprocmask, -1, word, NULL, sizeof word) == 0 || errno != EFAULT;
}

static bool read_memory(const struct machine_memory *memory, uint8_t *value)
{
    if (!is_readable(memory->address) || !is_readable(memory->address + memory->size_B - 1))
        return false;
    memcpy(value, (const void *)(uintptr_t)memory->address, memory->size_B);
    return true;
}

bool shim_is_as_looked_at(const struct shim_looked_at *memory)
{
    uint8_t now[SHIM_CYCLE_VALUE_B];
    for (unsigned i = 0; i < memory->count; i++)
        if (!read_memory(&memory->at[i].memory, now) ||
            memcmp(now, memory->at[i].value, memory->at[i].memory.size_B) != 0)
            return false;
    return true;
}

// Only what stood there at first counts.
static bool note(struct shim_looked_at *to, const struct machine_memory *memory)
{
    for (unsigned i = 0; i < to->count; i++)
        if (to->at[i].memory.address == memory->address &&
            to->at[i].memory.size_B == memory->size_B)
            return true;
    if (to->count == SHIM_CYCLE_MEMORY_MAX || memory->size_B > SHIM_CYCLE_VALUE_B)
        return false;
    to->at[to->count].memory = *memory;
    return read_memory(memory, to->at[to->count++].value);
}

void shim_cycle_begin(struct shim_cycle *cycle)
{
    cycle->until = 0;
    cycle->steps = 0;
}

static void take(struct shim_cycle *cycle, const struct machine_state *state, uint64_t flags,
                 const void *vectors)
{
    cycle->state = *state;
    cycle->flags = flags;
    memcpy(cycle->vectors, vectors, SHIM_CYCLE_VECTORS_B);
    cycle->since.count = 0;
    cycle->steps = 0;
    cycle->until = cycle->until == 0 ? 1 : 2 * cycle->until;
}

static bool is_back(const struct shim_cycle *cycle, const struct machine_state *state,
                    uint64_t flags, const void *vectors)
{
    return state->instruction == cycle->state.instruction && flags == cycle->flags &&
           memcmp(state->general, cycle->state.general, sizeof state->general) == 0 &&
           memcmp(vectors, cycle->vectors, SHIM_CYCLE_VECTORS_B) == 0;
}

// A place is kept for twice as many steps as the one before (Brent's way to find a cycle).
enum shim_cycle_step shim_cycle_step(struct shim_cycle *cycle, const ucontext_t *context,
                                     uint64_t fs)
{
    const greg_t *r = context->uc_mcontext.gregs;
    const struct machine_state state = state_of(r, fs);
    const uint64_t flags = (uint64_t)r[REG_EFL] & ~FLAGS_OF_STEPS;
    const void *const vectors = context->uc_mcontext.fpregs->_xmm;
    struct machine_instruction instruction;
    if (cycle->steps > 0 && is_back(cycle, &state, flags, vectors) &&
        shim_is_as_looked_at(&cycle->since))
        return SHIM_CYCLE_CLOSED;
    if (cycle->steps >= cycle->until)
        take(cycle, &state, flags, vectors);
    cycle->steps++;
    if (!machine_code_read(&state, &instruction))
        return SHIM_CYCLE_LOST;
    for (unsigned i = 0; i < instruction.memory_count; i++)
        if (!note(&cycle->since, &instruction.memory[i])) {
            cycle->since.count = 0; // too much, or none there: another place may do
            cycle->steps = 0;
            return SHIM_CYCLE_LOST;
        }
    return SHIM_CYCLE_GOES_ON;
}
