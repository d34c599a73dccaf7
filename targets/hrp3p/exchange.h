// The motion PC's side of the exchange: commands for the nodes, and what their answers tell. Pure.
#pragma once

#include <net/ethernet.h>
#include <stdbool.h>

#include "cycle.h"
#include "model/description.h"
#include "targets/hrp3p/frames.h"
#include "targets/hrp3p/sensing.h"

#define EXCHANGE_MEMORY 16 // cycles whose commands are remembered

struct exchange_node {
    struct ether_addr address;          // set by the caller
    bool answered;                      // in this cycle
    bool heard;                         // ever
    uint32_t sent_sum[EXCHANGE_MEMORY]; // by cycle modulo that
    uint32_t sent_cycle[EXCHANGE_MEMORY];
    uint64_t refused[4]; // as the node said last: stale, doubled, foreign, unsound
};

struct exchange {
    const struct description *description; // node n drives board n
    struct exchange_node node[NODES];
    bool prompt; // set by the caller: nodes answer after they took the cycle's command, not before
    bool missed; // a command of the last cycle
    bool full;   // all have answered once: from then on answers are owed
    double angle_rad[ROBOT_JOINTS_MAX];
    struct sensed sensed;
    struct cycle_message message; // of this cycle
};

// A cycle begins.
void exchange_begin(struct exchange *exchange, uint32_t cycle);
// The command for a node, sealed.
void exchange_command(struct exchange *exchange, unsigned node, const double *reference_rad,
                      struct command_frame *frame);
// What came `after_ns` after the cycle's begin.
void exchange_take(struct exchange *exchange, const struct ether_addr *source, const void *frame,
                   size_t length_B, int64_t after_ns);
// The window for answers is over: completes the message.
void exchange_end(struct exchange *exchange, int64_t now_ns);
