// What the processes of the machine's floor do. Real-time after their first lines.
#include "harness/machine/machine_floor_private.h"

#include <fcntl.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <sys/mman.h>
#include <unistd.h>

#include "clock/futex.h"

#define WORK_ROUNDS 10000 // some ten microseconds on the cores of today
#define SAMPLER_PRIORITY 99
#define SAMPLER_PERIOD_NS 1000000
#define PARTNER_PATIENCE_NS 100000000 // it looks so often whether all is over

static bool become_real_time(int priority, int core)
{
    cpu_set_t set;
    CPU_ZERO(&set);
    if (core >= 0) {
        CPU_SET(core, &set);
        if (sched_setaffinity(0, sizeof set, &set) != 0)
            return false;
    }
    const struct sched_param parameter = {.sched_priority = priority};
    // ONFAULT: the rest of the lab's memory, of which this is a fork, is not copied to be locked.
    return mlockall(MCL_CURRENT | MCL_FUTURE | MCL_ONFAULT) == 0 &&
           sched_setscheduler(0, SCHED_FIFO, &parameter) == 0;
}

static void sleep_until(int64_t until_ns)
{
    const struct timespec until = timespec_of_ns(until_ns);
    while (clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &until, NULL) == EINTR)
        ;
}

static bool is_over(const struct floor_shared *shared, int64_t now_ns)
{
    return atomic_load_explicit(&shared->stop, memory_order_relaxed) != 0 ||
           now_ns >= shared->record.begin_ns + shared->request.limit_ns;
}

// Always the same, in registers: xorshift (Marsaglia 2003), which no compiler shortens.
static uint64_t work(void)
{
    uint64_t x = 88172645463325252u;
    for (int i = 0; i < WORK_ROUNDS; i++) {
        x ^= x << 13;
        x ^= x >> 7;
        x ^= x << 17;
    }
    return x;
}

// ---- the loop and its partner -------------------------------------------------------------------

static int32_t part_of(int64_t ns)
{
    return ns > INT32_MAX ? INT32_MAX : (int32_t)ns;
}

static void do_parts(struct floor_shared *shared, struct floor_sample *sample)
{
    struct floor_record *record = &shared->record;
    int64_t before_ns = monotonic_ns();
    const uint64_t result = work();
    __asm__ volatile("" : : "r"(result)); // so that the work is done
    const int64_t work_ns = monotonic_ns() - before_ns;
    sample->part_ns[FLOOR_WORK] = part_of(work_ns);
    histogram_record(&record->part[FLOOR_WORK], work_ns);
    atomic_store_explicit(&shared->sent, record->samples, memory_order_relaxed);
    before_ns = monotonic_ns();
    atomic_store_explicit(&shared->sent_ns, before_ns, memory_order_relaxed);
    atomic_fetch_add(&shared->word, 1);
    futex_wake(&shared->word, 1);
}

void floor_loop(struct floor_shared *shared)
{
    const struct machine_floor_request *request = &shared->request;
    struct floor_record *record = &shared->record;
    record->real_time = become_real_time(request->priority, request->core);
    // Between the instants of a target, whose cycles begin with its trial.
    int64_t due_ns = monotonic_ns() + request->period.ns;
    atomic_fetch_add(&shared->ready, 1);
    for (;;) { // ends: stop, or the request's limit
        sleep_until(due_ns);
        const int64_t late_ns = monotonic_ns() - due_ns;
        if (is_over(shared, due_ns + late_ns))
            return;
        struct floor_sample *sample = &record->sample[record->samples % FLOOR_SAMPLES_MAX];
        *sample = (struct floor_sample){.due_ns = due_ns, .part_ns = {part_of(late_ns), -1, -1}};
        histogram_record(&record->part[FLOOR_WAKE], late_ns);
        if (!request->wake_only)
            do_parts(shared, sample);
        record->samples++;
        const int64_t missed = (monotonic_ns() - due_ns) / request->period.ns;
        record->missed += (uint64_t)missed;
        due_ns += (missed + 1) * request->period.ns;
    }
}

void floor_partner(struct floor_shared *shared)
{
    // Below the loop, as those who read a state are below Hardware.
    (void)become_real_time(shared->request.priority - 1, shared->request.core);
    uint32_t seen = atomic_load(&shared->word);
    atomic_fetch_add(&shared->ready, 1);
    const struct timespec patience = timespec_of_ns(PARTNER_PATIENCE_NS);
    while (!is_over(shared, monotonic_ns())) {
        (void)futex_wait(&shared->word, seen, &patience);
        const int64_t now_ns = monotonic_ns();
        const uint32_t word = atomic_load(&shared->word);
        if (word == seen || atomic_load(&shared->stop) != 0)
            continue;
        seen = word;
        const int64_t hop_ns =
            now_ns - atomic_load_explicit(&shared->sent_ns, memory_order_relaxed);
        const uint64_t number = atomic_load_explicit(&shared->sent, memory_order_relaxed);
        histogram_record(&shared->record.part[FLOOR_HOP], hop_ns);
        shared->record.sample[number % FLOOR_SAMPLES_MAX].part_ns[FLOOR_HOP] = part_of(hop_ns);
    }
}

// ---- the samplers -------------------------------------------------------------------------------

// How long this process was ready while others ran, since it began; by the kernel's account. 0: the
// kernel keeps none, then all lateness counts as unexplained.
static int64_t queued_ns(int schedstat)
{
    char text[96];
    const ssize_t length = schedstat < 0 ? -1 : pread(schedstat, text, sizeof text - 1, 0);
    if (length <= 0)
        return 0;
    text[length] = '\0';
    char *rest = NULL;
    (void)strtoll(text, &rest, 10); // time on the processor
    return strtoll(rest, NULL, 10);
}

void floor_sampler(struct floor_shared *shared, unsigned core)
{
    struct floor_core *own = &shared->record.core[core];
    own->sampled = become_real_time(SAMPLER_PRIORITY, (int)core);
    const int schedstat = open("/proc/self/schedstat", O_RDONLY | O_CLOEXEC);
    struct stall_wake wake = {.seen_ns = monotonic_ns()};
    int64_t queued_before_ns = queued_ns(schedstat);
    wake.due_ns = wake.seen_ns + SAMPLER_PERIOD_NS;
    atomic_fetch_add(&shared->ready, 1);
    while (own->sampled) { // ends: stop, or the request's limit
        sleep_until(wake.due_ns);
        wake.woke_ns = monotonic_ns();
        if (is_over(shared, wake.woke_ns))
            break;
        const int64_t queued_now_ns = queued_ns(schedstat);
        wake.queued_ns = queued_now_ns - queued_before_ns;
        queued_before_ns = queued_now_ns;
        if (!stall_list_judge(&own->stalls, &wake, FLOOR_STALL_THRESHOLD_NS) &&
            shared->request.held_too)
            (void)stall_list_judge_held(&own->held, &wake, FLOOR_STALL_THRESHOLD_NS,
                                        FLOOR_HELD_LONGEST_NS);
        wake.seen_ns = monotonic_ns();
        wake.due_ns += SAMPLER_PERIOD_NS * (1 + (wake.seen_ns - wake.due_ns) / SAMPLER_PERIOD_NS);
    }
    if (schedstat >= 0)
        close(schedstat);
}
