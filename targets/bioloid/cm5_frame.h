// What the upper layer and the CM-5 say to one another over their serial line: 0xFF, 0x55, kind,
// count, so many bytes, and the complement of the sum of all from the kind on. Masks have a bit for
// each number of a servo; words are little-endian, and as the servos' registers have them.
#pragma once

#include <stdbool.h>
#include <stdint.h>

#include "dynamixel/device.h"

#define CM5_SERVOS 26 // by number; 0 is unused
#define CM5_FRAME_MAX_B 256
#define CM5_READ_B (DXL_TEMPERATURE + 1 - DXL_POSITION) // what is read of a servo

struct cm5_command { // downwards
    uint32_t servos; // that are addressed
    uint32_t torque; // of these, whose motor is on
    uint32_t moves;  // of these, which have a goal
    uint16_t goal[CM5_SERVOS], speed[CM5_SERVOS];
    uint8_t slope[CM5_SERVOS]; // 0: as it is
};

struct cm5_answers { // upwards, after each cycle
    uint32_t cycle;  // restarts at 1
    uint32_t missed; // answers that did not come or were wrong, since start
    uint32_t servos; // that have answered
    uint8_t error[CM5_SERVOS];
    uint8_t read[CM5_SERVOS][CM5_READ_B];
};

// Fills `frame` of CM5_FRAME_MAX_B bytes and returns its size; 0: more servos than a frame holds.
unsigned cm5_pack_command(const struct cm5_command *command, uint8_t *frame);
unsigned cm5_pack_answers(const struct cm5_answers *answers, uint8_t *frame);

// False: the frame is not whole, of another kind, or of servos that there cannot be.
bool cm5_unpack_command(const uint8_t *frame, unsigned size, struct cm5_command *command);
bool cm5_unpack_answers(const uint8_t *frame, unsigned size, struct cm5_answers *answers);
