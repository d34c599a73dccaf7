// A host's port of a line: bytes out at an instant, bytes in with their times.
//
// A process that opens a port again after a restart takes it over: what its predecessor had handed
// over but the line has not taken is discarded, and so is what came before. Real-time safe: send
// and receive neither block nor allocate.
#pragma once

#include "base/status.h"
#include "base/time.h"

struct dxl_port; // opaque; owned by the caller

struct dxl_byte {
    instant time; // end of its stop bit
    uint8_t value;
};

// Opens the port `host` (at most 7 letters) of line `line` of the process's own cell. NOT_FOUND,
// CORRUPT, SYSTEM, NO_MEMORY, INVALID (name), FULL (all ports are taken by other names).
enum status dxl_port_open(const char *line, const char *host, struct dxl_port **port) MUST_CHECK;
void dxl_port_close(struct dxl_port *port);

// Hands bytes over (at most DXL_PACKET_MAX_B), to go out without a pause from `at` on, or as soon
// as those before have gone out. Plan several ahead to use a line that is advanced rarely. FULL;
// DENIED: another process has taken the port over; INVALID: too many bytes.
enum status dxl_port_send(struct dxl_port *port, const uint8_t *bytes, unsigned count,
                          instant at) MUST_CHECK;
// Whether the line has taken all that was handed over; then *end is when the last of it ends.
bool dxl_port_sent(const struct dxl_port *port, instant *end);
// Takes what has come, at most `most` bytes.
unsigned dxl_port_receive(struct dxl_port *port, struct dxl_byte *bytes, unsigned most);

// Up to when the line has been advanced: all bytes that ended by then have come.
instant dxl_port_time(const struct dxl_port *port);
unsigned dxl_port_bitrate_bit_s(const struct dxl_port *port);
