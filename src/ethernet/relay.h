// Who takes a frame, and where it goes on: the relay of a host (section III.B of the paper), the
// hub, and what discards second copies. Pure functions of what they are given; real-time safe.
//
// No frame runs for ever: a frame turns round once at most, which its destination address shows;
// only frames for a known host go on; and a host's own frame that has come home goes no further
// unless it has turned round.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "ethernet/frame.h"

enum eth_redundancy {
    ETH_NONE,     // a ring is a line: a cable that breaks cuts off what lies behind
    ETH_SWITCH,   // at a break the neighbours turn frames round; the spare cable is used
    ETH_SEAMLESS, // all frames go both ways; the second copy is discarded
};

enum eth_fate {
    ETH_TAKEN,      // it is this host's
    ETH_ON,         // it goes on, out of `port`
    ETH_UNKNOWN,    // for nobody here, and not relayed
    ETH_HOME,       // the host's own, back again
    ETH_NO_WAY,     // it has turned round, or may not, and the way on is cut
    ETH_NOT_RELAYED // relay mode is off
};

struct eth_decision {
    enum eth_fate fate;
    unsigned port;
    bool turned; // it now turns round
};

struct eth_relay {
    unsigned host;
    enum eth_redundancy redundancy;
    bool relay;
    int through;   // 1 on, 0 off, -1: as `works` says
    bool works[2]; // the host's links
};

// What a host with two links does with a frame that came by port `in`.
struct eth_decision eth_relay(const struct eth_relay *relay, const struct eth_head *head,
                              unsigned in);

// Which port a host's own frames leave by, or -1: no link works.
int eth_leaves_by(enum eth_redundancy redundancy, const bool works[2]);

// ---- second copies ------------------------------------------------------------------------------

#define ETH_WINDOW 64           // sequence numbers that are remembered
#define ETH_FORGET_NS 400000000 // a source that was silent so long begins anew (EntryForgetTime)

struct eth_copies { // of one source; zeros: never heard
    bool heard;
    uint16_t newest;
    uint64_t seen; // bit n: newest - n came
    int64_t at_ns;
};

// Whether this frame came before; remembers it.
bool eth_is_copy(struct eth_copies *copies, uint16_t sequence, int64_t now_ns);

// ---- holes --------------------------------------------------------------------------------------

// What came by a cable whose other end numbers what it sends; zeros: the next shows where it is.
struct eth_numbers {
    bool known;
    uint32_t newest;
    uint64_t seen; // bit n: newest - n came
};

// How many frames are missing more than before, as this one's number shows; -1: it was missing, and
// comes late. *twice: it came before.
int32_t eth_missing(struct eth_numbers *numbers, uint32_t number, bool *twice);
