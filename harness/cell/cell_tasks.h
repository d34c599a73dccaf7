// How many more processes and threads this machine lets the caller start. Where these are fewer
// than a cell may have, its programs would be refused what is theirs.
#pragma once

// By RLIMIT_NPROC and the control groups that can be seen; -1: nothing known bounds them. `by`
// names what does, in words, and stays the callee's.
long cell_tasks_free(const char **by);
