#include "harness/trial_limit.h"

#include <stdio.h>
#include <string.h>

#define SCHEMA_LIMIT "limit_event"

static const struct process_config *find_process(const struct target *target, const char *name)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (strcmp(target->process[i].name, name) == 0)
            return &target->process[i];
    return NULL; // the operator's
}

static struct limit_event event_of(const struct breach *breach,
                                   const struct process_config *process, instant time)
{
    const enum limit limit = (enum limit)atomic_load(&breach->limit);
    struct limit_event event = {.time = time,
                                .limit = limit,
                                .pid = breach->pid,
                                .used = breach->used,
                                .allowed = breach->allowed};
    strcpy(event.process, breach->process);
    if (process != NULL)
        strcpy(event.component, process->component);
    snprintf(event.words, sizeof event.words, "%s: %s (pid %d): %.4g %s, at most %.4g",
             limit_name(limit), breach->process, breach->pid, breach->used, limit_unit(limit),
             breach->allowed);
    return event;
}

enum status trial_limit_exceeded(const struct breach *breach, const struct target *target,
                                 struct history *history, struct trial_result *result)
{
    enum status status = history_refresh(history);
    if (status != STATUS_OK)
        return status;
    const struct process_config *process = find_process(target, breach->process);
    const size_t length = history_length(history);
    const instant end = length == 0 ? instant_ns(0) : history_event(history, length - 1)->time;
    const struct limit_event event = event_of(breach, process, end);
    result->simulated_s = instant_to_s(end);
    result->outcome = TRIAL_LAB_ERROR;
    snprintf(result->reason, sizeof result->reason, "limit of the cell exceeded: %s", event.words);
    const bool of_target = breach->known && (process == NULL || !process->follower);
    if (!of_target || event.limit == LIMIT_WALL_TIME || length == 0)
        return STATUS_OK;
    unsigned topic;
    status = history_add_topic(history, TOPIC_LIMIT, SCHEMA_LIMIT, &topic);
    if (status == STATUS_OK)
        status = history_append(history, topic, 0, end, &event, sizeof event);
    if (status == STATUS_OK)
        result->outcome = TRIAL_RAN;
    return status;
}
