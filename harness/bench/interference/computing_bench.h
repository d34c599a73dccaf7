// One run of the benchmark of what the daemons of a target compute: a trial in real time, its cell on one core that never rests (awake.h),
// so that runs differ by what the programs do and hardly by what the machine did meanwhile.
#pragma once

#include "harness/store/benchmark.h"
#include "harness/trial/computing.h"
#include "harness/campaign/evidence.h"
#include "harness/campaign/job.h"

#define COMPUTING_LOOK_MS 4 // channels of the fastest stacks hold so many messages and no more

struct computing_run {
    char trouble[256]; // why there are no figures; "" if there are
    double
        robot_us_per_ms; // what the simulated robot used, which is the same program whatever is tested
    double wall_s, cpu_s;
    unsigned figure_count;
    struct figure figure[PROCESSES_MAX]; // "control computes", in us/ms
    struct trial_record
        *bad; // of a run judged FAIL or ERROR (evidence.h), the caller's to free; NULL: it was well
};

// Runs the job's target, scenario and build in real time; what else the job says is set here. Blocks. `computing` is room to work in, mapped
// shared. The trial's verdict does not matter, unless it is ERROR: that is a run with trouble, as is one that the lab could not do. NO_MEMORY.
enum status computing_bench_run(const struct job *job, int core, struct computing *computing,
                                struct evidence *evidence, struct computing_run *run) MUST_CHECK;

// Above what robot_us_per_ms a run was measured by a slow machine: 1.1 times the lower quartile of all `count` runs that there are (of those
// without trouble; NAN if there is none). A neighbour of a virtual machine that fills the caches slows all that runs here, for seconds; the
// simulated robot tells, and as it is no part of what is tested, leaving such runs out favours nobody.
double computing_slow_above(const struct computing_run *run, size_t count);
// Whether it counts: no trouble, and the machine was not slow.
bool computing_counts(const struct computing_run *run, double slow_above_us_per_ms);

// Room to work in; NULL: no memory.
struct computing *computing_create(void);
void computing_free(struct computing *computing); // NULL is allowed
