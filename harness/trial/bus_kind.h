// What a trial does with a bus, by its kind: nothing else in the room knows one kind from another.
// All functions are called in the cell.
#pragma once

#include "clock/clock.h"
#include "harness/files/scenario.h"
#include "harness/trial/fault_program.h"

struct bus_making {
    bool through_kernel;    // by the interface that was created, else embedded
    bool patient;           // virtual time: nobody is late
    unsigned bitrate_bit_s; // in place of what the target says; 0: that
};

struct bus_kind {
    // Creates the kernel's interface `name` in the present network namespace. UNSUPPORTED (this
    // kernel has none), SYSTEM: `why` says what was refused.
    enum status (*create_interface)(const char *name, char *why, size_t size);
    // Creates the bus in CELL_FOLDER, before any process starts.
    enum status (*create)(const struct bus_config *config, const struct bus_making *making);
    // Frames that strangers had for the bus, more than it carries, and that were dropped.
    uint64_t (*strangers_dropped)(const char *name);
    // What the bus itself says against a fault program that claims its effect: *doubt, NULL if
    // nothing. False: there is no bus of this kind that is called as the fault's component.
    bool (*doubt)(const struct fault_call *call, const char **doubt);
};

extern const struct bus_kind *const bus_kinds[]; // by enum bus_kind_number
