// Looks at a cell, from its keeper or its init, and says which limit its processes exceed.
#pragma once

#include "base/running_time.h"
#include "harness/cell/cell_look.h"
#include "harness/cell/limits.h"

#define CELL_SEEN_MAX 256

struct cell_seen { // a process, since it last waited
    struct cell_look look;
    double since_s; // of the watch's running time
};

struct bare_place;

struct cell_watch {
    const struct limits *limits;
    int init;                       // of a bare cell; 0: all of /proc is the cell's
    const struct bare_place *place; // the same; NULL: the cell has file systems of its own
    bool real_time;
    int machine;    // /proc as outside the cell
    unsigned tasks; // of the whole machine, as of the last call of cell_watch_freeze; 0: none yet
    struct running_time running;
    unsigned seen_count;
    struct cell_seen seen[CELL_SEEN_MAX];
    struct cell_look held; // which process of all looks was held up longest; real_time only
};

// Outside, before the cell has its own /proc; or inside. `limits` must outlive the watch, and have
// wall_s filled. real_time: processes that never wait exceed the turn; in virtual mode that is the
// coordinator's to say. Time is what the machine ran since the first look. The watch lasts as long
// as the calling process.
void cell_watch_start(struct cell_watch *watch, const struct limits *limits, bool real_time);

// The cell is a bare one, whose processes descend from `init` and whose files are in `place`.
void cell_watch_bare(struct cell_watch *watch, int init, const struct bare_place *place);

// One look at /proc, /dev/shm and /tmp of the calling process's mount namespace, which must be the
// cell's. Reports to `breach`; true if a limit is exceeded.
bool cell_watch_look(struct cell_watch *watch, struct breach *breach);

// Of a bare cell, where nothing but the lab's looks limits processes, and who forks without end
// outruns one who reads /proc. True if so many tasks more than at the last call are on the machine
// that the cell may be to blame: then the groups of its programs, as of the last look, are stopped,
// each by one call. What a look finds no breach in goes on with cell_watch_thaw.
bool cell_watch_freeze(struct cell_watch *watch);
void cell_watch_thaw(const struct cell_watch *watch);
