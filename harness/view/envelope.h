// A signal over the time of a trial in few columns, without losing a peak: a column holds the least
// and the greatest value of its part of the time. Pure.
#pragma once

#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>

#define ENVELOPE_COLUMNS 1024

struct envelope {
    int64_t end_ns; // of the trial; a column is the same part of it
    double low[ENVELOPE_COLUMNS], high[ENVELOPE_COLUMNS]; // low > high: nothing is known there
    double least, greatest; // of all columns; least > greatest: nothing
    uint64_t not_finite;    // values that are shown in no column
};

void envelope_start(struct envelope *envelope, int64_t end_ns);
// A value at an instant from 0 to end_ns; others are left out.
void envelope_sample(struct envelope *envelope, int64_t time_ns, double value);
// One that holds from an instant up to another.
void envelope_hold(struct envelope *envelope, int64_t from_ns, int64_t to_ns, double value);
// Whether it has one value throughout.
bool envelope_is_constant(const struct envelope *envelope);

// As members of a JSON object: "n" columns, least and greatest value and, if there is more than
// one, "data". That is base64 of two little-endian numbers of 16 bits for each column: 0 is the
// least value, 65534 the greatest, rounded away from the middle; 65535: none. `merged`, a power of
// 2, so many columns are one.
void envelope_write(const struct envelope *envelope, unsigned merged, FILE *out);
