// The owner's own state of a network. Private to src/ethernet.
#pragma once

#include "base/random.h"
#include "ethernet/page.h"
#include "ethernet/port_link.h"

#define ETH_FRAMES_MAX 2048 // in the network at once
#define ETH_LATER_MAX 256   // held back by disturbances
#define ETH_NO_FRAME 0xFFFFu

struct waiting {
    int64_t ready_ns;
    uint16_t frame;
};

struct port {
    int cable;     // -1: nothing is plugged in
    unsigned end;  // of that cable
    unsigned peer; // the port at its other end; ETH_PORTS_MAX: none
    enum port_link link;
    enum port_sender sender;
    int64_t ends_ns; // unless the sender is idle: of this frame
    uint16_t frame;
    unsigned count; // waiting; in the order they came
    struct waiting queue[ETH_QUEUE_MAX];
    int64_t sent_ns, heard_ns;
    uint32_t sent; // frames, by which it numbers them
    struct eth_numbers numbers;
};

struct later { // arrives by another way than the end of a transmission
    int64_t at_ns;
    unsigned port;
    uint16_t frame; // ETH_NO_FRAME: not in use
};

struct disturbance {
    uint64_t active, matched, hit;
    int64_t next_ns; // of what it does by itself
    bool cut;        // FLAP: in the half in which it is cut
    struct eth_disturbance what;
};

// The payload that frames from a sender to a receiver have, as long as they are stuck.
#define ETH_STUCK_MAX 64
struct stuck {
    uint64_t active; // of the disturbance; 0: unused
    uint64_t receiver;
    unsigned source;
    uint16_t type;
    size_t payload_B;
    uint8_t payload[ETH_PAYLOAD_MAX_B];
};

struct eth_wire;

struct eth_network {
    struct eth_wire *wire; // frames travel through the kernel; NULL: embedded
    struct eth_page *page;
    struct eth_plan own_plan;
    const struct eth_plan *plan;
    int64_t now_ns;
    struct random_stream jitter, noise;
    struct port port[ETH_PORTS_MAX];
    unsigned learned[ETH_HOSTS_MAX]; // the hub's port behind which a host was heard last
    struct eth_copies copies[ETH_HOSTS_MAX][ETH_HOSTS_MAX]; // at a host, of a source
    uint16_t sequence[ETH_HOSTS_MAX];
    uint64_t seen_disturbances;
    struct disturbance disturbance[ETH_DISTURBANCES_MAX];
    unsigned disturbance_count;
    struct stuck stuck[ETH_STUCK_MAX];
    struct later later[ETH_LATER_MAX];
    unsigned later_count;
    // How many disturbances have it so.
    unsigned dead[ETH_HOSTS_MAX], stalled[ETH_HOSTS_MAX], cut[ETH_CABLES_MAX];
    int64_t slow_ns[ETH_HOSTS_MAX];
    eth_listener *listener;
    void *listener_context;
    unsigned free_count;
    uint16_t free[ETH_FRAMES_MAX];
    struct eth_frame frame[ETH_FRAMES_MAX];
};

// The owner has come so late to what was due now; in real time that is told (EtherRTHeldUp).
void eth_note_lateness(struct eth_network *network, int64_t late_ns);
// The time by a host's interface: not quite now.
int64_t eth_stamp_ns(struct eth_network *network);

static inline void eth_count(_Atomic uint64_t *word)
{
    atomic_store_explicit(word, atomic_load_explicit(word, memory_order_relaxed) + 1,
                          memory_order_relaxed);
}

static inline struct eth_port_counts *eth_counts(const struct eth_network *network, unsigned port)
{
    return &network->page->port[port];
}

// The files, each of which uses only those below it: network.c; wire_pump.c; forward.c; disturb.c;
// ports.c; wire.c.

// ETH_NO_FRAME: all are in use.
uint16_t eth_frame_new(struct eth_network *network);
void eth_frame_free(struct eth_network *network, uint16_t frame);
// A frame has left a port: it is counted, and numbered.
void eth_note_sent(struct eth_network *network, unsigned port, uint16_t frame);
// Queues a frame at a port; takes the frame, whatever comes of it.
void eth_enqueue(struct eth_network *network, unsigned port, uint16_t frame, int64_t ready_ns);
// A frame has come out of a cable at `port`; takes it.
void eth_arrive(struct eth_network *network, unsigned port, uint16_t frame);
// The two halves of that: it is counted, and shows that the link works; it goes on. Both take it.
void eth_overhear(struct eth_network *network, unsigned port, uint16_t frame);
void eth_forward(struct eth_network *network, unsigned port, uint16_t frame);
// The plug of a port was out and is in again: what it has heard and said is of before.
void eth_replug(struct eth_network *network, unsigned port);
// Something happened to a port's link.
void eth_link_happens(struct eth_network *network, unsigned port, enum link_event event);
// Looks at every link again: after a cable or a host has changed.
void eth_look_at_links(struct eth_network *network);

// Whether a link that nobody is heard on is taken for broken.
bool eth_is_watched(const struct eth_network *network);

// When that is.
int64_t eth_silent_at_ns(const struct eth_network *network, const struct port *port);

// Looks at the link of one port again.
void eth_look_at_link(struct eth_network *network, unsigned number);

// Source of the probes of a port: says which it is.
void eth_probe_address(unsigned port, uint8_t address[6]);

// Gives a frame the payload of the first one of this disturbance, sender, receiver, type and
// length. False: it had that, or there is no room to keep one more (stick.c).
bool eth_stick(struct eth_network *network, uint64_t active, const struct eth_head *head,
               struct eth_frame *frame);
// That disturbance is over.
void eth_unstick(struct eth_network *network, uint64_t active);

// What disturbances do (disturb.c).
void eth_disturb_refresh(struct eth_network *network);
// To a frame that is to arrive at `port` by `cable`. True: it arrives now.
bool eth_disturb_frame(struct eth_network *network, unsigned cable, unsigned port, uint16_t frame);
// Whether the hub has lost its table; counts a frame that it sends to all for that.
bool eth_disturb_floods(struct eth_network *network);
// Whether a host's relay forgets what it should send on now; counts that, or that it is slow.
bool eth_disturb_relay(struct eth_network *network, unsigned host);
int64_t eth_disturb_next_ns(const struct eth_network *network);
// What is due at network->now_ns.
void eth_disturb_due(struct eth_network *network);
