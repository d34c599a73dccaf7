// Collects what appeared on the buses, in order of time, for the lab's recorder. Bounded; real-time
// safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>

#include "can/can.h"
#include "message/message.h"

// 10 ms of a saturated 1 Mbit/s bus: at most 227 frames; of a bus that costs nothing, at 1 kHz:
// about 400.
#define BUS_LOG_PER_BUS (BUS_LOG_FRAMES_MAX / BUS_LOG_BUSES)

struct bus_log {
    unsigned count[BUS_LOG_BUSES];
    uint32_t dropped;
    struct bus_log_frame frame[BUS_LOG_BUSES][BUS_LOG_PER_BUS];
};

// Adds a frame; frames of one bus come in order of time. CAN FD frames, which no board here sends,
// count as dropped.
void bus_log_add(struct bus_log *log, unsigned bus, const struct can_stamped *frame,
                 enum bus_log_sender sender, bool failed);

// Moves everything collected into *message, merged in order of time, and returns the message's size
// in bytes. The accounts are left as they are.
size_t bus_log_take(struct bus_log *log, instant t, struct bus_log_message *message);
