// Does somebody wait at a port of this network? The cell's, if the cell's init asks.
#pragma once

#include <stdbool.h>

// Whether a TCP socket listens on the port, or a UDP socket has it; IPv4 or IPv6, any address. Not
// real-time.
bool port_open(unsigned port);
