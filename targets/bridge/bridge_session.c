#include "targets/bridge/bridge_session.h"

#include <stdlib.h>
#include <string.h>

#include "base/log.h"
#include "robot/participant.h"

#define SILENCE_NS 500000000 // after that the peer is cut off
#define REPEAT_NS 100000000
#define ANSWERS_NS 50000000 // SEEN goes out at least so often: it is the sign of life, too

enum status bridge_add(struct bridge_session *session, const char *name, enum channel_role role)
{
    struct channel *channel;
    const bool pushed = role == CHANNEL_READ;
    unsigned *count = pushed ? &session->push_count : &session->pull_count;
    if (*count == BRIDGE_WAYS_MAX) {
        log_error("%s: more than %d channels one way; start another bridge", name, BRIDGE_WAYS_MAX);
        return STATUS_INVALID;
    }
    enum status status = participant_channel(name, role, 1, &channel);
    if (status != STATUS_OK)
        return status;
    const size_t size_B = channel_frame_size_max_B(channel);
    if (size_B > BRIDGE_FRAME_MAX_B) {
        log_error("channel %s: frame_size_max_B: %zu: a bridge takes at most %zu; lower it", name,
                  size_B, BRIDGE_FRAME_MAX_B);
        return STATUS_INVALID;
    }
    uint8_t *frame = malloc(size_B);
    if (frame == NULL)
        return STATUS_NO_MEMORY;
    if (pushed)
        session->push[*count] = (struct bridge_push){.channel = channel, .frame = frame};
    else
        session->pull[*count] = (struct bridge_pull){.channel = channel, .frame = frame};
    ++*count;
    return STATUS_OK;
}

void bridge_begin(struct bridge_session *session, const struct bridge_message *before, instant now)
{
    if (before != NULL)
        session->message = *before;
    session->message.epoch++;
    session->message.connected = 0;
    session->heard_ns = now.ns - SILENCE_NS;
    for (unsigned i = 0; i < session->pull_count; i++)
        session->pull[i].epoch = session->message.epochs[i];
}

// ---- received

// The same name, be it pushed or pulled here; -1: none.
static int push_named(const struct bridge_session *session, const char *name)
{
    for (unsigned i = 0; i < session->push_count; i++)
        if (strcmp(channel_name(session->push[i].channel), name) == 0)
            return (int)i;
    return -1;
}

static int pull_named(const struct bridge_session *session, const char *name)
{
    for (unsigned i = 0; i < session->pull_count; i++)
        if (strcmp(channel_name(session->pull[i].channel), name) == 0)
            return (int)i;
    return -1;
}

static void take_seen(struct bridge_session *session, const struct bridge_head *head)
{
    const int i = push_named(session, head->channel);
    if (i < 0)
        session->message.foreign++;
    else if (head->epoch != session->message.epoch)
        return; // said to this bridge's life before
    else if (head->number > session->push[i].number)
        session->message.refused++;
    else
        session->push[i].seen = head->number;
}

// A channel that is numbered anew begins at 1; one that has outlived its bridge goes on.
static bool numbered_anew(const struct bridge_session *session, unsigned i,
                          const struct bridge_head *head)
{
    return head->epoch != session->pull[i].epoch && head->number <= session->message.number[i] &&
           head->time_ns != (int64_t)session->message.frame_ns[i];
}

static void begin_frame(struct bridge_pull *pull, const struct bridge_head *head)
{
    pull->number = head->number;
    pull->time_ns = head->time_ns;
    pull->size_B = head->size_B;
    pull->parts = 0;
    memset(pull->has, 0, sizeof pull->has);
}

static void deliver(struct bridge_session *session, unsigned i, instant now)
{
    struct bridge_message *message = &session->message;
    struct bridge_pull *pull = &session->pull[i];
    if (channel_put(pull->channel, pull->frame, pull->size_B, now) != STATUS_OK)
        return; // it is pushed again
    const uint64_t before = message->number[i];
    message->missed += before > 0 && pull->number > before ? pull->number - before - 1 : 0;
    message->number[i] = pull->number;
    message->frame_ns[i] = (uint64_t)pull->time_ns;
    message->delivered++;
    pull->number = 0;
    pull->answer = true;
}

// Whether a part of this frame is wanted still. Another life of the peer's ends what was begun.
static bool is_wanted(struct bridge_session *session, unsigned i, const struct bridge_head *head)
{
    struct bridge_pull *pull = &session->pull[i];
    if (head->epoch != pull->epoch && pull->epoch != 0 && head->epoch == pull->epoch_before)
        return false;
    if (numbered_anew(session, i, head))
        session->message.number[i] = 0;
    if (head->epoch != pull->epoch) {
        pull->epoch_before = pull->epoch;
        session->message.epochs[i] = pull->epoch = head->epoch;
        pull->number = 0;
    }
    pull->answer |= head->number <= session->message.number[i]; // the answer was lost
    return head->number > session->message.number[i] && head->number >= pull->number;
}

static void take_part(struct bridge_session *session, const struct bridge_datagram *datagram,
                      instant now)
{
    const struct bridge_head *head = &datagram->head;
    const int i = pull_named(session, head->channel);
    if (i < 0) {
        session->message.foreign++;
        return;
    }
    struct bridge_pull *pull = &session->pull[i];
    if (head->size_B > channel_frame_size_max_B(pull->channel)) {
        session->message.refused++;
        return;
    }
    if (!is_wanted(session, (unsigned)i, head)) {
        session->message.doubled++;
        return;
    }
    if (head->number != pull->number)
        begin_frame(pull, head);
    const unsigned part = head->offset_B / BRIDGE_PART_B;
    const uint64_t bit = (uint64_t)1 << part % 64;
    if (head->size_B != pull->size_B || head->time_ns != pull->time_ns) {
        session->message.refused++;
        return;
    }
    if ((pull->has[part / 64] & bit) != 0) {
        session->message.doubled++;
        return;
    }
    pull->has[part / 64] |= bit;
    memcpy(pull->frame + head->offset_B, datagram->part, head->part_B);
    if (++pull->parts == bridge_parts(pull->size_B))
        deliver(session, (unsigned)i, now);
}

void bridge_take(struct bridge_session *session, const struct bridge_datagram *datagram,
                 size_t length_B, instant now)
{
    if (!bridge_frame_sound(datagram, length_B)) {
        session->message.refused++;
        return;
    }
    session->message.datagrams_in++;
    session->heard_ns = now.ns;
    if (datagram->head.kind == BRIDGE_SEEN)
        take_seen(session, &datagram->head);
    else
        take_part(session, datagram, now);
}

// ---- sent

static bool load_newest(struct bridge_push *push)
{
    struct channel_frame frame;
    const enum status got =
        channel_get(push->channel, push->frame, channel_frame_size_max_B(push->channel),
                    CHANNEL_NEWEST, &frame);
    if (got != STATUS_OK && got != STATUS_MISSED)
        return false;
    push->number = frame.number;
    push->time_ns = frame.time.ns;
    push->size_B = frame.size_B;
    return true;
}

static void look_at_push(struct bridge_session *session, struct bridge_push *push, instant now)
{
    if (push->part < push->parts)
        return;
    const bool newer = load_newest(push);
    const bool again =
        !newer && push->number != 0 && push->seen != push->number && now.ns >= push->repeat_ns;
    if (!newer && !again)
        return;
    session->message.repeated += again;
    push->part = 0;
    push->parts = bridge_parts(push->size_B);
}

void bridge_look(struct bridge_session *session, instant now)
{
    const bool connected = now.ns - session->heard_ns < SILENCE_NS;
    session->message.reconnects += connected && session->message.connected == 0;
    session->message.connected = connected;
    for (unsigned i = 0; i < session->push_count; i++)
        look_at_push(session, &session->push[i], now);
    if (now.ns < session->answers_ns)
        return;
    session->answers_ns = now.ns + ANSWERS_NS;
    for (unsigned i = 0; i < session->pull_count; i++)
        session->pull[i].answer = true;
}

static void set_name(struct bridge_head *head, const struct channel *channel)
{
    strncpy(head->channel, channel_name(channel), sizeof head->channel - 1);
}

static size_t next_answer(struct bridge_session *session, struct bridge_datagram *datagram)
{
    for (unsigned i = 0; i < session->pull_count; i++) {
        struct bridge_pull *pull = &session->pull[i];
        if (!pull->answer)
            continue;
        pull->answer = false;
        datagram->head = (struct bridge_head){
            .kind = BRIDGE_SEEN, .epoch = pull->epoch, .number = session->message.number[i]};
        set_name(&datagram->head, pull->channel);
        return bridge_frame_seal(datagram);
    }
    return 0;
}

static size_t next_part(const struct bridge_session *session, struct bridge_push *push,
                        struct bridge_datagram *datagram, instant now)
{
    const size_t offset_B = (size_t)push->part * BRIDGE_PART_B;
    const size_t left_B = push->size_B - offset_B;
    datagram->head =
        (struct bridge_head){.kind = BRIDGE_PART,
                             .part_B = (uint16_t)(left_B < BRIDGE_PART_B ? left_B : BRIDGE_PART_B),
                             .epoch = session->message.epoch,
                             .number = push->number,
                             .time_ns = push->time_ns,
                             .size_B = (uint32_t)push->size_B,
                             .offset_B = (uint32_t)offset_B};
    set_name(&datagram->head, push->channel);
    memcpy(datagram->part, push->frame + offset_B, datagram->head.part_B);
    push->part++;
    push->repeat_ns = now.ns + REPEAT_NS;
    return bridge_frame_seal(datagram);
}

size_t bridge_next(struct bridge_session *session, struct bridge_datagram *datagram, instant now)
{
    size_t length_B = next_answer(session, datagram);
    for (unsigned i = 0; i < session->push_count && length_B == 0; i++) {
        struct bridge_push *push = &session->push[session->turn++ % session->push_count];
        if (push->part < push->parts)
            length_B = next_part(session, push, datagram, now);
    }
    session->message.datagrams_out += length_B > 0;
    return length_B;
}
