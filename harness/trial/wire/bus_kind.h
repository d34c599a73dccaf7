// What a trial does with a bus, by its kind: nothing else in the room knows one kind from another.
// All functions are called in the cell.
#pragma once

#include "clock/clock.h"
#include "harness/trial/strike/fault_program.h"

struct bus_config;

struct bus_making {
    bool through_kernel;    // by the interface that was created, else embedded
    bool patient;           // virtual time: nobody is late
    unsigned bitrate_bit_s; // in place of what the target says; 0: that
};

struct bus_kind {
    // Creates the kernel's interface `name` in the present network namespace. UNSUPPORTED (this
    // kernel has none), SYSTEM: `why` says what was refused. NULL: buses of this kind have none.
    enum status (*create_interface)(const char *name, char *why, size_t size);
    // Creates the bus in CELL_FOLDER, before any process starts.
    enum status (*create)(const struct bus_config *config, const struct bus_making *making);
    // Frames that strangers had for the bus, more than it carries, and that were dropped.
    uint64_t (*strangers_dropped)(const char *name);
    // What the bus itself says against a fault program that claims its effect: *doubt, NULL if
    // nothing. False: there is no bus of this kind that is called as the fault's component.
    bool (*doubt)(const struct fault_call *call, const char **doubt);
};

// What a bus's owner says of a disturbance.
struct bus_disturbance {
    bool known; // it was in the bus's table
    bool active;
    uint64_t hit, hit_when_taken;
};
// What that says against a fault program that claims its effect; NULL: nothing.
const char *bus_disturbance_doubt(const struct bus_disturbance *seen, enum fault_action action);

extern const struct bus_kind *const bus_kinds[]; // by enum bus_kind_number
