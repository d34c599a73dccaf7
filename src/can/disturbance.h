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

enum can_disturbance_kind {
    CAN_DISTURB_NONE,
    // Frames, where they are delivered:
    CAN_DISTURB_LOSE,    // they cost their time, and nobody receives them
    CAN_DISTURB_CORRUPT, // a bit flips on the wire: error frame, counters, sent again
    // A node nobody knows sends it once more, from `delay_ns` after its end on, changed as by
    // CAN_DISTURB_OFFSET; hit: it is on the wire.
    CAN_DISTURB_SPOOF,
    // Frames, where their sender hands them over; the wire and all checks then see them so:
    CAN_DISTURB_PAYLOAD,   // `width_B` bytes from `first_B` as a little-endian number: exclusive-or
                           // with `value`
    CAN_DISTURB_OFFSET,    // the same: plus `value`
    CAN_DISTURB_DRIFT,     // the same: plus `value` times the number of frames hit so far
    CAN_DISTURB_SET,       // the same: it is `value`
    CAN_DISTURB_EXCHANGE,  // the same: it and the number behind it change places
    CAN_DISTURB_STICK,     // the data stay those of the first frame hit
    CAN_DISTURB_RENAME,    // they get the identifier `other_id`
    CAN_DISTURB_DELAY,     // they are ready `delay_ns` later
    CAN_DISTURB_REORDER,   // they are ready later by a random time of at most `delay_ns`
    CAN_DISTURB_DUPLICATE, // they are sent twice
    // Nodes:
    CAN_DISTURB_MUTE,  // the node neither sends nor hears nor acknowledges; what it would say is
                       // lost
    CAN_DISTURB_RESET, // once: the node's queue and counters are emptied, and its board starts anew
    CAN_DISTURB_BUS_OFF, // once: the node's transmit error counter overflows; it recovers by the
                         // protocol
    // The bus:
    // A node nobody knows sends `other_id`, every `delay_ns`, or whenever it can (0); matched:
    // frames it had, hit: frames it has sent.
    CAN_DISTURB_FLOOD,
    CAN_DISTURB_CUT,  // the line is cut between the hosts and the boards
    CAN_DISTURB_SWAP, // the hosts' plugs of this bus and the next one are swapped (put into bus 0)
    CAN_DISTURBANCE_KINDS
};

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
