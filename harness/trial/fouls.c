#include "harness/trial/fouls.h"

#include "base/text.h"

#define SCHEMA_FOUL "foul_event"
#define NOTED_MAX 1000 // more say nothing new
// A program may stamp its first messages by what it takes for the time before the trial.
#define BEFORE_S 1

enum status fouls_note(struct fouls *fouls, enum foul_kind kind, const struct put *put,
                       const char *process, uint64_t frames)
{
    struct foul_event event = {
        .time = put->time, .stamp = put->said, .frames = frames, .kind = kind};
    enum status status = STATUS_OK;
    if (fouls->noted == NOTED_MAX)
        return STATUS_OK;
    fouls->noted++;
    text_copy(event.process, sizeof event.process, process);
    text_copy(event.channel, sizeof event.channel, put->channel);
    if (!fouls->found)
        status = history_add_topic(fouls->history, TOPIC_FOUL, SCHEMA_FOUL, &fouls->topic);
    fouls->found = status == STATUS_OK;
    return status != STATUS_OK
               ? status
               : history_append(fouls->history, fouls->topic, 0, event.time, &event, sizeof event);
}

enum status fouls_look(struct fouls *fouls, const struct put *put)
{
    const int64_t ahead_ns = put->error_ns > 0 ? put->error_ns : 0;
    const int64_t behind_ns = put->error_ns < 0 ? -put->error_ns : 0;
    const int64_t latest_ns = time_sum_ns(time_sum_ns(put->time.ns, ahead_ns), put->slack.ns);
    const int64_t first_ns = -duration_s(BEFORE_S).ns - behind_ns;
    if (put->said.ns > latest_ns)
        return fouls_note(fouls, FOUL_BEYOND, put, put->writer, 1);
    if (put->said.ns < first_ns)
        return fouls_note(fouls, FOUL_OUTSIDE, put, put->writer, 1);
    if (!put->many && put->said.ns < time_difference_ns(put->last.ns, put->slack.ns))
        return fouls_note(fouls, FOUL_BACK, put, put->writer, 1);
    return STATUS_OK;
}
