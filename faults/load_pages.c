// Page-fault storm: again and again the process loses the page tables of all that it maps from
// files or shares with others, as if its memory were not locked and the kernel short of it; every
// page that it touches next is a fault. Nothing in memory changes.
//
// The kernel lets nobody drop the pages that another process has locked. So the worker stops the
// process by ptrace(2), lets it call madvise(MADV_DONTNEED_LOCKED) itself at the system call where
// it waits, and lets it go on with that wait. It is stopped for some microseconds each time.
#include <errno.h>
#include <inttypes.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/ptrace.h>
#include <sys/syscall.h>
#include <sys/uio.h>
#include <sys/user.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

#include "faults/load.h"

#define MAPPINGS_MAX 128
#define FAULTS_MIN 100 // more than most processes have by themselves in the time of a fault
#ifndef MADV_DONTNEED_LOCKED
#define MADV_DONTNEED_LOCKED 24
#endif

#ifdef __x86_64__

#define SYSCALL_B 2    // length of the instruction
#define SIGNALS_MAX 64 // that come to the process while it is stopped

struct mapping {
    uint64_t start, end;
};

struct storm {
    pid_t pid;
    int signal; // that the process was kept from; 0: none
    unsigned count;
    struct mapping mapping[MAPPINGS_MAX];
};

// Mappings whose pages come back as they were: shared ones, and programs. What is read-only
// otherwise may have been written by the loader before it was made so.
static void list_mappings(struct storm *storm)
{
    char path[64], line[512];
    snprintf(path, sizeof path, "/proc/%d/maps", storm->pid);
    FILE *list = fopen(path, "re");
    while (list != NULL && fgets(line, sizeof line, list) != NULL && storm->count < MAPPINGS_MAX) {
        struct mapping mapping;
        char rights[5];
        unsigned long inode;
        if (sscanf(line, "%" SCNx64 "-%" SCNx64 " %4s %*x %*s %lu", &mapping.start, &mapping.end,
                   rights, &inode) != 4)
            continue;
        const bool shared = rights[3] == 's';
        const bool program = rights[2] == 'x' && rights[1] != 'w';
        if (inode != 0 && (shared || program))
            storm->mapping[storm->count++] = mapping;
    }
    if (list != NULL)
        (void)fclose(list); // only read
}

// Waits until the process stands still because the worker wants it; false if it has ended. A signal
// that comes to it meanwhile is kept for when it goes on; `again` is how it goes on until then.
static bool await_stop(struct storm *storm, enum __ptrace_request again)
{
    for (int i = 0; i < SIGNALS_MAX; i++) {
        int status;
        while (waitpid(storm->pid, &status, __WALL) < 0)
            if (errno != EINTR)
                return false;
        if (!WIFSTOPPED(status))
            return false;
        if (WSTOPSIG(status) == SIGTRAP) // of the step, or of the interruption
            return true;
        storm->signal = WSTOPSIG(status);
        if (ptrace(again, storm->pid, NULL, NULL) != 0)
            return false;
    }
    return false;
}

// One system call in the process, which stands at one; its registers are put back by the caller.
// False: it has ended. *dropped: the kernel did it.
static bool call_in(struct storm *storm, const struct user_regs_struct *at,
                    const struct mapping *mapping, bool *dropped)
{
    struct user_regs_struct registers = *at;
    registers.rip = at->rip - SYSCALL_B;         // that instruction once more
    registers.orig_rax = (unsigned long long)-1; // nothing is to be begun again before it
    registers.rax = SYS_madvise;
    registers.rdi = mapping->start;
    registers.rsi = mapping->end - mapping->start;
    registers.rdx = MADV_DONTNEED_LOCKED;
    if (ptrace(PTRACE_SETREGS, storm->pid, NULL, &registers) != 0 ||
        ptrace(PTRACE_SINGLESTEP, storm->pid, NULL, NULL) != 0 ||
        !await_stop(storm, PTRACE_SINGLESTEP) ||
        ptrace(PTRACE_GETREGS, storm->pid, NULL, &registers) != 0)
        return false;
    *dropped = registers.rax == 0;
    return true;
}

static bool stop(struct storm *storm)
{
    return ptrace(PTRACE_INTERRUPT, storm->pid, NULL, NULL) == 0 && await_stop(storm, PTRACE_CONT);
}

// Lets the process go on, by PTRACE_CONT or PTRACE_DETACH, with the signal it was kept from.
static bool go_on(struct storm *storm, enum __ptrace_request how)
{
    const unsigned long signal = (unsigned long)storm->signal;
    storm->signal = 0;
    return ptrace(how, storm->pid, NULL, signal) == 0;
}

// Once for all mappings, if the process waits in a system call just then. False if it has ended.
static bool strike_once(struct storm *storm, struct load_page *page)
{
    struct user_regs_struct registers;
    if (!stop(storm) || ptrace(PTRACE_GETREGS, storm->pid, NULL, &registers) != 0)
        return false;
    bool alive = true, any = false, called = (long long)registers.orig_rax >= 0;
    for (unsigned i = 0; called && alive && i < storm->count; i++) {
        bool dropped = false;
        alive = call_in(storm, &registers, &storm->mapping[i], &dropped);
        any |= dropped;
    }
    if (!alive)
        return false;
    if (called && ptrace(PTRACE_SETREGS, storm->pid, NULL, &registers) == 0 && any)
        atomic_fetch_add(&page->count, 1);
    return go_on(storm, PTRACE_CONT);
}

static void storm_on(const struct fault_asked *call, struct load_page *page)
{
    struct storm storm = {.pid = call->pid};
    const double period_s = fault_number(call, "period_s");
    const struct timespec pause = {.tv_nsec = (long)(period_s * 1e9)};
    const struct sched_param parameters = {.sched_priority = page->priority};
    list_mappings(&storm);
    // As urgent as the process, so that it does not stand still for lack of processor here.
    if (page->priority > 0)
        (void)sched_setscheduler(0, SCHED_FIFO, &parameters);
    if (ptrace(PTRACE_SEIZE, storm.pid, NULL, NULL) != 0)
        load_give_up(page, FAULT_UNSUPPORTED, "the process cannot be traced: %s", strerror(errno));
    load_ready(page);
    bool alive = true;
    while (alive && load_goes_on(page)) {
        alive = strike_once(&storm, page);
        (void)nanosleep(&pause, NULL);
    }
    // Only a process that stands still can be let go.
    if (alive && stop(&storm))
        (void)go_on(&storm, PTRACE_DETACH);
}

static enum fault_exit note_faults(const struct fault_asked *call, struct load_page *page)
{
    page->before = load_stat(call->pid, LOAD_STAT_MINOR_FAULTS);
    page->priority = load_real_time_priority(call->pid);
    return FAULT_DONE;
}

#else

static void storm_on(const struct fault_asked *call, struct load_page *page)
{
    (void)call;
    (void)page;
}

static enum fault_exit note_faults(const struct fault_asked *call, struct load_page *page)
{
    (void)call;
    (void)page;
    fprintf(stderr, "it only knows the registers of x86-64\n");
    return FAULT_UNSUPPORTED;
}

#endif

static void effect(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof)
{
    const uint64_t now =
        load_struck_there(call, page) ? load_stat(call->pid, LOAD_STAT_MINOR_FAULTS) : 0;
    const uint64_t faults = now > page->before ? now - page->before : 0;
    const uint64_t strikes = atomic_load(&page->count);
    // Each time there is a page at least that it has to find again; a process may fault without any
    // storm.
    proof->proven = strikes > 0 && faults >= FAULTS_MIN && faults >= strikes;
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d lost its page tables %" PRIu64 " times and had %" PRIu64
             " page faults (%" PRIu64 " before)",
             call->pid, strikes, faults, page->before);
}

// Traced by nobody.
static bool is_let_go(const struct fault_asked *call, const struct load_page *page)
{
    return !load_struck_there(call, page) || load_number(call->pid, "status", "\nTracerPid:") == 0;
}

const struct load_kind load_page_faults = {.prepare = note_faults,
                                           .work = storm_on,
                                           .finish_ms = 1000,
                                           .is_restored = is_let_go,
                                           .effect = effect};
