// A program's file: segments that are taken lie within the file, rise, and do not overlap.
#include "tests/fuzz/fuzz.h"

#include "base/elf_program.h"

int LLVMFuzzerTestOneInput(const uint8_t *data, size_t size)
{
    struct elf_program program;
    uint64_t end = 0;
    const int file = open(fuzz_file(data, size), O_RDONLY | O_CLOEXEC);
    fuzz_check(file >= 0);
    const enum status status = elf_program_read(file, &program);
    (void)close(file);
    if (status != STATUS_OK)
        return 0;
    for (unsigned i = 0; i < program.head.e_phnum; i++) {
        const Elf64_Phdr *segment = &program.segment[i];
        fuzz_check(segment->p_type != PT_INTERP || !program.is_static ||
                   program.moved_B <= program.end - program.from);
        if (segment->p_type != PT_LOAD || segment->p_memsz == 0)
            continue;
        fuzz_check(segment->p_offset + segment->p_filesz <= size);
        fuzz_check(segment->p_vaddr >= end && segment->p_vaddr >= program.from);
        end = segment->p_vaddr + segment->p_memsz;
        fuzz_check(end <= program.end);
    }
    fuzz_check(program.from < program.end);
    return 0;
}
