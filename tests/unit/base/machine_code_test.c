// base/machine_code: how long an instruction is, and which memory it touches.
#include "tests/unit/common/unit.h"

#include "base/machine_code.h"

#define GENERAL(n) (0x1000u * ((n) + 1u)) // what a register holds
enum { RAX, RCX, RDX, RBX, RSP, RBP, RSI, RDI, R8, R12 = 12, R13 };
#define FS 0x900000u
#define HERE (UINT64_C(1) << 62) // with an address from the instruction's end

static struct machine_state state_at(const uint8_t *code)
{
    struct machine_state state = {.instruction = (uintptr_t)code, .fs = FS};
    for (unsigned i = 0; i < MACHINE_REGISTERS; i++)
        state.general[i] = GENERAL(i);
    return state;
}

// As an assembler has written it: GNU as 2.40.
static const struct {
    const char *words;
    uint8_t code[12];
    unsigned length_B, count;
    struct machine_memory memory[2];
} known[] = {
    {"mov 0x29ea(%rip),%eax", {0x8B, 0x05, 0xEA, 0x29, 0, 0}, 6, 1, {{HERE + 0x29EA, 4}}},
    {"test %eax,%eax", {0x85, 0xC0}, 2, 0, {{0, 0}}},
    {"je .-8", {0x74, 0xF6}, 2, 0, {{0, 0}}},
    {"jne .-300", {0x0F, 0x85, 0xD4, 0xFE, 0xFF, 0xFF}, 6, 0, {{0, 0}}},
    {"pause", {0xF3, 0x90}, 2, 0, {{0, 0}}},
    {"mov (%rax),%rcx", {0x48, 0x8B, 0x08}, 3, 1, {{GENERAL(RAX), 8}}},
    {"mov -8(%rbp),%ax", {0x66, 0x8B, 0x45, 0xF8}, 4, 1, {{GENERAL(RBP) - 8, 2}}},
    {"cmpb $0,0x11(%rdx)", {0x80, 0x7A, 0x11, 0}, 4, 1, {{GENERAL(RDX) + 0x11, 1}}},
    {"cmpl $1,(%r13)", {0x41, 0x83, 0x7D, 0, 1}, 5, 1, {{GENERAL(R13), 4}}},
    {"mov 8(%rsp),%edx", {0x8B, 0x54, 0x24, 8}, 4, 1, {{GENERAL(RSP) + 8, 4}}},
    {"mov (%r12),%r8", {0x4D, 0x8B, 0x04, 0x24}, 4, 1, {{GENERAL(R12), 8}}},
    {"mov (%rbx,%rcx,4),%eax", {0x8B, 0x04, 0x8B}, 3, 1, {{GENERAL(RBX) + 4 * GENERAL(RCX), 4}}},
    {"mov 16(,%rdi,8),%eax", {0x8B, 0x04, 0xFD, 16, 0, 0, 0}, 7, 1, {{16 + 8 * GENERAL(RDI), 4}}},
    {"mov %fs:0x28,%rax", {0x64, 0x48, 0x8B, 0x04, 0x25, 0x28, 0, 0, 0}, 9, 1, {{FS + 0x28, 8}}},
    {"movzbl (%rsi),%eax", {0x0F, 0xB6, 0x06}, 3, 1, {{GENERAL(RSI), 1}}},
    {"movslq (%rsi),%rax", {0x48, 0x63, 0x06}, 3, 1, {{GENERAL(RSI), 4}}},
    {"lock cmpxchg %edx,(%rdi)", {0xF0, 0x0F, 0xB1, 0x17}, 4, 1, {{GENERAL(RDI), 4}}},
    {"xchg %al,(%rdi)", {0x86, 0x07}, 2, 1, {{GENERAL(RDI), 1}}},
    {"lock xadd %rax,(%rdi)", {0xF0, 0x48, 0x0F, 0xC1, 0x07}, 5, 1, {{GENERAL(RDI), 8}}},
    {"testb $1,0x10(%rip)", {0xF6, 0x05, 0x10, 0, 0, 0, 1}, 7, 1, {{HERE + 0x10, 1}}},
    {"notl (%rdi)", {0xF7, 0x17}, 2, 1, {{GENERAL(RDI), 4}}},
    {"movabs $1,%rax", {0x48, 0xB8, 1, 0, 0, 0, 0, 0, 0, 0}, 10, 0, {{0, 0}}},
    {"call .+100", {0xE8, 0x5F, 0, 0, 0}, 5, 1, {{GENERAL(RSP) - 8, 8}}},
    {"call *0x20(%rip)",
     {0xFF, 0x15, 0x20, 0, 0, 0},
     6,
     2,
     {{GENERAL(RSP) - 8, 8}, {HERE + 0x20, 8}}},
    {"bnd jmp *0x20(%rip)", {0xF2, 0xFF, 0x25, 0x20, 0, 0, 0}, 7, 1, {{HERE + 0x20, 8}}},
    {"ret", {0xC3}, 1, 1, {{GENERAL(RSP), 8}}},
    {"push %r12", {0x41, 0x54}, 2, 1, {{GENERAL(RSP) - 8, 8}}},
    {"leave", {0xC9}, 1, 1, {{GENERAL(RBP), 8}}},
    {"endbr64", {0xF3, 0x0F, 0x1E, 0xFA}, 4, 0, {{0, 0}}},
    {"nopw 0x0(%rax,%rax,1)", {0x66, 0x0F, 0x1F, 0x44, 0, 0}, 6, 0, {{0, 0}}},
    {"lea 8(%rax),%rdi", {0x48, 0x8D, 0x78, 8}, 4, 0, {{0, 0}}},
    {"comisd (%rdi),%xmm0", {0x66, 0x0F, 0x2F, 0x07}, 4, 1, {{GENERAL(RDI), 16}}},
    {"mfence", {0x0F, 0xAE, 0xF0}, 3, 0, {{0, 0}}},
};

START_TEST(lengths_and_operands_are_the_assemblers)
{
    for (size_t i = 0; i < sizeof known / sizeof known[0]; i++) {
        const struct machine_state state = state_at(known[i].code);
        struct machine_instruction read;
        ck_assert_msg(machine_code_read(&state, &read), "%s", known[i].words);
        ck_assert_msg(read.length_B == known[i].length_B, "%s: %u bytes", known[i].words,
                      read.length_B);
        ck_assert_msg(read.memory_count == known[i].count, "%s: %u operands", known[i].words,
                      read.memory_count);
        for (unsigned n = 0; n < read.memory_count; n++) {
            struct machine_memory wanted = known[i].memory[n];
            if (wanted.address & HERE)
                wanted.address += state.instruction + known[i].length_B - HERE;
            ck_assert_msg(read.memory[n].address == wanted.address, "%s: operand %u",
                          known[i].words, n);
            ck_assert_msg(read.memory[n].size_B == wanted.size_B, "%s: size %u", known[i].words,
                          read.memory[n].size_B);
        }
    }
}
END_TEST

START_TEST(what_does_more_than_that_is_not_read)
{
    static const struct {
        const char *words;
        uint8_t code[8];
    } unknown[] = {{"syscall", {0x0F, 0x05}},
                   {"int3", {0xCC}},
                   {"rdtsc", {0x0F, 0x31}},
                   {"rep movsb", {0xF3, 0xA4}},
                   {"in %dx,%al", {0xEC}},
                   {"hlt", {0xF4}},
                   {"bts %eax,(%rdi)", {0x0F, 0xAB, 0x07}}, // memory as far away as EAX says
                   {"popf", {0x9D}},
                   {"vzeroupper", {0xC5, 0xF8, 0x77}},
                   {"cpuid", {0x0F, 0xA2}},
                   {"mov %ds,%eax", {0x8C, 0xD8}},
                   {"fxsave (%rdi)", {0x0F, 0xAE, 0x07}}};
    for (size_t i = 0; i < sizeof unknown / sizeof unknown[0]; i++) {
        const struct machine_state state = state_at(unknown[i].code);
        struct machine_instruction read;
        ck_assert_msg(!machine_code_read(&state, &read), "%s", unknown[i].words);
    }
}
END_TEST

UNIT_MAIN("machine-code", lengths_and_operands_are_the_assemblers,
          what_does_more_than_that_is_not_read)
