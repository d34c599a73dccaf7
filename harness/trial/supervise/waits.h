// At the end of a trial on the virtual clock: which tasks of shimmed programs wait for good, for
// what, and who has it.
#pragma once

#include "harness/history/history.h"
#include "harness/trial/supervise/supervisor.h"

// Records (struct wait_event), if there are such programs, those that are stuck; and if no process
// of the target can go on by itself, all that wait. What their pages and memory say is the target's
// word. In the cell's init. NO_MEMORY.
enum status waits_record(const struct supervisor *supervisor, struct history *history) MUST_CHECK;
