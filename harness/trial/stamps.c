#include "harness/trial/stamps.h"

#include <string.h>

#include "base/text.h"
#include "harness/files/fault/catalogue.h"

#define SCHEMA_STAMP "stamp_event"
// In real time, beyond the lab's two looks.
#define SLACK_MS 50

static bool is_struck(const struct stamps *stamps, const char *process)
{
    for (unsigned i = 0; i < stamps->count; i++)
        if (strcmp(stamps->process[i], process) == 0)
            return true;
    return false;
}

void stamps_begin(struct stamps *stamps, const struct scenario *scenario,
                  const struct target *target, enum clk_mode mode)
{
    *stamps = (struct stamps){.mode = mode};
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_request *fault = &scenario->fault[i];
        const struct fault_kind *kind = catalogue_find(scenario->catalogue, fault->kind);
        if (kind == NULL || kind->look != LOOK_clock)
            continue;
        for (unsigned p = 0; p < target->process_count; p++) {
            const struct process_config *process = &target->process[p];
            if ((strcmp(process->name, fault->component) == 0 ||
                 strcmp(process->component, fault->component) == 0) &&
                !is_struck(stamps, process->name))
                text_copy(stamps->process[stamps->count++], NAME_MAX_LENGTH, process->name);
        }
    }
}

static enum status note(struct stamps *stamps, struct history *history, const struct stamp *stamp)
{
    struct stamp_event event = {.time = stamp->now, .stamp = stamp->said};
    enum status status = STATUS_OK;
    text_copy(event.process, sizeof event.process, stamp->writer);
    text_copy(event.channel, sizeof event.channel, stamp->channel);
    if (!stamps->found)
        status = history_add_topic(history, TOPIC_STAMP, SCHEMA_STAMP, &stamps->topic);
    stamps->found = status == STATUS_OK;
    return status != STATUS_OK
               ? status
               : history_append(history, stamps->topic, 0, event.time, &event, sizeof event);
}

enum status stamps_look(struct stamps *stamps, struct history *history, const struct stamp *stamp,
                        instant *time)
{
    *time = stamp->said;
    if (!is_struck(stamps, stamp->writer))
        return STATUS_OK;
    // In virtual time the lab looks after each turn, in which no time passes.
    const bool exact = stamps->mode == CLK_VIRTUAL;
    const duration slack = duration_ms(exact ? 0 : SLACK_MS);
    const instant low =
        exact ? stamp->now : instant_ns(time_difference_ns(stamp->looked.ns, slack.ns));
    const instant high = instant_add(stamp->now, slack);
    if (!instant_before(stamp->said, low) && !instant_before(high, stamp->said))
        return STATUS_OK;
    *time = stamp->now;
    return note(stamps, history, stamp);
}
