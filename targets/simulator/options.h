// The command line of the simulated robot.
#pragma once

#include <limits.h>
#include <stdbool.h>

#include "base/time.h"
#include "plant/plant.h"

struct options {
    duration wall_period;
    duration interpolation;          // of the motor boards
    const char *model, *description; // file names in the target's folder
    bool check;                      // robot and surroundings only
    bool alone;                      // no cell: on the kernel's interfaces
    char interface[PLANT_BUSES][32]; // of --can; else empty
    bool unhomed, brief_encoders;
    bool hose; // a hose in the left hand, and motion capture of the chest
};

// False if the command line is not as it must be (logged to standard error).
bool options_read(int argc, char **argv, struct options *options);
