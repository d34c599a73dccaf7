// Shared by the files of the cell: what its processes know of each other.
#pragma once

#include <stdatomic.h>
#include <sys/types.h>

#include "harness/cell/cell.h"
#include "harness/cell/cell_rights.h"

// What they are to the machine where the lab is root: programs nobody, the lab's own parts a number
// that nobody has.
#define CELL_PROGRAM_USER 65534
#define CELL_INIT_USER 65533

struct cell { // one per attempt, in memory shared by caller, keeper and init
    const struct cell_request *request;
    int (*body)(void *context);
    void *context;
    pid_t caller;
    bool root;          // the lab is
    bool refused;       // it cannot be built because this machine or user may not do it
    _Atomic bool built; // from now on /proc, /dev/shm and /tmp are the cell's
    struct cell_rights rights;
    struct bare_place *place; // of a bare cell (cell_bare.h)
    struct cell_end end;
};

// Of all in the cell: what the lab makes there its programs, who are another user, are to read,
// however private its user wants other files to be.
#define CELL_UMASK 022

#define CELL_NOT_BUILT 125 // exit status of init and keeper; the reason is in shared memory

// Writes why the cell cannot be built, with errno, into its end. Returns -1.
int cell_give_up(struct cell *cell, const char *format, ...) __attribute__((format(printf, 2, 3)));

// In the caller: waits for the keeper, and says how the cell went.
enum status cell_await_keeper(struct cell *cell, pid_t keeper);

// In the keeper: it must see the cell whatever that does. Where this is refused, so it is to the
// programs.
void cell_keeper_priority(void);

// In the init: priority and processor; the wish to end with its parent, false if that has ended
// already; no descriptor of the lab's but its log and the scratch file, and no environment.
void cell_init_priority(const struct cell *cell);
bool cell_dies_with(int parent_pidfd);
void cell_forget_the_lab(const struct cell *cell);

// In the keeper: enters the cell's namespaces, whose file systems are built on the way, and settles
// the rights of its programs. 0 or -1.
int cell_enter(struct cell *cell);

// In the keeper, in a mount namespace of its own: all file systems of the cell but its /proc. Done
// before the cell's user namespace is entered, so that within it nobody can undo it. 0 or -1.
int cell_mount(struct cell *cell);

#define CELL_HOST "cell" // what it calls itself

// In the keeper, below the present folder, which becomes the root: files that name the cell and its
// users, but for those of the machine's that the target asks for. 0 or -1.
int cell_write_names(struct cell *cell);

// In the init: the only interface. 0 or -1.
int cell_raise_loopback(struct cell *cell);

// In the init: the cell's own /proc. 0 or -1.
int cell_mount_processes(struct cell *cell);

// Highest process number of a new PID namespace: the highest there is (PID_MAX_LIMIT of Linux).
#define CELL_NUMBERS_FREE (4u << 20)

// In a cell: the highest process number if that is the cell's own, else 0.
unsigned cell_process_numbers(void);
