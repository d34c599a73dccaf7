// A process of a target, as its file says.
//
// What a field is that comes from a file says the help of its row (file_table.h): `ukemi help
// files`.
#pragma once

#include <stdbool.h>

#include "harness/files/lengths.h"

#define RUN_WORDS_MAX 33 // a program and its arguments
#define VARIABLES_MAX 32 // of a process's environment
#define VARIABLE_TEXT_MAX 256
#define MAY_EXIT_MAX 16
#define PROCESS_THREADS_MAX 8
#define THREAD_NAME_MAX 16 // as the kernel's

// How a process takes part in the trial's time.
enum process_clock {
    PROCESS_CLOCK_NATIVE, // it joins the clock by itself (clock/clock.h)
    PROCESS_CLOCK_SHIM,   // a preloaded library does that for it: any dynamically linked program
    PROCESS_CLOCK_NONE,   // not at all: real time only
};

// When the next process may be started. One of them; none: when this one has joined the clock, or
// if it never does, at once.
struct ready_config {
    char
        output[REGEX_MAX]; // a line that it prints holds this extended regular expression; "": none
    unsigned port;         // somebody in the cell listens on this TCP or UDP port; 0: none
    double after_s;        // so long after it was started; 0: none
};

struct variable {
    char name[NAME_MAX_LENGTH], value[VARIABLE_TEXT_MAX];
};

struct thread_config { // of a process, beside its first
    char name[THREAD_NAME_MAX];
    unsigned priority; // 0: its process's
};

struct process_config {
    char name[NAME_MAX_LENGTH];
    char component[NAME_MAX_LENGTH]; // "": none
    char host[NAME_MAX_LENGTH];      // whose channels are its; empty: the robot's own
    unsigned run_count;
    char run[RUN_WORDS_MAX]
            [PATH_MAX_LENGTH]; // the program, as the cell has it: in the build folder
                               // "targets/pendulum/controller", or a whole path; arguments
    int priority;
    bool follower;
    bool checks;     // run with --check, it says what is wrong with its files
    bool interposes; // it is no process of the target, but the lab's, between two of them
    enum process_clock clock;
    struct ready_config ready;
    double ready_within_s;
    unsigned may_exit_count;
    unsigned may_exit[MAY_EXIT_MAX]; // statuses with which it may end
    unsigned thread_count;
    struct thread_config thread[PROCESS_THREADS_MAX];
    unsigned variable_count;
    struct variable variable[VARIABLES_MAX]; // of its environment
    double restart_after_s;
    unsigned line; // of `run` in the target's file
};
