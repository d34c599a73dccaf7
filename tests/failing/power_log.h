// What power_log.c writes and power.c reads: entries in the order in which they happened.
#pragma once

#include <stddef.h>

#define POWER_LOG "UKEMI_POWER_LOG"       // environment: where the log lies
#define POWER_FOLDER "UKEMI_POWER_FOLDER" // whose files are logged
#define POWER_DEAF "UKEMI_POWER_DEAF"     // if set: a disk that forgets what was synchronised

enum power_kind {
    POWER_WRITE,
    POWER_TRUNCATE, // to `offset`
    POWER_SYNC,     // of a file, or of a folder: its names
    POWER_UNLINK,
    POWER_NAMED,        // a whole file gets its name, its content not synchronised
    POWER_NAMED_SYNCED, // the same, synchronised
};

struct power_entry {
    enum power_kind kind;
    char name[128]; // below the folder
    long long offset;
    size_t size_B; // of what follows
};
