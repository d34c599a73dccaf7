// A host of a line: one request at a time, and its answer, or that there was none.
//
// No answer is taken from another device, to an older request, or of another length than asked for.
// After a silence a device is suspect: its answer may only be late. It is pinged, with an answer
// that cannot be mistaken for one of registers, before it is asked anything else. Deadlines count
// by the line's time, so a simulation that is behind costs no request. Real-time safe; never waits:
// the caller sleeps until dxl_host_next.
#pragma once

#include <stdbool.h>

#include "dynamixel/packet.h"
#include "dynamixel/port.h"

#define DXL_HOST_SLACK_NS 100000 // beyond the last byte of an answer

struct dxl_host_statistics {
    uint64_t requests, answers, timeouts;
    uint64_t broken;   // wrong sums
    uint64_t foreign;  // of another device, or of another length
    uint64_t stale;    // before its request had ended
    uint64_t errors;   // answers with error bits
    uint64_t suspects; // pings of suspect devices
};

struct dxl_host {
    struct dxl_port *port; // the caller's
    duration return_delay; // most that devices wait
    struct dxl_host_statistics statistics;
    // Of its own:
    struct dxl_decoder decoder;
    struct dxl_packet request;
    bool pending, pinging;
    bool sent;         // the request is on the line, until `request_end`
    unsigned expected; // parameters of the answer
    instant request_end, deadline;
    uint64_t suspect[4]; // bit i: device i
};

// `return_delay`: the longest of the devices (500 us from the factory).
void dxl_host_start(struct dxl_host *host, struct dxl_port *port, duration return_delay);

// Requests, to go out at `at` (a time to come, or past: at once). BUSY: the last one is pending;
// INVALID: too many bytes; else as dxl_port_send.
enum status dxl_host_ping(struct dxl_host *host, uint8_t id, instant at) MUST_CHECK;
enum status dxl_host_read(struct dxl_host *host, uint8_t id, uint8_t first, uint8_t count,
                          instant at) MUST_CHECK;
enum status dxl_host_write(struct dxl_host *host, uint8_t id, uint8_t first, const uint8_t *bytes,
                           uint8_t count, instant at) MUST_CHECK;
enum status dxl_host_reg_write(struct dxl_host *host, uint8_t id, uint8_t first,
                               const uint8_t *bytes, uint8_t count, instant at) MUST_CHECK;
enum status dxl_host_action(struct dxl_host *host, uint8_t id, instant at) MUST_CHECK;
enum status dxl_host_reset(struct dxl_host *host, uint8_t id, instant at) MUST_CHECK;
// `count` bytes to each of `devices`: their ids and bytes stand one after the other in `parts`.
enum status dxl_host_sync_write(struct dxl_host *host, uint8_t first, uint8_t count,
                                const uint8_t *parts, unsigned devices, instant at) MUST_CHECK;

// What has become of the request. EMPTY: pending; OK: *answer is its answer, or it needs none;
// TIMEOUT: none has come; CORRUPT: one with a wrong sum has; NOT_FOUND: there was no request.
enum status dxl_host_look(struct dxl_host *host, struct dxl_packet *answer) MUST_CHECK;
// When to look again: when the answer should have come at the latest, by the line's time.
instant dxl_host_next(const struct dxl_host *host);
