// What the processes of a cell may use, whatever they do: numbers, defaults, and the kernel's part.
//
// Two layers. The kernel refuses: resource limits of every process, sizes of the private file
// systems. The lab looks at the whole cell every 50 ms (cell_watch.h) and ends a trial whose
// processes use too much, naming the process. So that no process can pretend it never came near,
// the kernel refuses only beyond what the lab allows: processes, descriptors and memory at twice
// the limit.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>

struct limits {          // of a cell
    unsigned processes;  // processes and threads, the lab's own two not counted
    unsigned open_files; // descriptors of one process
    unsigned memory_MB;  // anonymous, shared and unlinked memory of all processes
    unsigned file_MB;    // one file, and all files in one of the private file systems
    unsigned output_MB;  // standard output and error of one process
    // Time is that during which the machine ran (base/running_time.h).
    // Without giving its turn back (virtual mode), or without ever waiting (wall mode).
    double turn_s;
    double wall_s; // of the whole trial, "running time" in words; 0: by duration_s and mode
};

// Unless the target says. A stack of seven daemons needs 9 processes of 10 descriptors, 50 MB of
// memory, 3 MB of files.
#define LIMITS_PROCESSES 128
#define LIMITS_OPEN_FILES 256
#define LIMITS_MEMORY_MB 1024
#define LIMITS_FILE_MB 256
#define LIMITS_OUTPUT_MB 64
#define LIMITS_TURN_S 10
extern const struct limits limits_default;

// A private file system as a whole, in file_MB: the lab allows so much, the kernel twice file_MB. A
// process that filled one file has met its own limit before.
#define LIMITS_FOLDER_FACTOR 1.5

#define VISIBLE_MAX 16 // paths of the machine's that a target may ask to see

#define LIMITS_PROCESSES_MAX 255
#define LIMITS_OPEN_FILES_MAX 4096
#define LIMITS_MB_MAX 65536
#define LIMITS_TIME_MAX_S 86400

// How long a trial that simulates at most duration_s may take, unless the limits say.
double limits_wall_s(const struct limits *limits, double duration_s, bool real_time);

// The kernel's part, for the calling process and those it starts. Best effort; what is refused the
// lab still watches. processes: their number, too, which is counted by user and user namespace.
void limits_apply(const struct limits *limits, bool processes);

// Before the caller gives up root: keeps the right to real-time priority and locked memory. False
// (errno) if it cannot be kept: that takes CAP_SYS_RESOURCE.
bool limits_keep_real_time(void);

enum limit {
    LIMIT_NONE,
    LIMIT_PROCESSES,
    LIMIT_OPEN_FILES,
    LIMIT_MEMORY,
    LIMIT_FILES,
    LIMIT_OUTPUT,
    LIMIT_TURN,
    LIMIT_RUNNING_TIME, // wall_s
    LIMIT_SHARED_FILES, // cut off: whoever has them mapped is killed
    LIMIT_SHARED_PAGES, // spoiled: what the lab reads in them has not the expected form
    LIMIT_ROOM,         // the machine's, not the cell's own: a file system is full, or refuses
    LIMIT_COUNT
};
const char *limit_name(enum limit limit); // "processes", "memory" ...
const char *limit_unit(enum limit limit); // "MB" ...

// The first limit that was exceeded, in memory shared by the processes that look.
struct breach {
    _Atomic int claimed;  // one process fills it
    _Atomic int limit;    // enum limit; set last
    int pid, group;       // in the cell; the supervisor starts each program as leader of a process
                          // group, which its descendants share unless they leave it. 0: gone
    char process[48];     // name of its program
    double used, allowed; // in limit_unit
    double share;         // how much of `used` is the process's, or its group's: 0 to 1
};

// Fills `breach` unless another has. `process` NULL: nobody can be named. The whole of `used` is
// the named one's, unless a share is said.
void breach_report(struct breach *breach, enum limit limit, const char *process, int pid, int group,
                   double used, double allowed);
void breach_report_share(struct breach *breach, enum limit limit, const char *process, int pid,
                         int group, double share, double used, double allowed);
