// The machine under a target, measured beside a trial and outside its square, in the same minute:
// what no controller on this machine can be better than.
//
// A loop like cyclictest's sleeps until fixed instants at the priority and period of the target's
// Hardware daemon and notes how late it wakes (`wake`); then it times a computation that is always
// the same (`work`), and wakes a second process through a word of shared memory (`hop`). On every
// core a sampler of the highest priority looks each millisecond for time in which the core stood
// still (stalls.h). All are processes forked by the lab, which die with it. Together they take some
// 4 % of a core; what that costs the target `ukemi bench latency` measures by leaving them out.
//
// Instants are CLOCK_MONOTONIC. Not real-time itself.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/status.h"
#include "base/time.h"
#include "harness/machine/stalls.h"

#define FLOOR_SAMPLES_MAX (1 << 16) // the last ones; 65 s at 1 kHz
#define FLOOR_CORES_MAX 64
#define FLOOR_STALL_THRESHOLD_NS 200000 // the machine's ordinary noise is below
#define FLOOR_HELD_LONGEST_NS 10000000  // throttled real-time processes wait for some 50 ms

enum floor_part { FLOOR_WAKE, FLOOR_WORK, FLOOR_HOP, FLOOR_PARTS };

struct machine_floor_request {
    int priority; // SCHED_FIFO, 2..98
    duration period;
    int core;         // CPU to pin the loop to, -1: none
    bool wake_only;   // what cyclictest does and no more: no work, no hop, no samplers
    bool stalls_only; // the samplers and no loop; priority, period and core are not looked at
    bool held_too;    // note, too, when the kernel held a core; not beside a fault whose doing that
                      // may be
    int64_t limit_ns; // the processes end by themselves after so long
};

struct floor_sample {
    int64_t due_ns;               // when the loop should have woken
    int32_t part_ns[FLOOR_PARTS]; // FLOOR_HOP: -1 until the second process has it
    uint32_t padding;
};

struct floor_core {
    bool meant;   // to have a sampler,
    bool sampled; // which runs on it, with its priority
    struct stall_list stalls;
    struct stall_list held; // the highest priority was ready, and the kernel let others finish
};

struct floor_record {
    struct histogram part[FLOOR_PARTS];
    uint64_t samples; // taken; sample i is in sample[i % FLOOR_SAMPLES_MAX]
    uint64_t missed;  // periods the loop did not get
    bool real_time;   // the loop got its priority
    unsigned cores;
    int64_t begin_ns, end_ns;
    struct floor_core core[FLOOR_CORES_MAX];
    struct floor_sample sample[FLOOR_SAMPLES_MAX];
};

struct machine_floor; // opaque; owned by the caller

// Starts the processes and waits until they run. INVALID: priority or period; SYSTEM, NO_MEMORY:
// logged to standard error. Without the right to real-time priorities it measures without, and says
// so in the record.
enum status machine_floor_start(const struct machine_floor_request *request,
                                struct machine_floor **floor) MUST_CHECK;
// Ends the processes; the record then is complete and stays valid until _free. Twice does no harm.
void machine_floor_stop(struct machine_floor *floor);
void machine_floor_free(struct machine_floor *floor); // stops first; NULL is allowed
const struct floor_record *machine_floor_record(const struct machine_floor *floor);

// Whether any core stood still or was held in [from, to]. Once stopped.
bool machine_floor_stalled(const struct floor_record *record, int64_t from_ns, int64_t to_ns);
// The same by the time of a trial whose time 0 was at `epoch_ns`.
struct machine_trial {
    const struct floor_record *record; // NULL: nothing is known, and it never did
    int64_t epoch_ns;
};
bool machine_trial_stalled(const void *machine_trial, instant from, instant to);

// The first and the longest stall of least_ns or more that began at from_ns or later; all 0: none.
// False: a core was not sampled, or none was. Once stopped.
bool machine_floor_longest(const struct floor_record *record, int64_t from_ns, int64_t least_ns,
                           struct stall *first, struct stall *longest);
