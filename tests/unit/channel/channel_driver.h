// The kill driver of the channels: single-steps one process (the victim) through a put, a get, a
// sleep, kills or stops it at every instruction boundary, and looks after each whether the others
// go on.
//
// The others are one process, the bystander, with a writer's and readers' ends of its own: asked,
// it reads what is held, then puts and reads. It may hang; then the driver notes where, kills it
// and starts a new one. Before each boundary the channel's memory is set back to the same bytes, so
// all runs of the victim execute the same instructions and their boundaries can be counted.
#pragma once

#include <stdlib.h>

#include "channel_subject.h"

#define DRIVER_SLOTS 4 // two writers, and the two more that a channel should have

// Every other boundary, in `make nightly` (LONG=1) every one; of code that a sanitizer has made
// several times as long (it is not what runs in a cell), a sample.
static inline unsigned driver_stride(void)
{
#ifdef __SANITIZE_ADDRESS__
    return 13;
#else
    return getenv("LONG") != NULL ? 1 : 2;
#endif
}

enum victim_work { PUT, GET_NEWEST, GET_NEXT, SLEEP };
enum deed { KILL, STOP }; // STOP: and continue, after the others went on

struct driver_plan {
    const struct subject *subject;
    enum victim_work work;
    enum deed deed;
    size_t size_B;       // of the victim's frame, the largest of the channel
    unsigned stride;     // every stride-th boundary; 1: all
    unsigned first;      // boundary to begin with
    unsigned overtake;   // not 0: at this boundary the others put first, then the victim goes on
    bool company;        // another reader sleeps on the channel all the while
    bool after_death;    // the victim meets a slot whose writer was killed in mid-put
    bool compare_deaths; // what a kill leaves is compared with channel_death.h
};

struct driver_findings {
    unsigned instructions; // of the victim's work; where it varies, of the longest run
    unsigned boundaries;   // tried
    unsigned before;       // of these: the victim's frame was not published when it was stopped or
    unsigned after;        // killed; was published
    unsigned asleep;       // ... it slept in the kernel
    unsigned overtaken;    // the others put first
    unsigned marked;       // kills that left a mutex marked "owner died"
    unsigned published_at; // the first boundary at which the frame was out
    double slowest_ms;     // longest time the bystander took

    // What must not be.
    unsigned put_hangs, get_hangs; // the bystander never came back
    unsigned sleeper_hangs;        // the reader that sleeps was not woken
    unsigned corrupt;              // every later put and get is refused
    unsigned refused;              // one put or get is
    unsigned torn, lost, misnumbered;
    unsigned slots_lost;     // fewer frames held than slots
    unsigned readers_wrote;  // a reader's death or stop left other bytes
    unsigned never_finished; // a continued victim did not complete its work
    unsigned deaths_differ;  // from channel_death.h
};

// Carries out the plan. Prints one line of figures.
struct driver_findings driver_run(const struct driver_plan *plan);

// Sum of what must not be.
unsigned driver_exceptions(const struct driver_findings *f);
