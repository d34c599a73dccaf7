// The signals of formulas, read from a history.
#pragma once

#include "harness/files/signal_names.h"
#include "harness/history/history.h"

struct signal_trace {
    struct formula_samples samples[FORMULA_SIGNALS_MAX]; // by signal number
    struct formula_trace trace;                          // of these, for formula_evaluate
};

// Reads what `names` lists, up to end_ns. NO_MEMORY. To be freed also then.
enum status signal_trace_read(const struct signal_names *names, const struct history *history,
                              int64_t end_ns, struct signal_trace *trace) MUST_CHECK;
void signal_trace_free(struct signal_trace *trace);
