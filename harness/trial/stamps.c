#include "harness/trial/stamps.h"

#include <string.h>

#include "base/invariant.h"
#include "base/text.h"
#include "harness/files/fault/catalogue.h"
#include "harness/files/oscillator_file.h"
#include "harness/files/scenario.h"

#define SCHEMA_STAMP "stamp_event"
// In real time, beyond the lab's two looks.
#define SLACK_MS 50

static const struct stamps_clock *clock_of(const struct stamps *stamps, const char *process)
{
    for (unsigned i = 0; i < stamps->count; i++)
        if (strcmp(stamps->clock[i].process, process) == 0)
            return &stamps->clock[i];
    return NULL;
}

bool stamps_has(const struct stamps *stamps, const char *process)
{
    return clock_of(stamps, process) != NULL;
}

static bool is_struck(const struct scenario *scenario, const struct process_config *process)
{
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_request *fault = &scenario->fault[i];
        const struct fault_kind *kind = catalogue_find(scenario->catalogue, fault->kind);
        if (kind != NULL && kind->look == LOOK_clock &&
            (strcmp(process->name, fault->component) == 0 ||
             strcmp(process->component, fault->component) == 0))
            return true;
    }
    return false;
}

void stamps_begin(struct stamps *stamps, const struct scenario *scenario,
                  const struct target *target, enum clk_mode mode, uint64_t seed)
{
    *stamps = (struct stamps){.mode = mode};
    for (unsigned p = 0; p < target->process_count; p++) {
        struct stamps_clock clock = {0};
        text_copy(clock.process, sizeof clock.process, target->process[p].name);
        clock.oscillates = oscillator_draw(scenario, clock.process, seed, &clock.oscillator);
        if (clock.oscillates || is_struck(scenario, &target->process[p])) {
            invariant(stamps->count < sizeof stamps->clock / sizeof stamps->clock[0]);
            stamps->clock[stamps->count++] = clock;
        }
    }
}

static instant local(const struct stamps_clock *clock, instant time)
{
    return clock->oscillates ? instant_ns(clk_oscillator_local_ns(&clock->oscillator, time.ns))
                             : time;
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
    expects(!instant_before(stamp->now, stamp->looked));
    const struct stamps_clock *clock = clock_of(stamps, stamp->writer);
    *time = stamp->said;
    if (clock == NULL)
        return STATUS_OK;
    // In virtual time the lab looks after each turn, in which no time passes.
    const bool exact = stamps->mode == CLK_VIRTUAL;
    const duration slack = duration_ms(exact ? 0 : SLACK_MS);
    const instant low = local(
        clock, exact ? stamp->now : instant_ns(time_difference_ns(stamp->looked.ns, slack.ns)));
    const instant high = local(clock, instant_add(stamp->now, slack));
    if (!instant_before(stamp->said, low) && !instant_before(high, stamp->said)) {
        if (clock->oscillates)
            *time = exact ? stamp->now
                          : instant_ns(clk_oscillator_true_ns(&clock->oscillator, stamp->said.ns));
        return STATUS_OK;
    }
    *time = stamp->now;
    struct stamp wrong = *stamp; // by what its oscillator does not explain
    wrong.said = instant_add(stamp->now, instant_sub(stamp->said, local(clock, stamp->now)));
    return note(stamps, history, &wrong);
}
