// Runs the program of a fault of the catalogue and reads its proof.
#pragma once

#include <stdbool.h>

#include "harness/catalogue.h"

struct fault_proof {
    bool proven;
    char evidence[160];
};

// "PROGRAM apply|undo KIND pid=PID key=value..." with the pidfd as descriptor 3, for at most 10 s
// of wall time. The request gives the parameters. SYSTEM: the program is missing, failed or said
// nothing; `reason` says which.
enum status fault_program_run(const struct fault_kind *kind, const struct fault_request *request,
                              bool apply, int pid, int pidfd, struct fault_proof *proof,
                              char *reason, size_t size) MUST_CHECK;
