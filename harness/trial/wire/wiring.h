// The channels and buses of a cell: created by the cell's init before any process starts, and known
// to the clock.
#pragma once

#include "channel/channel.h"
#include "clock/coordinator.h"
#include "harness/files/target/target.h"
#include "harness/trial/wire/interposed.h"
#include "harness/trial/wire/link.h"

struct scenario;

struct wiring_request {
    const struct target *target;
    const struct scenario *scenario;
    struct clk_coordinator *coordinator;
    enum clk_mode mode;
    enum link_choice can, ethernet;
    unsigned bitrate_bit_s; // of all buses; 0: what the target says
};

struct wiring {
    unsigned count;
    bool through_kernel; // frames on the buses travel by the kernel's interfaces
    bool by_veth;        // ... and those of networks
    // In the target's order: the lab's writing view, though it never writes.
    struct channel *channel[CHANNELS_MAX];
    struct interposed interposed;
};

// Creates all channels and buses of the target in CELL_FOLDER, with CAN interfaces if `can` says
// so, and registers the channels with the coordinator. Says in `reason` what failed.
enum status wiring_create(const struct wiring_request *request, struct wiring *wiring, char *reason,
                          size_t size) MUST_CHECK;
void wiring_close(struct wiring *wiring);

// Frames that strangers had for the cell's buses, more than a bus carries, and that were dropped.
// In the cell.
uint64_t wiring_strangers_dropped(const struct target *target);

// Wakes every reader of every channel: a writer has died. Takes the wiring.
void wiring_kick(void *wiring);
