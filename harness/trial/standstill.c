#include "harness/trial/standstill.h"

#include <fcntl.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdio.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <time.h>
#include <unistd.h>

#include "clock/futex.h"
#include "harness/trial/companion.h"

#define PERIOD_NS INT64_C(1000000)
#define CORES_MAX 64
#define NOTED_MAX 256 // of a core; later ones of so many are left out

struct core_watch { // written by its process alone
    int core;
    pid_t pid;
    atomic_bool watches;
    atomic_uint noted;
    struct standstill standstill[NOTED_MAX];
};

struct standstill_watch { // in memory that is shared with the processes
    unsigned count;
    struct core_watch core[CORES_MAX];
};

// For how long the calling process was ready to run, and waited; -1 if the kernel does not say.
static long long waited_ns(int schedstat)
{
    char text[96];
    long long ran_ns, waited;
    const ssize_t size = pread(schedstat, text, sizeof text - 1, 0);
    text[size > 0 ? size : 0] = '\0';
    return sscanf(text, "%lld %lld", &ran_ns, &waited) == 2 ? waited : -1;
}

static void note(struct core_watch *watch, int64_t at_ns, int64_t ns)
{
    const unsigned noted = atomic_load_explicit(&watch->noted, memory_order_relaxed);
    if (ns < STANDSTILL_MIN_NS || noted == NOTED_MAX)
        return;
    watch->standstill[noted] = (struct standstill){.ns = ns, .at_ns = at_ns};
    atomic_store_explicit(&watch->noted, noted + 1, memory_order_release);
}

static void watch_core(void *context)
{
    struct core_watch *watch = context;
    const struct sched_param most = {.sched_priority = sched_get_priority_max(SCHED_FIFO)};
    const int schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    if (!companion_pin(watch->core) || sched_setscheduler(0, SCHED_FIFO, &most) != 0 ||
        schedstat < 0 || waited_ns(schedstat) < 0)
        return;
    (void)prctl(PR_SET_NAME, "standstill");
    atomic_store(&watch->watches, true);
    for (int64_t due_ns = monotonic_ns();;) {
        const long long before_ns = waited_ns(schedstat);
        due_ns += PERIOD_NS;
        const struct timespec due = {due_ns / 1000000000, due_ns % 1000000000};
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &due, NULL);
        const int64_t now_ns = monotonic_ns();
        if (now_ns - due_ns >= STANDSTILL_MIN_NS)
            note(watch, due_ns, now_ns - due_ns - (waited_ns(schedstat) - before_ns));
        if (due_ns < now_ns - PERIOD_NS)
            due_ns = now_ns;
    }
}

static void release(struct standstill_watch *watch)
{
    for (unsigned i = 0; i < watch->count; i++)
        companion_stop(watch->core[i].pid);
    munmap(watch, sizeof *watch);
}

struct standstill_watch *standstill_begin(int core)
{
    cpu_set_t allowed;
    CPU_ZERO(&allowed);
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return NULL;
    struct standstill_watch *watch =
        mmap(NULL, sizeof *watch, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (watch == MAP_FAILED)
        return NULL;
    for (int c = 0; c < CPU_SETSIZE && watch->count < CORES_MAX; c++) {
        if (!CPU_ISSET(c, &allowed) || (core >= 0 && c != core))
            continue;
        struct core_watch *of_core = &watch->core[watch->count];
        of_core->core = c;
        if (companion_start(watch_core, of_core, "watching the machine", &of_core->pid) !=
            STATUS_OK)
            break;
        watch->count++;
    }
    if (watch->count > 0)
        return watch;
    release(watch);
    return NULL;
}

bool standstill_end(struct standstill_watch *watch, int64_t from_ns, struct standstill *first,
                    struct standstill *longest)
{
    bool all = watch != NULL;
    *first = *longest = (struct standstill){0};
    if (watch == NULL)
        return false;
    for (unsigned i = 0; i < watch->count; i++) {
        const struct core_watch *of_core = &watch->core[i];
        const unsigned noted = atomic_load_explicit(&of_core->noted, memory_order_acquire);
        for (unsigned n = 0; n < noted; n++) {
            const struct standstill *standstill = &of_core->standstill[n];
            if (standstill->at_ns < from_ns)
                continue;
            if (first->ns == 0 || standstill->at_ns < first->at_ns)
                *first = *standstill;
            if (standstill->ns > longest->ns)
                *longest = *standstill;
        }
        all = all && atomic_load(&of_core->watches);
    }
    release(watch);
    return all;
}
