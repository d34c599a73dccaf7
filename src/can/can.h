// CAN for the programs on the bus: the host's port of one bus.
//
// Frames are the kernel's `struct can_frame`. The embedded bus (shared memory in CELL/buses/NAME)
// is owned by the simulated robot, which advances it (can/bus.h): frames cost bit time at the
// configured bitrate (stuffing included) and arbitrate by identifier. SocketCAN comes behind the
// same interface. Each port is one node on the bus with one transmit queue and one receive queue,
// single producer and single consumer, that a killed or stopped peer cannot leave locked. A process
// that opens a port again after a restart takes the node over: what its predecessor had queued but
// not sent is discarded, and so are frames received before the opening. Real-time safe: send and
// receive neither block nor allocate.
#pragma once

#include <linux/can.h>

#include "base/status.h"
#include "base/time.h"

struct can_port; // opaque; owned by the caller

struct can_stamped {
    struct can_frame frame;
    instant time; // end of frame on the bus
};

// Opens node `node` (e.g. "host") on bus `bus` (e.g. "can0") of the process's own cell. NOT_FOUND,
// CORRUPT, SYSTEM, NO_MEMORY.
enum status can_open(const char *bus, const char *node, struct can_port **port) MUST_CHECK;
void can_close(struct can_port *port);

// Queues a frame for transmission, stamped with the time it is handed over. FULL when the transmit
// queue is full.
enum status can_send(struct can_port *port, const struct can_frame *frame, instant now) MUST_CHECK;

// Takes the oldest received frame. EMPTY when there is none.
enum status can_receive(struct can_port *port, struct can_stamped *frame) MUST_CHECK;

// Frames lost because a receive queue was full, since the bus was created.
uint64_t can_lost(const struct can_port *port);
