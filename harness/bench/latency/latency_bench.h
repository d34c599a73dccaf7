// The latency benchmark: trials in real time with the machine's floor beside them, configuration by
// configuration in turn, so that the noise of a minute hits all of them alike.
#pragma once

#include "harness/campaign/evidence.h"
#include "harness/bench/latency/latency_figures.h"
#include "harness/files/scenario.h"
#include "harness/trial/trial.h"

#define LATENCY_RUNS_MAX 100

// One thing that is measured: a scenario, watched in some way.
struct latency_configuration {
    char label[NAME_MAX_LENGTH]; // "100 Hz two-period"; the cell of the stored benchmark
    const struct target *target;
    const struct scenario *scenario;
    const struct description *description;
    struct observer observer;
    bool alone;         // without the floor's processes beside it
    enum clk_mode mode; // CLK_VIRTUAL: what is planned, always the same; alone then
};

// What a run leaves behind when its histograms have gone into the configuration's.
struct latency_spot { // of a stage, or of a part of the floor; clean samples
    uint64_t count;
    int64_t median_ns, p90_ns, p99_ns, p999_ns, max_ns;
};
struct latency_run {
    bool ran;      // false: the rest is empty; the lab failed, or
    bool left_out; // the trial ran and is an ERROR: what is missing in its history may be
                   // the lab's doing
    bool ordinary; // real-time priority or locked memory was refused, to the target as to the floor
    char verdict[8], words[200]; // of the trial's oracles; words: why not PASS
    struct latency_record record;
    enum latency_sort *sorted; // of each chain of the record
    struct latency_spot stage[LATENCY_STAGES], corrected, floor[FLOOR_PARTS];
    uint64_t states[LATENCY_SORTS];
    struct latency_count deadline[LATENCY_DEADLINES];
    double wall_s, cpu_s;
    uint64_t seed;
    struct trial_record
        *bad; // of a run judged FAIL or ERROR, to be stored with it; NULL: it was well
};

struct latency_result {              // of a configuration
    struct latency_figures *figures; // of all runs
    struct latency_figures *last;    // of the last run that ran; NULL before
    struct evidence evidence;        // all zero: nothing is kept
    unsigned run_count;
    struct latency_run run[LATENCY_RUNS_MAX];
    // What a stage takes by the virtual clock, on which computing takes no time: what is planned, the
    // waiting for a slot of the cycle and the bits on the bus. -1: not known, or not reached.
    int64_t schedule_ns[LATENCY_STAGES];
};

struct latency_spot latency_spot_of(const struct histogram *histogram);

// NO_MEMORY. To be freed with latency_result_free, also after an error.
enum status latency_result_create(struct latency_result **result) MUST_CHECK;
void latency_result_free(struct latency_result *result); // NULL is allowed

// Runs the configuration on the virtual clock and fills schedule_ns; a scenario that the virtual clock
// has nothing to say about (SKIP: a fault of load) leaves it unknown. A lab error is said.
enum status latency_schedule(const struct latency_configuration *configuration,
                             const char *build_folder, struct latency_result *result) MUST_CHECK;

// One run, added to the result. Blocks. A trial that the lab could not run is said and
// counts as a run with `ran` false; NO_MEMORY, FULL.
enum status latency_bench_run(const struct latency_configuration *configuration,
                              const char *build_folder, uint64_t seed,
                              struct latency_result *result) MUST_CHECK;
