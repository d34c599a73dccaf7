// CAN buses: of shared memory, or of the kernel's vcan.
#include "can/bus.h"
#include "can/disturbance.h"
#include "harness/cell/cell_inside.h"
#include "harness/files/target/wire_config.h"
#include "harness/trial/wire/bus_kind.h"
#include "harness/trial/wire/link.h"

static enum status create(const struct bus_config *config, const struct bus_making *making)
{
    const unsigned bitrate_bit_s =
        making->bitrate_bit_s != 0 ? making->bitrate_bit_s : config->bitrate_bit_s;
    const struct can_bus_config can = {.bitrates = {.nominal_bit_s = bitrate_bit_s},
                                       .medium = making->through_kernel ? CAN_SOCKET : CAN_EMBEDDED,
                                       .patient = making->patient,
                                       .host = config->host[0] != '\0' ? config->host : NULL,
                                       .host_outside = config->host_outside};
    return can_bus_create(cell_folder(), config->name, &can);
}

static uint64_t strangers_dropped(const char *name)
{
    struct can_page *page;
    struct can_bus_report report;
    if (can_meddle_open(cell_folder(), name, &page) != STATUS_OK)
        return 0; // not made, after an error of the lab
    can_meddle_report(page, &report);
    const int outside = can_meddle_node(page, CAN_BUS_OUTSIDE);
    can_meddle_close(page);
    return outside >= 0 ? report.node[outside].lost : 0;
}

// Looks into the bus's own table of disturbances, which its owner obeys and counts.
static bool find_disturbance(const char *name, unsigned tag, struct bus_disturbance *seen)
{
    struct can_page *page;
    if (can_meddle_open(cell_folder(), name, &page) != STATUS_OK)
        return false;
    const int slot = can_meddle_find(page, tag);
    const struct can_disturbance_count count = can_meddle_count(page, (unsigned)slot);
    can_meddle_close(page);
    *seen = (struct bus_disturbance){.known = slot >= 0,
                                     .active = count.active,
                                     .hit = count.hit,
                                     .hit_when_taken = count.hit_when_taken};
    return true;
}

const struct bus_kind bus_can = {.create_interface = link_create_vcan,
                                 .create = create,
                                 .strangers_dropped = strangers_dropped,
                                 .disturbed = find_disturbance};
