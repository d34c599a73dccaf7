// Tracks of a trial: what plots, the viewer and `ukemi series` draw over its time, from its
// history. A pack of the target draws them, or else they are the target's own quantities. Not
// real-time; makes no verdict. `packs`: all there are (pack.h).
#pragma once

#include <stdio.h>

#include "harness/history/history.h"
#include "model/description.h"

struct pack;
struct target;

struct tracks_frame { // what of the trial is shown
    double from_s, to_s;
    double fault_s;  // first fault, NAN: none
    double repair_s; // its component was ready again, or the fault undone; to_s if neither
    char fault[48];  // its kind in the catalogue, "": none
};

// From 2.5 s before the first fault to 5 s after it; the whole trial if there is none or it is
// short.
struct tracks_frame tracks_frame(const struct history *history);

// For gnuplot, tab-separated: a line of column names, the first is time_s, and a row at most every
// TRACKS_PERIOD_S with "NaN" where nothing is known. What follows two empty lines is the pack's,
// and behind it a block named TRACKS_QUANTITIES (gnuplot's `index`) has a column for each of the
// target's own quantities that has a value within the frame. Where packs draw nothing it is alone,
// without its name. NOT_FOUND: there are none, either; NO_MEMORY; SYSTEM: `out` takes no more.
enum status tracks_write(const struct pack *const *packs, const struct target *target,
                         const struct description *description, const struct history *history,
                         const struct tracks_frame *frame, FILE *out) MUST_CHECK;

// The same of its packs alone. NOT_FOUND: they draw nothing of this history.
enum status tracks_write_packs(const struct pack *const *packs, const struct target *target,
                               const struct description *description, const struct history *history,
                               const struct tracks_frame *frame, FILE *out) MUST_CHECK;

// Terms (doc/reference/formulas.md) over the whole trial, such rows with a column for each, named
// by its text. INVALID: term[*wrong] is no term of the target, or has no value in this history;
// NO_MEMORY; SYSTEM.
enum status tracks_write_terms(const struct target *target, const struct history *history,
                               char *const *term, unsigned count, unsigned *wrong,
                               FILE *out) MUST_CHECK;

#define TRACKS_TERMS_MAX 64
#define TRACKS_PERIOD_S 0.02
#define TRACKS_QUANTITIES "quantities"

// One value of a row, after a tab.
void tracks_put(FILE *out, double value);
