// A line in shared memory (CELL/buses/NAME): one page, mapped by its owner, by every host port, and
// by whoever disturbs it. Private to src/dynamixel.
//
// Queues are rings with one producer and one consumer: whoever is killed in the middle of an
// operation has either published an entry or not; the other side never waits for it.
#pragma once

#include <stdalign.h>
#include <stdatomic.h>
#include <stddef.h>

#include "base/disturbances.h"
#include "dynamixel/disturbance.h"
#include "dynamixel/port.h"

#define DXL_PAGE_MAGIC 0x31304C5844454B55u // "UKEDXL01"
#define DXL_SENT_SLOTS 64u                 // powers of two
#define DXL_HEARD_SLOTS 4096u              // 40 ms of a full line at 1 Mbit/s
#define DXL_TABLE_WORDS ((DXL_TABLE_B + 7) / 8)

struct dxl_sent {
    instant at;
    uint32_t count;
    uint8_t byte[DXL_PACKET_MAX_B];
};

struct dxl_host_node {
    _Atomic uint64_t name;       // 0: not in use
    _Atomic uint64_t generation; // openings so far
    // Bursts before this number were handed over before the last opening.
    _Atomic uint64_t sent_from;
    _Atomic uint64_t lost;                  // bytes that found the ring full
    _Atomic int64_t sent_end_ns;            // when what the owner has taken so far ends on the line
    alignas(64) _Atomic uint64_t sent_head; // by the host
    alignas(64) _Atomic uint64_t sent_tail; // by the owner
    alignas(64) _Atomic uint64_t heard_head; // by the owner
    alignas(64) _Atomic uint64_t heard_tail; // by the host
    struct dxl_sent sent[DXL_SENT_SLOTS];
    struct dxl_byte heard[DXL_HEARD_SLOTS];
};

// Written by the disturber, then published by `active`.
struct dxl_disturbance_slot {
    struct disturbance_entry entry;
    struct dxl_disturbance what;
};

// Published by the owner after every advance.
struct dxl_node_status {
    char name[8];
    _Atomic uint64_t sent, heard, broken, unframed;
    _Atomic uint64_t table[DXL_TABLE_WORDS];
};

struct dxl_page {
    uint64_t magic;
    uint32_t size_B;
    uint32_t bitrate_bit_s;
    _Atomic uint32_t device_count;
    _Atomic int64_t time_ns;
    alignas(64) _Atomic uint64_t disturbances; // ever put in: the source of their numbers
    struct dxl_disturbance_slot disturbance[DXL_DISTURBANCES_MAX];
    struct dxl_node_status node[DXL_NODES_MAX]; // hosts first
    struct dxl_host_node host[DXL_HOSTS_MAX];
};

// Whether all fields are within their ranges: asked by who puts it in, and again by the owner.
bool dxl_disturbance_is_sound(const struct dxl_disturbance *what);

// Maps the page of line `name` of cell `cell`. NOT_FOUND, CORRUPT, SYSTEM.
enum status dxl_page_map(const char *cell, const char *name, struct dxl_page **page) MUST_CHECK;
// A page that only this process has. INVALID (bit rate), NO_MEMORY.
enum status dxl_page_anonymous(unsigned bitrate_bit_s, struct dxl_page **page) MUST_CHECK;
void dxl_page_unmap(struct dxl_page *page);

// A port on a page, which it unmaps in the end if it owns it. As dxl_port_open.
enum status dxl_port_on(struct dxl_page *page, bool owned, const char *host,
                        struct dxl_port **port) MUST_CHECK;
