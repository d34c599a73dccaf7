// A port outside any cell: a node is a socket on the kernel's CAN interface of that name (vcan,
// vxcan or real), time is the kernel's.
#include <linux/can/error.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

#include "base/epoch.h"
#include "can/can_private.h"
#include "can/controller.h"
#include "can/line.h"

#define NS_PER_S 1000000000
// What the controller's health is known by.
#define HEALTH_ERRORS (CAN_ERR_CRTL | CAN_ERR_BUSOFF | CAN_ERR_RESTARTED | CAN_ERR_CNT)

struct socket_port {
    struct can_port base;
    struct can_line *line;
    uint32_t error_mask; // error frames that are handed out
    unsigned reads;      // since EMPTY was last said
    struct can_health health;
};

static void socket_close(struct can_port *base)
{
    struct socket_port *port = (struct socket_port *)base;
    can_line_close(port->line);
    free(port);
}

static enum status socket_send(struct can_port *base, const struct canfd_frame *frame, instant now)
{
    struct socket_port *port = (struct socket_port *)base;
    (void)now;
    enum status status = can_line_write(port->line, frame);
    if (status == STATUS_SYSTEM && can_line_mend(port->line) == STATUS_OK)
        status = can_line_write(port->line, frame);
    return status;
}

static unsigned socket_unsent(const struct can_port *base)
{
    return can_line_unsent(((const struct socket_port *)base)->line);
}

// What the kernel and its driver hold they do not give back.
static void socket_withdraw(struct can_port *base)
{
    (void)base;
}

// ---- time ----------------------------------------------------------------------------------

static int64_t read_clock_ns(clockid_t id)
{
    struct timespec now;
    clock_gettime(id, &now);
    return (int64_t)now.tv_sec * NS_PER_S + now.tv_nsec;
}

static instant socket_time(const struct can_port *port)
{
    (void)port;
    return instant_ns(read_clock_ns(CLOCK_MONOTONIC) - epoch_ns());
}

// ---- receiving ----------------------------------------------------------------------------------

// The kernel stamps with CLOCK_REALTIME, which may be set at any time: a frame is as old as that
// clock says, and at least 0 s. That clock is read first: whoever is interrupted between the two
// takes the frame for younger than it is, never for older than its sending.
static instant time_of(int64_t stamp_ns)
{
    const int64_t age_ns = stamp_ns == 0 ? 0 : read_clock_ns(CLOCK_REALTIME) - stamp_ns;
    const instant now = socket_time(NULL);
    return age_ns > 0 ? instant_ns(now.ns - age_ns) : now;
}

static void note_health(struct can_health *health, const struct canfd_frame *error)
{
    if (error->can_id & CAN_ERR_BUSOFF)
        health->state = CAN_OFF;
    else if (error->can_id & CAN_ERR_RESTARTED || error->data[1] & CAN_ERR_CRTL_ACTIVE)
        health->state = CAN_ACTIVE;
    else if (error->data[1] & (CAN_ERR_CRTL_TX_PASSIVE | CAN_ERR_CRTL_RX_PASSIVE))
        health->state = CAN_PASSIVE;
    else if (error->data[1] & (CAN_ERR_CRTL_TX_WARNING | CAN_ERR_CRTL_RX_WARNING))
        health->state = CAN_WARNING;
    if (error->can_id & CAN_ERR_CNT || error->data[6] != 0 || error->data[7] != 0) {
        health->transmit_errors = error->data[6];
        health->receive_errors = error->data[7];
    }
}

// Whether a frame is for the caller.
static bool is_for_caller(struct socket_port *port, const struct canfd_frame *frame)
{
    if (!(frame->can_id & CAN_ERR_FLAG))
        return true;
    if (frame->can_id & HEALTH_ERRORS)
        note_health(&port->health, frame);
    return (frame->can_id & port->error_mask) != 0;
}

static enum status socket_receive(struct can_port *base, struct can_stamped *frame)
{
    struct socket_port *port = (struct socket_port *)base;
    for (; port->reads < CAN_LINE_READS_MAX; port->reads++) {
        int64_t stamp_ns;
        const enum status status = can_line_read(port->line, &frame->fd, &stamp_ns, 0);
        if (status == STATUS_EMPTY ||
            (status != STATUS_OK && can_line_mend(port->line) != STATUS_OK))
            break;
        if (status != STATUS_OK || !is_for_caller(port, &frame->fd))
            continue;
        frame->time = time_of(stamp_ns);
        port->reads++;
        return STATUS_OK;
    }
    port->reads = 0;
    return STATUS_EMPTY;
}

static enum status socket_listen(struct can_port *base, const struct can_filter *filter,
                                 unsigned count, uint32_t error_mask)
{
    struct socket_port *port = (struct socket_port *)base;
    port->error_mask = error_mask & CAN_ERR_MASK;
    return can_line_listen(port->line, filter, count, port->error_mask | HEALTH_ERRORS);
}

static void socket_health(const struct can_port *base, struct can_health *health)
{
    const struct socket_port *port = (const struct socket_port *)base;
    *health = port->health;
    health->lost = can_line_lost(port->line);
    health->outages = can_line_outages(port->line);
}

static const struct can_port_operations socket_operations = {
    .close = socket_close,
    .send = socket_send,
    .unsent = socket_unsent,
    .time = socket_time,
    .withdraw = socket_withdraw,
    .receive = socket_receive,
    .listen = socket_listen,
    .health = socket_health,
};

enum status can_socket_open(const char *interface, struct can_port **port)
{
    static const struct can_filter all = {0};
    struct socket_port *opened = calloc(1, sizeof *opened);
    if (opened == NULL)
        return STATUS_NO_MEMORY;
    opened->base.operations = &socket_operations;
    enum status status = can_line_open(interface, &opened->line);
    if (status == STATUS_OK)
        status = can_line_listen(opened->line, &all, 1, HEALTH_ERRORS);
    if (status != STATUS_OK) {
        can_line_close(opened->line);
        free(opened);
        return status;
    }
    *port = &opened->base;
    return STATUS_OK;
}
