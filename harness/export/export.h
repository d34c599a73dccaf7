// The traffic of a trial's CAN buses, as files that other tools read. Pure functions of a history;
// not real-time.
//
// A frame is stamped with the end of its last bit, counted from the trial's start, plus `epoch_s`.
// What the bus log calls failed (sent, but ended in an error frame, so that nobody received it) is
// written as the kernel reports it: an error frame of class "protocol violation, bus error"; why it
// failed is not in the log. Frames of both buses come in order of time.
#pragma once

#include <stdint.h>
#include <stdio.h>

#include "can/can.h"
#include "ethernet/network.h"
#include "harness/history/history.h"
#include "message/message.h"

#define EXPORT_BUS_NAME_MAX 16                 // as the kernel's, terminator included
#define EXPORT_EPOCH_MAX_S INT64_C(4102444800) // 2100-01-01: a year's digits, and no overflow

struct export_options {
    char bus[BUS_LOG_BUSES][EXPORT_BUS_NAME_MAX]; // names of the interfaces
    const struct eth_plan *plan;                  // names of a network's cables; NULL: by number
    int64_t epoch_s; // 0 .. EXPORT_EPOCH_MAX_S: the trial's start, seconds since 1970
};

struct export_count {
    uint64_t frames[BUS_LOG_BUSES]; // written, error frames included
    uint64_t error_frames;          // of these
    uint64_t ethernet;              // written, of networks
    uint64_t not_logged; // appeared on a bus when the log was full, or are of CAN FD: missing here
    uint64_t malformed;  // what no bus can have carried: left out
};

// One frame as it is written.
struct export_frame {
    unsigned bus;
    int64_t time_ns; // since 1970, by the options' epoch
    bool from_host;
    bool failed;
    struct can_frame frame; // what candump would show: of a failed one, the error frame
    struct can_frame sent;  // of a failed one, what was being sent
};

// Calls `write` for every frame, in order, and counts. INVALID, logged to standard error, if the
// history holds no bus log.
typedef void export_writer(void *context, const struct export_frame *frame);
enum status export_each(const struct history *history, const struct export_options *options,
                        export_writer *write, void *context, struct export_count *count) MUST_CHECK;

// As `candump -L` logs: "(seconds.micros) can0 060#11220000". Errors as export_each; those of the
// stream are the caller's to look at.
enum status export_candump(const struct history *history, const struct export_options *options,
                           FILE *out, struct export_count *count) MUST_CHECK;

// The same as pcapng with link type 227 (CAN_SOCKETCAN): one interface per bus, nanoseconds, a
// flag for the direction (outbound: sent by the host); the comment of an error frame says which
// frame it ended. A history without a bus log, but with the frames of a network (channel "wire", as
// of targets/ethernet): link type 1, one interface per cable; outbound: to its second end; a frame
// whose check sequence was wrong is flagged so.
enum status export_pcapng(const struct history *history, const struct export_options *options,
                          FILE *out, struct export_count *count) MUST_CHECK;
