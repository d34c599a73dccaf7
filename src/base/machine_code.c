#include "base/machine_code.h"

#include <string.h>

// What an operation does, by its first byte, or its second one after 0F.
enum kind {
    NO,     // not one of ours
    PLAIN,  // no operand in memory
    M,      // ModRM: an operand in memory, perhaps
    M8,     // ... of a byte,
    M16,    // two,
    M128,   // or up to sixteen
    R,      // ModRM, whose operand must be a register: what it does to memory is not confined to it
    ADDRESS // ModRM, of which only the address is taken
};

struct decoder {
    const struct machine_state *state;
    struct machine_instruction *instruction;
    const uint8_t *next;
    uint8_t rex;
    bool narrow, repeats, fs; // prefixes 66, F2 or F3, 64
};

static uint8_t byte_of(struct decoder *d)
{
    return *d->next++;
}

static int32_t number_of(struct decoder *d, unsigned size_B)
{
    int32_t number = 0;
    memcpy(&number, d->next, size_B);
    d->next += size_B;
    return size_B == 1 ? (int8_t)number : number;
}

static void add(struct decoder *d, uint64_t address, unsigned size_B)
{
    struct machine_instruction *const to = d->instruction;
    to->memory[to->memory_count++] = (struct machine_memory){address, (uint8_t)size_B};
}

static uint64_t general(const struct decoder *d, unsigned number, unsigned rex_bit)
{
    return d->state->general[number | (d->rex & rex_bit ? 8U : 0U)];
}

// ---- operands -----------------------------------------------------------------------------------

struct operand {
    uint64_t address;
    unsigned reg;              // the field beside it
    bool in_memory, from_here; // from_here: from the end of the instruction
};

static uint64_t scaled(struct decoder *d, unsigned mod, bool *no_base)
{
    const uint8_t sib = byte_of(d);
    const unsigned index = (sib >> 3) & 7U, base = sib & 7U;
    uint64_t address = 0;
    if (index != 4 || d->rex & 2)
        address = general(d, index, 2) << (sib >> 6);
    *no_base = base == 5 && mod == 0;
    return *no_base ? address : address + general(d, base, 1);
}

static struct operand operand_of(struct decoder *d)
{
    const uint8_t modrm = byte_of(d);
    const unsigned mod = modrm >> 6, rm = modrm & 7U;
    struct operand operand = {.reg = (modrm >> 3) & 7U, .in_memory = mod != 3};
    bool no_base = false;
    if (mod == 3)
        return operand;
    if (rm == 4)
        operand.address = scaled(d, mod, &no_base);
    else if (rm == 5 && mod == 0)
        operand.from_here = true;
    else
        operand.address = general(d, rm, 1);
    if (mod == 1)
        operand.address += (uint64_t)(int64_t)number_of(d, 1);
    else if (mod == 2 || operand.from_here || no_base)
        operand.address += (uint64_t)(int64_t)number_of(d, 4);
    if (d->fs)
        operand.address += d->state->fs;
    return operand;
}

static unsigned word_B(const struct decoder *d)
{
    return d->rex & 8 ? 8 : d->narrow ? 2 : 4;
}

static unsigned immediate_B(const struct decoder *d)
{
    return d->narrow ? 2 : 4;
}

// The operand's address is known when the whole instruction has been read.
static bool take(struct decoder *d, enum kind kind, const struct operand *operand,
                 unsigned immediate)
{
    d->next += immediate;
    if (!operand->in_memory || kind == ADDRESS)
        return kind != ADDRESS || operand->in_memory;
    if (kind == R)
        return false;
    const uint64_t from = operand->from_here ? (uint64_t)(uintptr_t)d->next : 0;
    const unsigned size_B = kind == M8 ? 1 : kind == M16 ? 2 : kind == M128 ? 16 : word_B(d);
    add(d, operand->address + from, size_B);
    return true;
}

static void push(struct decoder *d)
{
    add(d, d->state->general[MACHINE_RSP] - 8, 8);
}

static void pop(struct decoder *d)
{
    add(d, d->state->general[MACHINE_RSP], 8);
}

// ---- operations of one byte ---------------------------------------------------------------------

static enum kind arithmetic(uint8_t code, unsigned *immediate, const struct decoder *d)
{
    switch (code & 7U) {
    case 0:
    case 2:
        return M8;
    case 1:
    case 3:
        return M;
    case 4:
        *immediate = 1;
        return PLAIN;
    case 5:
        *immediate = immediate_B(d);
        return PLAIN;
    default:
        return NO;
    }
}

// FE and FF: increments, decrements, and through a pointer: calls, jumps, pushes.
static bool read_group(struct decoder *d, uint8_t code)
{
    const struct operand operand = operand_of(d);
    if (operand.reg < 2)
        return take(d, code == 0xFE ? M8 : M, &operand, 0);
    if (code == 0xFE || (operand.reg != 2 && operand.reg != 4 && operand.reg != 6) || d->narrow)
        return false;
    d->rex |= 8; // these are of 64 bits
    if (operand.reg != 4)
        push(d);
    return take(d, M, &operand, 0);
}

// F6 and F7: tests have a number behind them.
static bool read_unary(struct decoder *d, uint8_t code)
{
    const struct operand operand = operand_of(d);
    const unsigned number_B = code == 0xF6 ? 1 : immediate_B(d);
    return take(d, code == 0xF6 ? M8 : M, &operand, operand.reg < 2 ? number_B : 0);
}

static bool read_modrm(struct decoder *d, enum kind kind, unsigned immediate)
{
    const struct operand operand = operand_of(d);
    return take(d, kind, &operand, immediate);
}

static bool read_plain(struct decoder *d, unsigned immediate)
{
    d->next += immediate;
    return true;
}

static bool read_stack(struct decoder *d, uint8_t code)
{
    if (d->narrow)
        return false;
    if (code == 0xC9) { // leave
        add(d, d->state->general[MACHINE_RBP], 8);
        return true;
    }
    const bool takes = (code >= 0x58 && code < 0x60) || code == 0xC3;
    if (takes)
        pop(d);
    else
        push(d);
    return read_plain(d, code == 0xE8 || code == 0x68 ? 4 : code == 0x6A ? 1 : 0);
}

static bool read_move(struct decoder *d, uint8_t code)
{
    if (code < 0xB8)
        return read_plain(d, 1);
    return read_plain(d, d->rex & 8 ? 8 : immediate_B(d));
}

static bool read_one(struct decoder *d, uint8_t code)
{
    unsigned immediate = 0;
    enum kind kind = NO;
    if (code < 0x40) {
        kind = arithmetic(code, &immediate, d);
        return kind == PLAIN ? read_plain(d, immediate)
                             : kind != NO && read_modrm(d, kind, immediate);
    }
    if (code >= 0x70 && code < 0x80) // jumps
        return read_plain(d, 1);
    if (code >= 0xB0 && code < 0xC0)
        return read_move(d, code);
    if ((code >= 0x50 && code < 0x60) || code == 0xE8 || code == 0xC3 || code == 0xC9 ||
        code == 0x68 || code == 0x6A)
        return read_stack(d, code);
    switch (code) {
    case 0x63:                  // movsxd
        d->rex &= (uint8_t)~8U; // of 32 bits
        return read_modrm(d, M, 0);
    case 0x69:
    case 0x81:
    case 0xC7:
        return read_modrm(d, M, immediate_B(d));
    case 0x6B:
    case 0x83:
    case 0xC1:
        return read_modrm(d, M, 1);
    case 0x80:
    case 0xC0:
    case 0xC6:
        return read_modrm(d, M8, 1);
    case 0x84:
    case 0x86:
    case 0x88:
    case 0x8A:
    case 0xD0:
    case 0xD2:
        return read_modrm(d, M8, 0);
    case 0x85:
    case 0x87:
    case 0x89:
    case 0x8B:
    case 0xD1:
    case 0xD3:
        return read_modrm(d, M, 0);
    case 0x8D:
        return read_modrm(d, ADDRESS, 0);
    case 0x90: // also PAUSE
    case 0x98:
    case 0x99:
        return true;
    case 0xA8:
    case 0xEB:
        return read_plain(d, 1);
    case 0xA9:
        return read_plain(d, immediate_B(d));
    case 0xE9:
        return read_plain(d, 4);
    case 0xF6:
    case 0xF7:
        return read_unary(d, code);
    case 0xFE:
    case 0xFF:
        return read_group(d, code);
    default:
        return false;
    }
}

// ---- operations after 0F ------------------------------------------------------------------------

// 0F AE: fences, of the forms without memory.
static bool read_fence(struct decoder *d)
{
    const struct operand operand = operand_of(d);
    return operand.reg >= 5 && take(d, R, &operand, 0);
}

static bool read_two(struct decoder *d, uint8_t code)
{
    if (code >= 0x80 && code < 0x90) // jumps
        return read_plain(d, 4);
    if (code >= 0xC8 && code < 0xD0) // bswap
        return true;
    if (code >= 0x40 && code < 0x50) // cmov
        return read_modrm(d, M, 0);
    if (code >= 0x90 && code < 0xA0) // set
        return read_modrm(d, M8, 0);
    if ((code >= 0x54 && code < 0x60) || code == 0x51) // of real numbers
        return read_modrm(d, M128, 0);
    switch (code) {
    case 0x18: // prefetch
    case 0x19:
    case 0x1C:
    case 0x1D:
    case 0x1E:   // endbr64 is of it
    case 0x1F: { // nop
        const struct operand operand = operand_of(d);
        (void)operand;
        return true;
    }
    case 0x10:
    case 0x11:
    case 0x14:
    case 0x28:
    case 0x29:
    case 0x2A:
    case 0x2C:
    case 0x2D:
    case 0x2E:
    case 0x2F:
    case 0xD6:
    case 0xEF:
        return read_modrm(d, M128, 0);
    case 0x6E:
    case 0x6F:
    case 0x7E:
    case 0x7F: // without a prefix: registers that are not looked at
        return (d->narrow || d->repeats) && read_modrm(d, M128, 0);
    case 0xA3:
    case 0xAB:
    case 0xB3:
    case 0xBB: // a bit, of memory as far away as the register says
        return read_modrm(d, R, 0);
    case 0xBA:
    case 0xA4:
    case 0xAC:
        return read_modrm(d, M, 1);
    case 0xAE:
        return read_fence(d);
    case 0xA5:
    case 0xAD:
    case 0xAF:
    case 0xB1:
    case 0xB8:
    case 0xBC:
    case 0xBD:
    case 0xC1:
        return read_modrm(d, M, 0);
    case 0xB0:
    case 0xB6:
    case 0xBE:
    case 0xC0:
        return read_modrm(d, M8, 0);
    case 0xB7:
    case 0xBF:
        return read_modrm(d, M16, 0);
    default:
        return false;
    }
}

// ---- all of it ----------------------------------------------------------------------------------

#define PREFIXES_MAX 4

// The operation's first byte.
static uint8_t read_prefixes(struct decoder *d)
{
    for (unsigned i = 0; i <= PREFIXES_MAX; i++) {
        const uint8_t code = byte_of(d);
        switch (code) {
        case 0x66:
            d->narrow = true;
            break;
        case 0xF2:
        case 0xF3:
            d->repeats = true;
            break;
        case 0x64:
            d->fs = true;
            break;
        case 0xF0: // lock
        case 0x2E:
        case 0x3E:
            break;
        default:
            if ((code & 0xF0U) != 0x40)
                return code;
            d->rex = code;
            return byte_of(d);
        }
    }
    return 0xF4; // halt, which no program may
}

bool machine_code_read(const struct machine_state *state, struct machine_instruction *instruction)
{
    // NOLINTNEXTLINE(performance-no-int-to-ptr): a register is a number
    const uint8_t *const from = (const uint8_t *)(uintptr_t)state->instruction;
    struct decoder d = {.state = state, .instruction = instruction, .next = from};
    *instruction = (struct machine_instruction){0};
    const uint8_t code = read_prefixes(&d);
    const bool known = code == 0x0F ? read_two(&d, byte_of(&d)) : read_one(&d, code);
    instruction->length_B = (uint8_t)(d.next - from);
    return known;
}
