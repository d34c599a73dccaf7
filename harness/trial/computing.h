// How much of the processor each daemon of a trial uses, read from outside: the lab looks at the
// processes' CPU clocks whenever its recorder looks, and keeps what each used per millisecond since
// the look before. The kernel's work for a process is in it; time in which another process, or the
// host, had the processor is not. It costs the target nothing but the processor time of a look,
// some 0.3 us per process.
//
// Real time only: on the virtual clock a look follows no period. Plain data of fixed size, so that
// it may lie in memory that is shared with the cell; one writer.
#pragma once

#include <sys/types.h>

#include "base/histogram.h"
#include "harness/files/target/target.h"

#define COMPUTING_WARM_UP_MS                                                                       \
    300 // looks of a trial's beginning are not counted: daemons find their feet

struct supervisor;

struct computing_daemon {
    char name[NAME_MAX_LENGTH];
    bool robot;       // it is the simulated robot, and of the lab
    pid_t pid;        // that was looked at; 0: none
    int64_t used_ns;  // by that process until the last look
    int64_t asked_ns; // CLOCK_MONOTONIC then
    struct histogram ns_per_ms;
};

struct computing {
    int64_t from_ns; // CLOCK_MONOTONIC: what was used before is not counted
    unsigned count;
    struct computing_daemon daemon[PROCESSES_MAX];
};

// Empties it and starts the warm-up at now_ns. Touches all of its memory.
void computing_begin(struct computing *computing, int64_t now_ns);

// Looks at every daemon of the target and at the simulated robot.
void computing_look(struct computing *computing, const struct supervisor *supervisor);

// The pure part of a look: `pid` has used used_ns in all at now_ns. A process that was not there at
// the last look, or was another one, only begins to be looked at.
void computing_take(struct computing *computing, struct computing_daemon *daemon, pid_t pid,
                    int64_t used_ns, int64_t now_ns);

// What a daemon uses in the lower quartile of the looks, in microseconds per millisecond: the upper
// ones are those in which the machine was slow. NAN: fewer than COMPUTING_LOOKS_MIN looks, or in so
// many of them it did nothing.
#define COMPUTING_LOOKS_MIN 20
double computing_us_per_ms(const struct computing_daemon *daemon);
