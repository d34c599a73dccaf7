#include "harness/judge/promise.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/files/fault/fault_request.h"
#include "harness/files/scenario.h"
#include "harness/history/fault_facts.h"
#include "harness/judge/promise_silence.h"
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

// When all faults that the judge is told of were over; one that nothing undoes, when it had struck.
// INFINITY: not all of them struck, or one that was to be undone never was.
static double calm_s(const struct analysis *a)
{
    double calm_s = a->struck ? 0 : INFINITY;
    unsigned applied = 0;
    for (size_t i = 0; i < a->fault.count; i++) {
        const struct fault_event *event = a->fault.event[i]->data;
        if (event->kind != FAULT_APPLIED || event->index >= a->scenario->fault_count ||
            a->scenario->fault[event->index].untold)
            continue;
        const struct fault_request *request = &a->scenario->fault[event->index];
        const bool undoes = request->duration_s > 0 || request->restart_after_s >= 0;
        const double over_s = fault_over_s(a->history, event);
        applied++;
        calm_s = fmax(calm_s, isfinite(over_s) || undoes ? over_s : instant_to_s(event->time));
    }
    return applied == scenario_told(a->scenario) ? calm_s : INFINITY;
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
    case FROM_CALM:
        return calm_s(a);
    }
    return INFINITY;
}

struct judging { // of one promise
    const struct analysis *analysis;
    const struct promise *promise;
    double from_s, to_s; // its window
    double known_s;      // when all its signals are known
    int64_t horizon_ns;  // how far after its window it looks; 0: to the end
};

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

// Why it is neither kept nor broken: samples came too late, or ended too early.
static void tell_undecided(const struct judging *j, struct oracle_verdict *verdict)
{
    const double looks_s = j->to_s + (double)j->horizon_ns * 1e-9;
    if (j->known_s > j->from_s)
        promise_late(j->analysis, j->promise, j->known_s, j->from_s, j->to_s, verdict);
    else if (promise_trial_was_whole(j->analysis))
        promise_vacuous(verdict, "it looks until %.3f s, and the trial ends at %.3f s undecided",
                        looks_s, j->analysis->end_s);
    else
        verdict_count(verdict, 1, VERDICT_ERROR, "windows",
                      "undecided from %.3f to %.3f s: not all of it was recorded", j->from_s,
                      j->to_s);
}

static void tell_vacuous(const struct judging *j, const struct formula_vacuous *vacuous,
                         struct oracle_verdict *verdict)
{
    const double at_s = (double)vacuous->at_ns * 1e-9;
    switch (vacuous->kind) {
    case FORMULA_JUDGED:
        break;
    case FORMULA_IMPLIES_NOTHING:
        promise_vacuous(verdict, "the left side of its implication never held from %.3f to %.3f s",
                        j->from_s, j->to_s);
        break;
    case FORMULA_HELD_BEFORE:
        promise_vacuous(verdict,
                        "it held before %.3f s already, and until its window began at %.3f s", at_s,
                        j->from_s);
        break;
    case FORMULA_DONE_BEFORE:
        promise_vacuous(
            verdict,
            "it was kept at %.3f s, before the fault at %.3f s; count `from: fault`, or "
            "end the window before, with `for_s`",
            at_s, j->analysis->fault_s);
        break;
    case FORMULA_AT_ONCE:
        promise_vacuous(verdict,
                        "the right side of its until held at once, at %.3f s; nothing was asked of "
                        "the left one",
                        j->from_s);
        break;
    case FORMULA_FEW_SAMPLES:
        promise_vacuous(verdict, "less than two samples from %.3f to %.3f s", j->from_s, j->to_s);
        break;
    }
}

// What it is about: what its window counts from, or the fault, if that comes later.
static int64_t since_ns(const struct judging *j)
{
    if (j->promise->from != FROM_START)
        return llround((j->from_s - j->promise->after_s) * 1e9);
    return j->analysis->struck ? llround(j->analysis->fault_s * 1e9) : INT64_MAX;
}

static void tell_kept(const struct judging *j, const struct signal_names *names,
                      const struct formula *formula, const struct formula_trace *trace,
                      const struct formula_window *window, const struct formula_result *r,
                      struct oracle_verdict *verdict)
{
    struct formula_vacuous vacuous;
    if (formula_vacuous(formula, trace, window, since_ns(j), &vacuous) != STATUS_OK)
        verdict_no_memory(verdict);
    else if (vacuous.kind != FORMULA_JUDGED)
        tell_vacuous(j, &vacuous, verdict);
    else {
        const char *timeless = promise_timeless(names, trace, window);
        char words[FORMULA_NAME_MAX + 80] = "";
        if (timeless != NULL)
            snprintf(words, sizeof words, "; %s is 0: computing takes no time on the virtual clock",
                     timeless);
        verdict_margin(verdict, r->low, "", "worst at %.3f s, judged from %.3f to %.3f s%s%s",
                       (double)r->low_ns * 1e-9, j->from_s, j->to_s,
                       vacuous.in_part ? "; a part of it is vacuous" : "", words);
    }
}

static void weigh(const struct judging *j, const struct signal_names *names,
                  const struct formula *formula, const struct formula_trace *trace,
                  const struct formula_window *window, const struct formula_result *r,
                  struct oracle_verdict *verdict)
{
    if (r->not_a_number) {
        verdict_count(verdict, 1, VERDICT_FAIL, "values", "a value at %.3f s is %s",
                      (double)r->not_a_number_ns * 1e-9, r->infinite ? "infinite" : "not a number");
        verdict_broken_at(verdict, (double)r->not_a_number_ns * 1e-9);
    } else if (r->silent)
        promise_silent(j->analysis, j->promise, &names->signal[r->silent_signal],
                       &trace->signal[r->silent_signal], j->from_s, j->to_s, verdict);
    else if (r->low > 0)
        tell_kept(j, names, formula, trace, window, r, verdict);
    else if (r->high <= 0)
        tell_broken(r, j->from_s, j->to_s, verdict);
    else
        tell_undecided(j, verdict);
}

static int64_t finite_horizon_ns(const struct formula *formula)
{
    const int64_t horizon_ns = formula_horizon_ns(formula);
    return horizon_ns == INT64_MAX ? 0 : horizon_ns;
}

// To the end of the trial, as far as the formula can look from there.
static int64_t to_the_end_ns(const struct formula *formula, int64_t from_ns, int64_t end_ns)
{
    const int64_t to_ns = end_ns - finite_horizon_ns(formula);
    return to_ns > from_ns ? to_ns : from_ns;
}

static void judge_window(const struct analysis *a, const struct promise *promise,
                         const struct formula *formula, const struct signal_names *names,
                         struct formula_window window, struct oracle_verdict *verdict)
{
    struct signal_trace *trace = malloc(sizeof *trace);
    struct formula_result result;
    unsigned silent;
    const int64_t end_ns = llround(a->end_s * 1e9);
    if (promise->for_s == 0)
        window.to_ns = to_the_end_ns(formula, window.from_ns, end_ns);
    if (trace == NULL) {
        verdict_no_memory(verdict);
        return;
    }
    if (signal_trace_read(names, a->history, end_ns, trace) != STATUS_OK ||
        formula_evaluate(formula, &trace->trace, &window, &result) != STATUS_OK)
        verdict_no_memory(verdict);
    else {
        const struct judging j = {
            .analysis = a,
            .promise = promise,
            .from_s = (double)window.from_ns * 1e-9,
            .to_s = (double)window.to_ns * 1e-9,
            .known_s = (double)formula_known_ns(formula, &trace->trace, &silent) * 1e-9,
            .horizon_ns = finite_horizon_ns(formula)};
        weigh(&j, names, formula, &trace->trace, &window, &result, verdict);
    }
    signal_trace_free(trace);
    free(trace);
}

static void judge_formula(const struct analysis *a, const struct promise *promise,
                          const struct formula *formula, const struct signal_names *names,
                          struct oracle_verdict *verdict)
{
    const double from_s = promise_anchor_s(a, promise->from) + promise->after_s;
    if (!isfinite(from_s))
        promise_vacuous(verdict, "the event from which its window counts did not happen");
    else if (from_s > a->end_s && promise_trial_was_whole(a))
        promise_vacuous(verdict, "its window begins at %.3f s, and the trial ends at %.3f s",
                        from_s, a->end_s);
    else if (from_s > a->end_s)
        verdict_count(verdict, 1, VERDICT_ERROR, "windows",
                      "its window begins at %.3f s, the trial ended at %.3f s", from_s, a->end_s);
    else
        judge_window(a, promise, formula, names,
                     (struct formula_window){promise->operator, llround(from_s * 1e9),
                                             llround((from_s + promise->for_s) * 1e9)},
                     verdict);
}

void promise_judge(const struct analysis *a, const struct promise *promise,
                   struct oracle_verdict *verdict)
{
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
    else
        judge_formula(a, promise, formula, names, verdict);
    formula_free(formula);
    free(names);
}
