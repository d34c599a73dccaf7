// Takes the processor: threads that compute, above, beside or below a process of the target; or on
// the one core that it is pinned to.
#include <errno.h>
#include <pthread.h>
#include <stdio.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

#include "faults/load.h"

// The period (faults/load.yaml says why it is what it is) is longer by so much with each further
// load of a trial, so that no two keep step and one is always in the other's way, or never.
#define PERIOD_FURTHER_NS 190000
#define NS_PER_S 1000000000
#define ROUND 1000 // steps between two looks at the clock
// Threads of ordinary priority share the machine with whatever else runs on it; what is asked for,
// they need not get.
#define SHARE_GOT_MIN 0.1
#define FIFO_MIN 1
#define FIFO_MAX 98 // who keeps the cell has 99

struct hog {
    struct load_page *page;
    int core; // -1: any
    double share;
    int64_t start_ns, period_ns; // the threads keep step: the machine is theirs, or free
    unsigned thread_count;
    _Atomic unsigned threads_ready;
};

// ---- where and how

static unsigned thread_count(const struct fault_asked *call)
{
    cpu_set_t allowed;
    if (fault_find(call, "threads") == NULL) // one on the core of the process
        return 1;
    const unsigned asked = (unsigned)fault_number(call, "threads");
    if (asked > 0)
        return asked;
    const int cores = sched_getaffinity(0, sizeof allowed, &allowed) == 0 ? CPU_COUNT(&allowed) : 1;
    return cores > LOAD_THREADS_MAX ? LOAD_THREADS_MAX : (unsigned)cores;
}

// The `index`-th core of those allowed, in turn.
static int core_for(unsigned index)
{
    cpu_set_t allowed;
    if (sched_getaffinity(0, sizeof allowed, &allowed) != 0)
        return -1;
    unsigned left = index % (unsigned)CPU_COUNT(&allowed);
    for (int core = 0; core < CPU_SETSIZE; core++)
        if (CPU_ISSET(core, &allowed) && left-- == 0)
            return core;
    return -1;
}

static bool pin(pid_t pid, int core)
{
    cpu_set_t one;
    CPU_ZERO(&one);
    CPU_SET(core, &one);
    return sched_setaffinity(pid, sizeof one, &one) == 0;
}

static int64_t period_ns(const struct fault_asked *call)
{
    const double period_s = fault_number(call, "period_s");
    const int64_t further = call->tag > 1 ? call->tag - 1 : 0;
    return (int64_t)(period_s * NS_PER_S) + further * PERIOD_FURTHER_NS;
}

// The worker's priority: that of the process, as the call says; 0: ordinary.
static enum fault_exit choose_priority(const struct fault_asked *call, struct load_page *page)
{
    static const struct {
        const char *name;
        int above;
    } relations[] = {{"lower", -1}, {"equal", 0}, {"higher", 1}};
    const char *relation = fault_text(call, "relation");
    const int struck = load_real_time_priority(call->pid);
    page->priority = 0;
    for (size_t i = 0; i < sizeof relations / sizeof relations[0]; i++)
        if (strcmp(relations[i].name, relation) == 0)
            page->priority = struck + relations[i].above;
    if (strcmp(relation, "ordinary") == 0)
        return FAULT_DONE;
    if (struck == 0) {
        fprintf(stderr, "the process has no real-time priority here to be compared with\n");
        return FAULT_UNSUPPORTED;
    }
    if (page->priority < FIFO_MIN || page->priority > FIFO_MAX) {
        fprintf(stderr, "relation=%s: priority %d is not one from %d to %d\n", relation,
                page->priority, FIFO_MIN, FIFO_MAX);
        return FAULT_CALLED_WRONGLY;
    }
    return FAULT_DONE;
}

// ---- the worker

static struct timespec timespec_of(int64_t ns)
{
    return (struct timespec){.tv_sec = ns / NS_PER_S, .tv_nsec = ns % NS_PER_S};
}

// Computes until `share` of each period is over, then leaves the processor: what goes before it
// delays its work but does not lengthen it, so that the lab, below all, always has the rest.
static void compute(const struct hog *hog)
{
    struct load_page *page = hog->page;
    volatile uint64_t number = 1;
    for (int64_t start_ns = hog->start_ns; !atomic_load(&page->stop); start_ns += hog->period_ns) {
        const int64_t end_ns = start_ns + (int64_t)(hog->share * (double)hog->period_ns);
        const struct timespec next = timespec_of(start_ns + hog->period_ns);
        while (load_now_ns() < end_ns) {
            for (int i = 0; i < ROUND; i++)
                number = number * 6364136223846793005u + 1442695040888963407u;
            atomic_fetch_add(&page->count, 1);
        }
        (void)clock_nanosleep(CLOCK_MONOTONIC, TIMER_ABSTIME, &next, NULL);
    }
}

static void *run_thread(void *context)
{
    struct hog *hog = context;
    struct load_page *page = hog->page;
    const struct sched_param parameters = {.sched_priority = page->priority};
    const unsigned index = atomic_fetch_add(&hog->threads_ready, 1);
    if (!pin(0, hog->core >= 0 ? hog->core : core_for(index)))
        load_give_up(page, FAULT_UNSUPPORTED, "core %d: %s", hog->core, strerror(errno));
    if (page->priority > 0 && (sched_setscheduler(0, SCHED_FIFO, &parameters) != 0 ||
                               load_real_time_priority(0) != page->priority))
        load_give_up(page, FAULT_UNSUPPORTED, "priority %d: %s", page->priority, strerror(errno));
    if (index + 1 == hog->thread_count)
        load_ready(page);
    compute(hog);
    return NULL;
}

static void work(const struct fault_asked *call, struct load_page *page)
{
    struct hog hog = {.page = page,
                      .core = (int)fault_number(call, "core"),
                      .start_ns = load_now_ns(),
                      .period_ns = period_ns(call),
                      .share = fault_number(call, "share"),
                      .thread_count = thread_count(call)};
    pthread_t thread[LOAD_THREADS_MAX];
    for (unsigned i = 0; i < hog.thread_count; i++)
        if (pthread_create(&thread[i], NULL, run_thread, &hog) != 0)
            load_give_up(page, FAULT_FAILED, "no thread: %s", strerror(errno));
    for (unsigned i = 0; i < hog.thread_count; i++)
        (void)pthread_join(thread[i], NULL);
}

static void effect(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof)
{
    const unsigned threads = thread_count(call);
    const double share = fault_number(call, "share");
    const double used_s = load_worker_cpu_s(page), elapsed_s = load_elapsed_s(page);
    const double wanted_s = share * threads * elapsed_s;
    char priority[32] = "ordinary priority";
    if (page->priority > 0)
        snprintf(priority, sizeof priority, "SCHED_FIFO %d", page->priority);
    // Who starts the threads, and waits for them, is an ordinary one.
    const unsigned starter = page->priority == 0;
    const unsigned there = load_threads_at(page->worker, page->priority);
    proof->proven = atomic_load(&page->count) > 0 && wanted_s > 0 &&
                    used_s >= SHARE_GOT_MIN * wanted_s && there == threads + starter;
    snprintf(proof->evidence, sizeof proof->evidence,
             "pid %d: %u of %u threads at %s used the CPU for %.2f s of %.2f s", page->worker,
             there > starter ? there - starter : 0, threads, priority, used_s, elapsed_s);
}

const struct load_kind load_cpu_hog = {.prepare = choose_priority, .work = work, .effect = effect};

// ---- affinity collision

static int collision_core(const struct fault_asked *call)
{
    return (int)fault_number(call, "core");
}

static enum fault_exit pin_struck(const struct fault_asked *call, struct load_page *page)
{
    const enum fault_exit chosen = choose_priority(call, page);
    if (chosen != FAULT_DONE)
        return chosen;
    if (sched_getaffinity(call->pid, sizeof page->affinity, &page->affinity) == 0 &&
        pin(call->pid, collision_core(call)))
        return FAULT_DONE;
    fprintf(stderr, "pid %d cannot be pinned to core %d: %s\n", call->pid, collision_core(call),
            strerror(errno));
    return FAULT_UNSUPPORTED;
}

static void unpin_struck(const struct fault_asked *call, struct load_page *page)
{
    if (load_struck_there(call, page))
        (void)sched_setaffinity(call->pid, sizeof page->affinity, &page->affinity);
}

static bool is_unpinned(const struct fault_asked *call, const struct load_page *page)
{
    cpu_set_t now;
    return !load_struck_there(call, page) || (sched_getaffinity(call->pid, sizeof now, &now) == 0 &&
                                              CPU_EQUAL(&now, &page->affinity));
}

static void collision_effect(const struct fault_asked *call, const struct load_page *page,
                             struct load_proof *proof)
{
    cpu_set_t now;
    const int core = collision_core(call);
    effect(call, page, proof);
    const size_t used = strlen(proof->evidence);
    if (!load_struck_there(call, page)) {
        snprintf(proof->evidence + used, sizeof proof->evidence - used, "; who was struck ended");
        return;
    }
    const bool pinned = sched_getaffinity(call->pid, sizeof now, &now) == 0 &&
                        CPU_COUNT(&now) == 1 && CPU_ISSET(core, &now);
    proof->proven = proof->proven && pinned;
    snprintf(proof->evidence + used, sizeof proof->evidence - used,
             "; pid %d may %s core %d, ran last on %d", call->pid,
             pinned ? "run on no other than" : "still run on more than", core,
             (int)load_stat(call->pid, LOAD_STAT_CORE));
}

const struct load_kind load_affinity_collision = {.prepare = pin_struck,
                                                  .work = work,
                                                  .restore = unpin_struck,
                                                  .is_restored = is_unpinned,
                                                  .effect = collision_effect};
