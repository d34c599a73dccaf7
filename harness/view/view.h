// One page that shows a trial over its time: signals, faults, lives of processes, traffic, output,
// and the robot's body. It needs no network and no other file. Pure, but for the memory it works
// in: the same trial gives the same page. Makes no verdict. Not real-time.
#pragma once

#include <stdio.h>

#include "harness/history/history.h"
#include "harness/judge/verdict.h"
#include "model/description.h"

struct scenario;
struct target;

struct view_request {
    const struct history *history;
    const struct target *target;
    const struct description *description;
    const struct scenario *scenario;   // NULL: not known
    const struct judgement *judgement; // NULL: not known
    const char *title, *claim;         // "003-walk-dynamic, seed 7"
    const char *lacks;                 // what its cell lacked; NULL: nothing that is known
    const char *again;                 // the command that runs the trial again, "": none is known
    const char *hash;                  // of the history
};

// Errors are the stream's, and NO_MEMORY.
enum status view_write(const struct view_request *request, FILE *out) MUST_CHECK;
