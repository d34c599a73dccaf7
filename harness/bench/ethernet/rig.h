// What the benchmark of Ethernet measures with: processes in a network namespace of their own, with
// cables and relays of the kernel (ethernet/network.h), and memory that they share with the lab.
// All ends with the process that rig_run starts. Not real-time, but for what says so.
#pragma once

#include <stdatomic.h>
#include <stdbool.h>
#include <stdint.h>

#include "base/histogram.h"
#include "base/status.h"
#include "clock/clock.h"
#include "ethernet/etherrt.h"
#include "ethernet/network.h"

#define RIG_SIZE_MAX_B 1500
#define RIG_PARTS 6

struct rig { // shared by all its processes
    struct eth_plan plan;
    const char *cell; // the folder of its network; "": none
    bool is_virtual;  // on the virtual clock, by the embedded network: see rig_play
    double duration_s;
    uint64_t seed;
    duration period;
    unsigned size_B;
    char trouble[160]; // why there are no figures; "": there are
    struct histogram part[RIG_PARTS];
    uint64_t sent, lost, late, events, worst;
    _Atomic int ready; // that have joined
    _Atomic int over;  // all are to end
};

// Runs `measure` in a process of its own, with the network that rig->plan describes, and waits for
// its end. UNSUPPORTED: this user may have no such network here; rig->trouble says why.
enum status rig_run(struct rig *rig, void (*measure)(struct rig *rig, struct clk *clk)) MUST_CHECK;
struct rig *rig_new(void); // NULL: no memory
void rig_free(struct rig *rig);

// In `measure`: starts a process beside it, which ends by itself once rig->over, and with its
// parent at the latest. Becomes real-time where the kernel allows it.
bool rig_start(struct rig *rig, struct clk *clk, int priority,
               void (*run)(struct rig *rig, struct clk *clk));

// In `measure` of a rig that is virtual (its own clk is NULL): plays `member`s on the virtual clock
// for rig->duration_s, each a process of its own. The first goes first at each instant; the others
// by turns, in this order. False with rig->trouble.
struct rig_member {
    const char *name;
    void (*run)(struct rig *rig, struct clk *clk); // until it is ended
};
bool rig_play(struct rig *rig, const struct rig_member *member, unsigned count);

// On a core of its own, if there are so many.
void rig_pin(int number);
void rig_await(struct rig *rig, int ready);
// A socket of host `name` ("" : of an interface called as `network`), or NULL with rig->trouble.
EtherRTSock *rig_bind(struct rig *rig, const char *name);
