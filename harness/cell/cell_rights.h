// What the programs of a cell may ask of the kernel: user, capabilities, system calls. Private to
// the cell and to spawn.c. doc/explanation/wall.md says what holds and how it is tested.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

enum cell_role {
    CELL_PROGRAM, // of the target, or the operator's: nobody trusts it. No capabilities
    CELL_BENCH,   // the simulated robot: another user, so that no target can end it
    CELL_FAULT,   // a fault's program: may signal, trace and reschedule others, and make interfaces
    CELL_ROLE_COUNT
};

struct cell_rights {
    bool wall;         // false: programs have whatever rights the lab has (--no-wall)
    bool users_differ; // programs are another user than the init
    uid_t init, program;
    bool semaphores; // of System V: their number is limited, so that programs may have them
    bool queues;     // likewise
    bool bare;       // of a bare cell: what the kernel refuses is done without
    bool nice;       // real-time priority and locked memory need capabilities of the machine's
};

// In the init, when all is built: gives up what it will not need, hides its memory and prepares the
// filters. Programs that are started from now on take their rights by cell_rights_take. False with
// errno.
bool cell_rights_begin(const struct cell_rights *rights);

// Whether programs will have a filter of system calls.
bool cell_rights_filtered(void);

// In the init: a file that it has made in the cell becomes the lab's, and programs of the target
// may read it at most; nothing where users do not differ. False with errno.
bool cell_rights_keep_file(const char *path);

// In the init, before it starts programs: they may open sockets of the cell's interfaces
// (AF_PACKET), and the simulated robot may set interfaces up.
void cell_rights_open_interfaces(void);

// In a program's process before exec: leaves it the rights of its role for good. Nothing after
// cell_rights_begin with `wall` false, or without one. False with errno: it must not be executed.
bool cell_rights_take(enum cell_role role);
