// What a program leaves behind when it ends: its children and theirs, which the cell's init has
// inherited.
#pragma once

#include <stdbool.h>

// Whether a process is none of a program's, but the lab's or another program.
typedef bool orphan_spared(const void *context, int pid);

// Kills every process that the init has inherited and that belongs to the program that ran under
// `group` as the participant: by its process group, or by the environment it was started with. Who
// has left both is not found. Waits until they are gone, a second at most. In the cell's init.
void orphans_end(const char *participant, int group, orphan_spared *spare, const void *context);

// Kills this one, if the init has inherited it. True: it is still there. In the cell's init.
bool orphan_end(int pid, orphan_spared *spare, const void *context);
