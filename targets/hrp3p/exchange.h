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
    uint16_t late;       // bit k: k cycles ago the machine kept it back, as it says
    uint16_t overdue;    // bit k: its answer of k cycles ago has not come
    uint32_t ahead;      // the cycle of an answer that came before the PC had begun that
    uint64_t refused[4]; // as the node said last: stale, doubled, foreign, unsound
};

struct exchange {
    const struct description *description; // node n drives board n
    struct exchange_node node[NODES];
    int64_t window_ns;       // set by the caller: answers that come later are not in time
    int64_t carried_late_ns; // set by the caller: so late frames were carried, of late
    bool prompt; // set by the caller: nodes answer after they took the cycle's command, not before
    bool missed; // a command of the last cycle
    uint16_t late; // bit k: k cycles ago the machine kept back the PC, or who carries frames
    bool full;     // all have answered once: from then on answers are owed
    double angle_rad[ROBOT_JOINTS_MAX];
    struct sensed sensed;
    struct cycle_message message; // of this cycle
};

// A cycle begins.
void exchange_begin(struct exchange *exchange, uint32_t cycle);
// The machine kept back the PC, or who carries frames: in this cycle, or also in the one before.
void exchange_late(struct exchange *exchange, bool before_too);
// The command for a node, sealed.
void exchange_command(struct exchange *exchange, unsigned node, const double *reference_rad,
                      struct command_frame *frame);
// What came `after_ns` after the cycle's begin.
void exchange_take(struct exchange *exchange, const struct ether_addr *source, const void *frame,
                   size_t length_B, int64_t after_ns);
// The window for answers is over: completes the message.
void exchange_end(struct exchange *exchange, int64_t now_ns);
