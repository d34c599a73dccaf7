// What can go wrong in a network: the man in the middle of its cables. As on a CAN bus
// (can/disturbance.h), a fault program puts a disturbance into the table of the network's page; the
// owner obeys and counts. Every decision follows from the seed and the number of the frame.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"

#define ETH_DISTURBANCES_MAX 8
#define ETH_ANY 0xFFFFu

enum eth_disturbance_kind {
    ETH_DISTURB_NONE,
    // Frames on a cable, where they arrive:
    ETH_DISTURB_LOSE,
    ETH_DISTURB_CORRUPT,   // bits flip on the wire: the check sequence is wrong
    ETH_DISTURB_PAYLOAD,   // a byte of the payload is changed, and the check sequence is right
    ETH_DISTURB_STICK,     // the payload stays that of the first one to the same receiver
    ETH_DISTURB_DELAY,     // they arrive `delay_ns` later
    ETH_DISTURB_REORDER,   // later by a random time of at most `delay_ns`
    ETH_DISTURB_DUPLICATE, // they arrive twice
    ETH_DISTURB_SPOOF,     // once more, `delay_ns` later, from a stranger who changes a byte
    // Cables:
    ETH_DISTURB_CUT,
    ETH_DISTURB_ONE_WAY, // nothing arrives at its second end; the link seems up at both
    ETH_DISTURB_FLAP,    // cut and whole in turns of `delay_ns`
    ETH_DISTURB_SWAP,    // its second end and that of `other` are plugged in for one another
    // Hosts:
    ETH_DISTURB_DEAD,     // without power: no link at either port
    ETH_DISTURB_STALL,    // its relay takes frames and forgets them
    ETH_DISTURB_SLOW,     // its relay takes `delay_ns` longer
    ETH_DISTURB_BABBLE,   // it sends frames to the first host every `delay_ns`, or whenever it can
    ETH_DISTURB_STRANGER, // by its port somebody unknown sends to somebody unknown
    ETH_DISTURB_OVERSIZE, // it sends frames longer than Ethernet has
    ETH_DISTURB_RUNT,     // and shorter than a header
    // The hub:
    ETH_DISTURB_FLOOD, // it has no table: what comes leaves by every other port
    ETH_DISTURBANCE_KINDS
};

struct eth_disturbance {
    uint32_t kind;      // enum eth_disturbance_kind
    uint32_t cable;     // number, or ETH_ANY
    uint32_t host;      // of frames: their source, or ETH_ANY
    uint32_t other;     // SWAP: cable
    uint32_t share_ppm; // of these frames so many are hit, drawn by `seed`; 1000000: all
    uint32_t byte;      // of the payload
    uint32_t mask;      // exclusive-or with it
    int64_t delay_ns;
    uint64_t seed;
    uint64_t tag;
};

struct eth_disturbance_count {
    uint64_t matched, hit, hit_when_taken;
    bool active;
};

struct eth_page;

// Opens network `name` of cell `cell` for disturbing and looking: NOT_FOUND, CORRUPT, SYSTEM. Not
// real-time.
enum status eth_meddle_open(const char *cell, const char *name, struct eth_page **page) MUST_CHECK;
void eth_meddle_close(struct eth_page *page);
// INVALID: fields out of their ranges; FULL; UNSUPPORTED: what the network's frames travel through
// does not carry it (runt frames, by the kernel's interfaces).
enum status eth_meddle_put(struct eth_page *page, const struct eth_disturbance *what) MUST_CHECK;
enum status eth_meddle_take(struct eth_page *page, uint64_t tag) MUST_CHECK; // NOT_FOUND
// False: it was never there.
bool eth_meddle_count(const struct eth_page *page, uint64_t tag,
                      struct eth_disturbance_count *count);
// Numbers of a cable and of a host by name, or -1.
int eth_meddle_cable(const struct eth_page *page, const char *name);
int eth_meddle_host(const struct eth_page *page, const char *name);

bool eth_disturbance_is_sound(const struct eth_disturbance *what);
