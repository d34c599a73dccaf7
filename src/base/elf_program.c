#include "base/elf_program.h"

#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ADDRESS_MAX (UINT64_C(1) << 46)

static bool is_for_this_processor(const Elf64_Ehdr *head)
{
    return memcmp(head->e_ident, ELFMAG, SELFMAG) == 0 && head->e_ident[EI_CLASS] == ELFCLASS64 &&
           head->e_ident[EI_DATA] == ELFDATA2LSB && head->e_machine == EM_X86_64 &&
           (head->e_type == ET_EXEC || head->e_type == ET_DYN);
}

// Segments rise, as the format wants it (ELF-64 Object File Format, version 1.5, section 7).
static bool take_segment(struct elf_program *program, const Elf64_Phdr *segment, uint64_t file_B)
{
    if (segment->p_memsz > ADDRESS_MAX || segment->p_vaddr > ADDRESS_MAX ||
        segment->p_filesz > segment->p_memsz || segment->p_offset > file_B ||
        segment->p_filesz > file_B - segment->p_offset ||
        segment->p_vaddr % ELF_PAGE_B != segment->p_offset % ELF_PAGE_B)
        return false;
    const uint64_t from = segment->p_vaddr / ELF_PAGE_B * ELF_PAGE_B;
    const uint64_t end =
        (segment->p_vaddr + segment->p_memsz + ELF_PAGE_B - 1) / ELF_PAGE_B * ELF_PAGE_B;
    if (program->end == 0)
        program->from = from;
    else if (from < program->end)
        return false;
    program->end = end;
    return true;
}

#define ENTRIES_MAX 256

// A program in Go may ask for a linker that only moves its addresses (-buildmode=pie). Whether it
// asks for no library; where those addresses are.
static bool needs_no_library(int file, struct elf_program *program, const Elf64_Phdr *segment)
{
    Elf64_Dyn entry[ENTRIES_MAX];
    uint64_t at = 0, size_B = 0;
    const size_t count = segment->p_filesz / sizeof entry[0];
    if (count > ENTRIES_MAX ||
        pread(file, entry, count * sizeof entry[0], (off_t)segment->p_offset) !=
            (ssize_t)(count * sizeof entry[0]))
        return false;
    for (size_t i = 0; i < count && entry[i].d_tag != DT_NULL; i++) {
        if (entry[i].d_tag == DT_NEEDED || entry[i].d_tag == DT_REL || entry[i].d_tag == DT_JMPREL)
            return false;
        at = entry[i].d_tag == DT_RELA ? entry[i].d_un.d_ptr : at;
        size_B = entry[i].d_tag == DT_RELASZ ? entry[i].d_un.d_val : size_B;
    }
    if (at < program->from || at > program->end || size_B > program->end - at)
        return size_B == 0;
    program->moved = at;
    program->moved_B = size_B;
    return true;
}

// What it asks for a dynamic linker for.
static bool is_linked_statically(int file, struct elf_program *program)
{
    const Elf64_Phdr *dynamic = NULL;
    bool asks = false;
    for (unsigned i = 0; i < program->head.e_phnum; i++) {
        asks |= program->segment[i].p_type == PT_INTERP;
        if (program->segment[i].p_type == PT_DYNAMIC)
            dynamic = &program->segment[i];
    }
    return !asks || (dynamic != NULL && needs_no_library(file, program, dynamic));
}

enum status elf_program_read(int file, struct elf_program *program)
{
    struct stat known;
    *program = (struct elf_program){.is_static = false};
    Elf64_Ehdr *head = &program->head;
    if (pread(file, head, sizeof *head, 0) != (ssize_t)sizeof *head || fstat(file, &known) != 0 ||
        !is_for_this_processor(head))
        return STATUS_NOT_FOUND;
    const size_t size_B = head->e_phnum * sizeof program->segment[0];
    if (head->e_phnum > ELF_SEGMENTS_MAX || head->e_phentsize != sizeof program->segment[0] ||
        head->e_phoff > (uint64_t)known.st_size ||
        pread(file, program->segment, size_B, (off_t)head->e_phoff) != (ssize_t)size_B)
        return STATUS_CORRUPT;
    for (unsigned i = 0; i < head->e_phnum; i++) {
        const Elf64_Phdr *segment = &program->segment[i];
        if (segment->p_type == PT_LOAD && segment->p_memsz > 0 &&
            !take_segment(program, segment, (uint64_t)known.st_size))
            return STATUS_CORRUPT;
    }
    program->is_static = is_linked_statically(file, program);
    return program->end > 0 ? STATUS_OK : STATUS_CORRUPT;
}
