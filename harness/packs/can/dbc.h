// A robot's CAN protocol as a DBC, the file that CAN tools decode traffic by: from the robot
// description (boards, identifiers, scales, limits) and the frame formats of
// protocol/hubo_frames.h.
//
// Every message of both buses: references, requests, replies of boards and of sensors. What a DBC
// cannot say is in its comments (CM_):
// - sign and magnitude are two signals, NAME_magnitude and NAME_sign (1: negative); a value in two
//   pieces is NAME_high and NAME_low, to be added;
// - a frame may be shorter than its message's length: signals beyond its end are not in it.
// Ranges: of a reference, its joint's limits; of what is measured, what the field can carry.
// Real values are raw value * factor, in the signal's unit. Not real-time.
#pragma once

#include <stdio.h>

#include "message/message.h"
#include "model/description.h"

// `bus`: the names of the interfaces, for the comments. Errors of the stream are the caller's to
// look at.
void dbc_write(const struct description *description, const char *const bus[BUS_LOG_BUSES],
               FILE *out);
