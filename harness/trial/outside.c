#include "harness/trial/outside.h"

#include <signal.h>
#include <stdio.h>
#include <string.h>

#include "harness/history/fault_facts.h"

// A fault that was meant to end this process, or may have (a lack of memory, say).
static bool is_reason(const struct fault_event *fault, const struct process_event *death,
                      const struct catalogue *catalogue)
{
    const struct fault_kind *kind = catalogue_find(catalogue, fault->fault);
    return fault->kind == FAULT_APPLIED && fault->proven &&
           names_process(fault->component, death) && (kind == NULL || kind->halts != HALTS_STOPPED);
}

// Looks back from a death to the start of the process for what accounts for it.
static bool accounted_for(const struct history *history, size_t index,
                          const struct catalogue *catalogue)
{
    const struct process_event *death = history_event(history, index)->data;
    int processes = history_topic(history, TOPIC_PROCESS),
        faults = history_topic(history, TOPIC_FAULT);
    for (size_t i = index; i-- > 0;) {
        const struct event *event = history_event(history, i);
        if (event->topic == faults && event->size_B == sizeof(struct fault_event) &&
            is_reason(event->data, death, catalogue))
            return true;
        if (event->topic != processes || event->size_B != sizeof *death)
            continue;
        const struct process_event *earlier = event->data;
        if (strcmp(earlier->process, death->process) != 0)
            continue;
        if (earlier->kind == PROCESS_HUNG)
            return true;
        if (earlier->kind == PROCESS_STARTED)
            return false;
    }
    return false;
}

bool killed_from_outside(const struct history *history, const struct catalogue *catalogue,
                         char *name, size_t size)
{
    int processes = history_topic(history, TOPIC_PROCESS);
    for (size_t i = 0; i < history_length(history); i++) {
        const struct event *event = history_event(history, i);
        const struct process_event *death = event->data;
        if (event->topic == processes && event->size_B == sizeof *death &&
            death->kind == PROCESS_KILLED && death->value == SIGKILL &&
            !accounted_for(history, i, catalogue)) {
            snprintf(name, size, "%s", death->process);
            return true;
        }
    }
    return false;
}
