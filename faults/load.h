// Faults of load: shared by the files of the program faults/load, which is run once for each action
// on a fault.
//
// Applying most of them leaves a process at work, the worker. The runs of the program and the
// worker know of each other through a page in the cell's shared memory, made when the fault is
// applied. Everything ends with the cell.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <sched.h>
#include <sys/types.h>

#include "faults/fault_main.h"

#define LOAD_THREADS_MAX 16
#define LOAD_SOCKETS_MAX 32
#define LOAD_SCRATCH 4 // descriptor of the file on disk
#define LOAD_MB (1024.0 * 1024.0)

struct load_thread { // of the struck process, as it was before
    pid_t tid;
    int policy, priority;
};

struct load_page {
    _Atomic int state; // of the worker: 0 starting, 1 at work, -1 gave up: `answer`, `why`
    enum fault_exit answer;
    char why[120];
    _Atomic bool stop;             // the worker is asked to end
    _Atomic uint64_t count, bytes; // of what its kind counts
    uint64_t count_when_undone;
    pid_t worker; // 0: none
    uint64_t worker_started_ticks;
    int64_t applied_ns; // CLOCK_MONOTONIC
    uint64_t before;    // what the kind noted when it was applied
    int priority;       // SCHED_FIFO of the worker; 0: ordinary
    cpu_set_t affinity; // of the struck process, before
    uint64_t struck_started_ticks;
    unsigned thread_count;
    struct load_thread thread[LOAD_THREADS_MAX];
    unsigned socket_count;          // connections of the worker's,
    ino_t socket[LOAD_SOCKETS_MAX]; // as the kernel numbers them
};

struct load_proof {
    bool proven;
    char evidence[160];
};

// One kind of load, the `own` of its entry. Each function may be NULL. They answer FAULT_DONE or
// say on standard error why not.
struct load_kind {
    // Before the worker starts: notes what is to be restored, strikes the process itself.
    enum fault_exit (*prepare)(const struct fault_asked *call, struct load_page *page);
    // The worker: says load_ready, then works until page->stop. NULL: there is none.
    void (*work)(const struct fault_asked *call, struct load_page *page);
    int finish_ms; // so long it may take to end by itself
    bool at_once;  // what it does is done when it is at work
    // After the worker has ended: takes back what `prepare` and `work` changed; then what is to be
    // seen of that, now and at the end.
    void (*restore)(const struct fault_asked *call, struct load_page *page);
    bool (*is_restored)(const struct fault_asked *call, const struct load_page *page);
    // What it has done so far; by the worker's own count or the kernel's.
    void (*effect)(const struct fault_asked *call, const struct load_page *page,
                   struct load_proof *proof);
};

extern const struct load_kind load_cpu_hog, load_affinity_collision, load_memory_pressure,
    load_cache_pressure, load_interrupts, load_disk_writes, load_priority_drop, load_page_faults,
    load_client;

// ---- load_worker.c

// The page of the fault `call->tag`; NULL (logged to standard error) if it cannot be made or is not
// there.
struct load_page *load_page_open(const struct fault_asked *call, bool make);

// Starts the worker and waits until it is at work.
enum fault_exit load_worker_start(const struct load_kind *kind, const struct fault_asked *call,
                                  struct load_page *page);
// In the worker: it is at work; or it cannot be, for good.
void load_ready(struct load_page *page);
_Noreturn void load_give_up(struct load_page *page, enum fault_exit answer, const char *format, ...)
    __attribute__((format(printf, 3, 4)));
// In the worker: waits for an instant, so that the lab does not take it for one that never waits;
// true while it shall go on.
bool load_goes_on(const struct load_page *page);

// Ends the worker, which has been asked to, unless it has ended in finish_ms; true when it is gone.
bool load_worker_end(const struct load_page *page, int finish_ms);
bool load_worker_gone(const struct load_page *page);
double load_worker_cpu_s(const struct load_page *page);

// ---- load_look.c: what the kernel says of processes

int64_t load_now_ns(void);
double load_elapsed_s(const struct load_page *page); // since it was applied
// Field `number` of /proc/PID/stat, counted from 1 as in proc(5), at least 4; 0 if there is no such
// process.
uint64_t load_stat(pid_t pid, unsigned number);
#define LOAD_STAT_MINOR_FAULTS 10
#define LOAD_STAT_STARTED 22
#define LOAD_STAT_CORE 39
// Number behind `key` in /proc/PID/FILE; 0 if there is none.
uint64_t load_number(pid_t pid, const char *file, const char *key);
// Whether the process that was struck is there still: the same, not one with its number.
bool load_struck_there(const struct fault_asked *call, const struct load_page *page);
// Its SCHED_FIFO priority, 0 if it has none; of a thread, too.
int load_real_time_priority(pid_t pid);
// Its threads, at most `max` of them into tid[] (NULL: none); how many there are, 0 if there is no
// such process.
unsigned load_list_threads(pid_t pid, pid_t *tid, unsigned max);
// How many of its threads have that SCHED_FIFO priority; 0: none.
unsigned load_threads_at(pid_t pid, int priority);
