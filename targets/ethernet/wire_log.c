#include "targets/ethernet/wire_log.h"

#include <stdlib.h>
#include <string.h>

#include "robot/participant.h"

struct entry { // a WireFrame, whose head follows
    int64_t time_ns;
    uint16_t cable;
    uint8_t end, broken;
    uint16_t size_B, padding;
};

struct wire_log {
    struct channel *channel;
    unsigned head_B, frames_max;
    struct { // as wire.msg
        int64_t time_ns;
        uint32_t count, dropped;
        uint8_t frames[];
    } message;
};

static size_t entry_B(const struct wire_log *log)
{
    return sizeof(struct entry) + log->head_B;
}

enum status wire_log_open(unsigned head_B, unsigned frames_max, struct wire_log **log)
{
    const size_t frames_B = frames_max * (sizeof(struct entry) + head_B);
    struct wire_log *opened = calloc(1, sizeof *opened + frames_B);
    if (opened == NULL)
        return STATUS_NO_MEMORY;
    opened->head_B = head_B;
    opened->frames_max = frames_max;
    const enum status status = participant_channel(
        "wire", CHANNEL_WRITE, sizeof opened->message + frames_B, &opened->channel);
    if (status == STATUS_OK)
        *log = opened;
    else
        free(opened);
    return status;
}

void wire_log_frame(void *context, unsigned cable, unsigned end, const struct eth_frame *frame)
{
    struct wire_log *log = context;
    if (log->message.count == log->frames_max) {
        log->message.dropped++;
        return;
    }
    const struct entry entry = {.time_ns = frame->time_ns,
                                .cable = (uint16_t)cable,
                                .end = (uint8_t)end,
                                .broken = frame->broken,
                                .size_B = frame->size_B};
    uint8_t *at = log->message.frames + log->message.count++ * entry_B(log);
    const size_t kept_B = frame->size_B < log->head_B ? frame->size_B : log->head_B;
    memcpy(at, &entry, sizeof entry);
    memcpy(at + sizeof entry, frame->bytes, kept_B);
    memset(at + sizeof entry + kept_B, 0, log->head_B - kept_B);
}

enum status wire_log_publish(struct wire_log *log, instant now)
{
    log->message.time_ns = now.ns;
    const size_t size_B = sizeof log->message + log->message.count * entry_B(log);
    const enum status status = channel_put(log->channel, &log->message, size_B, now);
    log->message.count = log->message.dropped = 0;
    return status;
}
