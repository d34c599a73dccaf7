#include "harness/machine/machine_floor.h"

#include <errno.h>
#include <poll.h>
#include <sched.h>
#include <signal.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/prctl.h>
#include <sys/syscall.h>
#include <sys/wait.h>
#include <unistd.h>

#include "base/log.h"
#include "clock/futex.h"
#include "harness/machine/machine_floor_private.h"

#define PROCESSES_OF_FLOOR (FLOOR_CORES_MAX + 2)
#define START_LIMIT_NS 10000000000
#define END_LIMIT_NS 500000000
#define NS_PER_MILLISECOND 1000000
#define LOOK_AGAIN_US 500

struct machine_floor {
    struct floor_shared *shared;
    unsigned count;
    int process[PROCESSES_OF_FLOOR]; // pidfds
};

// ---- processes ----------------------------------------------------------------------------------

enum role { ROLE_LOOP, ROLE_PARTNER, ROLE_SAMPLER };

// Notes a process that was just forked.
static enum status look_after(struct machine_floor *floor, pid_t child)
{
    const int process = (int)syscall(SYS_pidfd_open, child, 0);
    if (process >= 0) {
        floor->process[floor->count++] = process;
        return STATUS_OK;
    }
    log_error("the machine's floor: pidfd: %s; see 'ukemi doctor'", strerror(errno));
    atomic_store(&floor->shared->stop, 1); // nobody else knows it: it ends by itself
    return STATUS_SYSTEM;
}

// Forks one; it ends with the lab.
static enum status begin(struct machine_floor *floor, enum role role, unsigned core)
{
    const pid_t parent = getpid(), child = fork();
    if (child < 0) {
        log_error("the machine's floor: fork: %s; close other programs", strerror(errno));
        return STATUS_SYSTEM;
    }
    if (child > 0)
        return look_after(floor, child);
    prctl(PR_SET_PDEATHSIG, SIGKILL);
    if (getppid() != parent)
        _exit(EXIT_FAILURE);
    if (role == ROLE_LOOP)
        floor_loop(floor->shared);
    else if (role == ROLE_PARTNER)
        floor_partner(floor->shared);
    else if (prctl(PR_SET_NAME, "floor-sampler") == 0)
        floor_sampler(floor->shared, core);
    _exit(EXIT_SUCCESS);
}

static enum status begin_all(struct machine_floor *floor)
{
    const struct machine_floor_request *request = &floor->shared->request;
    cpu_set_t mine;
    CPU_ZERO(&mine);
    if (sched_getaffinity(0, sizeof mine, &mine) != 0)
        CPU_ZERO(&mine);
    enum status status = STATUS_OK;
    for (unsigned core = 0; core < FLOOR_CORES_MAX && !request->wake_only; core++) {
        if (!CPU_ISSET(core, &mine) || status != STATUS_OK)
            continue;
        floor->shared->record.cores = core + 1;
        floor->shared->record.core[core].meant = true;
        status = begin(floor, ROLE_SAMPLER, core);
    }
    if (status == STATUS_OK && !request->wake_only && !request->stalls_only)
        status = begin(floor, ROLE_PARTNER, 0);
    return status == STATUS_OK && !request->stalls_only ? begin(floor, ROLE_LOOP, 0) : status;
}

static enum status await_all(const struct machine_floor *floor)
{
    const int64_t limit_ns = monotonic_ns() + START_LIMIT_NS;
    while (atomic_load(&floor->shared->ready) < floor->count) {
        if (monotonic_ns() > limit_ns) {
            log_error(
                "the machine's floor: its processes do not start; is the machine overloaded?");
            return STATUS_TIMEOUT;
        }
        usleep(LOOK_AGAIN_US);
    }
    return STATUS_OK;
}

static struct floor_shared *share(const struct machine_floor_request *request)
{
    struct floor_shared *shared =
        mmap(NULL, sizeof *shared, PROT_READ | PROT_WRITE, MAP_SHARED | MAP_ANONYMOUS, -1, 0);
    if (shared == MAP_FAILED)
        return NULL;
    shared->request = *request;
    shared->record.begin_ns = monotonic_ns();
    for (int i = 0; i < FLOOR_PARTS; i++)
        histogram_reset(&shared->record.part[i]);
    return shared;
}

enum status machine_floor_start(const struct machine_floor_request *request,
                                struct machine_floor **floor)
{
    *floor = NULL;
    if (!request->stalls_only &&
        (request->priority < 2 || request->priority > 98 || request->period.ns <= 0))
        return STATUS_INVALID;
    struct machine_floor *new = calloc(1, sizeof *new);
    if (new == NULL || (new->shared = share(request)) == NULL) {
        log_error("the machine's floor: no memory");
        free(new);
        return STATUS_NO_MEMORY;
    }
    fflush(NULL);
    enum status status = begin_all(new);
    if (status == STATUS_OK)
        status = await_all(new);
    if (status != STATUS_OK) {
        machine_floor_free(new);
        return status;
    }
    *floor = new;
    return STATUS_OK;
}

// ---- the end ------------------------------------------------------------------------------------

// Waits for a process that was told to stop; one that does not is killed. Closes its pidfd.
static void await_end(int process, int64_t limit_ns)
{
    struct pollfd end = {.fd = process, .events = POLLIN};
    int ended = 0;
    for (int64_t left_ns; ended <= 0 && (left_ns = limit_ns - monotonic_ns()) > 0;)
        ended = poll(&end, 1, (int)(left_ns / NS_PER_MILLISECOND) + 1);
    if (ended <= 0)
        (void)syscall(SYS_pidfd_send_signal, process, SIGKILL, NULL, 0);
    siginfo_t info;
    while (waitid(P_PIDFD, (id_t)process, &info, WEXITED) < 0 && errno == EINTR)
        continue;
    close(process);
}

void machine_floor_stop(struct machine_floor *floor)
{
    struct floor_record *record = &floor->shared->record;
    if (floor->count == 0)
        return;
    atomic_store(&floor->shared->stop, 1);
    atomic_fetch_add(&floor->shared->word, 1);
    futex_wake(&floor->shared->word, 1);
    record->end_ns = monotonic_ns();
    for (; floor->count > 0; floor->count--)
        await_end(floor->process[floor->count - 1], record->end_ns + END_LIMIT_NS);
}

void machine_floor_free(struct machine_floor *floor)
{
    if (floor == NULL)
        return;
    machine_floor_stop(floor);
    munmap(floor->shared, sizeof *floor->shared);
    free(floor);
}

const struct floor_record *machine_floor_record(const struct machine_floor *floor)
{
    return &floor->shared->record;
}

bool machine_floor_stalled(const struct floor_record *record, int64_t from_ns, int64_t to_ns)
{
    for (unsigned core = 0; core < record->cores; core++)
        if (stall_list_touches(&record->core[core].stalls, from_ns, to_ns) ||
            stall_list_touches(&record->core[core].held, from_ns, to_ns))
            return true;
    return false;
}

bool machine_trial_stalled(const void *machine_trial, instant from, instant to)
{
    const struct machine_trial *of = machine_trial;
    return of->record != NULL &&
           machine_floor_stalled(of->record, time_sum_ns(from.ns, of->epoch_ns),
                                 time_sum_ns(to.ns, of->epoch_ns));
}

static int64_t length_ns(const struct stall *stall)
{
    return stall->end_ns - stall->begin_ns;
}

bool machine_floor_longest(const struct floor_record *record, int64_t from_ns, int64_t least_ns,
                           struct stall *first, struct stall *longest)
{
    bool sampled = false, missing = false;
    *first = *longest = (struct stall){0};
    for (unsigned core = 0; core < record->cores; core++) {
        const struct floor_core *own = &record->core[core];
        sampled |= own->sampled;
        missing |= own->meant && !own->sampled;
        for (unsigned i = 0; i < own->stalls.count; i++) {
            const struct stall *stall = &own->stalls.window[i];
            if (stall->begin_ns < from_ns || length_ns(stall) < least_ns)
                continue;
            if (first->end_ns == 0 || stall->begin_ns < first->begin_ns)
                *first = *stall;
            if (length_ns(stall) > length_ns(longest))
                *longest = *stall;
        }
    }
    return sampled && !missing;
}
