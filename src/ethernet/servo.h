// A clock made of another: the time of a reference, steered by offsets measured now and then.
// Proportional and integral, .7 and .3 at one measurement a second, as linuxptp's. Pure, real-time
// safe.
#pragma once

#include <stdint.h>

struct servo {
    int64_t local_ns, time_ns; // at this local time it showed this
    double rate;               // gained per local ns since then
    double integral;           // the part of it that stays
    unsigned taken;            // measurements so far
};

int64_t servo_time_ns(const struct servo *servo, int64_t local_ns);
// It was found to be behind its reference by offset_ns. Offsets of more than a step of 20 us, and
// the first two, are made good at once; the rest in the next second.
void servo_take(struct servo *servo, int64_t local_ns, double offset_ns);
