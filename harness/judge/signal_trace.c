#include "harness/judge/signal_trace.h"

#include <stdlib.h>

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
