// Shared by the files of the cell: what its processes know of each other.
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "harness/cell.h"

struct cell { // one per attempt, in memory shared by caller, keeper and init
    const struct cell_request *request;
    int (*body)(void *context);
    void *context;
    pid_t caller;
    bool give_up_root;
    bool gave_up;       // it cannot be built; end.reason says why
    bool refused;       // ... because this machine or user may not do it
    _Atomic bool built; // from now on /proc, /dev/shm and /tmp are the cell's
    struct cell_end end;
};

struct cell_folders { // detached copies, to be mounted in the cell
    int build, target;
};

// Writes why the cell cannot be built, with errno, into its end. Returns -1.
int cell_give_up(struct cell *cell, const char *format, ...) __attribute__((format(printf, 2, 3)));

// In the keeper: enters the cell's namespaces, as another user if cell->give_up_root, and takes the
// folders along. 0 or -1.
int cell_enter(struct cell *cell, struct cell_folders *folders);

// In the init: private file systems, everything else read-only. 0 or -1.
int cell_mount(struct cell *cell, const struct cell_folders *folders);

// Highest process number of a new PID namespace: the highest there is (PID_MAX_LIMIT of Linux).
#define CELL_NUMBERS_FREE (4u << 20)

// In a cell: the highest process number if that is the cell's own, else 0.
unsigned cell_process_numbers(void);
