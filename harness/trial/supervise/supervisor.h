// The supervisor: starts the processes of a cell, watches over them, tells the clock's coordinator
// and the history what became of them.
//
// Runs in the cell's init, single-threaded. A process is known by its pidfd, never by name. What
// happens to a process is noticed at any time (supervisor_notice, the coordinator's poll hook) but
// recorded only by supervisor_record, at instants the trial chooses, so that the history does not
// depend on how fast the kernel tears a process down.
#pragma once

#include "clock/coordinator.h"
#include "harness/history/history.h"
#include "harness/trial/wire/interposed.h"
#include "harness/trial/supervise/output.h"
#include "harness/trial/supervise/supervisor_step.h"

struct process_config;
struct scenario;
struct target;

struct supervisor; // opaque; owned by the caller

struct supervisor_request {
    const struct target *target;
    const struct scenario *scenario;
    const struct interposed *interposed;
    uint64_t seed;
    struct clk_coordinator *coordinator;
    struct history *history;
    unsigned topic;        // of process events in the history
    struct breach *breach; // where a process that writes too much is reported
    bool probes_off;       // UKEMI_ENV_PROBES=off for all
    enum clk_mode mode;
    // Called when a process has ended: wake those who wait for it.
    void (*ended)(void *context, const struct process_config *process);
    // Called for every line that a process prints (output.h). NULL: nobody listens.
    void (*heard)(void *context, const struct output_line *line);
    void *context;
};

// Registers the target's processes, then the scenario's operator program, then the interposers of
// channels, with the coordinator, in this order. NO_MEMORY, FULL.
enum status supervisor_create(const struct supervisor_request *request,
                              struct supervisor **supervisor) MUST_CHECK;

// Ends all processes, waits for them, frees.
void supervisor_destroy(struct supervisor *supervisor);

// Starts processes in order, each when the one before is ready. If one is not ready until time has
// passed, returns OK with `reason` in words, and is to be called again at each of the trial's
// instants until supervisor_has_started. DEAD, TIMEOUT, SYSTEM with `reason`.
enum status supervisor_start(struct supervisor *supervisor, char *reason, size_t size) MUST_CHECK;
bool supervisor_has_started(const struct supervisor *supervisor);
// Whether the one that was started last has joined, and waits for the condition of its file.
bool supervisor_awaits(const struct supervisor *supervisor);

// Whether the one that was started last had been ended, and started again, before it was ready.
bool supervisor_struck_early(const struct supervisor *supervisor);

// Starts one process that has ended (or was never started) and waits until it is ready.
enum status supervisor_restart(struct supervisor *supervisor, unsigned number, char *reason,
                               size_t size) MUST_CHECK;

// When the next process is to be started again by the target's policy, or is ready after a time;
// INSTANT_NEVER if none is. And looking for those that are ready, and starting those that are due.
// One that does not come up is recorded and tried again.
// NO_MEMORY.
instant supervisor_next(const struct supervisor *supervisor);
enum status supervisor_act(struct supervisor *supervisor) MUST_CHECK;

// While a process is held the policy does not apply to it; supervisor_restart ends the hold.
void supervisor_hold(struct supervisor *supervisor, unsigned number);

// Reaps and reads log lines; tells the coordinator. Takes the supervisor as void * to be its poll
// hook. Not recorded yet.
void supervisor_notice(void *supervisor);

// Takes the lines that have been printed, and records them as of the coordinator's present time.
void supervisor_listen(struct supervisor *supervisor);

// Records what has been noticed as of the coordinator's present time, in the order of the
// processes. NO_MEMORY.
enum status supervisor_record(struct supervisor *supervisor) MUST_CHECK;

// Waits (at most a second of wall time) until process `number` is in `state` as noticed. TIMEOUT.
enum status supervisor_await(struct supervisor *supervisor, unsigned number,
                             enum process_state state) MUST_CHECK;

// The coordinator says that it cannot go on with this participant, a process: records why and kills
// it.
enum status supervisor_hung(struct supervisor *supervisor, unsigned participant,
                            enum hung why) MUST_CHECK;

// Number of the process that is component `name`, or is called so; -1 if there is none.
int supervisor_find(const struct supervisor *supervisor, const char *name);
// By its number on the clock (clk_coordinator_add); -1: none.
int supervisor_of(const struct supervisor *supervisor, unsigned participant);
unsigned supervisor_participant(const struct supervisor *supervisor, unsigned number);
unsigned supervisor_count(const struct supervisor *supervisor);
// Virtual mode: whether the turn is with a process that joined the clock by itself, rather than
// through the shim.
bool supervisor_runs_native(const struct supervisor *supervisor);
const struct process_config *supervisor_config(const struct supervisor *supervisor,
                                               unsigned number);
enum process_state supervisor_state(const struct supervisor *supervisor, unsigned number);
// Whether it was ended by a signal that somebody sent it: not one of those that end a program for
// what it did itself.
bool supervisor_was_killed(const struct supervisor *supervisor, unsigned number);
int supervisor_pid(const struct supervisor *supervisor, unsigned number);
int supervisor_pidfd(const struct supervisor *supervisor, unsigned number);

// Whether one of the processes, whose ends have been recorded, broke an invariant of the lab's
// (base/invariant.h), with what it said in words.
bool supervisor_broke_invariant(const struct supervisor *supervisor, char *text, size_t size);

// Words a process's last log lines and its end for a message ("hardware: exit status 2: ...").
void supervisor_describe_end(const struct supervisor *supervisor, unsigned number, char *text,
                             size_t size);
