// One end of the serial line between the upper layer and the CM-5, both ways at once. A byte takes
// ten bits; a frame begins when the one before it is through, and is there when its last bit is.
#pragma once

#include "base/time.h"
#include "channel/channel.h"
#include "serial_bytes.h"

#define SERIAL_BAUD 500000 // of the CM-5's 16 MHz without remainder

struct serial {
    struct channel *out, *in;
    instant free;                        // of what goes out
    struct serial_bytes_message waiting; // came, and is still on its way; count 0: none
};

// Opens the channels of that name. Errors as participant_channel.
enum status serial_open(struct serial *serial, const char *out, const char *in) MUST_CHECK;

// Sends `size` bytes, at most 256. What the line has no room for is lost, as on a wire.
void serial_send(struct serial *serial, const uint8_t *bytes, unsigned size, instant now);

// Forgets what came before anybody listened.
void serial_forget(struct serial *serial);

// The next frame that is there by now; false: none.
bool serial_take(struct serial *serial, instant now, struct serial_bytes_message *frame);
