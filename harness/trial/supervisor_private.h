// Shared by the supervisor's two files: the processes as it knows them, and what can happen to
// them.
#pragma once

#include <sys/types.h>

#include "harness/trial/output.h"
#include "harness/trial/supervisor.h"

#define NOTED_MAX 8 // happenings of one process between two recordings
#define ENVIRONMENT_MAX (PARAMETERS_MAX + 8)
#define OWN_VARIABLES 5 // more of a process of its own

struct note { // something that happened and is not recorded yet
    enum process_event_kind kind;
    int value;
};

struct process {
    struct process_config config;
    unsigned participant;
    struct process_life life;
    pid_t pid;
    int pidfd;
    struct output output;
    unsigned noted;
    struct note note[NOTED_MAX];
};

struct supervisor {
    struct supervisor_request request;
    unsigned count;
    struct process process[PROCESSES_MAX + 1 + FAULTS_MAX]; // the target's, operator, interposers
    unsigned environment_count;
    char environment[ENVIRONMENT_MAX][PATH_MAX_LENGTH];
    uint64_t lines; // that processes have printed
    unsigned output_topic;
    bool overflow; // more happened than can be noted
};

// Steps the life of the process and does what the step asks for.
void supervisor_happen(struct supervisor *supervisor, struct process *process,
                       enum happening_kind kind, int value);
