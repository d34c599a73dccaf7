// A clock made of another: the time of a reference, steered by offsets measured now and then.
// Proportional and integral, .7 and .1 at one measurement a second. The less the integral part is
// damped, the more each servo of a chain adds to slow errors of those before: with linuxptp's .7
// and .3, or with .4 and .08, hop 5 is off by nearly twice as much. Pure, real-time safe.
#pragma once

#include <stdint.h>

// What it learns of its offsets. Clocks are not equally fast: without the rate, a clock is off
// again by the drift of a second before the next measurement.
enum servo_kind {
    SERVO_RATE,   // both, as below
    SERVO_OFFSET, // made good at once, each time; the rate is not looked at
    SERVO_ONCE,   // the first is made good, no other
};

struct servo {
    enum servo_kind kind;
    int64_t local_ns, time_ns; // at this local time it showed this
    double rate;               // gained per local ns since then
    double integral;           // the part of it that stays
    unsigned taken;            // measurements since it began, or jumped
};

int64_t servo_time_ns(const struct servo *servo, int64_t local_ns);
// It was found to be behind its reference by offset_ns. Its first two offsets are made good at
// once, as is one of more than 20 us, after which it begins anew; all others within the next
// second. (SERVO_RATE.)
void servo_take(struct servo *servo, int64_t local_ns, double offset_ns);
