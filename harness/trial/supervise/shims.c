#include "harness/trial/supervise/shims.h"

#include <fcntl.h>
#include <poll.h>
#include <signal.h>
#include <stdio.h>
#include <string.h>
#include <sys/syscall.h>
#include <unistd.h>

#include "base/elf_program.h"
#include "base/log.h"
#include "base/text.h"
#include "harness/cell/cell.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/scenario.h"
#include "shim/page.h"

// ---- can they take part? -----------------------------------------------------------------------

bool shims_is_static(const char *program)
{
    char path[2 * PATH_MAX_LENGTH], located[4 * PATH_MAX_LENGTH];
    struct elf_program read;
    snprintf(path, sizeof path, "%s%s", program[0] == '/' ? "" : CELL_BUILD "/", program);
    const int file =
        cell_locate(path, located, sizeof located) ? open(located, O_RDONLY | O_CLOEXEC) : -1;
    const bool known = file >= 0 && elf_program_read(file, &read) == STATUS_OK;
    if (file >= 0)
        close(file);
    return known && read.is_static;
}

// A fault that the preloaded library carries out strikes this process.
static const char *fault_of_library(const struct scenario *scenario,
                                    const struct process_config *process)
{
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_request *fault = &scenario->fault[i];
        const struct fault_kind *kind = catalogue_find(scenario->catalogue, fault->kind);
        if (kind != NULL && (kind->look == LOOK_calls || kind->look == LOOK_clock) &&
            (strcmp(fault->component, process->component) == 0 ||
             strcmp(fault->component, process->name) == 0))
            return fault->kind;
    }
    return NULL;
}

enum status shims_check(const struct target *target, const struct scenario *scenario,
                        enum clk_mode mode, char *reason, size_t size)
{
    for (unsigned i = 0; i < target->process_count; i++) {
        const struct process_config *process = &target->process[i];
        if (process->clock == PROCESS_CLOCK_NONE && mode == CLK_VIRTUAL) {
            snprintf(reason, size,
                     "%s: takes no part in virtual time (clock: none); run it in "
                     "real time",
                     process->name);
            return STATUS_UNSUPPORTED;
        }
        const char *fault = fault_of_library(scenario, process);
        if (process->clock == PROCESS_CLOCK_SHIM && mode == CLK_WALL && fault != NULL &&
            shims_is_static(process->run[0])) {
            snprintf(reason, size,
                     "%s: is linked statically, so that %s does not reach it in real time; run it "
                     "in virtual time",
                     process->name, fault);
            return STATUS_UNSUPPORTED;
        }
    }
    return STATUS_OK;
}

// ---- children ----------------------------------------------------------------------------------

// A copy: the target may change it.
static bool read_page(const char *participant, struct shim_page *page)
{
    char path[PATH_MAX_LENGTH];
    snprintf(path, sizeof path, "%s/shim-%s", cell_folder(), participant);
    const int file = open(path, O_RDONLY | O_CLOEXEC | O_NOFOLLOW);
    const bool known = file >= 0 && pread(file, page, sizeof *page, 0) == (ssize_t)sizeof *page;
    if (file >= 0)
        close(file);
    return known;
}

static bool is_sound(const struct shim_page *page)
{
    return page->magic == SHIM_PAGE_MAGIC && page->version == SHIM_PAGE_VERSION;
}

#define END_STEPS 1000 // of a millisecond

// Whether one of them is left. Their parents' ends make orphans of more.
static bool end_children(const struct shim_page *page, orphan_spared *spare, const void *context)
{
    bool left = false;
    for (unsigned i = 1; i < SHIM_TASKS_MAX; i++)
        left |= orphan_end(page->task[i].pid, spare, context);
    return left;
}

bool shims_end_children(const char *participant, orphan_spared *spare, const void *context)
{
    static struct shim_page page;
    const bool known = read_page(participant, &page);
    for (int i = 0; known && i < END_STEPS && end_children(&page, spare, context); i++)
        poll(NULL, 0, 1);
    return !known || is_sound(&page);
}

// ---- long turns --------------------------------------------------------------------------------

bool shims_ask(const char *participant, int pidfd, bool last)
{
    static struct shim_page page;
    siginfo_t info = {.si_signo = SIGSYS, .si_code = SI_QUEUE};
    info.si_value.sival_int = last ? SHIM_ASKED_LAST : SHIM_ASKED_LOOK;
    return read_page(participant, &page) && is_sound(&page) && page.task[0].listens != 0 &&
           syscall(SYS_pidfd_send_signal, pidfd, SIGSYS, &info, 0) == 0;
}

bool shims_spins(const char *participant, instant since)
{
    static struct shim_page page;
    if (!read_page(participant, &page) || !is_sound(&page))
        return false;
    for (unsigned i = 0; i < SHIM_TASKS_MAX; i++)
        if (page.task[i].state != SHIM_TASK_FREE && page.task[i].spins_since != 0 &&
            page.task[i].spins_since - 1 <= (uint64_t)since.ns)
            return true;
    return false;
}

// ---- what the lab says -------------------------------------------------------------------------

void shims_tell(const struct target *target, const struct wiring *wiring, enum io_call call,
                const char *participant, instant now)
{
    struct io_message message = {.time = now, .call = call, .descriptor = -1};
    text_copy(message.participant, sizeof message.participant, participant);
    for (unsigned i = 0; i < wiring->count; i++)
        if (strcmp(target->channel[i].name, IO_CHANNEL) == 0 &&
            strcmp(target->channel[i].message, "io_message") == 0 &&
            channel_put(wiring->channel[i], &message, sizeof message, now) != STATUS_OK)
            log_error("channel " IO_CHANNEL ": the lab cannot write to it");
}
