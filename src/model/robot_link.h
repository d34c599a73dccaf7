// What both readers of robots make links of: robot_model.c, urdf.c.
#pragma once

#include "model/robot_model.h"

// Adds a box along a link's axes to what is drawn of it.
void robot_link_box(struct robot_link *link, const double at_m[3], const double half_m[3]);
