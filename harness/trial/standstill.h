// Does the machine stand still while a trial runs in real time? The host of a virtual machine may
// take its cores away for milliseconds, and firmware any machine's. Then every deadline passes, and
// what follows says nothing about the target.
//
// On each core that the trial may use a process of the highest real-time priority sleeps for a
// millisecond, again and again. How late it wakes, less the time for which it was ready and waited
// for the core, is how long the core stood still. So nothing that runs on the machine counts, the
// target least of all: it can keep a core, but not the interrupts from coming.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#define STANDSTILL_MIN_NS INT64_C(2000000) // shorter ones are not noted

struct standstill {
    int64_t ns;    // 0: none
    int64_t at_ns; // CLOCK_MONOTONIC when it began
};

struct standstill_watch;

// Starts watching `core`, or all that this process may use if it is -1. NULL: out of memory.
struct standstill_watch *standstill_begin(int core);

// Fills in the first and the longest that began at from_ns or later (CLOCK_MONOTONIC). False: a
// core could not be watched, for want of that priority. Ends and frees the watch; NULL is none, and
// false.
bool standstill_end(struct standstill_watch *watch, int64_t from_ns, struct standstill *first,
                    struct standstill *longest);
