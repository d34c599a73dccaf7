// A benchmark as data: its name, the options it takes, and how one run of one square is measured.
// All the rest is one runner's (bench_run.c): rounds in turn, evidence, storing, and the table of
// what came out. bench.c lists the benchmarks; the command line is cli_bench.c.
//
// Errors are logged to standard error. Not real-time.
#pragma once

#include "harness/campaign/evidence.h"
#include "harness/campaign/job.h"
#include "harness/store/benchmark/benchmark.h"

#define BENCH_SQUARES_MAX 64
#define BENCH_RUNS_MAX 1000
#define BENCH_LABEL_MAX (2 * NAME_MAX_LENGTH)
#define BENCH_CAMPAIGNS_MAX 2

// ---- what a run measured ----------------------------------------------------------------------

struct bench_distribution {
    char figures[64]; // what its quantiles are called; most often as the metric
    enum better better;
    struct benchmark_histogram stored;
    struct histogram histogram;
};

struct bench_result {
    unsigned place; // of its square in the session
    char square[BENCH_LABEL_MAX];
    struct benchmark_run run; // numbers, seed, times, evidence; `bad` is freed with the result
    char trouble[256];        // why it gives no figures; "": it does
    bool left_out;            // by the benchmark's `sift`
    bool no_memory;
    unsigned measured; // figures that are no quantiles of distributions; these come first
    struct figure *figure;
    struct benchmark_sample *sample;
    struct bench_distribution **distribution; // until stored
};

// Adds a figure; NAN is none. The format is that of its name.
__attribute__((format(printf, 5, 6))) void bench_figure(struct bench_result *result,
                                                        const char *unit, enum better better,
                                                        double value, const char *format, ...);

// Adds a copy of a histogram, if it has values; its quantiles become figures called `figures`.
void bench_distribution(struct bench_result *result, const struct histogram *histogram,
                        const char *metric, bool corrected, const char *figures,
                        enum better better);

// Adds the ratios of the quantiles of one distribution, less what is planned of it, to another's.
// Where something is planned the median says nothing: late at both ends, it is as long as planned.
// NAN: the plan is not known, and there is no ratio.
void bench_ratios(struct bench_result *result, enum better better, const char *name,
                  const struct histogram *of, double planned_us, const struct histogram *to);

// Adds a point of a quantity over time; NAN: it had no value then. `apart`: as a stall of the
// machine touched it.
void bench_sample(struct bench_result *result, const char *metric, double time_s, double value,
                  bool apart);

// Whether it counts: no trouble, and not left out.
bool bench_counts(const struct bench_result *result);

// A figure by its name; NAN: it has none such.
double bench_value(const struct bench_result *result, const char *metric);

// ---- what is measured -------------------------------------------------------------------------

struct bench_square {
    char label[BENCH_LABEL_MAX];
    unsigned campaign;           // in which it is stored
    const struct target *target; // NULL: it is no trial, as are the next two
    const struct scenario *scenario;
    const struct description *description;
    struct observer observer;
    char **command;  // a program and its arguments, NULL: it is none
    unsigned rounds; // that the program has measured so far
    bool alone;      // nothing of the lab's runs beside it
    bool skipped;    // this machine cannot run it: not tried again
    struct evidence evidence;
    void *own; // the benchmark's; freed by the runner
};

struct bench;
struct bench_pool; // private to bench_run.c

struct bench_session {
    // The caller's.
    const struct bench *bench;
    const char *build_folder;
    const char *database_path; // NULL: nothing is stored
    const char *made_by;       // "ukemi bench latency"
    unsigned runs;
    double duration_s; // of a run, at most
    bool virtual_clock, no_cost;
    const char *chain;                         // of the target; NULL: the first one
    const char *campaign[BENCH_CAMPAIGNS_MAX]; // names
    unsigned campaign_count;
    unsigned square_count;
    unsigned shown; // squares in the table; those after them are the benchmark's own
    struct bench_square square[BENCH_SQUARES_MAX];
    // The runner's.
    struct database *database;
    int64_t campaign_id[BENCH_CAMPAIGNS_MAX]; // 0: not begun
    bool finished;
    unsigned rounds, result_count, pool_count;
    struct bench_result **result; // in the order in which they were measured
    struct bench_pool *pool;
    int core;  // to pin trials to, -1: none
    void *own; // the benchmark's
};

enum bench_outcome {
    BENCH_MEASURED,
    BENCH_SKIPPED, // this machine can run none of its configurations
    BENCH_BOUND_MISSED,
    BENCH_FAILED
};

enum bench_takes { // options besides those that all take
    BENCH_SCENARIOS = 1,
    BENCH_ROWS = 2,
    BENCH_DURATION = 4,
    BENCH_VIRTUAL = 8,
    BENCH_COST = 16,
    BENCH_PROGRAMS = 32,
    BENCH_CHAINS = 128,
    BENCH_PAGE = 64, // it has a page of its own, which is written at the end
};

struct bench {
    const char *name, *summary;
    const char *about;     // for its help
    unsigned takes;        // enum bench_takes
    const char *subject;   // what is measured unless said: "NAME=LABEL NAME=LABEL", or a campaign
    unsigned runs;         // unless said
    double duration_s;     // unless said
    double duration_min_s; // shorter runs measure nothing
    unsigned most;         // rounds at most for each run asked for, as some may be left out
    bool numbered_through; // runs of one round are no pairs for `ukemi diff`
    // Once, when the squares are known; may add squares. NULL: nothing to do.
    enum status (*prepare)(struct bench_session *session);
    // One run of one square: adds its results with bench_add or bench_trial.
    enum status (*run)(struct bench_session *session, unsigned place);
    // After each round, marks what is to be left out; then all is stored at the end. NULL: nothing.
    void (*sift)(struct bench_session *session);
    // Prints what only this benchmark has to say. NULL: nothing.
    enum bench_outcome (*conclude)(const struct bench_session *session);
    void (*end)(struct bench_session *session); // NULL: nothing to do
};

// All there are; ends with NULL.
extern const struct bench *const benches[];
const struct bench *bench_find(const char *name); // NULL: there is none

// ---- the runner -------------------------------------------------------------------------------

// Measures all rounds and stores them. What was measured stays readable until bench_end.
enum status bench_measure(struct bench_session *session) MUST_CHECK;
void bench_end(struct bench_session *session);

// The table of what came out, what the benchmark has to say of it, and the campaigns.
enum bench_outcome bench_print(const struct bench_session *session);

// A new result of a square; NULL: no memory.
struct bench_result *bench_add(struct bench_session *session, unsigned place);

// The trial of a square, with seed 1 and nobody watching.
struct job bench_job(const struct bench_session *session, unsigned place, enum clk_mode mode);

// Runs a trial of a square, with evidence and the reason if it gives no figures. The history is the
// caller's to free; NULL if there is none. `epoch_ns`: CLOCK_MONOTONIC at its time 0.
enum status bench_trial(struct bench_session *session, unsigned place, struct bench_result **result,
                        struct history **history, int64_t *epoch_ns) MUST_CHECK;

// A distribution over all runs of a square; NULL: nothing was measured.
const struct histogram *bench_pooled(const struct bench_session *session, const char *square,
                                     const char *metric, bool corrected);

// Of the values of a metric over the counted runs of a square: the median, the least and the most.
struct bench_spread {
    unsigned count;
    double median, least, most;
};
struct bench_spread bench_spread(const struct bench_session *session, const char *square,
                                 const char *metric);
