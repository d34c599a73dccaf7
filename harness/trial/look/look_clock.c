// Looks at the stamps of what a process says: whether they are wrong while its clock is struck, and
// right again afterwards. A process whose clock stands still may say nothing at all.
#include "harness/trial/look/look.h"

#include <inttypes.h>
#include <stdio.h>
#include <string.h>

#include "message/io.h"
#include "harness/files/target/target.h"

struct heard {
    uint64_t said, before; // frames in the window, and in one as long before it
    uint64_t wrong;        // of these, with a wrong stamp
    uint64_t read;         // times that the process read a wrong clock
    int64_t worst_ns;
};

static bool is_within(instant time, instant since, instant till)
{
    return instant_before(since, time) && !instant_before(till, time);
}

bool look_hears(const struct look *look, const struct event *event)
{
    const char *topic = history_topic_name(look->history, event->topic);
    const struct io_message *message = event->data;
    if (strcmp(topic, IO_CHANNEL) == 0 && event->size_B == sizeof *message)
        return message->call != IO_END && // which the lab has put
               strcmp(message->participant, look->call->process) == 0;
    for (unsigned i = 0; i < look->call->target->channel_count; i++)
        if (strcmp(look->call->target->channel[i].name, topic) == 0)
            return strcmp(look->call->target->channel[i].writer, look->call->process) == 0;
    return false;
}

static void hear_stamp(const struct look *look, const struct event *event, struct heard *heard)
{
    const struct stamp_event *stamp = event->data;
    if (strcmp(stamp->process, look->call->process) != 0)
        return;
    const int64_t error_ns = instant_sub(stamp->stamp, stamp->time).ns;
    heard->wrong++;
    if (error_ns > heard->worst_ns || -error_ns > heard->worst_ns)
        heard->worst_ns = error_ns < 0 ? -error_ns : error_ns;
}

static bool is_read(const struct look *look, const struct event *event)
{
    const struct io_message *message = event->data;
    unsigned tag;
    return event->size_B == sizeof *message && message->call == IO_STRUCK &&
           sscanf(message->words, IO_STRUCK_WORDS, &tag) == 1 && tag == look->call->tag;
}

static struct heard hear(const struct look *look, instant since, instant till)
{
    const int stamps = history_topic(look->history, TOPIC_STAMP);
    const int calls = history_topic(look->history, IO_CHANNEL);
    const instant before = instant_ns(time_difference_ns(since.ns, instant_sub(till, since).ns));
    struct heard heard = {0};
    for (size_t i = 0; i < history_length(look->history); i++) {
        const struct event *event = history_event(look->history, i);
        const bool inside = is_within(event->time, since, till);
        if (event->topic == stamps && event->size_B == sizeof(struct stamp_event) && inside)
            hear_stamp(look, event, &heard);
        else if (event->topic == calls && inside && is_read(look, event))
            heard.read++;
        else if (inside)
            heard.said += look_hears(look, event);
        else if (is_within(event->time, before, since))
            heard.before += look_hears(look, event);
    }
    return heard;
}

static const char *doubt_clock(const struct look *look)
{
    const duration slack = look_slack(look);
    const bool applied = look->call->action == FAULT_ACTION_EFFECT;
    if (look_begins(look))
        return NULL;
    // Afterwards, it is wrong by others.
    const instant since =
        applied ? look->memory->applied : instant_add(look->memory->undone, slack);
    const instant till =
        applied ? look_effect_till(look)
                : look_untouched_till(look, instant_add(since, duration_ns(1)), look->now);
    const struct heard heard = hear(look, since, till);
    const int used =
        snprintf(look->seen, look->seen_size,
                 "%" PRIu64 " stamps and %" PRIu64 " readings wrong, of %" PRIu64 " frames",
                 heard.wrong, heard.read, heard.said);
    if (look->mode == CLK_VIRTUAL && heard.wrong > 0 && used > 0 && (size_t)used < look->seen_size)
        snprintf(look->seen + used, look->seen_size - (size_t)used, ", by up to %.6g s",
                 duration_to_s(duration_ns(heard.worst_ns)));
    // Between two frames anybody is silent.
    const bool is_silent = heard.said == 0 && heard.before > 1;
    if (applied)
        return heard.wrong + heard.read > 0 || is_silent ? NULL : "but no stamp of it is wrong";
    return heard.wrong + heard.read == 0 ? NULL : "but its clock is still wrong";
}

const struct looker look_clock = {
    .doubt = doubt_clock, .reads_history = true, .outlives_process = true};
