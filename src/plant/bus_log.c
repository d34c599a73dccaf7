#include "plant/bus_log.h"

#include <string.h>

void bus_log_add(struct bus_log *log, unsigned bus, const struct can_stamped *frame,
                 enum bus_log_sender sender, bool failed)
{
    if (log->count[bus] == BUS_LOG_PER_BUS || frame->fd.flags & CANFD_FDF) {
        log->dropped++;
        return;
    }
    struct bus_log_frame *entry = &log->frame[bus][log->count[bus]++];
    *entry = (struct bus_log_frame){
        .time = frame->time,
        .bus = bus,
        .can_id = frame->frame.can_id,
        .length = frame->frame.can_dlc,
        .sender = (uint16_t)sender,
        .failed = failed,
    };
    memcpy(entry->data, frame->frame.data, sizeof entry->data);
}

size_t bus_log_take(struct bus_log *log, instant t, struct bus_log_message *message)
{
    unsigned next[BUS_LOG_BUSES] = {0};
    message->time = t;
    message->count = 0;
    message->dropped = log->dropped;
    for (;;) {
        int first = -1;
        for (int bus = 0; bus < BUS_LOG_BUSES; bus++)
            if (next[bus] < log->count[bus] &&
                (first < 0 || instant_before(log->frame[bus][next[bus]].time,
                                             log->frame[first][next[first]].time)))
                first = bus;
        if (first < 0)
            break;
        message->frame[message->count++] = log->frame[first][next[first]++];
    }
    memset(log->count, 0, sizeof log->count);
    log->dropped = 0;
    return offsetof(struct bus_log_message, frame) + message->count * sizeof message->frame[0];
}
