// Private to src/can: a simulated bus, shared by bus.c (nodes and queues), wire.c (what happens on
// the line) and disturb.c (what disturbs it).
#pragma once

#include "can/bus.h"
#include "can/controller.h"
#include "can/line.h"
#include "can/page.h"

// Nodes are numbered host nodes first, then the owner's own, then the stranger of CAN_DISTURB_FLOOD
// and _SPOOF.
#define FIRST_OWN CAN_HOST_NODES_MAX
#define STRANGER CAN_BUS_NODES_TOTAL_MAX
#define NODES_MAX (CAN_BUS_NODES_TOTAL_MAX + 1)
#define LATER_MAX 64 // frames that a disturbance holds back

_Static_assert(FIRST_OWN + CAN_BUS_NODES_MAX == CAN_BUS_NODES_TOTAL_MAX, "all nodes have a report");

struct bus_node {
    struct can_controller controller;
    bool present; // host nodes: opened
    bool muted;
    bool has_frame;           // `frame` is to be sent next
    struct can_stamped frame; // time: ready to be sent
    uint64_t number;          // host nodes: of `frame` in its ring
    unsigned first, count;    // own nodes: the queue behind it
    struct can_stamped queue[CAN_BUS_QUEUE_MAX];
};

// Frames of other programs that wait for the node of CAN_BUS_OUTSIDE.
struct outside_queue {
    unsigned first, count;
    struct can_stamped frame[CAN_BUS_OUTSIDE_MAX];
};

struct later_frame {
    unsigned sender; // NODES_MAX: not in use
    bool copied;     // of a frame that its sender has sent itself
    unsigned slot;   // of the disturbance
    struct can_stamped frame;
};

// A disturbance as the owner holds it.
struct disturbance_state {
    uint64_t active; // number under which it was put in; 0: none
    struct can_disturbance what;
    struct disturbance_tally tally;
    bool stuck;
    struct canfd_frame first_hit; // whose data frames stick to
    instant next;                 // flood: when the next frame is ready
};

enum wire_outcome { WIRE_SENT, WIRE_UNACKNOWLEDGED, WIRE_CORRUPTED, WIRE_COLLIDED };

struct can_bus {
    struct can_page *page;  // of this bus: nodes, disturbances, report
    struct can_page *hosts; // whose host nodes are plugged in here
    struct can_bus *beside;
    bool swapped, cut;
    bool classical;              // no frame of CAN FD
    bool has_host, host_outside; // of can_bus_config
    // CAN_SOCKET: the interface that `hosts` send to and listen at; NULL: CAN_EMBEDDED.
    struct can_line *line;
    struct outside_queue outside;
    uint64_t arrived[CAN_HOST_NODES_MAX]; // CAN_SOCKET: so many frames of each host's transmit ring
                                          // have come over it
    int64_t bitrate_bit_s, data_bitrate_bit_s;
    can_bus_listener *listener;
    void *listener_context;
    can_bus_reset *reset;
    void *reset_context;
    instant advanced_to;
    instant event_at;  // of what is being reported
    instant idle_from; // when the next frame may start
    unsigned last_sender;
    bool sending;
    // The frame on the wire: who sends it (several, if they started together), how it will end and
    // when.
    uint64_t senders;
    unsigned sender;
    enum wire_outcome outcome;
    struct can_stamped flying; // time: its end
    int sent_later;            // the frame is one of `later`; -1: it is not
    bool copied;               // the frame is a copy
    uint64_t off;              // bit i: node i is bus-off
    uint64_t queued;           // bit i: own node i + FIRST_OWN has a frame on offer or in its queue
    struct can_bus_load load;
    unsigned node_count; // own nodes
    unsigned later_count;
    struct later_frame later[LATER_MAX];
    unsigned disturbance_count; // active ones
    unsigned flood;             // of these the one whose frame the stranger has on offer
    struct disturbance_state disturbance[CAN_DISTURBANCES_MAX];
    struct bus_node node[NODES_MAX];
};

static inline uint64_t node_bit(unsigned node)
{
    return 1ull << node;
}

static inline void bus_count(_Atomic uint64_t *word)
{
    atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

// The files, each of which uses only those below it: bus.c, wire.c, offer.c, disturb.c, node.c and
// carry.c.

// ---- node.c ----

// Takes the frame that node `node` has on offer away from it.
void node_take_frame(struct can_bus *bus, unsigned node);
// A frame comes to a host's node, if its filters let it pass and there is room.
void node_hear(struct can_bus *bus, unsigned node, const struct can_stamped *frame,
               enum can_mark mark);
// Tells the host nodes that want it about an error, as the kernel does; on the kernel's interface
// others may want it. only: this node; NODES_MAX: all.
void node_tell_hosts(struct can_bus *bus, uint32_t class, unsigned only, const uint8_t data[8]);
// Writes a node's counters into the page, and tells hosts of a new state.
void node_report(struct can_bus *bus, unsigned node);

// ---- offer.c ----

// Offers every node's next frame, if it has none on offer.
void offer_all(struct can_bus *bus);

// ---- carry.c ----

// Opens the kernel's interface of a bus with CAN_SOCKET.
enum status carry_open(struct can_bus *bus, const char *name);
// Takes what has come over the interface by `until`. With patience: all that hosts have announced.
void carry_in(struct can_bus *bus, instant until);
// The next frame of another program; false: none.
bool carry_next(struct can_bus *bus, struct can_stamped *frame);
// Shows the hosts' side a frame that somebody else has sent; false: the interface refuses it, and
// nobody there hears it.
bool carry_out(struct can_bus *bus, const struct can_stamped *frame);

// ---- wire.c ----

// Starts the next frame if one can start before `until`.
bool wire_start(struct can_bus *bus, instant until);
// Ends the frame on the wire at its time: counters, deliveries, listener.
void wire_end(struct can_bus *bus);
// Nothing starts before `until`: what silence brings.
void wire_idle(struct can_bus *bus, instant until);

// ---- disturb.c ----

// Looks for disturbances put in or taken out.
void disturb_refresh(struct can_bus *bus);

enum hand_over { HAND_OVER_NOW, HAND_OVER_LATER, HAND_OVER_NEVER };
// A frame comes to the head of its node's queue: what becomes of it. It may be changed. LATER: the
// disturbance has taken it.
enum hand_over disturb_hand_over(struct can_bus *bus, unsigned node, struct can_stamped *frame);

// Whether a frame is corrupted on the wire, after how many of its `bits`.
bool disturb_corrupts(struct can_bus *bus, unsigned node, const struct can_stamped *frame,
                      unsigned bits, unsigned *after_bits);
// Whether nobody receives it.
bool disturb_loses(struct can_bus *bus, unsigned node, const struct can_stamped *frame);

// An attempt to send has failed: was it for a disturbance?
void disturb_notice_failure(struct can_bus *bus);

// Offers the stranger's next frame if there is one.
void disturb_offer_flood(struct can_bus *bus);
// Makes the stranger send a frame that has been received once more.
void disturb_spoof(struct can_bus *bus, unsigned node, const struct can_stamped *frame);
// A frame of the stranger is on the wire, and will end well: it is seen.
void disturb_stranger_starts(struct can_bus *bus);
