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

enum status elf_program_read(int file, struct elf_program *program)
{
    struct stat known;
    *program = (struct elf_program){.is_static = true};
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
        program->is_static &= segment->p_type != PT_INTERP;
        if (segment->p_type == PT_LOAD && segment->p_memsz > 0 &&
            !take_segment(program, segment, (uint64_t)known.st_size))
            return STATUS_CORRUPT;
    }
    return program->end > 0 ? STATUS_OK : STATUS_CORRUPT;
}
