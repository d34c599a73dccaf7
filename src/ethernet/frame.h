// Ethernet frames as bytes: addresses of a network's hosts, how long a frame lasts, and the tag of
// seamless redundancy (IEC 62439-3, HSR). Pure, real-time safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define ETH_HEADER_B 14
#define ETH_PAYLOAD_MIN_B 46 // shorter ones are padded on the wire
#define ETH_PAYLOAD_MAX_B 1500
#define ETH_SIZE_MAX_B (ETH_HEADER_B + ETH_PAYLOAD_MAX_B)
#define ETH_OVERHEAD_B 38 // header 14, check sequence 4, preamble 8, gap 12
#define ETH_TAG_B 6
#define ETH_TYPE_HSR 0x892F
#define ETH_TYPE_PROBE 0x88B7 // a link that carries nothing else shows that it works; not relayed
#define ETH_ROOM_B 1600       // a frame's place in memory; oversize ones of faults fit

#define ETH_NOBODY 0xFFFFu // no host of this network

// A frame from its destination address to the end of its payload.
struct eth_frame {
    int64_t time_ns;  // queued: handed over; received: its last bit came
    int64_t taken_ns; // its first sender handed it over
    uint16_t size_B;
    uint8_t broken;  // its check sequence is wrong
    uint8_t port;    // received by; to be sent: bits of ETHER_RT_PORT, 0: the network chooses
    uint32_t number; // among those that its cable's other end sent
    uint32_t stamp;  // number under which its sender wants to know when it left; 0: it does not
    uint8_t bytes[ETH_ROOM_B];
};

// What a network decides by.
struct eth_head {
    unsigned destination, source; // hosts, or ETH_NOBODY
    unsigned turns;  // 1: it has turned round since the hub, or its sender, last sent it
    unsigned passes; // how often the hub has sent it on
    bool neighbour;  // to 01-80-C2-00-00-0E: for the other end of a link only
    bool tagged;
    uint16_t sequence;
    uint16_t type; // behind a tag, if there is one
    size_t payload_B, payload_at;
};

// Host `host`'s address at its port 0 or 1: locally administered.
void eth_address(unsigned host, unsigned port, uint8_t address[6]);
// The host that an address of this network belongs to, or ETH_NOBODY. *way: its last byte, which
// tells the way that a frame for it has gone.
unsigned eth_host_of(const uint8_t address[6], uint8_t *way);

// Reads a frame of any bytes; `hosts` is how many the network has. False: shorter than a header or
// its tag, or longer than a frame may be.
bool eth_parse(const struct eth_frame *frame, unsigned hosts, struct eth_head *head);

// Marks the way that a frame has gone, in the last byte of its destination's address: a host takes
// frames for any of them.
void eth_mark(struct eth_frame *frame, unsigned turns, unsigned passes);

// Puts a tag in; the frame must have room for it.
void eth_tag(struct eth_frame *frame, unsigned path, uint16_t sequence);

// How long `payload_B` bytes last, the gap behind them included: rounded up to 1 ns.
int64_t eth_time_ns(size_t payload_B, uint64_t bitrate_bit_s);
