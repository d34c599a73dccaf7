#include "targets/hubo2/hardware/hardware_buses.h"

#include "base/log.h"

#define FRAMES_MAX 512 // taken per bus at once; what is left is an earlier cycle's in the next one

_Static_assert(CAN_FILTERS_MAX >= SENDERS_MAX, "a filter for each sender");

static const char *const names[HARDWARE_BUSES] = {"can0", "can1"};

enum status hardware_buses_listen(struct can_port *port, const struct readings *readings,
                                  unsigned bus)
{
    struct can_filter filter[SENDERS_MAX];
    unsigned count = 0;
    // Identifier by identifier: each is looked up in one step then (the kernel's af_can.c, rx_sff).
    for (uint32_t id = 0; id < CAN_IDS; id++)
        if (senders_has(&readings->senders, bus, id))
            filter[count++] = (struct can_filter){
                .can_id = id, .can_mask = CAN_SFF_MASK | CAN_EFF_FLAG | CAN_RTR_FLAG};
    return can_listen(port, filter, count, CAN_ERR_MASK); // error frames too: they are counted
}

enum status hardware_buses_open(struct hardware_buses *buses, struct can_host *host,
                                const struct readings *readings)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        struct can_port **port = &host->port[bus];
        enum status status = can_open(names[bus], "host", port);
        if (status == STATUS_OK)
            status = hardware_buses_listen(*port, readings, bus);
        if (status != STATUS_OK) {
            log_error("bus %s: %s; is it in target.yaml, and does the simulator run?", names[bus],
                      status_text(status));
            return status;
        }
        can_health(*port, &buses->before[bus]);
    }
    return STATUS_OK;
}

void hardware_buses_drain(const struct can_host *host, struct readings *readings)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        struct can_stamped reply;
        for (unsigned i = 0; i < FRAMES_MAX; i++) {
            if (can_receive(host->port[bus], &reply) != STATUS_OK)
                break;
            (void)readings_take(readings, bus, &reply);
        }
    }
}

void hardware_buses_look(const struct hardware_buses *buses, const struct can_host *host,
                         struct readings *readings)
{
    for (unsigned bus = 0; bus < HARDWARE_BUSES; bus++) {
        struct bus_health *health = &readings->state.bus[bus];
        struct can_health controller;
        can_health(host->port[bus], &controller);
        health->transmit_errors = controller.transmit_errors;
        health->receive_errors = controller.receive_errors;
        health->controller = controller.state;
        health->lost = (uint32_t)(controller.lost - buses->before[bus].lost);
        health->refused = host->refused[bus];
        readings_kept_away(readings, bus,
                           (uint32_t)(controller.unwanted - buses->before[bus].unwanted));
    }
}
