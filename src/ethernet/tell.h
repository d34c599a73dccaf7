// What a network finds about itself, in words: which cable brings nothing, what is plugged in where
// something else belongs, and what ports count that should not be. For whoever reads the lines of
// its owner (`ukemi show TRIAL --process OWNER`).
//
// It writes to standard error; for owners, which are part of the bench, not for who is under test.
#pragma once

#include "ethernet/network.h"

struct eth_told { // zeros: nothing yet
    int64_t counts_ns;
    struct eth_told_port {
        bool silent;        // it was said that nothing comes
        uint32_t neighbour; // as it was said last
        uint64_t errors;    // ... and what had been counted by then
    } port[ETH_PORTS_MAX];
};

// Says what has changed: links and plugs at once, counts each half second at most. To be called in
// each cycle.
void eth_network_tell(const struct eth_network *network, struct eth_told *told, instant now);
