// What can go wrong on a bus, its boards and its controllers: the man in the middle of the wire.
//
// A bus has a small table of disturbances in its page. Whoever may open the page (a fault program
// of the lab) puts one in and takes it out again; the bus's owner obeys it and counts what it did.
// A process that speaks on the bus has no part in it. Every decision follows from the seed and the
// number of the frame, so a trial repeats.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define CAN_DISTURBANCES_MAX 8
#define CAN_BUS_NODES_TOTAL_MAX 36 // host nodes and the owner's own
#define CAN_DISTURB_ANY_NODE UINT32_MAX

// Where a disturbance works.
enum can_disturbed {
    CAN_AT_DELIVERY,  // on frames, where they are delivered
    CAN_AT_HAND_OVER, // on frames, where their sender hands them over; the wire and all checks then
                      // see them so
    CAN_AT_NODE,      // on a node, which must be named
    CAN_AT_BUS,
};

// What becomes of the little-endian number of `width_B` bytes from `first_B` on.
enum can_change {
    CAN_CHANGE_NOTHING,
    CAN_CHANGE_XOR,   // exclusive-or with `value`
    CAN_CHANGE_ADD,   // plus `value`
    CAN_CHANGE_DRIFT, // plus `value` times the number of frames hit so far
    CAN_CHANGE_SET,   // it is `value`
    CAN_CHANGE_SWAP,  // it and the number behind it change places
};

// Which counts of the nodes grow when it has acted.
enum can_trace { CAN_TRACE_NONE, CAN_TRACE_LOST, CAN_TRACE_FAILED, CAN_TRACE_OFF };

// All kinds: X(KIND, name, where it works, what it changes, what the nodes count of it).
//   LOSE       frames cost their time, and nobody receives them
//   CORRUPT    a bit flips on the wire: error frame, counters, sent again
//   SPOOF      a node nobody knows sends the frame once more, from `delay_ns` after its end on,
//              changed; hit: it is on the wire
//   STICK      the data stay those of the first frame hit
//   RENAME     frames get the identifier `other_id`
//   DELAY      they are ready `delay_ns` later; REORDER: by a random time of at most that
//   DUPLICATE  they are sent twice
//   MUTE       the node neither sends nor hears nor acknowledges; what it would say is lost
//   RESET      once: the node's queue and counters are emptied, and its board starts anew
//   BUS_OFF    once: the node's transmit error counter overflows; it recovers by the protocol
//   FLOOD      a node nobody knows sends `other_id`, every `delay_ns`, or whenever it can (0);
//              matched: frames it had, hit: frames it has sent
//   CUT        the line is cut between the hosts and the boards
//   SWAP       the hosts' plugs of this bus and the next one are swapped (put into bus 0)
#define CAN_DISTURBANCE_LIST(X)                                                                    \
    X(LOSE, "bus-loss", AT_DELIVERY, NOTHING, LOST)                                                \
    X(CORRUPT, "bus-corruption", AT_DELIVERY, NOTHING, FAILED)                                     \
    X(SPOOF, "spoofed-reply", AT_DELIVERY, ADD, NONE)                                              \
    X(PAYLOAD, "payload-corruption", AT_HAND_OVER, XOR, NONE)                                      \
    X(OFFSET, "encoder-offset", AT_HAND_OVER, ADD, NONE)                                           \
    X(DRIFT, "reading-drift", AT_HAND_OVER, DRIFT, NONE)                                           \
    X(SET, "reading-saturated", AT_HAND_OVER, SET, NONE)                                           \
    X(EXCHANGE, "reading-swapped", AT_HAND_OVER, SWAP, NONE)                                       \
    X(STICK, "encoder-stuck", AT_HAND_OVER, NOTHING, NONE)                                         \
    X(RENAME, "wrong-id", AT_HAND_OVER, NOTHING, NONE)                                             \
    X(DELAY, "bus-delay", AT_HAND_OVER, NOTHING, NONE)                                             \
    X(REORDER, "bus-reordering", AT_HAND_OVER, NOTHING, NONE)                                      \
    X(DUPLICATE, "bus-duplication", AT_HAND_OVER, NOTHING, NONE)                                   \
    X(MUTE, "board-silent", AT_NODE, NOTHING, NONE)                                                \
    X(RESET, "board-reset", AT_NODE, NOTHING, NONE)                                                \
    X(BUS_OFF, "bus-off", AT_NODE, NOTHING, OFF)                                                   \
    X(FLOOD, "babbling-idiot", AT_BUS, NOTHING, NONE)                                              \
    X(CUT, "bus-cut", AT_BUS, NOTHING, NONE)                                                       \
    X(SWAP, "swapped-buses", AT_BUS, NOTHING, NONE)

#define CAN_DISTURBANCE_ENUM(kind, name, where, change, trace) CAN_DISTURB_##kind,
enum can_disturbance_kind {
    CAN_DISTURB_NONE,
    CAN_DISTURBANCE_LIST(CAN_DISTURBANCE_ENUM) CAN_DISTURBANCE_KINDS
};
#undef CAN_DISTURBANCE_ENUM

struct can_disturbance_traits {
    enum can_disturbed where;
    enum can_change change;
    enum can_trace trace;
};
extern const struct can_disturbance_traits can_disturbance_traits[CAN_DISTURBANCE_KINDS];

struct can_disturbance {
    uint32_t kind;        // enum can_disturbance_kind
    uint32_t node;        // whose frames, or which node; CAN_DISTURB_ANY_NODE
    uint32_t id, id_mask; // of these frames those with (identifier & id_mask) == (id & id_mask)
    uint32_t share_ppm;   // of these frames so many are hit, drawn by `seed`; 1000000: all
    uint32_t burst;       // frames in a row that a hit takes; at least 1
    uint32_t other_id;
    uint32_t first_B, width_B; // 1, 2, 4
    int64_t value;
    int64_t delay_ns;
    uint64_t seed;
    uint64_t tag; // whatever its author finds it by again
};

// What is wrong on a bus, by its nodes' own counters, summed over them.
struct can_trouble {
    uint64_t failed, lost, times_off;
};

// What a disturbance has done since it was put in.
struct can_disturbance_count {
    uint64_t matched;        // frames it concerned, or looks at its node
    uint64_t hit;            // of these it acted on
    uint64_t hit_when_taken; // `hit` when it was taken out
    bool active;
    struct can_trouble before; // when it was put in
};

// A node as its bus sees it.
struct can_node_report {
    char name[16];
    uint32_t transmit_errors, receive_errors;
    uint32_t state;                  // enum can_controller_state
    uint32_t times_off;              // how often it went bus-off
    uint64_t sent, received, failed; // frames; failed: sent with an error, to be sent again
    uint64_t lost;                   // frames it should have received and did not
};

struct can_bus_report {
    uint64_t frames; // delivered
    uint64_t error_frames;
    int64_t busy_ns; // time the wire carried something, intermissions included
    int64_t time_ns; // up to which the bus has been advanced
    uint32_t node_count;
    struct can_node_report node[CAN_BUS_NODES_TOTAL_MAX];
};

struct can_page;

// Opens the page of bus `bus` of cell `cell` for disturbing and looking. As can_page_map. Not
// real-time. The caller closes it.
enum status can_meddle_open(const char *cell, const char *bus, struct can_page **page) MUST_CHECK;
void can_meddle_close(struct can_page *page);

// Puts a disturbance in; *slot is where. INVALID: fields out of their ranges; FULL.
enum status can_meddle_put(struct can_page *page, const struct can_disturbance *disturbance,
                           unsigned *slot) MUST_CHECK;
// Takes it out. NOT_FOUND: there is none.
enum status can_meddle_take(struct can_page *page, unsigned slot) MUST_CHECK;
// The slot with the disturbance last put in with this tag, or -1: none, or its slot has been used
// again.
int can_meddle_find(const struct can_page *page, uint64_t tag);
// What the disturbance in `slot` has done, also after it was taken out and until the slot is used
// again.
struct can_disturbance_count can_meddle_count(const struct can_page *page, unsigned slot);
struct can_trouble can_meddle_trouble(const struct can_page *page);
void can_meddle_report(const struct can_page *page, struct can_bus_report *report);
// Number of the node called `name`, or -1.
int can_meddle_node(const struct can_page *page, const char *name);
