#include "targets/bioloid/serial.h"

#include <string.h>

#include "robot/participant.h"

#define BYTE_NS (INT64_C(10) * 1000000000 / SERIAL_BAUD)
#define BACKLOG_NS 20000000 // a sender's buffer holds so much

enum status serial_open(struct serial *serial, const char *out, const char *in)
{
    *serial = (struct serial){0};
    const enum status status =
        participant_channel(out, CHANNEL_WRITE, sizeof(struct serial_bytes_message), &serial->out);
    return status == STATUS_OK
               ? participant_channel(in, CHANNEL_READ, sizeof(struct serial_bytes_message),
                                     &serial->in)
               : status;
}

void serial_send(struct serial *serial, const uint8_t *bytes, unsigned size, instant now)
{
    struct serial_bytes_message frame = {.count = size};
    const instant begins = instant_before(now, serial->free) ? serial->free : now;
    if (size == 0 || size > sizeof frame.bytes || instant_sub(begins, now).ns > BACKLOG_NS)
        return;
    serial->free = instant_add(begins, duration_ns(BYTE_NS * size));
    frame.time_ns = begins.ns;
    frame.arrives_ns = serial->free.ns;
    memcpy(frame.bytes, bytes, size);
    (void)!channel_put(serial->out, &frame, sizeof frame, now);
}

bool serial_take(struct serial *serial, instant now, struct serial_bytes_message *frame)
{
    struct serial_bytes_message *waiting = &serial->waiting;
    if (waiting->count == 0) {
        const enum status got =
            channel_get(serial->in, waiting, sizeof *waiting, CHANNEL_NEXT, NULL);
        if (got != STATUS_OK && got != STATUS_MISSED)
            waiting->count = 0;
    }
    if (waiting->count == 0 || waiting->count > sizeof waiting->bytes ||
        waiting->arrives_ns > now.ns)
        return false;
    *frame = *waiting;
    waiting->count = 0;
    return true;
}

void serial_forget(struct serial *serial)
{
    struct serial_bytes_message frame;
    while (serial_take(serial, INSTANT_NEVER, &frame))
        ;
}
