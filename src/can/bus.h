// A simulated CAN bus, from the side of its owner (the simulated robot): advances its traffic in
// time.
//
// Every frame costs its exact bits at the bus's bitrates; whenever the bus is idle the frames at
// the heads of all nodes' queues arbitrate by identifier. Frames are acknowledged, or fail and are
// sent again; nodes have error counters, become error-passive and bus-off, and recover
// (can/controller.h). Two nodes that send the same identifier with different data at once collide.
// What disturbs all this: can/disturbance.h. doc/reference/can.md says what is modelled and what is
// not. Host nodes are the ports of other processes (can/can.h); the owner's own nodes (boards) live
// in its memory. Nothing here waits or takes a lock; only create, open and add_node allocate or
// touch files.
#pragma once

#include "can/can.h"

#define CAN_BUS_NODES_MAX 32    // the owner's own nodes
#define CAN_BUS_QUEUE_MAX 16    // frames queued per own node
#define CAN_BUS_OUTSIDE_MAX 128 // frames of other programs, see CAN_BUS_OUTSIDE

struct can_bus; // opaque; owned by the caller from can_bus_open to can_bus_close

enum can_medium {
    CAN_EMBEDDED, // frames travel in the bus's page
    CAN_SOCKET, // they also travel through the kernel's CAN interface of the bus's name, and count
                // only when they have come
};

// Real buses reach 1 Mbit/s, and 8 Mbit/s in the data phase. Faster ones are for what would happen
// if the bus cost nothing.
struct can_bitrates {
    unsigned nominal_bit_s; // 10 kbit/s .. 100 Mbit/s
    unsigned data_bit_s; // of the data phase of CAN FD frames: nominal .. 100 Mbit/s; 0: as nominal
};

struct can_bus_config {
    struct can_bitrates bitrates;
    enum can_medium medium;
    // CAN_SOCKET: nobody goes on before the frames that were sent have come (virtual mode), rather
    // than with what is there (wall mode).
    bool patient;
    // The process whose frames are the host's: those of its nodes. Others' are strangers'. NULL:
    // every host node is the host's.
    const char *host;
    // CAN_SOCKET: it has no node, since it knows the kernel's interface only. What comes over that
    // and nobody has announced is the host's.
    bool host_outside;
};

// Lab: creates CELL/buses/NAME before any process starts. INVALID (bitrate out of range, name too
// long), SYSTEM.
enum status can_bus_create(const char *cell, const char *name,
                           const struct can_bus_config *config) MUST_CHECK;

// Opens a bus of the process's own cell ($UKEMI_CELL) as its owner. Frames queued before are
// discarded. NOT_FOUND (the bus, or with CAN_SOCKET its interface), CORRUPT, SYSTEM, NO_MEMORY,
// UNSUPPORTED.
enum status can_bus_open(const char *name, struct can_bus **bus) MUST_CHECK;
// Opens a bus of nobody's cell on the kernel's interface of that name, which others are on as well:
// medium and patience are not looked at. INVALID (bitrates), and as can_bus_open.
enum status can_bus_open_alone(const char *interface, struct can_bitrates bitrates,
                               struct can_bus **bus) MUST_CHECK;
void can_bus_close(struct can_bus *bus);

// The buses whose plugs can be swapped: `next` is the one beside this one.
void can_bus_beside(struct can_bus *bus, struct can_bus *next);

// From now on a frame of CAN FD that a host queues goes on the wire as a classical one, as from a
// controller that knows no other.
void can_bus_classical(struct can_bus *bus);

// Adds a node of the owner's own, called `name` (at most 15 bytes are kept); *node is its number,
// 0, 1, 2 ... FULL.
enum status can_bus_add_node(struct can_bus *bus, const char *name, unsigned *node) MUST_CHECK;

#define CAN_BUS_FROM_HOST (-1)     // the host sent it (can_bus_config)
#define CAN_BUS_FROM_STRANGER (-2) // a disturbance did, or a program of which nobody knows

// The node as which such programs send. It queues CAN_BUS_OUTSIDE_MAX frames; further ones are
// dropped, and count as its lost ones, as those of a disturbance do that offers more than the bus
// takes.
#define CAN_BUS_OUTSIDE "outside"

// How a frame ended.
struct can_delivery {
    int sender;     // own node, or CAN_BUS_FROM_...
    bool failed;    // in an error frame: nobody has received it, and it will be sent again
    uint64_t heard; // bit i: own node i has received it
};

// Called for every frame at its end. It may call can_bus_send.
typedef void can_bus_listener(void *context, const struct can_stamped *frame,
                              const struct can_delivery *delivery);
void can_bus_listen(struct can_bus *bus, can_bus_listener *listener, void *context);

// Called when an own node's board starts anew (CAN_DISTURB_RESET).
typedef void can_bus_reset(void *context, unsigned node, instant t);
void can_bus_on_reset(struct can_bus *bus, can_bus_reset *reset, void *context);

// Queues a frame at own node `node`; it takes part in arbitration from `ready` on. FULL.
enum status can_bus_send(struct can_bus *bus, unsigned node, const struct can_frame *frame,
                         instant ready) MUST_CHECK;
enum status can_bus_send_fd(struct can_bus *bus, unsigned node, const struct canfd_frame *frame,
                            instant ready) MUST_CHECK;

// Advances the bus: every frame that starts before `until` is started, every frame that ends by
// `until` is delivered. So a frame handed over at `until` still takes part in the arbitration at
// `until`.
void can_bus_advance(struct can_bus *bus, instant until);

// Waits until a frame has come over one of the interfaces, but at most so long in real time, and
// not long if a bus has frames to send. For less than a second; at most CAN_BUS_AWAIT_MAX buses
// with CAN_SOCKET.
#define CAN_BUS_AWAIT_MAX 4
void can_bus_await(struct can_bus *const *bus, unsigned count, duration at_most);
// Frames of other programs that found no room, since the bus was opened.
uint64_t can_bus_refused(const struct can_bus *bus);

struct can_bus_load {
    uint64_t frames;       // delivered since the bus was opened
    uint64_t error_frames; // frames that failed
    duration busy;         // time the wire carried something, intermissions included
};
struct can_bus_load can_bus_load(const struct can_bus *bus);
