// Whoever sends what is no finite number leaves it to each reader to find that out: it is the
// writer's fault, whatever its readers make of it.
//
// Looked at is what was put. What a fault of the scenario makes of a message on its way, its
// readers get, and it does not stand there: but a process that passes on what it got, on a channel
// of the same messages, does no more than it was told to.
#include "harness/judge/oracles.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "harness/files/scenario.h"
#include "harness/files/target/not_finite.h"
#include "harness/history/schema.h"

struct number {
    struct message_field field;
    bool repeated; // in each element of the sequence that the message ends in
    char path[MESSAGE_PATH_MAX];
};

struct numbers { // of one channel or tap that are to be finite
    const struct analysis *analysis;
    const char *channel, *message, *writer;
    const struct schema *schema;
    bool nan_is_none; // a group that took no part in a line that a tap reads
    bool of_sequence, no_memory;
    size_t count, room;
    struct number *number;
};

struct findings {
    unsigned channels, messages; // that were looked at; that held one
    bool no_memory;
    double first_s;
    char words[160];
};

// ---- what is to be finite ----------------------------------------------------------------------

static bool make_room(struct numbers *numbers)
{
    if (numbers->count < numbers->room)
        return true;
    const size_t room = numbers->room == 0 ? 32 : 2 * numbers->room;
    struct number *more = realloc(numbers->number, room * sizeof *more);
    if (more == NULL)
        return false;
    numbers->number = more;
    numbers->room = room;
    return true;
}

static bool may_be(const struct analysis *a, const char *channel, const char *path)
{
    return not_finite_may_be(a->target->not_finite, a->target->not_finite_count, channel, path) ||
           not_finite_may_be(a->scenario->not_finite, a->scenario->not_finite_count, channel, path);
}

static void take(void *context, const char *path, const struct message_field *field)
{
    struct numbers *numbers = context;
    if (field->kind != 'f' || may_be(numbers->analysis, numbers->channel, path))
        return;
    if (!make_room(numbers)) {
        numbers->no_memory = true;
        return;
    }
    struct number *number = &numbers->number[numbers->count++];
    *number = (struct number){.field = *field, .repeated = numbers->of_sequence};
    snprintf(number->path, sizeof number->path, "%s", path);
}

static void find_numbers(struct numbers *numbers)
{
    const char *fields = numbers->schema->fields;
    message_each(fields, numbers->schema->size_max_B, take, numbers);
    numbers->of_sequence = true;
    message_each_of_sequence(fields, numbers->schema->size_max_B, take, numbers);
}

// ---- what was sent -----------------------------------------------------------------------------

// Its offset in this message from which on it is not finite; SIZE_MAX: it is.
static size_t spoilt_at(const struct numbers *numbers, const struct number *number,
                        const struct event *event)
{
    struct message_field field = number->field;
    for (; field.offset_B + field.width_B <= event->size_B;
         field.offset_B += numbers->schema->element_size_B) {
        const double value = message_value(&field, 0, event->data, event->size_B);
        if (isinf(value) || (isnan(value) && !numbers->nan_is_none))
            return field.offset_B;
        if (!number->repeated || numbers->schema->element_size_B == 0)
            break;
    }
    return SIZE_MAX;
}

static bool was_passed_on(const struct numbers *numbers, double time_s)
{
    const struct analysis *a = numbers->analysis;
    for (unsigned i = 0; i < a->in_force_count; i++) {
        const struct in_force *fault = &a->in_force[i];
        if (fault->request->struck != STRUCK_CHANNEL || !fault->request->falsifies ||
            time_s < fault->from_s || time_s > fault->to_s)
            continue;
        for (unsigned c = 0; c < a->target->channel_count; c++)
            if (strcmp(a->target->channel[c].name, fault->event->component) == 0 &&
                strcmp(a->target->channel[c].message, numbers->message) == 0)
                return strcmp(a->target->channel[c].name, numbers->channel) != 0;
    }
    return false;
}

static void describe(const struct numbers *numbers, const struct number *number, size_t offset_B,
                     const struct event *event, struct findings *findings)
{
    struct message_field field = number->field;
    char element[32] = "";
    if (offset_B != field.offset_B)
        snprintf(element, sizeof element, ", element %zu",
                 (offset_B - field.offset_B) / numbers->schema->element_size_B);
    field.offset_B = offset_B;
    findings->first_s = instant_to_s(event->time);
    snprintf(
        findings->words, sizeof findings->words, "%.40s sent %.40s with %.40s = %g%s at %.3f s",
        numbers->writer[0] == '\0' ? "somebody" : numbers->writer, numbers->channel, number->path,
        message_value(&field, 0, event->data, event->size_B), element, findings->first_s);
}

static void look_at_message(const struct numbers *numbers, const struct event *event,
                            struct findings *findings)
{
    for (size_t i = 0; i < numbers->count; i++) {
        const size_t offset_B = spoilt_at(numbers, &numbers->number[i], event);
        if (offset_B == SIZE_MAX)
            continue;
        if (was_passed_on(numbers, instant_to_s(event->time)))
            return;
        if (findings->messages++ == 0 || instant_to_s(event->time) < findings->first_s)
            describe(numbers, &numbers->number[i], offset_B, event, findings);
        return;
    }
}

static void look_at(struct numbers numbers, struct findings *findings)
{
    struct series series = {0};
    numbers.schema = numbers.message[0] == '\0' ? NULL : schema_find(numbers.message);
    if (numbers.schema == NULL ||
        (numbers.writer[0] != '\0' && strcmp(numbers.writer, numbers.analysis->target->world) == 0))
        return;
    find_numbers(&numbers);
    findings->no_memory |=
        numbers.no_memory || (numbers.count > 0 && !series_collect(numbers.analysis->history,
                                                                   numbers.channel, 0, &series));
    for (size_t i = 0; i < series.count; i++)
        look_at_message(&numbers, series.event[i], findings);
    findings->channels += series.count > 0;
    free(series.event);
    free(numbers.number);
}

void oracle_finite(const struct analysis *a, struct oracle_verdict *verdict)
{
    struct findings findings = {.first_s = NAN};
    for (unsigned i = 0; a->target != NULL && i < a->target->channel_count; i++) {
        const struct channel_config *channel = &a->target->channel[i];
        look_at((struct numbers){.analysis = a,
                                 .channel = channel->name,
                                 .message = channel->message,
                                 .writer = channel->writer},
                &findings);
    }
    for (unsigned i = 0; a->target != NULL && i < a->target->tap_count; i++) {
        const struct tap_config *tap = &a->target->tap[i];
        look_at((struct numbers){.analysis = a,
                                 .channel = tap->channel,
                                 .message = tap->message,
                                 .nan_is_none = tap->kind == TAP_STDOUT,
                                 .writer = tap->kind == TAP_STDOUT ? tap->name : tap->writer},
                &findings);
    }
    if (findings.no_memory)
        verdict_no_memory(verdict);
    else if (findings.channels == 0)
        verdict_nothing(verdict, "the target sent no message with a real number");
    else
        verdict_count(verdict, findings.messages, VERDICT_FAIL, "messages", "%s",
                      findings.messages > 0 ? findings.words
                                            : "all numbers that were sent are finite");
    verdict_broken_at(verdict, findings.first_s);
}
