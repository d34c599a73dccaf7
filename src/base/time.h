// Time as two types of its own, so that raw integers, instants and durations cannot be mixed up.
//
// An instant counts nanoseconds since the start of the trial (the clock's epoch), in wall mode and
// in virtual mode alike. All functions are pure and real-time safe. Times come out of channels and
// files, so any may be wrong: sums and differences saturate instead of overflowing.
#pragma once

#include <stdbool.h>
#include <stdint.h>

typedef struct {
    int64_t ns;
} duration;

typedef struct {
    int64_t ns;
} instant;

#ifdef __cplusplus // has no compound literals
#define DURATION_ZERO (duration{0})
#define INSTANT_NEVER (instant{INT64_MAX})
#else
#define DURATION_ZERO ((duration){0})
#define INSTANT_NEVER ((instant){INT64_MAX}) // later than everything: "no deadline"
#endif

// The nearest there is to a + b.
static inline int64_t time_sum_ns(int64_t a, int64_t b)
{
    int64_t sum;
    return __builtin_add_overflow(a, b, &sum) ? (a < 0 ? INT64_MIN : INT64_MAX) : sum;
}
static inline int64_t time_difference_ns(int64_t a, int64_t b)
{
    int64_t difference;
    return __builtin_sub_overflow(a, b, &difference) ? (a < 0 ? INT64_MIN : INT64_MAX) : difference;
}

static inline duration duration_ns(int64_t ns)
{
    const duration made = {ns};
    return made;
}
static inline duration duration_us(int64_t us)
{
    const duration made = {us * 1000};
    return made;
}
static inline duration duration_ms(int64_t ms)
{
    const duration made = {ms * 1000000};
    return made;
}
static inline duration duration_s(double s)
{
    const duration made = {(int64_t)(s * 1e9 + (s < 0 ? -0.5 : 0.5))};
    return made;
}
static inline double duration_to_s(duration d)
{
    return (double)d.ns * 1e-9;
}

static inline instant instant_ns(int64_t ns)
{
    const instant made = {ns};
    return made;
}
static inline instant instant_s(double s)
{
    const instant made = {duration_s(s).ns};
    return made;
}
static inline double instant_to_s(instant t)
{
    return (double)t.ns * 1e-9;
}
static inline instant instant_add(instant t, duration d)
{
    const instant made = {time_sum_ns(t.ns, d.ns)};
    return made;
}
static inline duration instant_sub(instant a, instant b)
{
    const duration made = {time_difference_ns(a.ns, b.ns)};
    return made;
}
static inline bool instant_before(instant a, instant b)
{
    return a.ns < b.ns;
}
static inline instant instant_min(instant a, instant b)
{
    return a.ns < b.ns ? a : b;
}
static inline instant instant_max(instant a, instant b)
{
    return a.ns > b.ns ? a : b;
}
