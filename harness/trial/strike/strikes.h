// The scheduler of faults: draws when each fault of a scenario strikes, applies and undoes it at
// that instant, records both with their proof. Runs in the cell's init.
#pragma once

#include "clock/coordinator.h"
#include "harness/files/fault/catalogue.h"
#include "harness/history/history.h"
#include "harness/trial/supervise/supervisor.h"
#include "harness/packs/watch.h"

struct strikes; // opaque; owned by the caller

struct strikes_request {
    const struct scenario *scenario;
    const struct target *target;
    struct supervisor *supervisor;
    struct clk_coordinator *coordinator;
    struct history *history;
    struct watch *watch; // of it
    unsigned topic;      // of fault events
    uint64_t seed;
    int scratch; // descriptor for faults that want a file on disk, or -1
    void (*meanwhile)(
        void *context);            // called while a fault program runs (fault_program.h), or NULL
    void (*record)(void *context); // reads all that is unread into the history
    void *context;
};

// NO_MEMORY; NOT_FOUND: a fault is not in the catalogue (the loader has checked that).
enum status strikes_create(const struct strikes_request *request,
                           struct strikes **strikes) MUST_CHECK;
void strikes_free(struct strikes *strikes);

// The next instant at which something is due, as far as known now; INSTANT_NEVER if nothing is.
instant strikes_next(const struct strikes *strikes);

// Asks the triggers that depend on the world; on every instant of the recorder's grid, before
// strikes_act.
void strikes_look(struct strikes *strikes);

// Applies and undoes all that is due at the coordinator's present time. SYSTEM with `reason`: a
// fault program failed.
enum status strikes_act(struct strikes *strikes, char *reason, size_t size) MUST_CHECK;

// At the end of the trial, before its processes are ended: asks for the proofs that only time could
// bring. As strikes_act.
enum status strikes_finish(struct strikes *strikes, char *reason, size_t size) MUST_CHECK;

// Whether every fault has struck and has been undone if it is to be; *last is when the last one did
// (0 without faults). One that the judge is not told of does not count.
bool strikes_done(const struct strikes *strikes, instant *last);
