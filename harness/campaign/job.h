// One trial run and judged, here or in a worker process of its own.
//
// A worker is a fork that runs one job and sends its record through a pipe. A worker dies with its
// parent, and its cell with it. If it crashes, its trial is an ERROR and the campaign goes on.
//
// A trial that was disturbed, or whose machine failed, is lost: fate.h says when.
#pragma once

#include <sys/types.h>

#include "harness/store/kept/campaign_histories.h"
#include "harness/trial/wire/link.h"
#include "harness/trial/trial.h"
#include "model/description.h"

// The history: never, of PASS, of FAIL and ERROR, always.
enum keep { KEEP_NEVER, KEEP_PASSED, KEEP_BAD, KEEP_ALWAYS };

struct job {
    const struct target *target;
    const struct scenario *scenario;
    const struct description *description;
    const char *build_folder;
    unsigned square, number; // place in the campaign
    uint64_t seed;           // < 2^63
    enum clk_mode mode;
    enum link_choice can, ethernet;
    bool no_wall;
    struct observer observer;
    const struct attach_request *attach; // as of trial_request
    int core;                            // CPU to pin the cell to, -1: none
    bool watch_machine;                  // real time: see whether it stands still
    bool doubt;                          // run again what it may have spoiled (fate.h)
    bool recheck;                        // run it twice and compare the histories' hashes
    int recheck_core;                    // for the second run
    enum keep keep;
    struct history_place history; // where to write it
};

// Runs and judges; fills the whole record, whatever happens. Blocks. If `history` is not NULL the
// caller gets it (may be NULL after a lab error) and frees it.
void job_run(const struct job *job, struct trial_record *record, struct history **history);

// Why a trial run by job_run is no measurement; "" if it is one: it ran, and is no ERROR. A target
// that fails a promise is measured all the same.
void job_trouble(const struct trial_record *record, const struct history *history, char *trouble,
                 size_t size);

struct worker {
    pid_t pid; // 0: none
    int pipe;  // read end, -1: none
    size_t received_B;
    struct trial_record record; // complete once worker_receive says so
};

enum status worker_start(struct worker *worker, const struct job *job) MUST_CHECK;
// Reads what the pipe has. Returns true when the worker has ended: the record is complete (an ERROR
// if it crashed, lost if it was killed).
bool worker_receive(struct worker *worker, const struct job *job);
// Ends it at once; its trial is lost.
void worker_stop(struct worker *worker);
