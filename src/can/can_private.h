// What a kind of CAN port provides: a new kind is one new file with such a table and one line in
// can.c.
#pragma once

#include "can/can.h"

struct can_port_operations {
    void (*close)(struct can_port *port);
    enum status (*send)(struct can_port *port, const struct canfd_frame *frame, instant now);
    unsigned (*unsent)(const struct can_port *port);
    instant (*time)(const struct can_port *port);
    void (*withdraw)(struct can_port *port);
    enum status (*receive)(struct can_port *port, struct can_stamped *frame);
    enum status (*listen)(struct can_port *port, const struct can_filter *filter, unsigned count,
                          uint32_t error_mask);
    void (*health)(const struct can_port *port, struct can_health *health);
};

// First member of every kind of port.
struct can_port {
    const struct can_port_operations *operations;
};

// Opens the kernel's CAN interface of that name. UNSUPPORTED: this kernel has no SocketCAN;
// NOT_FOUND: no such interface.
enum status can_socket_open(const char *interface, struct can_port **port) MUST_CHECK;

// Opens a node of the embedded bus of cell `cell`; NOT_FOUND if the cell has no such bus.
enum status can_embedded_open(const char *cell, const char *bus, const char *node,
                              struct can_port **port) MUST_CHECK;

// As can_open_as.
enum status can_embedded_join(const char *cell, const char *bus, const char *process,
                              unsigned number, struct can_port **port) MUST_CHECK;
