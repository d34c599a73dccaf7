#include "harness/judge/signal_trace.h"

#include <stdio.h>
#include <stdlib.h>

#include "base/invariant.h"
#include "harness/files/target/target.h"

static size_t count_events(const struct history *history, int topic)
{
    size_t count = 0;
    for (size_t i = 0; i < history_length(history); i++)
        count += history_event(history, i)->topic == topic;
    return count;
}

static bool read_signal(const struct signal_name *name, const struct history *history,
                        struct formula_samples *samples)
{
    const int topic = history_topic(history, name->channel);
    const size_t count = topic < 0 ? 0 : count_events(history, topic);
    *samples = (struct formula_samples){0};
    if (count == 0)
        return true;
    int64_t *time_ns = malloc(count * sizeof *time_ns);
    double *value = malloc(count * sizeof *value);
    samples->time_ns = time_ns;
    samples->value = value;
    if (time_ns == NULL || value == NULL)
        return false;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        // A frame that another published before it is not newer: time never goes back.
        if (event->topic != topic ||
            (samples->count > 0 && event->time.ns < time_ns[samples->count - 1]))
            continue;
        time_ns[samples->count] = event->time.ns;
        value[samples->count++] =
            message_value(&name->field, name->element, event->data, event->size_B);
    }
    ensures(samples->count <= count);
    return true;
}

enum status signal_trace_read(const struct signal_names *names, const struct history *history,
                              int64_t end_ns, struct signal_trace *trace)
{
    *trace = (struct signal_trace){.trace = {.signal = trace->samples, .end_ns = end_ns}};
    for (unsigned i = 0; i < names->count; i++)
        if (!read_signal(&names->signal[i], history, &trace->samples[i]))
            return STATUS_NO_MEMORY;
    return STATUS_OK;
}

void signal_trace_free(struct signal_trace *trace)
{
    for (unsigned i = 0; i < FORMULA_SIGNALS_MAX; i++) {
        free((void *)trace->samples[i].time_ns);
        free((void *)trace->samples[i].value);
    }
}

// What is needed to follow a formula; large.
struct following {
    struct signal_names names;
    struct signal_trace trace;
};

static enum status follow(struct following *f, const char *text, const struct history *history,
                          int64_t end_ns, struct formula_step **steps, size_t *count)
{
    struct formula *formula;
    struct formula_error error;
    const struct formula_names names = signal_names(&f->names);
    enum status status = formula_parse(text, &names, &formula, &error);
    if (status != STATUS_OK)
        return status == STATUS_NO_MEMORY ? status : STATUS_OK;
    status = signal_trace_read(&f->names, history, end_ns, &f->trace);
    if (status == STATUS_OK)
        status = formula_robustness(formula, &f->trace.trace, steps, count);
    signal_trace_free(&f->trace);
    formula_free(formula);
    return status;
}

enum status signal_trace_follow(const struct target *target, const char *text,
                                const struct history *history, int64_t end_ns,
                                struct formula_step **steps, size_t *count)
{
    struct following *f = calloc(1, sizeof *f);
    *steps = NULL;
    *count = 0;
    if (f == NULL)
        return STATUS_NO_MEMORY;
    f->names.target = target;
    const enum status status = follow(f, text, history, end_ns, steps, count);
    free(f);
    return status;
}

enum status signal_trace_quantity(const struct target *target, unsigned quantity,
                                  const struct history *history, int64_t end_ns,
                                  struct formula_step **steps, size_t *count)
{
    char text[NAME_MAX_LENGTH + 8]; // a difference to 0 is the quantity itself
    snprintf(text, sizeof text, "%s > 0", target->quantity[quantity].name);
    return signal_trace_follow(target, text, history, end_ns, steps, count);
}
