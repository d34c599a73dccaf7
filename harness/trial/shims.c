#include "harness/trial/shims.h"

#include <elf.h>
#include <fcntl.h>
#include <stdio.h>
#include <string.h>
#include <unistd.h>

#include "base/log.h"
#include "base/text.h"
#include "harness/cell/cell.h"

// ---- can they take part? -----------------------------------------------------------------------

// Whether a program is one for this processor, of which nobody loads a library. What cannot be read
// and what is a script says so by itself, or is another program's.
static bool is_static(int file)
{
    Elf64_Ehdr head;
    Elf64_Phdr segment;
    if (pread(file, &head, sizeof head, 0) != (ssize_t)sizeof head ||
        memcmp(head.e_ident, ELFMAG, SELFMAG) != 0 || head.e_ident[EI_CLASS] != ELFCLASS64)
        return false;
    for (unsigned i = 0; i < head.e_phnum; i++) {
        const off_t at = (off_t)(head.e_phoff + i * sizeof segment);
        if (pread(file, &segment, sizeof segment, at) == (ssize_t)sizeof segment &&
            segment.p_type == PT_INTERP)
            return false;
    }
    return true;
}

static bool can_be_shimmed(const char *program)
{
    char path[2 * PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s%s", program[0] == '/' ? "" : CELL_BUILD "/", program);
    const int file = open(path, O_RDONLY | O_CLOEXEC);
    const bool can = file < 0 || !is_static(file);
    if (file >= 0)
        close(file);
    return can;
}

enum status shims_check(const struct target *target, enum clk_mode mode, char *reason, size_t size)
{
    for (unsigned i = 0; i < target->process_count && mode == CLK_VIRTUAL; i++) {
        const struct process_config *process = &target->process[i];
        if (process->clock == PROCESS_CLOCK_NONE) {
            snprintf(reason, size,
                     "%s: takes no part in virtual time (clock: none); run it in "
                     "real time",
                     process->name);
            return STATUS_UNSUPPORTED;
        }
        if (process->clock == PROCESS_CLOCK_SHIM && !can_be_shimmed(process->program)) {
            snprintf(reason, size,
                     "%s: %.128s is statically linked, so that no library can be "
                     "preloaded into it; run it in real time",
                     process->name, process->program);
            return STATUS_UNSUPPORTED;
        }
    }
    return STATUS_OK;
}

// ---- what the lab says -------------------------------------------------------------------------

void shims_tell(const struct target *target, const struct wiring *wiring, enum io_call call,
                const char *participant, instant now)
{
    struct io_message message = {.time = now, .call = call, .descriptor = -1};
    text_copy(message.participant, sizeof message.participant, participant);
    for (unsigned i = 0; i < wiring->count; i++)
        if (strcmp(target->channel[i].name, IO_CHANNEL) == 0 &&
            strcmp(target->channel[i].schema, "io_message") == 0 &&
            channel_put(wiring->channel[i], &message, sizeof message, now) != STATUS_OK)
            log_error("channel " IO_CHANNEL ": the lab cannot write to it");
}
