// Shared by the supervisor's two files: the processes as it knows them, and what can happen to
// them.
#pragma once

#include <sys/types.h>

#include "harness/trial/supervisor.h"

#define NOTED_MAX 8 // happenings of one process between two recordings
#define ENVIRONMENT_MAX (PARAMETERS_MAX + 8)

enum happening { // events of the state table
    HAPPENING_STARTED,
    HAPPENING_JOINED,
    HAPPENING_EXITED,
    HAPPENING_KILLED,
    HAPPENING_STOPPED,
    HAPPENING_CONTINUED,
    HAPPENING_HUNG,
    HAPPENING_COUNT
};

struct note { // something that happened and is not recorded yet
    enum process_event_kind kind;
    int value;
};

struct process {
    struct process_config config;
    unsigned participant;
    enum process_state state;
    pid_t pid;
    int pidfd, output;
    unsigned generation;
    int exit_status; // of the last end, as by waitid: value and kind
    bool killed;
    instant restart_due; // by the target's restart policy; INSTANT_NEVER: not
    bool held;           // a fault keeps it down: the policy does not apply
    unsigned noted;
    struct note note[NOTED_MAX];
    uint64_t output_B; // that it wrote since it was started
    size_t words_used;
    char words[256]; // the end of what it wrote
};

struct supervisor {
    struct supervisor_request request;
    unsigned count;
    struct process process[PROCESSES_MAX];
    unsigned environment_count;
    char environment[ENVIRONMENT_MAX][PATH_MAX_LENGTH];
    bool overflow; // more happened than can be noted
};

// Looks the happening up in the table of states and acts on it.
void supervisor_happen(struct supervisor *supervisor, struct process *process, enum happening what,
                       int value);
