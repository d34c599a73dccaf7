// Shared by the supervisor's two files: the processes as it knows them, and what can happen to
// them.
#pragma once

#include <regex.h>
#include <sys/types.h>

#include "harness/files/target/target.h"
#include "harness/files/target/variation_file.h"
#include "harness/trial/supervise/output.h"
#include "harness/trial/supervise/supervisor.h"

#define NOTED_MAX 8 // happenings of one process between two recordings
#define ENVIRONMENT_MAX (PARAMETERS_MAX + 9)
#define OWN_VARIABLES 7                             // more of a process of its own
#define SUPERVISED_MAX (PROCESSES_MAX + FAULTS_MAX) // the target's, operator, interposers

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
    // Until it is ready (supervisor_ready.c):
    bool awaited; // the condition of its file, once it has joined
    bool heard;   // the line that it was to print has come
    bool has_pattern;
    regex_t pattern; // of that line
    instant started;
    unsigned noted;
    struct note note[NOTED_MAX];
};

struct supervisor {
    struct supervisor_request request;
    unsigned count;
    unsigned started; // so many, in order
    struct process process[SUPERVISED_MAX];
    unsigned environment_count;
    char environment[ENVIRONMENT_MAX][PATH_MAX_LENGTH];
    unsigned variation_count; // of the world's own variables
    char (*variation)[VARIATION_VARIABLE_MAX];
    uint64_t lines, kept_B; // that processes have printed
    unsigned output_topic;
    bool overflow;                                             // more happened than can be noted
    char broken_invariant[OUTPUT_WORDS_MAX + NAME_MAX_LENGTH]; // the first; "": none
};

// Steps the life of the process and does what the step asks for.
void supervisor_happen(struct supervisor *supervisor, struct process *process,
                       enum happening_kind kind, int value);

// Its condition holds: notes that.
void supervisor_ready(struct supervisor *supervisor, struct process *process);

// ---- supervisor_ready.c ------------------------------------------------------------------------

enum status ready_create(struct process *process) MUST_CHECK; // NO_MEMORY
void ready_free(struct process *process);

// It has been started; a line of its output; what its condition waits for (INSTANT_NEVER: no
// instant); whether the condition holds.
void ready_begin(struct process *process, instant now);
void ready_hear(struct process *process, const char *line);
instant ready_next(const struct process *process);
bool ready_look(const struct process *process, instant now);

// Whether it has ended as its file allows.
bool process_may_end(const struct process *process);

// How it ended, what it waits for, that it, or a thread of its, has not joined the clock
// (`missing`, as the clock names it; NULL: all have); with the end of what it printed.
void ready_describe_end(const struct process *process, char *text, size_t size);
void ready_describe_wait(const struct process *process, double waited_s, char *text, size_t size);
void ready_describe_absence(const struct process *process, const char *missing, char *text,
                            size_t size);
