// Starts a program in the cell, with its output going to a pipe. For the supervisor, for fault
// programs and for oracle programs.
#pragma once

#include <stdbool.h>
#include <sys/types.h>

#include "base/status.h"
#include "harness/cell/cell_rights.h"

#define SPAWN_ARGUMENTS_MAX 34
#define SPAWN_INHERIT_MAX 2

struct spawn_request {
    const char *program; // path relative to the build folder
    char *const
        *arguments; // after the program's name; NULL-terminated, at most SPAWN_ARGUMENTS_MAX
    char *const *environment;       // NULL-terminated
    int input;                      // its standard input; 0: it reads nothing
    bool errors_apart;              // its standard error goes to a pipe of its own
    int inherit[SPAWN_INHERIT_MAX]; // file descriptors handed over as descriptors 3, 4; -1: none
    enum cell_role role;            // what it may ask of the kernel
    bool fixed_addresses;           // every run of it finds its memory at the same place
    int priority;                   // SCHED_FIFO from the first instruction; 0: ordinary
};

struct spawned {
    pid_t pid;
    int pidfd;
    int output; // read end of standard output and error, non-blocking
    int errors; // of standard error, if it was asked for apart; else -1
};

// SYSTEM (errno). A program that cannot be executed ends with status 127 and says why on its
// output.
enum status spawn(const struct spawn_request *request, struct spawned *spawned) MUST_CHECK;
