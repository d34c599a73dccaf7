// The messages of pole.msg and force.msg as C structures.
#pragma once

#include "base/time.h"

struct pole_message {
    instant time;
    double angle_rad, angle_rate_rad_s;
    double cart_m, cart_rate_m_s;
    double force_n; // that acts now
};

struct force_message {
    instant time;
    instant answers; // time of the pole that it answers
    double force_n;
};
