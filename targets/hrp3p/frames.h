// What PC and nodes say to one another each cycle of 5 ms: payloads of frames, little-endian. Each
// carries 16 bit values as the paper counts them (section II), its cycle, and a sum over all of it.
//
// A frame is hostile until frame_sound has looked at it: nothing in it is a length or an index but
// `count`, which that checks.
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

#include "plant/motors/link_board.h"

#define CYCLE_NS 5000000
#define TICK_NS 1000000 // of a node; the exchange is over within one
#define LATE_NS                                                                                    \
    200000 // kept back by the machine so long, a process says so: PC, nodes and network
           // may be so each, and the exchange, of 0.2 ms, still ends within its tick
#define NODES 13
#define NETWORK "eth0"

#define ANGLE_RAD 1e-4    // a unit of angles
#define TORQUE_NM 0.02    // ... of torques,
#define TEMPERATURE_C 0.1 // ... of temperatures,
#define P_NM_RAD 1.0      // ... of gains
#define D_NMS_RAD 0.01

enum frame_kind { FRAME_COMMAND = 0x4301, FRAME_ANSWER = 0x4101 };

struct frame_head {
    uint16_t kind;
    uint16_t count; // joints
    uint32_t cycle; // in which it was sent
    uint32_t sum;   // of all bytes, this word taken as 0
} __attribute__((packed));

struct command_frame {
    struct frame_head head;
    struct {
        int16_t angle;
        uint16_t p, d;
    } __attribute__((packed)) joint[LINK_JOINTS];
} __attribute__((packed));

struct answer_frame {
    struct frame_head head;
    uint32_t used_cycle;                       // of the command that the node follows; 0: none yet
    uint32_t used_sum;                         // of that command: what the PC sent, and no other
    uint16_t used_age_us;                      // of that command when it was taken
    uint16_t stale, doubled, foreign, unsound; // commands refused, since the node's start
    uint16_t mode;                             // enum node_mode
    uint16_t kept_us;                          // so long the machine kept back this answer
    uint16_t late;                             // bit k: k cycles ago the machine kept it back
    struct {
        int16_t angle, torque, temperature;
    } __attribute__((packed)) joint[LINK_JOINTS];
    int16_t sensor[LINK_SENSORS]; // as converted: 10 V are 32768
} __attribute__((packed));

// FNV-1a over a frame, the word of the sum taken as 0.
uint32_t frame_sum(const void *frame, size_t size_B);
// Writes the sum; the head's other words are the caller's.
void frame_seal(void *frame, size_t size_B);
// Whether received bytes are a whole, unharmed frame of this kind.
bool frame_sound(const void *frame, size_t length_B, enum frame_kind kind);

// A word that has a bit per cycle, the newest lowest, `cycles` later.
uint16_t frame_cycles_later(uint16_t bits, uint32_t cycles);

// A value in units of a frame, clipped to what fits, and back.
int16_t frame_int(double value, double unit);
uint16_t frame_unsigned(double value, double unit);
