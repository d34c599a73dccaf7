// Benchmarks as data: a benchmark is a campaign of kind 'benchmark' in the result database
// (doc/reference/database.md), its squares are the configurations that were measured ("100 Hz
// two-period"), its trials are runs. `ukemi diff` compares two.
//
// Errors are logged to standard error, with what to do. Not real-time.
#pragma once

#include "base/histogram.h"
#include "harness/store/database.h"

enum better { BETTER_NEITHER, BETTER_LESS, BETTER_MORE };
// "", "less", "more": as stored, and as programs print it.
const char *better_name(enum better better);
bool better_parse(const char *word, enum better *better);

struct figure {
    char metric[64]; // "end to end p99"
    char unit[16];   // "us"
    enum better better;
    double value; // finite
};

// A distribution in nanoseconds behind figures.
struct benchmark_histogram {
    char metric[64];
    bool corrected;                    // for coordinated omission
    const struct histogram *histogram; // the caller's
};

// A point of a quantity over time, for plots.
struct benchmark_sample {
    const char *metric;
    double time_s; // since the run began
    double value;  // NAN: none
    bool apart;    // a stall of the machine touched it
};

// One run of one square. All texts and arrays are the caller's.
struct benchmark_run {
    const char *square; // not empty; a square that the campaign does not have yet becomes its next
    const char *scenario; // that was run, "" if none
    unsigned number; // of the run, in its square: runs of equal number are pairs for `ukemi diff`
    uint64_t seed;   // that the scenario ran with, 0 if none
    double wall_s, cpu_s; // it took; 0 if not measured
    const struct figure *figure;
    unsigned figure_count;
    const struct benchmark_histogram *histogram;
    unsigned histogram_count;
    const struct benchmark_sample *sample;
    unsigned sample_count;
    // Of a run judged FAIL or ERROR what is stored of a trial of a campaign, too (evidence.h), and
    // then it need not have figures; `bad_scenario` is what it ran, `number` that of the run. NULL:
    // the run has figures alone.
    const struct trial_record *bad;
    const struct scenario *bad_scenario;
};

// Starts a campaign `name`; `made_by` says which command or file it is of, `target` what was
// measured ("" if no target). Sets *campaign_id. One that is interrupted before benchmark_finish
// stays unfinished with the runs it stored, and what else it left the next one removes
// (benchmark_left.h).
enum status benchmark_start(struct database *database, const char *name, const char *made_by,
                            const char *target, int64_t *campaign_id) MUST_CHECK;

// Stores runs that were measured together, whole, in one transaction: all, or none, and then the
// histories that they name are removed. INVALID, reported, for a metric given twice, a value that
// is not finite, or a run of that number stored already.
enum status benchmark_add_runs(struct database *database, int64_t campaign_id,
                               const struct benchmark_run *run, unsigned count) MUST_CHECK;

// It is complete, after wall_s. One without any run stays unfinished: there is nothing to find
// under its name.
enum status benchmark_finish(struct database *database, int64_t campaign_id,
                             double wall_s) MUST_CHECK;

// ---- reading ----------------------------------------------------------------------------------

struct stored_histogram {
    char metric[64];
    bool corrected;
    struct histogram histogram;
};

// Whether a trial is a run of a benchmark.
enum status benchmark_has_run(struct database *database, int64_t trial_id, bool *has) MUST_CHECK;

// A run of a benchmark that was judged FAIL or ERROR.
struct bad_run {
    const char *trial, *verdict, *square, *run, *why;
    const char *history; // path, relative to the database's folder; NULL: none was kept
};
// Calls back for each such run of the campaign, the newest first, until it says false.
enum status benchmark_each_bad(struct database *database, int64_t campaign_id,
                               bool (*each)(void *context, const struct bad_run *run),
                               void *context) MUST_CHECK;

// What `word` means: a number, or a name, then the newest of it that is finished. EMPTY, not said:
// no benchmark, or a newer campaign of trials has that name.
enum status benchmark_find(struct database *database, const char *word, int64_t *campaign_id,
                           char *name, size_t size) MUST_CHECK;

// The histograms of a run whose metric matches the shell pattern (NULL: all), by metric.
// `corrected`: where a metric has one corrected for coordinated omission, that one; else those as
// measured. *list is the caller's to free. NOT_FOUND, reported: there are none; CORRUPT, reported:
// the database is damaged.
enum status benchmark_histograms(struct database *database, int64_t trial_id, const char *pattern,
                                 bool corrected, struct stored_histogram **list,
                                 unsigned *count) MUST_CHECK;
