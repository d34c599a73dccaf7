// Ground beside the level floor of the simulated robot: stairs up and down across its way, and a
// slope up or down, level behind it. Only ground_extend allocates.
#pragma once

#include <libxml/tree.h>
#include <stdbool.h>

#define GROUND_STAIRS_MAX 8

struct ground {
    // From x on: so many stairs up, a level top, as many down.
    unsigned stairs; // 0: none
    double stairs_x_m, rise_m, depth_m, top_m;
    // From x on: up over a length, or down, level from there on.
    double slope_x_m, slope_rad, slope_length_m; // length 0: none
};

bool ground_is_level(const struct ground *ground);
// Adds its boxes to a robot's model.
void ground_extend(xmlNode *root, const struct ground *ground);
