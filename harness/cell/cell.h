// A cell: the isolated world of one trial, and the promise that nothing of it remains. What it
// looks like from inside and what its limits are: doc/reference/cell.md.
//
// Own PID, network (loopback only), IPC, mount and user namespaces. Inside:
//   /dev/shm, /tmp  private tmpfs          /proc  the cell's own processes
//   CELL_FOLDER     shared memory: clock page, channels/, buses/
//   CELL_BUILD      the build folder       CELL_TARGET  the target's folder
//   CELL_FAULTS/N   folders of fault programs that are not the lab's own
//   CELL_BESIDE     another folder, if the caller has one to show
//   /usr, /lib ...  the machine's programs and libraries, and what the target asks for, read-only
// Two processes stand between the caller and the cell's programs: the keeper (in the caller's PID
// namespace; it watches the limits) and the init (PID 1 of the cell), which runs `body`. Each dies
// with its parent, and with the init the kernel ends every process of the cell and drops its
// mounts. So killing any of them at any instant leaves nothing.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "base/status.h"
#include "harness/cell/limits.h"

#define CELL_FOLDER "/dev/shm/cell"
#define CELL_BUILD "/dev/shm/build"
#define CELL_TARGET "/dev/shm/target"
#define CELL_FAULTS "/dev/shm/faults"
#define FAULT_FOLDERS_MAX 16
#define CELL_BESIDE "/dev/shm/beside"

struct cell_request {
    const char *build_folder;
    const char *target_folder;
    const char *beside_folder;        // one more, shown as CELL_BESIDE; NULL: none
    const char *visible[VISIBLE_MAX]; // more paths of the machine's, shown read-only
    unsigned visible_count;
    const char *fault_folder[FAULT_FOLDERS_MAX];
    unsigned fault_folder_count;
    int core;     // CPU to pin the cell to, -1: none
    int scratch;  // a descriptor that the init keeps, -1: none
    bool no_wall; // programs have the lab's own rights and see all of the machine's files
    // Asked where no cell can be built: may the programs run in a bare one? False with the reason.
    // NULL: they may not.
    bool (*bare)(const struct cell_request *request, char *why, size_t size);
    struct limits limits;  // complete, wall_s included
    bool real_time;        // wall mode
    struct breach *breach; // all zero, in memory mapped shared by the caller; cell and body report
                           // to it, and the keeper ends the cell
};

struct cell_end {
    int exit_code;     // of body; -1 if the init died by a signal
    int signal;        // that ended the init, or the keeper (then `reason` says so), or 0
    double cpu_s;      // user + system time of all processes of the cell
    char reason[256];  // why the cell could not be built, or ""
    bool bare;         // it was a bare one (cell_bare.h), because
    char refused[128]; // of this
    bool filtered;     // ... with a filter of system calls
    bool fenced;       // ... and of paths that its programs write to
    double held_s;     // real time: so long a process was ready to run and had no processor, the
                       // longest of all, as seen every 200 ms
    char held[48];     // its program's name
};

// Builds a cell, runs body(context) as its init, waits until it and all of its processes are gone.
// `body` runs in a process forked from the caller: what it should tell goes through memory mapped
// shared before the call. UNSUPPORTED: this machine or user may not make namespaces; SYSTEM: the
// cell could not be built; both with end->reason set. A cell that is ended because of request's
// limits is OK, with the breach filled.
//
// The cell is a wall (doc/explanation/wall.md) unless request->no_wall says otherwise. Where it
// cannot be one, it is a bare cell, which end->bare says, or nothing runs. INVALID: request->bare
// refuses its programs; end->reason says why.
enum status cell_run(const struct cell_request *request, int (*body)(void *context), void *context,
                     struct cell_end *end) MUST_CHECK;

// In the init, before it ends its processes: a last look, so that a trial that is over soon is over
// its limits no less. Reports to request->breach.
void cell_look_last(const struct cell_request *request);

struct cell_ability {       // of this machine and user, found by building a cell
    bool possible;          // cells can be built
    bool bare;              // ... but only bare ones, and
    char lacks[512];        // that is what they lack
    char processes_by[128]; // what keeps the limit of processes
    char why[256];          // why not possible, or ""
};

// What the cell was, in a word or two ("wall", "no wall", "bare"); and of a bare one what it lacked
// and why, else "".
const char *cell_word(const struct cell_request *request, const struct cell_end *end);
void cell_lacks(const struct cell_end *end, char *words, size_t size);

// Fills `ability`; true if the kernel keeps the limit of processes. For `ukemi doctor`.
bool cell_ability(bool real_time, struct cell_ability *ability);
