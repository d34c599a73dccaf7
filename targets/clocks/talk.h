// What nodes tell the PC.
#pragma once

#include <stdint.h>

#define NETWORK "eth0"
#define TICK_NS 5000000
#define REPORT_NS 10000000

struct report {
    int64_t made_ns; // the PC's time, as the node makes it
    int64_t true_ns; // the trial's at that instant: for the PC's judgement alone
};
