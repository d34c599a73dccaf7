// Private to src/dynamixel: a line, shared by line.c (senders, time), uart.c (what receivers make
// of it) and disturb.c.
#pragma once

#include "dynamixel/line.h"
#include "dynamixel/page.h"

#define STRANGER DXL_NODES_MAX
#define BURST_MAX_B (DXL_PACKET_MAX_B + DXL_DISTURB_BYTES_MAX)
#define BYTE_BITS 10 // on the line, with start and stop bit
#define BURSTS_MAX 64u
#define RECEIVERS_MAX (2u + DXL_DEVICES_MAX)

struct burst {
    unsigned sender; // node
    int64_t bitrate_bit_s;
    instant start, end;
    bool told; // the listener has been
    unsigned length;
    uint8_t byte[BURST_MAX_B];
};

// What a UART hears. Receivers that would hear the same share one.
struct receiver {
    int64_t bitrate_bit_s;
    instant from;   // looks for a start bit from then on
    bool at_hosts;  // else at the devices
    uint64_t nodes; // bit i: node i hears by it
};

// The data that a device answers with as long as its readings are stuck, for each register at
// which reads of it began.
#define STUCK_MAX 64u
struct stuck_answer {
    uint8_t id, address, length; // of the whole packet; 0: unused
    uint8_t byte[DXL_TABLE_B + DXL_OVERHEAD_B];
};

struct disturbance_state {
    uint64_t active; // number under which it was put in; 0: none
    struct dxl_disturbance what;
    struct disturbance_tally tally;
    instant next;                // noise
    uint8_t before[DXL_TABLE_B]; // of the device: its table
    struct stuck_answer stuck[STUCK_MAX];
};

struct dxl_line {
    struct dxl_page *page;
    int64_t bitrate_bit_s;
    instant advanced_to;
    instant low_from, low_to; // held low
    bool cut;
    uint64_t muted; // bit i: node i
    unsigned device_count;
    struct dxl_device *device[DXL_DEVICES_MAX];
    uint8_t asked[UINT8_MAX + 1];     // by id: the register at which the last read of it begins
    instant host_free[DXL_HOSTS_MAX]; // when what it has sent ends
    unsigned burst_count;
    struct burst burst[BURSTS_MAX]; // under way, to come, and just ended
    bool rates_changed;             // receivers are to be assigned anew
    unsigned receiver_count;
    struct receiver receiver[RECEIVERS_MAX];
    unsigned disturbance_count; // active ones
    struct disturbance_state disturbance[DXL_DISTURBANCES_MAX];
    struct dxl_line_load load;
    dxl_line_listener *listener;
    void *listener_context;
    dxl_line_servo *servo;
    void *servo_context;
};

static inline uint64_t node_bit(unsigned node)
{
    return UINT64_C(1) << node;
}
static inline bool is_host(unsigned node)
{
    return node < DXL_HOSTS_MAX;
}
static inline duration bits_time(int64_t bits, int64_t bitrate_bit_s)
{
    return duration_ns(bits * 1000000000 / bitrate_bit_s);
}

// ---- burst.c ----

// Puts a burst on the line as it is; dropped if there is no room.
void line_add(struct dxl_line *line, unsigned sender, const uint8_t *bytes, unsigned length,
              instant start);
int64_t line_bitrate_of(const struct dxl_line *line, unsigned node);

// ---- uart.c ----

// The next byte that a receiver hears.
struct heard {
    instant end;
    uint8_t value;
    bool framed; // it ends with a stop bit
};
// False: none that ends by `until`.
bool uart_next(const struct dxl_line *line, const struct receiver *receiver, instant until,
               struct heard *heard, instant *start);
// After such a byte: from when on it looks for the next.
instant uart_resume(const struct dxl_line *line, const struct receiver *receiver, instant start,
                    const struct heard *heard);

// ---- stick.c ----

// What a host sends: remembers what it asks for.
void stick_ask(struct dxl_line *line, const uint8_t *bytes, unsigned length);
// Whether a packet of a device holds data.
bool stick_concerns(const uint8_t *bytes, unsigned length);
// Gives an answer the data of the first to the same request. False: it had these, or there is no
// room to keep one more.
bool stick(const struct dxl_line *line, struct disturbance_state *state, uint8_t *bytes,
           unsigned length);

// ---- disturb.c ----

// Looks for disturbances put in or taken out.
void disturb_refresh(struct dxl_line *line);
// A sender's packet: changes it, adds to it, or takes it. False: it is not sent.
bool disturb_burst(struct dxl_line *line, unsigned sender, uint8_t *bytes, unsigned *length,
                   instant *start);
// Adds what is due before `until`.
void disturb_advance(struct dxl_line *line, instant until);
