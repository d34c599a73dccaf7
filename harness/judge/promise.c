#include "harness/judge/promise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/judge/signal_trace.h"

static double restarted_s(const struct analysis *a)
{
    for (size_t i = 0; a->struck && i < a->process.count; i++) {
        const struct process_event *event = a->process.event[i]->data;
        if (event->kind == PROCESS_READY && event->generation > 0 &&
            instant_to_s(event->time) >= a->fault_s &&
            names_process(a->fault_request->component, event))
            return instant_to_s(event->time);
    }
    return INFINITY;
}

double promise_anchor_s(const struct analysis *a, enum promise_from from)
{
    switch (from) {
    case FROM_START:
        return 0;
    case FROM_FAULT:
        return a->struck ? a->fault_s : INFINITY;
    case FROM_FAULT_OVER:
        return a->struck ? a->fault_over_s : INFINITY;
    case FROM_RESTART:
        return restarted_s(a);
    }
    return INFINITY;
}

static void tell_broken(const struct formula_result *r, double from_s, double to_s,
                        struct oracle_verdict *verdict)
{
    const double first_s = (double)r->broken_ns * 1e-9, worst_s = (double)r->high_ns * 1e-9;
    char worst[32] = "";
    if (r->broken_ns < r->high_ns)
        snprintf(worst, sizeof worst, ", worst at %.3f s", worst_s);
    verdict_margin(verdict, r->high, "", "broken at %.3f s%s, judged from %.3f to %.3f s", first_s,
                   worst, from_s, to_s);
    verdict_broken_at(verdict, first_s);
}

// Which process was not there yet when the window began: the last one to come.
static void tell_latecomer(const struct analysis *a, double from_s, char *words, size_t size)
{
    double latest_s = from_s;
    *words = '\0';
    for (unsigned i = 0; a->target != NULL && i < a->target->process_count; i++) {
        const char *name = a->target->process[i].name;
        const double ready_s = first_ready_s(a, name);
        if (ready_s <= from_s || ready_s < latest_s)
            continue;
        latest_s = ready_s;
        if (isfinite(ready_s))
            snprintf(words, size, "; %s was not ready before %.3f s", name, ready_s);
        else
            snprintf(words, size, "; %s was never ready", name);
    }
}

// Why it is neither kept nor broken: samples came too late, or ended too early.
static void tell_undecided(const struct analysis *a, double known_s, double from_s, double to_s,
                           struct oracle_verdict *verdict)
{
    char why[160] = "not all of it was recorded", latecomer[96];
    if (known_s > from_s) {
        tell_latecomer(a, from_s, latecomer, sizeof latecomer);
        snprintf(why, sizeof why, "a signal of it has no sample before %.3f s%s", known_s,
                 latecomer);
    }
    verdict_count(verdict, 1, VERDICT_ERROR, "windows", "undecided from %.3f to %.3f s: %s", from_s,
                  to_s, why);
}

static void weigh(const struct analysis *a, const struct signal_names *names,
                  const struct formula_result *r, const struct formula_window *window,
                  double known_s, struct oracle_verdict *verdict)
{
    char latecomer[96];
    const double from_s = (double)window->from_ns * 1e-9, to_s = (double)window->to_ns * 1e-9;
    if (r->not_a_number) {
        verdict_count(verdict, 1, VERDICT_FAIL, "values", "a value at %.3f s is not a number",
                      (double)r->not_a_number_ns * 1e-9);
        verdict_broken_at(verdict, (double)r->not_a_number_ns * 1e-9);
    } else if (r->silent) {
        tell_latecomer(a, from_s, latecomer, sizeof latecomer);
        verdict_count(verdict, 1, VERDICT_ERROR, "samples", "no sample of %s from %.3f to %.3f s%s",
                      names->signal[r->silent_signal].name, from_s, to_s, latecomer);
    } else if (r->low > 0)
        verdict_margin(verdict, r->low, "", "worst at %.3f s, judged from %.3f to %.3f s",
                       (double)r->low_ns * 1e-9, from_s, to_s);
    else if (r->high <= 0)
        tell_broken(r, from_s, to_s, verdict);
    else
        tell_undecided(a, known_s, from_s, to_s, verdict);
}

static void judge_window(const struct analysis *a, const struct promise *promise,
                         const struct formula *formula, const struct signal_names *names,
                         struct formula_window window, struct oracle_verdict *verdict)
{
    struct signal_trace *trace = malloc(sizeof *trace);
    struct formula_result result;
    unsigned silent;
    const int64_t end_ns = llround(a->end_s * 1e9);
    if (promise->for_s == 0) // to the end, as far as the formula can look from there
        window.to_ns = end_ns;
    if (trace == NULL) {
        verdict_no_memory(verdict);
        return;
    }
    if (signal_trace_read(names, a->history, end_ns, trace) != STATUS_OK ||
        formula_evaluate(formula, &trace->trace, &window, &result) != STATUS_OK)
        verdict_no_memory(verdict);
    else {
        const int64_t known_ns = formula_known_ns(formula, &trace->trace, &silent);
        weigh(a, names, &result, &window, (double)known_ns * 1e-9, verdict);
    }
    signal_trace_free(trace);
    free(trace);
}

void promise_judge(const struct analysis *a, const struct promise *promise,
                   struct oracle_verdict *verdict)
{
    const double from_s = promise_anchor_s(a, promise->from) + promise->after_s;
    struct signal_names *names = calloc(1, sizeof *names);
    struct formula *formula = NULL;
    struct formula_error error;
    enum status status = STATUS_NO_MEMORY;
    if (names != NULL) {
        names->target = a->target;
        const struct formula_names of = signal_names(names);
        status = formula_parse(promise->formula[promise->operator], &of, &formula, &error);
    }
    if (status == STATUS_NO_MEMORY)
        verdict_no_memory(verdict);
    else if (status != STATUS_OK) // of another target than the scenario was checked against
        verdict_count(verdict, 1, VERDICT_ERROR, "formulas", "%u:%u: %.150s", error.line,
                      error.column, error.words);
    else if (!isfinite(from_s))
        verdict_nothing(verdict, "the event from which its window counts did not happen");
    else if (from_s > a->end_s)
        verdict_count(verdict, 1, VERDICT_ERROR, "windows",
                      "its window begins at %.3f s, the trial ended at %.3f s", from_s, a->end_s);
    else
        judge_window(a, promise, formula, names,
                     (struct formula_window){promise->operator, llround(from_s * 1e9),
                                             llround((from_s + promise->for_s) * 1e9)},
                     verdict);
    formula_free(formula);
    free(names);
}
