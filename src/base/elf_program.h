// What a file says of the program in it: its segments, and whether a dynamic linker loads it.
#pragma once

#include <elf.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define ELF_SEGMENTS_MAX 64
#define ELF_PAGE_B UINT64_C(4096)

struct elf_program {
    Elf64_Ehdr head;
    Elf64_Phdr segment[ELF_SEGMENTS_MAX];
    bool is_static;     // it needs no library: a dynamic linker, if it asks for one, loads nothing
    uint64_t from, end; // addresses that it takes, whole pages
    // Where it has the table of addresses (Elf64_Rela) that such a linker would move; 0 bytes:
    // none.
    uint64_t moved, moved_B;
};

// Reads the descriptor of a file from its beginning, wherever it stands. OK: a program for this
// processor, whose segments to be loaded lie within the file, do not overlap and rise.
// NOT_FOUND: something else, such as a script. CORRUPT: a program, but not a sound one.
enum status elf_program_read(int file, struct elf_program *program) MUST_CHECK;
