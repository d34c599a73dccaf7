#include "harness/judge/observe.h"

#include <math.h>
#include <stdarg.h>
#include <stddef.h>
#include <stdio.h>
#include <stdlib.h>

#include "harness/files/scenario.h"
#include "harness/judge/promise.h"
#include "harness/judge/signal_trace.h"

// One observation, as it is made.
struct telling {
    const struct analysis *analysis;
    const struct observation_config *config;
    struct observation *row;
    struct signal_names *names;
    struct signal_trace *trace;
    int64_t from_ns, to_ns;
};

__attribute__((format(printf, 2, 3))) static void give_up(struct observation *row,
                                                          const char *format, ...)
{
    va_list arguments;
    va_start(arguments, format);
    vsnprintf(row->reason, sizeof row->reason, format, arguments);
    va_end(arguments);
}

// Parses and gets the samples. False: the row says why not.
static bool prepare(const struct telling *t, const char *text, struct formula **formula)
{
    struct formula_error error;
    unsigned silent;
    *t->names = (struct signal_names){.target = t->analysis->target};
    const struct formula_names of = signal_names(t->names);
    const enum status status = t->config->kind == OBSERVE_VALUE
                                   ? formula_parse_term(text, &of, formula, &error)
                                   : formula_parse(text, &of, formula, &error);
    if (status == STATUS_INVALID) // of another target than was checked
        give_up(t->row, "%u:%u: %.100s", error.line, error.column, error.words);
    else if (status != STATUS_OK ||
             signal_trace_read(t->names, t->analysis->history, llround(t->analysis->end_s * 1e9),
                               t->trace) != STATUS_OK)
        give_up(t->row, "out of memory");
    else if (formula_known_ns(*formula, &t->trace->trace, &silent) > t->to_ns)
        give_up(t->row, "no sample of %s until %.3f s", t->names->signal[silent].name,
                (double)t->to_ns * 1e-9);
    return t->row->reason[0] == '\0';
}

// Nothing is known of signals before their first samples: the window begins there at the earliest.
static int64_t begin_ns(const struct telling *t, const struct formula *formula)
{
    unsigned silent;
    const int64_t known_ns = formula_known_ns(formula, &t->trace->trace, &silent);
    return known_ns > t->from_ns ? known_ns : t->from_ns;
}

static bool holds(const struct telling *t, const struct formula *formula)
{
    const int64_t at_ns = begin_ns(t, formula);
    struct formula_result result;
    if (formula_evaluate(formula, &t->trace->trace,
                         &(struct formula_window){FORMULA_HOLDS, at_ns, at_ns},
                         &result) != STATUS_OK)
        give_up(t->row, "out of memory");
    else if (result.low <= 0 && result.high > 0)
        give_up(t->row, "undecided from %.3f s on: not all of it was recorded",
                (double)at_ns * 1e-9);
    return result.low > 0;
}

static void tell_text(const struct telling *t, const struct formula *formula,
                      const struct observation_case *one)
{
    if (formula == NULL || holds(t, formula))
        snprintf(t->row->text, sizeof t->row->text, "%s", one->say);
}

static void tell_time(const struct telling *t, const struct formula *formula)
{
    int64_t first_ns;
    if (formula_first(formula, &t->trace->trace, t->from_ns, t->to_ns, &first_ns) != STATUS_OK)
        give_up(t->row, "out of memory");
    else if (first_ns == INT64_MAX)
        give_up(t->row, "it did not hold until %.3f s", (double)t->to_ns * 1e-9);
    else
        t->row->value = (double)(first_ns - t->from_ns) * 1e-9;
}

static void tell_value(const struct telling *t, const struct formula *term)
{
    struct formula_summary s;
    if (formula_summarize(term, &t->trace->trace, t->from_ns, t->to_ns, &s) != STATUS_OK) {
        give_up(t->row, "out of memory");
        return;
    }
    const double of[] = {
        [OF_LAST] = s.last, [OF_MIN] = s.min, [OF_MAX] = s.max, [OF_MEAN] = s.mean};
    t->row->value = of[t->config->of];
    if (!isfinite(t->row->value)) {
        t->row->value = NAN;
        give_up(t->row, "a value in its window is not a number");
    }
}

static void tell_with(const struct telling *t, const char *text, const struct observation_case *one)
{
    struct formula *formula = NULL;
    *t->trace = (struct signal_trace){0};
    if (text[0] == '\0') // in any case
        tell_text(t, NULL, one);
    else if (prepare(t, text, &formula)) {
        if (t->config->kind == OBSERVE_TEXT)
            tell_text(t, formula, one);
        else if (t->config->kind == OBSERVE_TIME)
            tell_time(t, formula);
        else
            tell_value(t, formula);
    }
    formula_free(formula);
    signal_trace_free(t->trace);
}

static void tell_first(const struct telling *t)
{
    for (unsigned i = 0; i < t->config->case_count; i++) {
        tell_with(t, t->config->first_of[i].when, &t->config->first_of[i]);
        if (t->row->text[0] != '\0' || t->row->reason[0] != '\0')
            return;
    }
    give_up(t->row, "none of its formulas holds");
}

static void tell(struct telling *t)
{
    const struct observation_config *config = t->config;
    const double from_s = promise_anchor_s(t->analysis, config->from) + config->after_s,
                 end_s = t->analysis->end_s,
                 to_s = config->for_s > 0 ? fmin(from_s + config->for_s, end_s) : end_s;
    *t->row = (struct observation){.value = NAN};
    snprintf(t->row->name, sizeof t->row->name, "%s", config->name);
    snprintf(t->row->unit, sizeof t->row->unit, "%s", config->unit);
    if (!isfinite(from_s)) {
        give_up(t->row, "the event from which its window counts did not happen");
    } else if (from_s > end_s) {
        give_up(t->row, "its window begins at %.3f s, the trial ended at %.3f s", from_s, end_s);
    } else {
        t->from_ns = llround(from_s * 1e9);
        t->to_ns = llround(to_s * 1e9);
        if (config->kind == OBSERVE_TEXT)
            tell_first(t);
        else
            tell_with(t, config->kind == OBSERVE_TIME ? config->time_until : config->value, NULL);
    }
}

static void observe_list(const struct analysis *analysis, const struct observation_config *list,
                         unsigned count, struct judgement *judgement)
{
    struct observation row;
    struct telling t = {.analysis = analysis,
                        .row = &row,
                        .names = malloc(sizeof *t.names),
                        .trace = malloc(sizeof *t.trace)};
    for (unsigned i = 0; i < count; i++) {
        t.config = &list[i];
        row = (struct observation){.value = NAN};
        if (t.names != NULL && t.trace != NULL)
            tell(&t);
        else
            give_up(&row, "out of memory");
        judgement_observe(judgement, &row);
    }
    free(t.names);
    free(t.trace);
}

// ---- the world of this trial --------------------------------------------------------------------

// Of several values, that which is farthest from the middle of its range.
static double farthest(const struct variation_event *event, unsigned count)
{
    const double middle = (event->low + event->high) / 2;
    double found = event->value[0];
    for (unsigned i = 1; i < count; i++)
        if (fabs(event->value[i] - middle) > fabs(found - middle))
            found = event->value[i];
    return found;
}

static void observe_quantity(const struct event *event, struct judgement *judgement)
{
    const struct variation_event *drawn = event->data;
    const size_t head_B = offsetof(struct variation_event, value);
    if (event->size_B <= head_B || drawn->count == 0)
        return;
    const size_t held = (event->size_B - head_B) / sizeof drawn->value[0];
    const unsigned count = drawn->count < held ? drawn->count : (unsigned)held;
    struct observation row = {.value = farthest(drawn, count)};
    snprintf(row.name, sizeof row.name, "varied.%.40s", drawn->quantity);
    judgement_observe(judgement, &row);
}

void observe_variation(const struct analysis *analysis, struct judgement *judgement)
{
    const int topic = history_topic(analysis->history, TOPIC_VARIATION);
    for (size_t i = 0; topic >= 0 && i < history_length(analysis->history); i++) {
        const struct event *event = history_event(analysis->history, i);
        if (event->topic != topic) {
            if (event->time.ns > 0) // it is told before all else
                return;
            continue;
        }
        observe_quantity(event, judgement);
    }
}

void observe_asked(const struct analysis *analysis, struct judgement *judgement)
{
    const struct scenario *scenario = analysis->scenario;
    const struct target *target = analysis->target;
    if (target == NULL)
        return;
    observe_list(analysis, scenario->observation, scenario->observation_count, judgement);
    observe_list(analysis, target->observation, target->observation_count, judgement);
}
