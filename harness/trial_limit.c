#include "harness/trial_limit.h"

#include <stdio.h>
#include <string.h>

#include "base/text.h"

#define SCHEMA_LIMIT "limit_event"

// The newest process of the target, its operator or its bench that was started under this number.
static const struct process_event *find_started(const struct history *history, int pid)
{
    const int topic = history_topic(history, TOPIC_PROCESS);
    for (size_t i = history_length(history); pid != 0 && i > 0; i--) {
        const struct event *event = history_event(history, i - 1);
        const struct process_event *process = event->data;
        if (event->topic == topic && process->kind == PROCESS_STARTED && process->pid == pid)
            return process;
    }
    return NULL;
}

static bool of_the_bench(const struct process_event *process)
{
    return process->component[0] == '\0' && strcmp(process->process, "operator") != 0;
}

static struct limit_event event_of(const struct breach *breach, const struct process_event *process,
                                   instant time)
{
    const enum limit limit = (enum limit)atomic_load(&breach->limit);
    struct limit_event event = {.time = time,
                                .limit = limit,
                                .pid = breach->pid,
                                .used = breach->used,
                                .allowed = breach->allowed};
    text_copy(event.process, sizeof event.process,
              process != NULL ? process->process : breach->process);
    text_copy(event.component, sizeof event.component, process != NULL ? process->component : "");
    snprintf(event.words, sizeof event.words, "%s: %s (pid %d): %.4g %s, at most %.4g",
             limit_name(limit), event.process, breach->pid, breach->used, limit_unit(limit),
             breach->allowed);
    return event;
}

enum status trial_limit_exceeded(const struct breach *breach, struct history *history,
                                 struct trial_result *result)
{
    enum status status = history_refresh(history);
    if (status != STATUS_OK)
        return status;
    const size_t length = history_length(history);
    const instant end = length == 0 ? instant_ns(0) : history_event(history, length - 1)->time;
    const struct process_event *process = find_started(history, breach->group);
    const struct limit_event event = event_of(breach, process, end);
    result->simulated_s = instant_to_s(end);
    result->outcome = TRIAL_LAB_ERROR;
    snprintf(result->reason, sizeof result->reason, "limit of the cell exceeded: %s", event.words);
    if (process == NULL || of_the_bench(process) || event.limit == LIMIT_WALL_TIME)
        return STATUS_OK;
    unsigned topic;
    status = history_add_topic(history, TOPIC_LIMIT, SCHEMA_LIMIT, &topic);
    if (status == STATUS_OK)
        status = history_append(history, topic, 0, end, &event, sizeof event);
    if (status == STATUS_OK)
        result->outcome = TRIAL_RAN;
    return status;
}
