// Who still waited when a trial came to its end, and for what.
#pragma once

#include <stdint.h>

#include "base/time.h"

#define TOPIC_WAIT "wait" // struct wait_event: there only if the lab has looked; not hashed

struct wait_event {
    instant time;   // since when
    uint32_t stuck; // 1: it can never come, since whoever could bring it waits likewise, or is gone
    uint32_t task;  // thread or child of the process; 0: its main thread
    int32_t pid;
    uint32_t padding;
    char process[48];
    char words[256]; // "main (pid 5) for a mutex, which worker (pid 6) holds"
};
