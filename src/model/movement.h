// Movements: what each servo's angle shall be, and when. Two formats are read: way points in the
// language of the robot's XML (Lima et al., section 3.2), and RoboPlus motion files (.mtn).
//
// Read once at the start; not real-time. Every complaint names file, line, value and remedy.
#pragma once

#include <stdint.h>

#include "base/status.h"
#include "model/solids.h"

#define MOVEMENT_SERVOS 26 // number 0 is unused, as in RoboPlus
#define MOVEMENT_STEPS_MAX 64
#define MOVEMENT_NAME_MAX 32
#define MOVEMENTS_MAX 255

struct movement_step {
    uint32_t servos;                        // bit n: servo n moves
    double angle_rad[MOVEMENT_SERVOS];      // 0: in the middle
    double velocity_rad_s[MOVEMENT_SERVOS]; // at the end; NAN: as the steps around suggest
    double duration_s, pause_s;             // duration > 0
};

struct movement {
    char name[MOVEMENT_NAME_MAX];
    unsigned next, exit; // numbers of movements, from 1; 0: none
    unsigned repeat;     // how often it is played, at least 1
    unsigned step_count;
    uint32_t slope[MOVEMENT_SERVOS]; // of the servos' compliance; 0: not said
    struct movement_step step[MOVEMENT_STEPS_MAX];
};

struct movements {
    unsigned count;
    struct movement movement[]; // number 1 is the first
};

// Reads a file by its kind: .mtn, or way points. `robot` says which servo an axis of way points is.
// INVALID (said), NO_MEMORY. To be freed with free().
enum status movements_read(const char *path, const struct solid_robot *robot,
                           struct movements **movements) MUST_CHECK;

// NULL: there is none of this name.
const struct movement *movements_find(const struct movements *movements, const char *name);
