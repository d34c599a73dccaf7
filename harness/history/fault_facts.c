#include "harness/history/fault_facts.h"

#include <math.h>
#include <string.h>

bool names_process(const char *component, const struct process_event *process)
{
    return strcmp(component, process->component) == 0 || strcmp(component, process->process) == 0;
}

static bool is_started_again(const struct event *event, const struct fault_event *fault)
{
    const struct process_event *process = event->data;
    return process->kind == PROCESS_STARTED && process->generation > 0 &&
           process->time.ns >= fault->time.ns && names_process(fault->component, process);
}

static bool is_undone(const struct event *event, const struct fault_event *fault)
{
    const struct fault_event *other = event->data;
    return other->kind == FAULT_UNDONE && other->index == fault->index;
}

double fault_over_s(const struct history *history, const struct fault_event *applied)
{
    const int processes = history_topic(history, TOPIC_PROCESS);
    const int faults = history_topic(history, TOPIC_FAULT);
    double undone_s = INFINITY;
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        if (event->topic == processes && event->size_B == sizeof(struct process_event) &&
            is_started_again(event, applied))
            return instant_to_s(event->time);
        if (event->topic == faults && event->size_B == sizeof *applied &&
            is_undone(event, applied) && !isfinite(undone_s))
            undone_s = instant_to_s(event->time);
    }
    return undone_s;
}
