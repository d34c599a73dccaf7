// What a promise comes to where there was nothing to see: who was silent, and whose affair it is.
// Private to promise.c and what is beside it.
#pragma once

#include "harness/files/target/signal_names.h"
#include "harness/judge/analysis.h"

// SKIP: "vacuous: " and why. What says nothing of the target does not count as kept.
void promise_vacuous(struct oracle_verdict *verdict, const char *format, ...)
    __attribute__((format(printf, 2, 3)));

// Whether the trial went on to the end that its scenario gives it.
bool promise_trial_was_whole(const struct analysis *analysis);

// A signal without a sample in the window. FAIL: its writer is the target's, and was silent. ERROR:
// the lab lost messages, its world was silent, or the window began before there was anything.
// Vacuous: a fault of the scenario silenced it.
void promise_silent(const struct analysis *analysis, const struct promise *promise,
                    const struct signal_name *signal, const struct formula_samples *samples,
                    double from_s, double to_s, struct oracle_verdict *verdict);

// Undecided, since a signal of it has its first sample at known_s, within the window. An
// `eventually` that was not seen to hold is broken.
void promise_late(const struct analysis *analysis, const struct promise *promise, double known_s,
                  double from_s, double to_s, struct oracle_verdict *verdict);

// A signal with a unit of time that is 0 in all its samples of the window, so that a bound on it
// says nothing: on the virtual clock computing takes no time. NULL: there is none.
const char *promise_timeless(const struct signal_names *names, const struct formula_trace *trace,
                             const struct formula_window *window);
