// The embedded bus, from the side of its owner (the simulated robot): advances the traffic of one
// CAN bus in time.
//
// Every frame costs its exact bits at the bus's bitrate; whenever the bus is idle the frames at the
// heads of all nodes' queues arbitrate by identifier. Host nodes are the ports of other processes
// (can/can.h); the owner's own nodes (boards) live in its memory. Nothing here waits or takes a
// lock; only create, open and add_node allocate or touch files.
#pragma once

#include "can/can.h"

#define CAN_BUS_NODES_MAX 32 // the owner's own nodes
#define CAN_BUS_QUEUE_MAX 16 // frames queued per own node

struct can_bus; // opaque; owned by the caller from can_bus_open to can_bus_close

// Lab: creates CELL/buses/NAME before any process starts. INVALID (bitrate outside 10 kbit/s .. 1
// Mbit/s, name too long), SYSTEM.
enum status can_bus_create(const char *cell, const char *name, unsigned bitrate_bit_s) MUST_CHECK;

// Opens a bus of the process's own cell ($UKEMI_CELL) as its owner. Frames queued before are
// discarded. NOT_FOUND, CORRUPT, SYSTEM, NO_MEMORY.
enum status can_bus_open(const char *name, struct can_bus **bus) MUST_CHECK;
void can_bus_close(struct can_bus *bus);

// Adds a node of the owner's own; *node is its number, 0, 1, 2 ... FULL.
enum status can_bus_add_node(struct can_bus *bus, unsigned *node) MUST_CHECK;

#define CAN_BUS_FROM_HOST (-1) // sender of a frame that came from a host node

// Called for every frame at its end, with the node that sent it. It may call can_bus_send.
typedef void can_bus_listener(void *context, const struct can_stamped *frame, int sender);
void can_bus_listen(struct can_bus *bus, can_bus_listener *listener, void *context);

// Queues a frame at own node `node`; it takes part in arbitration from `ready` on. FULL.
enum status can_bus_send(struct can_bus *bus, unsigned node, const struct can_frame *frame,
                         instant ready) MUST_CHECK;

// Advances the bus: every frame that starts before `until` is started, every frame that ends by
// `until` is delivered. So a frame handed over at `until` still takes part in the arbitration at
// `until`.
void can_bus_advance(struct can_bus *bus, instant until);

struct can_bus_load {
    uint64_t frames; // delivered since the bus was opened
    duration busy;   // time the wire carried them, intermissions included
};
struct can_bus_load can_bus_load(const struct can_bus *bus);
