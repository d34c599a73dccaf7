// Compares what the writer of a channel put with what its readers got, both as the recorder saw
// them.
#include "harness/trial/look/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "harness/files/fault/fault_channel.h"
#include "harness/files/scenario.h"
#include "harness/trial/look/channel_difference.h"
#include "harness/trial/wire/interposed.h"

static bool compare(const struct look *look, instant since, instant till, duration slack,
                    struct channel_difference *difference, bool *has_field)
{
    const struct fault_call *call = look->call;
    const struct channel_config *channel = fault_channel(call->request, call->target);
    char readers[2 * NAME_MAX_LENGTH];
    struct message_field field[2]; // what faults have at most
    if (channel == NULL)
        return false;
    interposed_topic(channel, readers, sizeof readers);
    const int put = history_topic(look->history, channel->name);
    const int got = history_topic(look->history, readers);
    struct channel_window window = {
        .put = (unsigned)put, .got = (unsigned)got, .since = since, .till = till, .slack = slack};
    unsigned fields = 0;
    for (unsigned i = 0; i < call->kind->parameter_count && fields < 2; i++) {
        const struct fault_parameter *parameter = &call->kind->parameter[i];
        fields +=
            parameter->field && fault_field(parameter, call->request, call->target, &field[fields]);
    }
    window.field = fields > 0 ? &field[0] : NULL;
    window.other = fields > 1 ? &field[1] : NULL;
    if (call->kind->shows == SHOWS_LATE)
        window.delay = look_proves(call);
    if (instant_before(look->memory->undone, till) && !instant_before(look->memory->undone, since))
        window.after = instant_sub(till, look->memory->undone);
    *has_field = fields > 0;
    return put >= 0 && got >= 0 && channel_differ(look->history, &window, difference) == STATUS_OK;
}

// In real time one frame may be late for another reason, but not most.
static bool is_late(const struct channel_difference *difference, duration slack)
{
    return difference->late.ns > slack.ns || 2 * difference->delayed > difference->acted_on;
}

// Shows as the catalogue says.
static bool shows(const struct channel_difference *difference, enum fault_shows what,
                  bool has_field, duration slack)
{
    switch (what) {
    case SHOWS_MISSING:
        return difference->missing > 0;
    case SHOWS_LATE:
        return is_late(difference, slack);
    case SHOWS_REPEATED:
        return difference->repeated > 0;
    case SHOWS_SAME:
        return difference->same > 0;
    case SHOWS_DISORDERED:
        return difference->disordered > 0;
    case SHOWS_ALTERED:
        return (has_field ? difference->marked : difference->altered) > 0;
    case SHOWS_SHORTENED:
        return difference->shortened > 0;
    case SHOWS_REFUSED:
    case SHOWS_NOTHING:
        break;
    }
    return false;
}

static bool is_none(const struct channel_difference *difference, duration slack)
{
    return difference->missing + difference->repeated + difference->disordered +
                   difference->altered ==
               0 &&
           !is_late(difference, slack);
}

// No times of a real clock.
static void word(const struct look *look, const struct channel_difference *of)
{
    int used =
        snprintf(look->seen, look->seen_size, "%" PRIu64 " put, %" PRIu64 " got", of->put, of->got);
    const struct {
        uint64_t count;
        const char *word;
    } parts[] = {{of->missing, "missing"},
                 {of->repeated, "repeated"},
                 {of->disordered, "out of order"},
                 {of->altered, "as nobody put them"}};
    for (unsigned i = 0; i < sizeof parts / sizeof parts[0]; i++)
        if (parts[i].count > 0 && used >= 0 && (size_t)used < look->seen_size)
            used += snprintf(look->seen + used, look->seen_size - (size_t)used, ", %" PRIu64 " %s",
                             parts[i].count, parts[i].word);
    if (look->mode == CLK_VIRTUAL && of->late.ns > 0 && used >= 0 && (size_t)used < look->seen_size)
        snprintf(look->seen + used, look->seen_size - (size_t)used, ", up to %.6g s late",
                 duration_to_s(of->late));
}

static const char *doubt_effect(const struct look *look, duration slack)
{
    struct channel_difference difference;
    bool has_field;
    if (!compare(look, look->memory->applied, look_effect_till(look), slack, &difference,
                 &has_field))
        return "but the two sides of the channel cannot be compared";
    word(look, &difference);
    return shows(&difference, look->call->kind->shows, has_field, slack)
               ? NULL
               : "but its two sides do not show it";
}

// A process that is killed or started less than this before a frame is put makes the one who passes
// it on so late, on the virtual clock, too.
#define WAKES_LATE_MS 1

// How late a frame may come that nothing holds any more. Another fault explains a little, if this
// one makes frames later than that.
static duration end_slack(const struct look *look, duration slack)
{
    const duration little = duration_ms(WAKES_LATE_MS);
    const struct fault_call *call = look->call;
    const bool tells = call->kind->shows != SHOWS_LATE || look_proves(call).ns > little.ns;
    return slack.ns < little.ns && tells && call->scenario->fault_count > 1 ? little : slack;
}

static const char *doubt_end(const struct look *look, duration slack)
{
    struct channel_difference difference;
    bool has_field;
    const instant over = instant_add(look->memory->undone, look_met_late(look));
    const instant since = instant_add(over, slack);
    const instant till =
        look_untouched_till(look, since, instant_ns(time_difference_ns(look->now.ns, slack.ns)));
    if (!compare(look, since, till, slack, &difference, &has_field))
        return "but the two sides of the channel cannot be compared";
    word(look, &difference);
    return is_none(&difference, end_slack(look, slack)) ? NULL
                                                        : "but writer and readers still differ";
}

static const char *doubt_channel(const struct look *look)
{
    const duration slack = look_slack(look);
    if (look_begins(look))
        return NULL;
    return look->call->action == FAULT_ACTION_EFFECT ? doubt_effect(look, slack)
                                                     : doubt_end(look, slack);
}

// A frame that waits for others may come at any time.
static duration late(const struct fault_call *call)
{
    if (call->kind->shows == SHOWS_DISORDERED)
        return duration_ns(INSTANT_NEVER.ns);
    return call->kind->shows == SHOWS_LATE ? look_proves(call) : DURATION_ZERO;
}

const struct looker look_channel = {
    .doubt = doubt_channel, .late = late, .reads_history = true, .outlives_process = true};
