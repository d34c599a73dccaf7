#include "harness/wiring.h"

#include <stdio.h>

#include "can/bus.h"
#include "harness/cell.h"

static enum status create_channel(const struct channel_config *config,
                                  struct clk_coordinator *coordinator, struct channel **channel)
{
    enum status status =
        channel_create(CELL_FOLDER, config->name, config->frame_size_max_B, config->slots);
    if (status == STATUS_OK)
        status = channel_open_in(CELL_FOLDER, config->name, CHANNEL_WRITE, channel);
    if (status != STATUS_OK)
        return status;
    uint32_t id;
    status = clk_coordinator_watch(coordinator, channel_head(*channel), &id);
    if (status == STATUS_OK)
        channel_set_watch(*channel, id);
    else
        channel_close(*channel);
    return status;
}

enum status wiring_create(const struct target *target, struct clk_coordinator *coordinator,
                          struct wiring *wiring, char *reason, size_t size)
{
    enum status status = STATUS_OK;
    wiring->count = 0;
    for (unsigned i = 0; i < target->channel_count && status == STATUS_OK; i++) {
        status = create_channel(&target->channel[i], coordinator, &wiring->channel[i]);
        if (status == STATUS_OK)
            wiring->count++;
        else
            snprintf(reason, size, "channel %s: %s", target->channel[i].name, status_text(status));
    }
    for (unsigned i = 0; i < target->bus_count && status == STATUS_OK; i++) {
        const struct can_bus_config config = {
            .bitrates = {.nominal_bit_s = target->bus[i].bitrate_bit_s}};
        status = can_bus_create(CELL_FOLDER, target->bus[i].name, &config);
        if (status != STATUS_OK)
            snprintf(reason, size, "bus %s: %s", target->bus[i].name, status_text(status));
    }
    if (status != STATUS_OK)
        wiring_close(wiring);
    return status;
}

void wiring_close(struct wiring *wiring)
{
    for (unsigned i = 0; i < wiring->count; i++)
        channel_close(wiring->channel[i]);
    wiring->count = 0;
}

void wiring_kick(void *context)
{
    struct wiring *wiring = context;
    for (unsigned i = 0; i < wiring->count; i++)
        channel_kick(wiring->channel[i]);
}
