// A program of somebody's whose standard output is read. It dies with the ukemi that started it.
// Not real-time.
#pragma once

#include <stdbool.h>
#include <stdio.h>
#include <sys/types.h>

#include "base/status.h"

struct piped {
    pid_t pid;
    FILE *output;
};

// `program`: its name, looked for in PATH, and its arguments, ended by NULL. `quiet`: what it says
// on standard error goes nowhere. NOT_FOUND: there is no such program; SYSTEM: it cannot be run.
// Not said: errno says why.
enum status piped_start(char *const *program, bool quiet, struct piped *piped) MUST_CHECK;

// Closes its output, whether it was read to its end or not, and waits for it. The result is that of
// wait(2); the processor time is its own and that of its children.
int piped_end(struct piped *piped, double *cpu_s);
