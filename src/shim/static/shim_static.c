// Loads a statically linked program into the process of a host that is linked dynamically, as the
// kernel would: segments, stack, auxiliary vector (System V ABI, AMD64 supplement, section 3.4.1).
//
// So it has the library beside it, and its system calls come to us (shim_foreign.c). It is not told
// of the kernel's own functions (vDSO), and what it draws its secrets from is the trial's seed.
#include <fcntl.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <unistd.h>

#include "base/elf_program.h"
#include "shim/shim.h"

#define AUXILIARY_MAX 64
#define RANDOM_B 16 // what AT_RANDOM points to

// ---- memory -------------------------------------------------------------------------------------

static int protection_of(const Elf64_Phdr *segment)
{
    return (segment->p_flags & PF_R ? PROT_READ : 0) | (segment->p_flags & PF_W ? PROT_WRITE : 0) |
           (segment->p_flags & PF_X ? PROT_EXEC : 0);
}

// What the file does not fill is zero.
static bool map_segment(int file, const Elf64_Phdr *segment, uint64_t bias)
{
    const uint64_t at = bias + segment->p_vaddr, within = at % ELF_PAGE_B;
    char *const from = (char *)(at - within), *const filled = (char *)(at + segment->p_filesz);
    char *const file_end = (char *)(((uint64_t)filled + ELF_PAGE_B - 1) / ELF_PAGE_B * ELF_PAGE_B);
    char *const end = (char *)(at + segment->p_memsz);
    const int protection = protection_of(segment);
    if (segment->p_filesz > 0 &&
        mmap(from, within + segment->p_filesz, protection, MAP_PRIVATE | MAP_FIXED, file,
             (off_t)(segment->p_offset - within)) == MAP_FAILED)
        return false;
    if (end > filled && file_end > filled && segment->p_filesz > 0 && (segment->p_flags & PF_W))
        memset(filled, 0, (size_t)(file_end - filled));
    char *const rest = segment->p_filesz > 0 ? file_end : from;
    return end <= rest || mmap(rest, (size_t)(end - rest), protection,
                               MAP_PRIVATE | MAP_ANONYMOUS | MAP_FIXED, -1, 0) != MAP_FAILED;
}

// Where it lies is its own choice, if it is linked for one place. What is added to its addresses in
// *bias.
static bool map_program(int file, const struct elf_program *program, uint64_t *bias)
{
    const bool fixed = program->head.e_type == ET_EXEC;
    const int flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE;
    void *const wanted = fixed ? (void *)program->from : NULL;
    void *const room = mmap(wanted, program->end - program->from, PROT_NONE,
                            flags | (fixed ? MAP_FIXED_NOREPLACE : 0), -1, 0);
    if (room == MAP_FAILED)
        return false;
    *bias = (uint64_t)room - program->from;
    for (unsigned i = 0; i < program->head.e_phnum; i++)
        if (program->segment[i].p_type == PT_LOAD && program->segment[i].p_memsz > 0 &&
            !map_segment(file, &program->segment[i], *bias))
            return false;
    return true;
}

// As its linker would. False: there is something else to do.
static bool move_addresses(const struct elf_program *program, uint64_t bias)
{
    const Elf64_Rela *const table = (const Elf64_Rela *)(bias + program->moved);
    for (size_t i = 0; i < program->moved_B / sizeof *table; i++) {
        const uint64_t at = table[i].r_offset;
        if (ELF64_R_TYPE(table[i].r_info) != R_X86_64_RELATIVE || at < program->from ||
            at > program->end - sizeof(uint64_t))
            return false;
        *(uint64_t *)(bias + at) = bias + (uint64_t)table[i].r_addend;
    }
    return true;
}

// ---- what it is told ----------------------------------------------------------------------------

// Where its table of segments lies in memory; 0: nowhere.
static uint64_t table_at(const struct elf_program *program, uint64_t bias)
{
    const uint64_t at = program->head.e_phoff;
    for (unsigned i = 0; i < program->head.e_phnum; i++) {
        const Elf64_Phdr *segment = &program->segment[i];
        if (segment->p_type == PT_LOAD && at >= segment->p_offset &&
            at - segment->p_offset < segment->p_filesz)
            return bias + segment->p_vaddr + at - segment->p_offset;
    }
    return 0;
}

// The process's own, with what is different about the program. How many words.
static size_t write_auxiliary(uint64_t *word, const struct elf_program *program, uint64_t bias,
                              const char *path, const void *chance)
{
    static const uint64_t types[] = {AT_HWCAP,  AT_PAGESZ, AT_CLKTCK,   AT_FLAGS,
                                     AT_UID,    AT_EUID,   AT_GID,      AT_EGID,
                                     AT_SECURE, AT_HWCAP2, AT_PLATFORM, AT_MINSIGSTKSZ};
    const uint64_t own[][2] = {{AT_PHDR, table_at(program, bias)},
                               {AT_PHENT, sizeof program->segment[0]},
                               {AT_PHNUM, program->head.e_phnum},
                               {AT_BASE, 0},
                               {AT_ENTRY, bias + program->head.e_entry},
                               {AT_RANDOM, (uint64_t)chance},
                               {AT_EXECFN, (uint64_t)path},
                               {AT_NULL, 0}};
    size_t count = 0;
    for (size_t i = 0; i < sizeof types / sizeof types[0]; i++) {
        word[count++] = types[i];
        word[count++] = getauxval(types[i]);
    }
    // Only where its clocks are not ours.
    if (!shim_on() && getauxval(AT_SYSINFO_EHDR) != 0) {
        word[count++] = AT_SYSINFO_EHDR;
        word[count++] = getauxval(AT_SYSINFO_EHDR);
    }
    memcpy(word + count, own, sizeof own);
    return count + sizeof own / sizeof own[0][0];
}

static size_t count_of(char *const words[])
{
    size_t count = 0;
    while (words[count] != NULL)
        count++;
    return count;
}

// Below everything that this process has on its stack, to which it never comes back.
static _Noreturn void start(const struct elf_program *program, uint64_t bias, const char *path,
                            char *const arguments[])
{
    static unsigned char chance[RANDOM_B];
    uint64_t auxiliary[2 * AUXILIARY_MAX];
    const size_t words = count_of(arguments), variables = count_of(environ);
    if (shim_on())
        shim_chance_fill(chance, sizeof chance);
    else
        memcpy(chance, (const void *)getauxval(AT_RANDOM), sizeof chance);
    const size_t extra = write_auxiliary(auxiliary, program, bias, path, chance);
    const size_t total = (1 + words + 1 + variables + 1 + extra + 1) / 2 * 2;
    uint64_t stack[total] __attribute__((aligned(16))), *next = stack;
    *next++ = words;
    memcpy(next, arguments, (words + 1) * sizeof *next);
    next += words + 1;
    memcpy(next, environ, (variables + 1) * sizeof *next);
    next += variables + 1;
    memcpy(next, auxiliary, extra * sizeof *next);
    shim_foreign_enter(bias + program->head.e_entry, stack);
}

PUBLIC int shim_run_static(const char *path, char *const arguments[])
{
    struct elf_program program;
    uint64_t bias;
    const int file = (int)KERNEL(SYS_openat, AT_FDCWD, path, O_RDONLY | O_CLOEXEC);
    if (file < 0)
        return -1;
    errno = ENOEXEC;
    const bool mapped = elf_program_read(file, &program) == STATUS_OK && program.is_static &&
                        map_program(file, &program, &bias) && move_addresses(&program, bias);
    const int error = errno;
    KERNEL(SYS_close, file);
    errno = error;
    if (!mapped)
        return -1;
    if (shim_on()) {
        shim_counter_of(program.segment, program.head.e_phnum, bias);
        shim_foreign_begin(path);
    }
    const char *const name = strrchr(path, '/');
    (void)prctl(PR_SET_NAME, name != NULL ? name + 1 : path);
    start(&program, bias, path, arguments);
}
