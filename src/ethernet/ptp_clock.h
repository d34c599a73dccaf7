// An ordinary clock of IEEE 1588-2008 at one end of a cable, whatever is at the other (ptp4l -2
// -P): a master that tells its time by Announce, Sync and Follow_Up, or a slave that follows one.
//
// What it is, is declared: of two masters none gives way, and a slave never becomes one. A slave
// takes the Syncs of a second together and goes by those that were least held up. Peer delay is a
// ptp_host's, as between the hosts of a network.
#pragma once

#include "ethernet/ptp.h"

#define PTP_SYNCS_MAX 16 // of one second that count

struct ptp_clock {
    struct ptp_host host; // its rate, delay and counts
    bool master;
    // A master's: when the next ones are due (local), and of the last of each.
    int64_t announce_ns, sync_ns;
    uint16_t announced, synced;
    // A slave's. Its master is whom it first heard announce, until that one falls silent.
    bool hears;
    uint8_t parent[PTP_IDENTITY_B];
    int64_t silent_ns; // local: when it gives it up
    bool came;         // a Sync, whose follow-up has not
    uint16_t sequence;
    int64_t came_ns; // local
    struct ptp_sample sample[PTP_SYNCS_MAX];
    unsigned count;
    int64_t conclude_ns; // local
    uint64_t syncs;      // with their follow-ups, heard or sent
};

// 0, or -1 with errno. Not real-time.
int ptp_clock_open(struct ptp_clock *clock, const char *interface, bool master);
// Takes what has come and sends what is due, at a local time. To be called each 5 ms or so.
// Real-time safe.
void ptp_clock_poll(struct ptp_clock *clock, int64_t local_ns);
