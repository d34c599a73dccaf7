// Whether the machine still gives a bare cell the room for files and shared memory that its
// programs may use. If not, what they then do says nothing of them.
#pragma once

#include "harness/cell/cell_bare.h"
#include "harness/cell/limits.h"

// The library of bare cells (src/apart) leaves this file in the cell's folder when a program was
// refused what has a name: "shm_open: Read-only file system".
#define BARE_REFUSED "refused"

// Reports LIMIT_ROOM, and returns true, if a file system of the cell is full or shared memory was
// refused.
bool bare_room_ended(const struct bare_place *place, struct breach *breach);
