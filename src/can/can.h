// CAN for the programs on the bus: the host's port of one bus.
//
// Frames are the kernel's `struct can_frame` and `struct canfd_frame`. Two kinds of bus stand
// behind this interface:
// - the embedded bus (shared memory in CELL/buses/NAME), owned by the simulated robot, which
// advances it (can/bus.h): frames cost bit
//   time at the configured bitrate (stuffing included), arbitrate by identifier and are subject to
//   the protocol's error handling;
// - SocketCAN, where the kernel has it: the same owner and the same time, but frames travel through
// the kernel's interface of that name
//   (vcan in a cell), where other programs see them too. Outside a cell: any CAN interface, with
//   its own time.
// Each port is one node with one transmit and one receive queue that a killed or stopped peer
// cannot leave locked. A process that opens a port again after a restart takes the node over: what
// its predecessor had queued but not sent is discarded, and so are frames received before the
// opening. Real-time safe: send and receive neither block nor allocate.
#pragma once

#include <linux/can.h>

#include "base/status.h"
#include "base/time.h"

struct can_port; // opaque; owned by the caller

struct can_stamped {
    union {
        struct can_frame frame;
        struct canfd_frame fd; // what it is if its flags have CANFD_FDF
    };
    instant time; // end of frame on the bus
};

// Opens node `node` (e.g. "host") on bus `bus` (e.g. "can0") of the process's own cell; without a
// cell ($UKEMI_CELL), the kernel's interface of that name. NOT_FOUND, CORRUPT, SYSTEM, NO_MEMORY,
// INVALID (names), UNSUPPORTED (no SocketCAN).
enum status can_open(const char *bus, const char *node, struct can_port **port) MUST_CHECK;
// Opens node number 0, 1 ... of process `process` on that bus of the process's own cell: it is the
// host's if the target declares this process as such. As can_open; FULL (no node is left),
// UNSUPPORTED: frames travel through the kernel's interface, which the process can open itself.
enum status can_open_as(const char *process, unsigned number, const char *bus,
                        struct can_port **port) MUST_CHECK;
void can_close(struct can_port *port);

// Queues a frame for transmission, stamped with the time it is handed over. FULL when the transmit
// queue is full; DENIED when another process has taken the node over; SYSTEM when the kernel's
// interface is down or gone: it is not sent.
enum status can_send(struct can_port *port, const struct can_frame *frame, instant now) MUST_CHECK;
enum status can_send_fd(struct can_port *port, const struct canfd_frame *frame,
                        instant now) MUST_CHECK;

// Frames handed over that have not been sent yet, as of the bus's time: many that were handed over
// long before say that the bus does not take them.
unsigned can_unsent(const struct can_port *port);

// The bus's time. A bus that is simulated in real time may be behind the clock; a real one never
// is.
instant can_time(const struct can_port *port);

// Takes back what has not been sent yet. A frame that is on the wire now, or that a real interface
// holds, goes out all the same.
void can_withdraw(struct can_port *port);

// Takes the oldest received frame. EMPTY when there is none; or when CAN_LINE_READS_MAX
// (can/line.h) frames have been read from the kernel since EMPTY was last said, so that taking all
// there is ends however fast others send.
enum status can_receive(struct can_port *port, struct can_stamped *frame) MUST_CHECK;

#define CAN_FILTERS_MAX 96 // an exact one for each of a bus's senders

// What is received from now on: frames that match one of the filters (as in the kernel: (identifier
// & mask) == (id & mask); CAN_INV_FILTER negates; count 0: nothing), and error frames
// (CAN_ERR_FLAG, linux/can/error.h) of the classes in `error_mask`. As opened: all frames, no error
// frames. What passes none costs the caller nothing and takes no room in its queue: on the kernel's
// interface the kernel keeps it away (CAN_RAW_FILTER), on a bus with an owner the owner. INVALID:
// too many filters.
enum status can_listen(struct can_port *port, const struct can_filter *filter, unsigned count,
                       uint32_t error_mask) MUST_CHECK;

// The node's controller, as far as it is known (a real interface tells only by error frames).
struct can_health {
    uint32_t transmit_errors, receive_errors;
    uint32_t state; // enum can_controller_state (can/controller.h)
    // Frames that this node has ever sent; 0 on a real interface, which does not tell.
    uint64_t sent;
    uint64_t lost;     // frames lost because the receive queue was full
    uint64_t unwanted; // frames on the bus that passed no filter; 0 on a real interface: the kernel
                       // does not tell
    uint64_t outages; // times the kernel's interface was found down or gone; a port goes on when it
                      // is back
};
void can_health(const struct can_port *port, struct can_health *health);

// Frames lost because a receive queue was full, since the bus was created.
uint64_t can_lost(const struct can_port *port);
