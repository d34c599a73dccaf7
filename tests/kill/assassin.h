// What the files of the assassin share: it runs campaigns and kills their processes at random
// instants, in a world of its own, so that what is left afterwards is left by the lab.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/running_time.h"
#include "tests/kill/found.h"

// ---- prey.c: finding and killing ---------------------------------------------------------------

enum prey {
    PREY_ORCHESTRATOR, // `ukemi campaign`
    PREY_REPORTER,     // the same, while it plots the report
    PREY_WORKER,
    PREY_WRITER, // a worker, while it writes a history
    PREY_KEEPER,
    PREY_INIT, // of a cell: coordinator, supervisor and recorder
    PREY_FAULT,
    PREY_SIMULATOR,
    PREY_DAEMON, // or the operator's program, or one that is being started
    PREY_COUNT
};
const char *prey_name(enum prey prey);

// Looks once for such a process below the orchestrator and kills it. Then waits until every process
// that was below it is gone: *left counts those that are not after the patience, *gone_s is how
// long it took.
bool prey_kill(enum prey prey, pid_t orchestrator, unsigned *left, double *gone_s);

// ---- scene.c: what a campaign leaves behind ----------------------------------------------------

struct scene { // folders of one series
    char results[PATH_SIZE], report[PATH_SIZE], temporary[PATH_SIZE];
};
// Enters namespaces of its own (PID, mount, network, IPC; user if not root) with an empty /dev/shm;
// goes on in a child that is PID 1 there. Returns -1 if that is refused; the first process ends
// with the child's exit status.
int scene_enter(void);
// Waits until no process but this one is left; false: some are (said).
bool scene_wait_until_empty(void);
// Mounts, shared memory, interfaces, IPC objects, temporary and half-written files; says each, and
// returns their number. Processes must be gone.
unsigned scene_count_leaks(const struct scene *scene);
// Status of the child `pid` if it has ended. As PID 1 this process buries whatever else has.
bool scene_has_ended(pid_t pid, int *status);

// ---- books.c: what the database says -----------------------------------------------------------

struct books {
    char path[PATH_SIZE], results[PATH_SIZE];
    const char *reference; // database of the undisturbed campaign
    bool same_hashes;      // virtual clock: everything must be as in the reference
};
// Opens it and checks all that holds at any time; says what does not and returns the number of
// faults. *trials: stored; *finished: the campaign is.
unsigned books_check(const struct books *books, unsigned *trials, bool *finished);
// What holds at the end: the same trials, with the same rows, as in the reference. *same: trials
// with the hash they have there.
unsigned books_compare(const struct books *books, unsigned *same);
// All stored trials in order, one line; the caller frees it. What was stored once stays: an earlier
// one is the beginning of every later one.
char *books_list(const struct books *books);

// Whether ten seconds have been waited, as far as the machine ran; looked at often. All 0 begins.
bool patience_over(struct running_time *wait);
