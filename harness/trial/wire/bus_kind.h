// What a trial does with a bus, by its kind: nothing else in the room knows one kind from another.
// All functions are called in the cell.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "base/status.h"

struct bus_config;

struct bus_making {
    bool through_kernel;    // by the interface that was created, else embedded
    bool patient;           // virtual time: nobody is late
    unsigned bitrate_bit_s; // in place of what the target says; 0: that
};

// What a bus's owner says of a disturbance.
struct bus_disturbance {
    bool known; // it was in the bus's table
    bool active;
    uint64_t hit, hit_when_taken;
};

struct bus_kind {
    // Creates the kernel's interface `name` in the present network namespace. UNSUPPORTED (this
    // kernel has none), SYSTEM: `why` says what was refused. NULL: buses of this kind have none.
    enum status (*create_interface)(const char *name, char *why, size_t size);
    // Creates the bus in CELL_FOLDER, before any process starts.
    enum status (*create)(const struct bus_config *config, const struct bus_making *making);
    // Frames that strangers had for the bus, more than it carries, and that were dropped.
    uint64_t (*strangers_dropped)(const char *name);
    // What the owner of the bus `name` says of the disturbance with this tag. False: there is no
    // bus of this kind that is called so.
    bool (*disturbed)(const char *name, unsigned tag, struct bus_disturbance *seen);
    bool network; // people call it that, and no bus
};

extern const struct bus_kind *const bus_kinds[]; // by enum bus_kind_number
