// What a kind of CAN port provides: a new kind (SocketCAN) is one new file with such a table and
// one line in can.c.
#pragma once

#include "can/can.h"

struct can_port_operations {
    void (*close)(struct can_port *port);
    enum status (*send)(struct can_port *port, const struct can_frame *frame, instant now);
    enum status (*receive)(struct can_port *port, struct can_stamped *frame);
    uint64_t (*lost)(const struct can_port *port);
};

// First member of every kind of port.
struct can_port {
    const struct can_port_operations *operations;
};

// Opens a node of the embedded bus of cell `cell`; NOT_FOUND if the cell has no such bus.
enum status can_embedded_open(const char *cell, const char *bus, const char *node,
                              struct can_port **port) MUST_CHECK;
