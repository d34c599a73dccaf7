#include "can/can.h"

#include <stdlib.h>
#include <string.h>

#include "can/can_private.h"

enum status can_open(const char *bus, const char *node, struct can_port **port)
{
    *port = NULL;
    const char *cell = getenv("UKEMI_CELL");
    if (node[0] == '\0')
        return STATUS_INVALID;
    if (!cell)
        return can_socket_open(bus, port);
    return can_embedded_open(cell, bus, node, port);
}

enum status can_open_as(const char *process, unsigned number, const char *bus,
                        struct can_port **port)
{
    const char *cell = getenv("UKEMI_CELL");
    *port = NULL;
    return cell == NULL ? STATUS_NOT_FOUND : can_embedded_join(cell, bus, process, number, port);
}

void can_close(struct can_port *port)
{
    if (port)
        port->operations->close(port);
}

enum status can_send(struct can_port *port, const struct can_frame *frame, instant now)
{
    struct canfd_frame both = {.can_id = frame->can_id, .len = frame->can_dlc};
    memcpy(both.data, frame->data, sizeof frame->data);
    return port->operations->send(port, &both, now);
}

enum status can_send_fd(struct can_port *port, const struct canfd_frame *frame, instant now)
{
    struct canfd_frame marked = *frame;
    marked.flags |= CANFD_FDF;
    marked.__res0 = marked.__res1 = 0;
    return port->operations->send(port, &marked, now);
}

unsigned can_unsent(const struct can_port *port)
{
    return port->operations->unsent(port);
}

instant can_time(const struct can_port *port)
{
    return port->operations->time(port);
}

void can_withdraw(struct can_port *port)
{
    port->operations->withdraw(port);
}

enum status can_receive(struct can_port *port, struct can_stamped *frame)
{
    return port->operations->receive(port, frame);
}

enum status can_listen(struct can_port *port, const struct can_filter *filter, unsigned count,
                       uint32_t error_mask)
{
    return count > CAN_FILTERS_MAX ? STATUS_INVALID
                                   : port->operations->listen(port, filter, count, error_mask);
}

void can_health(const struct can_port *port, struct can_health *health)
{
    port->operations->health(port, health);
}

uint64_t can_lost(const struct can_port *port)
{
    struct can_health health;
    can_health(port, &health);
    return health.lost;
}
