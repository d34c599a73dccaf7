// What a peer may ask of the network door, as a line of text. Pure, real-time safe.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "model/movement.h"

#define DOOR_LINE_MAX 256 // with its end
#define DOOR_NAME_MAX 32

enum door_kind {
    DOOR_HELLO,  // hello
    DOOR_GET,    // get: one line of state
    DOOR_STREAM, // stream HZ: such lines from now on; 0: no more
    DOOR_JOINTS, // joints N=DEGREES... [in=SECONDS]
    DOOR_PLAY,   // play MOVEMENT [TIMES]
    DOOR_LEAVE,  // leave: ends the movement by its exit
    DOOR_STOP,   // stop: at once
    DOOR_SCRIPT, // script FILE, or script off
};

struct door_request {
    enum door_kind kind;
    double rate_hz;
    uint32_t servos; // bit n: servo n
    double angle_rad[MOVEMENT_SERVOS];
    double duration_s;
    unsigned repeat;
    char name[DOOR_NAME_MAX]; // of a movement or a script; "": none
};

// INVALID: *why says what is wrong, and what to write.
enum status door_parse(const char *line, struct door_request *request, const char **why) MUST_CHECK;
