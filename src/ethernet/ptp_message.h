// Messages of IEEE 1588-2008 over Ethernet (annex F, EtherType 0x88F7): those of the peer delay
// (clause 11.4), and those by which a master passes its time on. Pure, real-time safe.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#define PTP_SIZE_MAX_B 64
#define PTP_IDENTITY_B 10

enum ptp_type {
    PTP_SYNC = 0x0,
    PTP_PDELAY_REQ = 0x2,
    PTP_PDELAY_RESP = 0x3,
    PTP_FOLLOW_UP = 0x8,
    PTP_PDELAY_RESP_FOLLOW_UP = 0xA,
    PTP_ANNOUNCE = 0xB
};

struct ptp_message {
    enum ptp_type type;
    bool unicast; // else to all on the link
    uint16_t sequence;
    uint8_t source[PTP_IDENTITY_B];     // port identity
    uint8_t requesting[PTP_IDENTITY_B]; // of an answer: who asked
    // Answer: when the question came; its follow-up: when the answer left; follow-up: when the Sync
    // left. What relays added on its way (the correction) is in it. Since the epoch below.
    int64_t time_ns;
    uint8_t priority;       // announce: of the grandmaster, less is better
    int8_t interval_log2_s; // of Sync and Announce: until the next one
};

#define PTP_EPOCH_S INT64_C(1000000000) // on the wire, of the time 0

// Times are from -10^9 s to 3 * 10^9 s. Returns the message's size.
size_t ptp_write(const struct ptp_message *message, uint8_t bytes[PTP_SIZE_MAX_B]);
// False: none of these, or not whole.
bool ptp_read(const uint8_t *bytes, size_t size_B, struct ptp_message *message);
