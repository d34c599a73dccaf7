// A bare cell: what is left of a cell where neither namespaces nor mounts can be had, as in a
// container without privileges. doc/reference/cell.md says what it keeps and what it lacks.
//
//   caller      becomes the reaper of what the guard would leave behind
//     guard     watches limits and caller; reaper of what the init would leave behind
//       init    runs the body; reaper of what programs leave behind
//
// Whichever of them is killed, the next one above ends what is below and removes the cell's folder.
// If all are, the next lab that makes a bare cell does, for whom a lock on the folder is free.
#pragma once

#include "harness/cell/cell_private.h"

#define BARE_PATH_MAX 512
#define BARE_PAIRS_MAX (4 + FAULT_FOLDERS_MAX)
#define BARE_COUNTED_MAX 4096
#define BARE_NAMED "/dev/shm" // where the C library keeps what has a name

struct bare_pair { // a path of cell.h, and where that is
    char inside[BARE_PATH_MAX], outside[BARE_PATH_MAX];
};

struct bare_place {              // in memory shared by caller, guard and init
    char folder[BARE_PATH_MAX];  // of all that follows; removed with it
    char cell[BARE_PATH_MAX];    // what CELL_FOLDER is
    char scrap[BARE_PATH_MAX];   // TMPDIR of its programs, and where they start
    char names[64];              // of shared memory and semaphores begin with this
    char library[BARE_PATH_MAX]; // which sees to that (src/apart); "": there is none
    unsigned pair_count;
    struct bare_pair pair[BARE_PAIRS_MAX];
    unsigned count; // of processes that were started in it
    pid_t counted[BARE_COUNTED_MAX];
    int lock; // descriptor of caller and guard, held as long as they live
};

// Finds a folder for shared memory, removes what killed labs have left there, and makes the folders
// of a cell. False with errno; `why` says what was tried.
bool bare_place_make(const struct cell_request *request, struct bare_place *place, char *why,
                     size_t size);
// Removes the folder and all in it.
void bare_place_remove(const struct bare_place *place);
// Bytes of all files in it.
double bare_place_used_MB(const struct bare_place *place);

// In the init, from now on: see cell_inside.h.
void cell_inside_begin(struct bare_place *place);
const struct bare_place *cell_inside_place(void); // NULL: not in a bare cell

// Runs the cell, whose `request` and `body` are given. As cell_run.
enum status cell_run_bare(struct cell *cell);
