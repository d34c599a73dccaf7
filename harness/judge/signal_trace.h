// The signals of formulas, read from a history.
#pragma once

#include "harness/files/target/signal_names.h"
#include "harness/history/history.h"

struct signal_trace {
    struct formula_samples samples[FORMULA_SIGNALS_MAX]; // by signal number
    struct formula_trace trace;                          // of these, for formula_evaluate
};

// Reads what `names` lists, up to end_ns. NO_MEMORY. To be freed also then.
enum status signal_trace_read(const struct signal_names *names, const struct history *history,
                              int64_t end_ns, struct signal_trace *trace) MUST_CHECK;
void signal_trace_free(struct signal_trace *trace);

// The robustness of a formula over time, up to end_ns; no steps, if it is none of this target's.
// NO_MEMORY. The caller frees *steps, also then.
enum status signal_trace_follow(const struct target *target, const char *text,
                                const struct history *history, int64_t end_ns,
                                struct formula_step **steps, size_t *count) MUST_CHECK;
// Likewise the value of a quantity of the target.
enum status signal_trace_quantity(const struct target *target, unsigned quantity,
                                  const struct history *history, int64_t end_ns,
                                  struct formula_step **steps, size_t *count) MUST_CHECK;
