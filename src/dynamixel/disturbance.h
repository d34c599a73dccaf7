// What can go wrong on a line and in its servos: the man in the middle of the wire.
//
// A line has a small table of disturbances in its page. Whoever may open the page (a fault program
// of the lab) puts one in and takes it out again; the line's owner obeys it and counts what it did.
// Every decision follows from the seed and the number of the packet, so a trial repeats.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "base/status.h"
#include "dynamixel/device.h"

#define DXL_DISTURBANCES_MAX 8
#define DXL_HOSTS_MAX 2
#define DXL_DEVICES_MAX 30
#define DXL_NODES_MAX (DXL_HOSTS_MAX + DXL_DEVICES_MAX)
#define DXL_ANY_NODE UINT32_MAX

enum dxl_disturbance_kind {
    DXL_DISTURB_NONE,
    // Packets, when their sender puts them on the line:
    DXL_DISTURB_LOSE,
    DXL_DISTURB_CORRUPT,  // one bit flips
    DXL_DISTURB_DELAY,    // they begin `delay_ns` later
    DXL_DISTURB_TRUNCATE, // their last `count` bytes are missing
    DXL_DISTURB_INSERT,   // `count` random bytes stand somewhere in them
    DXL_DISTURB_STICK,    // answers: their data stay those of the first that was hit
    DXL_DISTURB_COLLIDE,  // a node nobody knows sends `count` random bytes at the same time
    // The line:
    DXL_DISTURB_NOISE, // a random byte, every `delay_ns` on average
    DXL_DISTURB_LOW,   // it is held low
    DXL_DISTURB_CUT,   // between hosts and devices
    // A device; what it was is restored in the end:
    DXL_DISTURB_MUTE,     // it neither speaks nor hears
    DXL_DISTURB_REGISTER, // the register at `address` has the value `value`
    DXL_DISTURB_FORGET,   // its EEPROM is as from the factory
    // A servo (plant/motors/servo.h):
    DXL_DISTURB_DEAD,
    DXL_DISTURB_STUCK,
    DXL_DISTURB_FREE,
    DXL_DISTURB_HEAT,     // it is at `value` thousandths of a degree Celsius
    DXL_DISTURB_SLIP,     // its horn by `value` microradians
    DXL_DISTURB_BACKLASH, // more by `value` microradians
    // The battery:
    DXL_DISTURB_VOLTAGE, // less by `value` millivolts
    DXL_DISTURB_SAG,     // its resistance more by `value` milliohms
    DXL_DISTURBANCE_KINDS
};

struct dxl_disturbance {
    uint32_t kind;      // enum dxl_disturbance_kind
    uint32_t node;      // whose packets, or which device; DXL_ANY_NODE
    uint32_t share_ppm; // of these packets so many are hit, drawn by `seed`; 1000000: all
    uint32_t burst;     // packets in a row that a hit takes; at least 1
    uint32_t count;     // bytes, 1 .. DXL_DISTURB_BYTES_MAX
    uint32_t address;
    int64_t value;
    int64_t delay_ns;
    uint64_t seed;
    uint64_t tag; // whatever its author finds it by again
};
#define DXL_DISTURB_BYTES_MAX 64

// What a disturbance has done since it was put in.
struct dxl_disturbance_count {
    uint64_t matched, hit;   // packets it concerned; of these it acted on
    uint64_t hit_when_taken; // `hit` when it was taken out
    bool active;
};

// A node as its line sees it.
struct dxl_node_report {
    char name[8]; // of a host, or the number with which a device was added
    uint64_t sent, heard, broken, unframed; // packets; of a wrong sum; bytes without a stop bit
    uint8_t table[DXL_TABLE_B];             // of a device, as it was when the line last advanced
};

struct dxl_page;

// Opens the page of line `line` of cell `cell`. NOT_FOUND, CORRUPT, SYSTEM. Not real-time. The
// caller closes it.
enum status dxl_meddle_open(const char *cell, const char *line, struct dxl_page **page) MUST_CHECK;
void dxl_meddle_close(struct dxl_page *page);

// Puts a disturbance in; *slot is where. INVALID: fields out of their ranges; FULL.
enum status dxl_meddle_put(struct dxl_page *page, const struct dxl_disturbance *disturbance,
                           unsigned *slot) MUST_CHECK;
// Takes it out. NOT_FOUND: there is none.
enum status dxl_meddle_take(struct dxl_page *page, unsigned slot) MUST_CHECK;
// The slot with the disturbance last put in with this tag, or -1.
int dxl_meddle_find(const struct dxl_page *page, uint64_t tag);
struct dxl_disturbance_count dxl_meddle_count(const struct dxl_page *page, unsigned slot);
// The device with this number (its first), or the host with this name; -1: none.
int dxl_meddle_node(const struct dxl_page *page, const char *name);
void dxl_meddle_report(const struct dxl_page *page, unsigned node, struct dxl_node_report *report);
