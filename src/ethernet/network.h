// A network of hosts, rings and a switching hub, from the side of its owner: advances its traffic
// in time. Store and forward; a queue per port; a full one drops and counts. A frame of n payload
// bytes lasts (max(n, 46) + 38) * 8 / bitrate; the hub and each relay take their time besides.
// doc/reference/ethernet.md says what is modelled.
//
// Nothing here waits or takes a lock; only make, create and open allocate or touch files.
#pragma once

#include "base/time.h"
#include "clock/clock.h"
#include "ethernet/frame.h"
#include "ethernet/relay.h"

#define ETH_HOSTS_MAX 32
#define ETH_RINGS_MAX 4
#define ETH_NAME_MAX 48
#define ETH_HUB_PORTS_MAX 40
#define ETH_HUB_PORT (2 * ETH_HOSTS_MAX) // number of the hub's first port; a host's are 2n, 2n + 1
#define ETH_PORTS_MAX (ETH_HUB_PORT + ETH_HUB_PORTS_MAX)
#define ETH_CABLES_MAX (ETH_HOSTS_MAX + ETH_RINGS_MAX + 4)
#define ETH_QUEUE_MAX 64 // frames that wait at a port

struct eth_host_plan {
    char name[ETH_NAME_MAX];
    int32_t ring;         // -1: on the hub
    uint32_t hub_port[2]; // on the hub, or its ring's two ends
};

struct eth_cable {
    char name[2 * ETH_NAME_MAX + 2]; // "A-B", "hub-A"
    uint32_t end[2];                 // ports
};

// What frames travel through.
enum eth_medium {
    ETH_EMBEDDED, // shared memory, and a model of their times
    ETH_VETH,     // the kernel's virtual interfaces; in real time only
};

// How a network is built: made from what people write by eth_plan_begin, _host and _ring.
struct eth_plan {
    char name[ETH_NAME_MAX];
    uint64_t bitrate_bit_s;
    int64_t hub_ns, relay_ns;
    int64_t jitter_ns;   // a relay takes up to so much longer
    int64_t noise_ns;    // standard deviation of the stamps that interfaces give
    int64_t cycle_ns;    // SWITCH: silent links are probed and given up by it
    uint32_t redundancy; // enum eth_redundancy
    uint32_t medium;     // enum eth_medium
    uint32_t host_count, cable_count, ring_count, hub_count;
    struct eth_host_plan host[ETH_HOSTS_MAX];
    struct eth_cable cable[ETH_CABLES_MAX];
};

// A host on the hub. FULL; INVALID: the name is taken or too long.
enum status eth_plan_host(struct eth_plan *plan, const char *name) MUST_CHECK;
// A ring: both its ends are on the hub. Errors as above.
enum status eth_plan_ring(struct eth_plan *plan, const char (*name)[ETH_NAME_MAX],
                          unsigned count) MUST_CHECK;

// What a port has seen. Each word by itself is up to date after every advance.
struct eth_port_counts {
    _Atomic uint64_t sent, received;
    _Atomic uint64_t crc_errors; // their check sequence was wrong
    _Atomic uint64_t malformed;  // too long, too short, or without room for their tag
    _Atomic uint64_t full;       // its queue was full
    _Atomic uint64_t cut;        // lost because its cable broke, or no link worked
    _Atomic uint64_t unknown;    // for nobody here
    _Atomic uint64_t home;       // came home to their sender, or had no way on
    _Atomic uint64_t copies;     // second copies of seamless redundancy
    _Atomic uint64_t holes;      // sent by the other end while the link was up; did not come whole
    _Atomic uint64_t twice;      // came twice by its cable
    _Atomic uint64_t lost_links; // times that its link went down
    _Atomic uint32_t misplaced;  // 1: a probe came from another port than its cable leads to
    _Atomic uint32_t neighbour;  // 1 + the port that sent the last probe; 0: none came
    _Atomic uint32_t works;      // 1: its link is up, and brings frames
};

// Lab: creates CELL/networks/NAME before any process starts. INVALID, SYSTEM.
enum status eth_network_create(const char *cell, const struct eth_plan *plan,
                               bool wakes) MUST_CHECK;

// Lab: makes the interfaces of a network whose medium is ETH_VETH in the present network namespace,
// which they end with. 0, or the errno that the kernel answered (ENAMETOOLONG: the network's name).
int eth_veth_create(const struct eth_plan *plan) MUST_CHECK;
// Lab: the same of one cable between interfaces of these names, without a hub or an owner; their
// addresses are those of hosts `number` x 2 and the next.
int eth_veth_cable(unsigned number, const char *one, const char *other) MUST_CHECK;

struct clk_coordinator;
// Lab: lets the clock know the words that its hosts and its owner wait on. They stay mapped until
// the process ends. FULL, and errors of opening.
enum status eth_network_register(const char *cell, const char *name,
                                 struct clk_coordinator *coordinator) MUST_CHECK;

struct eth_network; // opaque; owned by the caller from open to close

// Takes the network over: the one of the process's own cell. NOT_FOUND, CORRUPT, SYSTEM, NO_MEMORY.
enum status eth_network_open(const char *name, struct eth_network **network) MUST_CHECK;
void eth_network_close(struct eth_network *network);
const struct eth_plan *eth_network_plan(const struct eth_network *network);
const struct eth_port_counts *eth_network_counts(const struct eth_network *network, unsigned port);
// The first cable that brings nothing in one direction or the other, as its ports find; -1: none.
// *down: how many such there are.
int eth_network_broken(const struct eth_network *network, unsigned *down);

// Every frame that has crossed a cable: `end` is the end it came out of. `frame` is valid during
// the call.
typedef void eth_listener(void *context, unsigned cable, unsigned end,
                          const struct eth_frame *frame);
void eth_network_listen(struct eth_network *network, eth_listener *listener, void *context);

// Sends and delivers all that is due up to and including `until`.
void eth_network_advance(struct eth_network *network, instant until);
// When something is due next; INSTANT_NEVER: not before a host sends.
instant eth_network_next(const struct eth_network *network);
// To be waited for beside that instant: changes when a host has sent.
struct clk_watch eth_network_watch(const struct eth_network *network);

// Advances to now and waits until there is more to do, at most until `deadline`. What an owner
// without anything else to do calls for ever. One that goes first at each instant
// (clk_goes_first) is not woken by frames for which nobody waits. Errors as clk_wait, but TIMEOUT
// is OK.
enum status eth_network_serve(struct eth_network *network, struct clk *clk,
                              instant deadline) MUST_CHECK;

// For an owner that goes first at each instant, has more to do at `deadline`, and advances then:
// waits for its next turn, which comes at each instant while frames are under way, or when a host
// has sent, or at the deadline; and when a frame comes, if a host waits for one. As clk_wait, but
// TIMEOUT is OK.
enum status eth_network_await_turn(struct eth_network *network, struct clk *clk,
                                   instant deadline) MUST_CHECK;
