// A network in shared memory (CELL/networks/NAME): mapped by its owner, by its hosts, by the lab,
// and by whoever disturbs it. Private to src/ethernet.
//
// Rings have one producer and one consumer: whoever is killed in the middle has either published a
// frame or not; nobody waits for it.
#pragma once

#include <stdalign.h>
#include <stdatomic.h>

#include "base/disturbances.h"
#include "ethernet/disturbance.h"
#include "ethernet/frame.h"
#include "ethernet/network.h"

#define ETH_PAGE_MAGIC 0x3130544E4554455Bu
#define ETH_SOCKETS_MAX 4  // of a host
#define ETH_RING_SLOTS 64u // a power of two
#define ETH_LATE_CYCLES 4u // of which is known how late the owner came
#define ETH_STAMPS 16u     // sent frames whose stamps are kept

struct eth_ring {
    alignas(64) _Atomic uint64_t head; // frames ever put, by the producer; hosts wait on it
    alignas(64) _Atomic uint64_t tail; // frames ever taken, by the consumer
    alignas(64) struct eth_frame slot[ETH_RING_SLOTS];
};

struct eth_socket_page {
    _Atomic uint64_t owner;    // hash of who has it, 0: free
    _Atomic uint64_t from;     // frames before this number were queued before the last opening
    _Atomic uint32_t protocol; // EtherType
    _Atomic uint32_t peer;     // host it is connected to; ETH_NOBODY: all
    _Atomic uint64_t lost;     // frames that found the ring full
    uint32_t watch_id;         // of receive.head (clock/coordinator.h)
    _Atomic uint32_t awaited;  // 1: its host waits for a frame
    struct eth_ring transmit, receive;
};

struct eth_host_page {
    char name[ETH_NAME_MAX];
    _Atomic uint32_t relay, through; // through: 0 off, 1 on, 2 the network chooses
    struct eth_stamp {
        _Atomic int64_t time_ns;
        _Atomic uint32_t number; // of the frame; written last
    } stamp[ETH_STAMPS];         // of frames that left: at their numbers modulo ETH_STAMPS
    _Atomic uint32_t sequence;   // of tags; by veth, where the host itself writes them
    struct eth_socket_page socket[ETH_SOCKETS_MAX];
};

struct eth_disturbance_slot {
    struct disturbance_entry entry;
    struct eth_disturbance what;
};

struct eth_page {
    uint64_t magic;
    uint32_t size_B;
    uint32_t wakes;    // wall mode: who publishes wakes sleepers
    uint32_t watch_id; // of `activity`
    struct eth_plan plan;
    alignas(64) _Atomic uint64_t activity; // changes when a host has queued a frame, unless the
                                           // owner rests; when one begins to wait while it
                                           // does; when what disturbs has changed
    _Atomic uint32_t rests;                // 1: the owner need not know of each frame at once
    _Atomic int64_t time_ns;
    struct eth_lateness { // of the owner, by cycle modulo their number (EtherRTHeldUp)
        _Atomic int64_t cycle, most_ns;
    } late[ETH_LATE_CYCLES];
    struct eth_port_counts port[ETH_PORTS_MAX];
    _Atomic uint64_t disturbances;
    struct eth_disturbance_slot disturbance[ETH_DISTURBANCES_MAX];
    struct eth_host_page host[ETH_HOSTS_MAX];
};

// NOT_FOUND, CORRUPT, SYSTEM.
enum status eth_page_map(const char *cell, const char *name, struct eth_page **page) MUST_CHECK;
void eth_page_unmap(struct eth_page *page);
// Changes a word that somebody may wait on.
void eth_page_bump(const struct eth_page *page, _Atomic uint64_t *word);

// Producer: where to write the next frame, or NULL when full; eth_ring_publish makes it seen.
static inline struct eth_frame *eth_ring_room(struct eth_ring *ring)
{
    const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    const uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_acquire);
    return head - tail >= ETH_RING_SLOTS ? NULL : &ring->slot[head % ETH_RING_SLOTS];
}

// Consumer: the oldest frame, or NULL; valid until eth_ring_drop.
static inline const struct eth_frame *eth_ring_peek(struct eth_ring *ring)
{
    const uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
        return NULL;
    return &ring->slot[tail % ETH_RING_SLOTS];
}

static inline void eth_ring_drop(struct eth_ring *ring)
{
    atomic_store_explicit(&ring->tail, atomic_load_explicit(&ring->tail, memory_order_relaxed) + 1,
                          memory_order_release);
}
