// Hardware daemon: what it hears of its buses. Frames that nobody here replies with are kept away
// from it, by the kernel or by the bus's owner, so that a stranger, however much it sends, neither
// costs it time nor takes room from replies.
//
// Real-time safe after hardware_buses_open.
#pragma once

#include "targets/hubo2/hardware/hardware_requests.h"

struct hardware_buses {
    struct can_health
        before[HARDWARE_BUSES]; // counts of the ports from before this process used them
};

// Lets a port hear, of bus number `bus`, the identifiers that `readings` knows senders of, and all
// error frames. As can_listen.
enum status hardware_buses_listen(struct can_port *port, const struct readings *readings,
                                  unsigned bus) MUST_CHECK;

// Opens can0 and can1 into host->port[]; they listen as above. The statuses of
// can_open and can_listen; what went wrong is logged to standard error.
enum status hardware_buses_open(struct hardware_buses *buses, struct can_host *host,
                                const struct readings *readings) MUST_CHECK;

// Takes what has come into `readings`: a bounded number of frames of each bus.
void hardware_buses_drain(const struct can_host *host, struct readings *readings);

// Notes the health of buses and controllers in `readings`.
void hardware_buses_look(const struct hardware_buses *buses, const struct can_host *host,
                         struct readings *readings);
