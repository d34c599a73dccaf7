// Two ways to a clock that need no system call: the processor's time stamp counter, and the
// functions that the kernel puts into every process (vDSO).
//
// Where the kernel hands over a program's own system calls (shim_raw.c), the vDSO's functions are
// replaced by such calls. Where the target asks for it, reading the counter is made to fail
// (prctl(2), PR_SET_TSC), and what would have been read is put in its place: a counter of
// nanoseconds of virtual time. That costs every switch between processes a write to a control
// register, which on a virtual machine may be slow: hence not by itself, but for programs in Go,
// whose runtime draws its choices from the counter.
#include <dlfcn.h>
#include <elf.h>
#include <stdlib.h>
#include <string.h>
#include <sys/auxv.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <ucontext.h>

#include "shim/shim.h"

#define VARIABLE "SHIM_COUNTER" // "virtual"

static bool answers;            // the counter is virtual
static volatile bool probing;   // whether reading it fails, as we have asked
static struct sigaction theirs; // then: the program's own, of SIGSEGV

// ---- the counter --------------------------------------------------------------------------------

static const uint8_t rdtsc[] = {0x0F, 0x31}, rdtscp[] = {0x0F, 0x01, 0xF9};

// Steps over the instruction. False: it is another one. The kernel's own word tells it from an
// access to memory, so that there is code to be looked at.
static bool answer_counter(const siginfo_t *info, greg_t *r)
{
    const uint8_t *code = (const uint8_t *)r[REG_RIP];
    struct timespec t;
    if (info->si_code != SI_KERNEL)
        return false;
    const bool plain = memcmp(code, rdtsc, sizeof rdtsc) == 0;
    if (!plain && memcmp(code, rdtscp, sizeof rdtscp) != 0)
        return false;
    if (probing)
        t = (struct timespec){0};
    else
        (void)clock_gettime(CLOCK_MONOTONIC, &t);
    probing = false;
    const uint64_t ns = (uint64_t)shim_ns_of(&t);
    r[REG_RAX] = (greg_t)(uint32_t)ns;
    r[REG_RDX] = (greg_t)(ns >> 32);
    if (!plain)
        r[REG_RCX] = 0; // the first processor
    r[REG_RIP] += (greg_t)(plain ? sizeof rdtsc : sizeof rdtscp);
    return true;
}

// The program's own fault, or somebody's signal: as if we were not there.
static void pass_on(int number, siginfo_t *info, void *context)
{
    const bool sent = info->si_code <= 0;
    if (theirs.sa_flags & SA_SIGINFO) {
        theirs.sa_sigaction(number, info, context);
    } else if (theirs.sa_handler == SIG_IGN && sent) {
        return;
    } else if (theirs.sa_handler != SIG_DFL && theirs.sa_handler != SIG_IGN) {
        theirs.sa_handler(number);
    } else { // ends the process: when what failed is tried again, or the signal comes again
        static const struct sigaction none = {.sa_handler = SIG_DFL};
        (void)NEXT(sigaction)(number, &none, NULL);
        if (sent)
            (void)KERNEL(SYS_tgkill, KERNEL(SYS_getpid), KERNEL(SYS_gettid), number);
    }
}

static void fail(int number, siginfo_t *info, void *context)
{
    const int error = errno;
    if (!answer_counter(info, ((ucontext_t *)context)->uc_mcontext.gregs))
        pass_on(number, info, context);
    errno = error;
}

bool shim_takes_faults(void)
{
    return answers;
}

int shim_take_fault(const struct sigaction *action, struct sigaction *old)
{
    if (old != NULL)
        *old = theirs;
    if (action != NULL)
        theirs = *action;
    return 0;
}

void shim_hide_counter(bool hidden)
{
    if (answers)
        (void)KERNEL(SYS_prctl, PR_SET_TSC, hidden ? PR_TSC_SIGSEGV : PR_TSC_ENABLE);
}

// Some virtual machines let it be read all the same, though prctl succeeds.
static bool counter_is_hidden(void)
{
    uint32_t low, high;
    probing = true;
    __asm__ volatile("rdtsc" : "=a"(low), "=d"(high));
    const bool hidden = !probing;
    probing = false;
    return hidden;
}

void shim_counter_check(void)
{
    if (answers && !counter_is_hidden())
        shim_leak("this machine does not hide the time stamp counter");
}

// ---- the kernel's functions ---------------------------------------------------------------------

#define PAGE_B 4096U

// Writes a system call in place of the function: mov $number, %eax; syscall; ret.
static void replace(void *function, uint32_t number)
{
    uint8_t code[] = {0xB8, 0, 0, 0, 0, 0x0F, 0x05, 0xC3};
    char *const page = (char *)((uintptr_t)function / PAGE_B * PAGE_B);
    memcpy(code + 1, &number, sizeof number);
    if (mprotect(page, (size_t)2 * PAGE_B, PROT_READ | PROT_WRITE | PROT_EXEC) != 0 &&
        mprotect(page, PAGE_B, PROT_READ | PROT_WRITE | PROT_EXEC) != 0)
        return; // said by `ukemi doctor`
    memcpy(function, code, sizeof code);
    if (mprotect(page, (size_t)2 * PAGE_B, PROT_READ | PROT_EXEC) != 0)
        (void)mprotect(page, PAGE_B, PROT_READ | PROT_EXEC);
}

static void replace_functions(void)
{
    static const struct {
        const char *name;
        uint32_t number;
    } functions[] = {{"__vdso_clock_gettime", SYS_clock_gettime},
                     {"__vdso_gettimeofday", SYS_gettimeofday},
                     {"__vdso_time", SYS_time}};
    void *object = dlopen("linux-vdso.so.1", RTLD_LAZY | RTLD_NOLOAD);
    for (size_t i = 0; object != NULL && i < sizeof functions / sizeof functions[0]; i++) {
        void *function = dlsym(object, functions[i].name);
        if (function != NULL)
            replace(function, functions[i].number);
    }
    if (object != NULL)
        (void)dlclose(object);
}

static void take_counter(bool is_go)
{
    const struct sigaction action = {.sa_sigaction = fail,
                                     .sa_flags = SA_SIGINFO | SA_NODEFER | SA_ONSTACK};
    const char *asked = getenv(VARIABLE);
    const bool wanted = asked != NULL ? strcmp(asked, "virtual") == 0 : is_go;
    if (!wanted || answers)
        return;
    answers = NEXT(sigaction)(SIGSEGV, &action, &theirs) == 0;
    shim_hide_counter(true);
    if (shim.clk != NULL)
        shim_counter_check();
}

// ---- Go -----------------------------------------------------------------------------------------

// A note of Go's linker among those of a segment (ELF-64 Object File Format, section 7).
static bool has_note(const char *at, size_t size_B)
{
    static const char name[4] = "Go";
    Elf64_Nhdr note;
    while (size_B >= sizeof note + sizeof name) {
        memcpy(&note, at, sizeof note);
        if (note.n_namesz == sizeof name && memcmp(at + sizeof note, name, sizeof name) == 0)
            return true;
        const size_t taken_B =
            sizeof note + ((size_t)note.n_namesz + 3) / 4 * 4 + ((size_t)note.n_descsz + 3) / 4 * 4;
        if (taken_B > size_B)
            return false;
        at += taken_B;
        size_B -= taken_B;
    }
    return false;
}

static bool is_loaded(const Elf64_Phdr *segment, const Elf64_Phdr *all, size_t count)
{
    for (size_t i = 0; i < count; i++)
        if (all[i].p_type == PT_LOAD && segment->p_vaddr >= all[i].p_vaddr &&
            segment->p_vaddr + segment->p_filesz <= all[i].p_vaddr + all[i].p_filesz)
            return true;
    return false;
}

void shim_counter_of(const void *segments, size_t count, uint64_t bias)
{
    const Elf64_Phdr *segment = segments;
    bool is_go = false;
    for (size_t i = 0; i < count; i++)
        is_go |= segment[i].p_type == PT_NOTE && is_loaded(&segment[i], segment, count) &&
                 has_note((const char *)(bias + segment[i].p_vaddr), segment[i].p_filesz);
    take_counter(is_go);
}

// The program into which this library was loaded.
static void look_at_program(void)
{
    const Elf64_Phdr *segment = (const void *)getauxval(AT_PHDR);
    const size_t count = getauxval(AT_PHNUM);
    for (size_t i = 0; i < count; i++)
        if (segment[i].p_type == PT_PHDR)
            shim_counter_of(segment, count, (uint64_t)segment - segment[i].p_vaddr);
}

void shim_counter_begin(bool calls_are_seen)
{
    if (calls_are_seen)
        replace_functions();
    look_at_program();
}
