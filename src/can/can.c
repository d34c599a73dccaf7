#include "can/can.h"

#include <stdlib.h>

#include "can/can_private.h"

enum status can_open(const char *bus, const char *node, struct can_port **port)
{
    *port = NULL;
    const char *cell = getenv("UKEMI_CELL");
    if (!cell)
        return STATUS_NOT_FOUND;
    return can_embedded_open(cell, bus, node, port);
}

void can_close(struct can_port *port)
{
    if (port)
        port->operations->close(port);
}

enum status can_send(struct can_port *port, const struct can_frame *frame, instant now)
{
    return port->operations->send(port, frame, now);
}

enum status can_receive(struct can_port *port, struct can_stamped *frame)
{
    return port->operations->receive(port, frame);
}

uint64_t can_lost(const struct can_port *port)
{
    return port->operations->lost(port);
}
