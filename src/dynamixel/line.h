// A half-duplex serial line with Dynamixel servos, from the side of its owner (the simulated
// robot): advances its traffic in time.
//
// Bytes cost their ten bits at their sender's bit rate. The line is low while anybody sends a low
// bit; receivers sample it in the middle of each bit, as a UART does. So colliding bytes are ANDed,
// a wrong bit rate reads as rubbish, and a line held low is a break. Nobody hears while it sends.
// What disturbs this: dynamixel/disturbance.h. Nothing here waits or takes a lock; only create,
// open and add_device allocate or touch files.
#pragma once

#include "dynamixel/disturbance.h"
#include "dynamixel/port.h"

#define DXL_BITRATE_MIN_BIT_S 7800u
#define DXL_BITRATE_MAX_BIT_S 1000000u

struct dxl_line; // opaque; owned by the caller from dxl_line_open to dxl_line_close

// Lab: creates CELL/buses/NAME before any process starts. INVALID (bit rate out of range, name too
// long), SYSTEM.
enum status dxl_line_create(const char *cell, const char *name, unsigned bitrate_bit_s) MUST_CHECK;

// Opens a line of the process's own cell ($UKEMI_CELL) as its owner. What hosts sent before is
// discarded. NOT_FOUND, CORRUPT, SYSTEM, NO_MEMORY.
enum status dxl_line_open(const char *name, struct dxl_line **line) MUST_CHECK;
// A line that only this process has. INVALID (bit rate), NO_MEMORY.
enum status dxl_line_open_alone(unsigned bitrate_bit_s, struct dxl_line **line) MUST_CHECK;
void dxl_line_close(struct dxl_line *line);
// A host's port of such a line, in this process. As dxl_port_open. Close it before the line.
enum status dxl_line_port(struct dxl_line *line, const char *host,
                          struct dxl_port **port) MUST_CHECK;

// Puts a device on the line; it stays its owner's. *node is its number, 0, 1, 2 ... FULL.
enum status dxl_line_add_device(struct dxl_line *line, struct dxl_device *device,
                                unsigned *node) MUST_CHECK;

#define DXL_FROM_HOST (-1)
#define DXL_FROM_STRANGER (-2) // a disturbance

// What a node has sent: bytes without a pause.
struct dxl_burst {
    instant start, end;
    int sender; // device, or DXL_FROM_...
    unsigned length;
    const uint8_t *byte;
};
// Called for every burst after its end, in order of their ends.
typedef void dxl_line_listener(void *context, const struct dxl_burst *burst);
void dxl_line_listen(struct dxl_line *line, dxl_line_listener *listener, void *context);

// Called when a disturbance of a device's servo, or of the battery (any device), comes or goes.
// False: nothing came of it.
typedef bool dxl_line_servo(void *context, unsigned node, const struct dxl_disturbance *what,
                            bool on);
void dxl_line_on_servo(struct dxl_line *line, dxl_line_servo *servo, void *context);

// Advances the line: every byte that ends by `until` is heard.
void dxl_line_advance(struct dxl_line *line, instant until);

struct dxl_line_load {
    uint64_t bursts, bytes, unframed; // bytes heard without a stop bit
    duration busy;                    // summed over senders
};
struct dxl_line_load dxl_line_load(const struct dxl_line *line);
