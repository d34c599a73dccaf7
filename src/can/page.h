// A bus in shared memory (CELL/buses/NAME): one page per bus, mapped by its owner, by every host
// port, and by whoever disturbs it.
//
// Private to src/can. A node's queues are rings with one producer and one consumer: whoever is
// killed or stopped in the middle of an operation has either published a frame or not; the other
// side never waits for it.
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/disturbances.h"
#include "can/can.h"
#include "can/disturbance.h"

#define CAN_PAGE_MAGIC 0x35304E4143454B55u // "UKECAN05"
#define CAN_HOST_NODES_MAX 4
#define CAN_OUTSIDE                                                                                \
    (CAN_HOST_NODES_MAX - 1) // the node of strangers, CAN_BUS_OUTSIDE: no port has it
#define CAN_NODE_NAME_MAX 8  // a name is one atomic word, so a node cannot be left half claimed
#define CAN_HOST_NODE "host" // what the nodes of a bus's declared host are called, or begin with
#define CAN_HOST_NAME_MAX 48
#define CAN_RING_SLOTS 512u // a power of two; more than two cycles of a full bus

// Marks of a frame in a ring, in its reserved byte, where frames also travel through the kernel's
// interface.
enum can_mark {
    CAN_MARK_NONE,
    CAN_MARK_CAME,      // receive ring: it has come over the interface, and is not to be waited for
    CAN_MARK_WITHDRAWN, // transmit ring: the interface has refused it
};

struct can_ring {
    alignas(64) _Atomic uint64_t head; // frames ever put, written by the producer
    alignas(64) _Atomic uint64_t tail; // frames ever taken or skipped, written by the consumer
    alignas(64) struct can_stamped slot[CAN_RING_SLOTS];
};

struct can_host_node {
    _Atomic uint64_t name;          // 0: not in use
    _Atomic uint64_t generation;    // openings so far
    _Atomic uint64_t transmit_from; // frames before this number were queued before the last
                                    // opening, or were withdrawn: not to be sent
    _Atomic uint64_t lost;          // frames that found the receive queue full
    _Atomic uint64_t unwanted;      // frames that passed no filter; by the owner
    _Atomic uint32_t filters;       // 0: all frames are wanted; otherwise how many filters, plus 1
    _Atomic uint64_t filter[CAN_FILTERS_MAX]; // struct can_filter: identifier << 32 | mask
    _Atomic uint32_t error_mask;              // error frames it wants
    _Atomic uint32_t on_offer; // 1: a frame was taken from the ring and is not sent; by the owner
    struct can_ring transmit;  // host -> owner; time: handed over
    struct can_ring receive;   // owner -> host; time: end of frame
};

// Written by the disturber, then published by `active`.
struct can_disturbance_slot {
    struct disturbance_entry entry;
    struct can_trouble before; // as `what`
    struct can_disturbance what;
};

// Published by the owner; each word by itself is up to date after every advance.
struct can_node_status {
    char name[16]; // written once
    _Atomic uint32_t transmit_errors, receive_errors, state, times_off;
    _Atomic uint64_t sent, received, failed, lost;
};

struct can_page {
    uint64_t magic;
    uint32_t size_B;
    uint32_t bitrate_bit_s;
    uint32_t data_bitrate_bit_s;
    uint32_t medium; // enum can_medium
    uint32_t patient;
    uint32_t host_outside;                // of can_bus_config
    char host_process[CAN_HOST_NAME_MAX]; // "": none is declared
    _Atomic uint32_t node_count;
    _Atomic uint64_t frames, error_frames;
    _Atomic int64_t busy_ns, time_ns;
    alignas(64) _Atomic uint64_t disturbances; // ever put in: the source of their numbers
    struct can_disturbance_slot disturbance[CAN_DISTURBANCES_MAX];
    struct can_node_status node[CAN_BUS_NODES_TOTAL_MAX]; // host nodes first
    struct can_host_node host[CAN_HOST_NODES_MAX];
};

// Which frames a host's node receives, error frames apart: all; those that pass one of `count`
// filters (at most CAN_FILTERS_MAX).
void can_filter_clear(struct can_host_node *node);
void can_filter_set(struct can_host_node *node, const struct can_filter *filter, unsigned count);
bool can_filter_passes(const struct can_host_node *node, canid_t can_id);

// Whether all fields are within their ranges: asked by who puts a disturbance in, and again by the
// owner.
bool can_disturbance_is_sound(const struct can_disturbance *what);

// Maps the bus `name` of cell `cell`. NOT_FOUND, CORRUPT, SYSTEM.
enum status can_page_map(const char *cell, const char *name, struct can_page **page) MUST_CHECK;
struct can_bus_config; // can/bus.h
// A page that only this process has. INVALID (bitrates), NO_MEMORY.
enum status can_page_anonymous(const struct can_bus_config *config,
                               struct can_page **page) MUST_CHECK;
void can_page_unmap(struct can_page *page);

// Producer: false when full.
static inline bool can_ring_put(struct can_ring *ring, const struct can_stamped *frame)
{
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    uint64_t used = head - atomic_load_explicit(&ring->tail, memory_order_acquire);
    if (used >= CAN_RING_SLOTS)
        return false;
    ring->slot[head % CAN_RING_SLOTS] = *frame;
    atomic_store_explicit(&ring->head, head + 1, memory_order_release);
    return true;
}

// Producer: marks the frame that was put last.
static inline void can_ring_mark_last(struct can_ring *ring, enum can_mark mark)
{
    const uint64_t head = atomic_load_explicit(&ring->head, memory_order_relaxed);
    __atomic_store_n(&ring->slot[(head - 1) % CAN_RING_SLOTS].fd.__res0, (uint8_t)mark,
                     __ATOMIC_RELEASE);
}

static inline enum can_mark can_mark_of(const struct can_stamped *frame)
{
    return (enum can_mark)__atomic_load_n(&frame->fd.__res0, __ATOMIC_ACQUIRE);
}

// Consumer: the oldest frame, or NULL. It stays valid until can_ring_drop.
static inline const struct can_stamped *can_ring_peek(struct can_ring *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    if (tail == atomic_load_explicit(&ring->head, memory_order_acquire))
        return NULL;
    return &ring->slot[tail % CAN_RING_SLOTS];
}

static inline void can_ring_drop(struct can_ring *ring)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    atomic_store_explicit(&ring->tail, tail + 1, memory_order_release);
}

// Consumer: discards everything before frame number `from`, at most what is there.
static inline void can_ring_skip_to(struct can_ring *ring, uint64_t from)
{
    uint64_t tail = atomic_load_explicit(&ring->tail, memory_order_relaxed);
    uint64_t head = atomic_load_explicit(&ring->head, memory_order_acquire);
    if (from - tail <= head - tail)
        atomic_store_explicit(&ring->tail, from, memory_order_release);
}
