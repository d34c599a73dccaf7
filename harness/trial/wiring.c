#include "harness/trial/wiring.h"

#include <stdio.h>
#include <string.h>

#include "can/disturbance.h"
#include "harness/cell/cell.h"
#include "harness/cell/cell_rights.h"
#include "harness/files/catalogue.h"

// What the simulated robot says can be read by all, but written by nobody else.
static bool is_of_the_lab(const struct target *target, const struct channel_config *config)
{
    for (unsigned i = 0; i < target->process_count; i++)
        if (target->process[i].follower && strcmp(target->process[i].name, config->writer) == 0)
            return true;
    return false;
}

static enum status create_channel(const struct target *target, const struct channel_config *config,
                                  struct clk_coordinator *coordinator, struct channel **channel)
{
    char path[PATH_MAX_LENGTH];
    enum status status =
        channel_create(CELL_FOLDER, config->name, config->frame_size_max_B, config->slots);
    if (status == STATUS_OK)
        status = channel_open_in(CELL_FOLDER, config->name, CHANNEL_WRITE, channel);
    if (status != STATUS_OK)
        return status;
    snprintf(path, sizeof path, CELL_FOLDER "/channels/%s", config->name);
    if (is_of_the_lab(target, config) && !cell_rights_keep_file(path)) {
        channel_close(*channel);
        return STATUS_SYSTEM;
    }
    uint32_t id;
    status = clk_coordinator_watch(coordinator, channel_head(*channel), &id);
    if (status == STATUS_OK)
        channel_set_watch(*channel, id);
    else
        channel_close(*channel);
    return status;
}

static enum status create_channels(const struct target *target, struct clk_coordinator *coordinator,
                                   struct wiring *wiring, char *reason, size_t size)
{
    for (unsigned i = 0; i < target->channel_count; i++) {
        const enum status status =
            create_channel(target, &target->channel[i], coordinator, &wiring->channel[i]);
        if (status != STATUS_OK) {
            snprintf(reason, size, "channel %s: %s", target->channel[i].name, status_text(status));
            return status;
        }
        wiring->count++;
    }
    return STATUS_OK;
}

// The kernel's interfaces, one per bus; where they are not insisted on, the embedded buses serve as
// well.
static enum status create_interfaces(const struct target *target, enum link_choice can,
                                     struct wiring *wiring, char *reason, size_t size)
{
    char why[128];
    wiring->medium = can == LINK_EMBEDDED ? CAN_EMBEDDED : CAN_SOCKET;
    for (unsigned i = 0; i < target->bus_count && wiring->medium == CAN_SOCKET; i++) {
        const enum status status = link_create_vcan(target->bus[i].name, why, sizeof why);
        if (status == STATUS_OK)
            continue;
        wiring->medium = CAN_EMBEDDED;
        if (can == LINK_AUTO)
            break;
        snprintf(reason, size, "bus %s: %s; --can embedded needs none", target->bus[i].name, why);
        return status;
    }
    return STATUS_OK;
}

static enum status create_buses(const struct wiring_request *request, struct wiring *wiring,
                                char *reason, size_t size)
{
    const struct target *target = request->target;
    for (unsigned i = 0; i < target->bus_count; i++) {
        const struct can_bus_config config = {
            .bitrates = {.nominal_bit_s = request->bitrate_bit_s != 0
                                              ? request->bitrate_bit_s
                                              : target->bus[i].bitrate_bit_s},
            .medium = wiring->medium,
            .patient = request->mode == CLK_VIRTUAL};
        const enum status status = can_bus_create(CELL_FOLDER, target->bus[i].name, &config);
        if (status != STATUS_OK) {
            snprintf(reason, size, "bus %s: %s", target->bus[i].name, status_text(status));
            return status;
        }
    }
    return STATUS_OK;
}

// By which faults ask the library in shimmed programs.
static enum status create_page_of_calls(const struct scenario *scenario, char *reason, size_t size)
{
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_kind *kind =
            catalogue_find(scenario->catalogue, scenario->fault[i].kind);
        if (kind == NULL || (kind->look != LOOK_calls && kind->look != LOOK_clock))
            continue;
        const enum status status = tamper_create(CELL_FOLDER, TAMPER_SOCKETS);
        if (status != STATUS_OK)
            snprintf(reason, size, "the page of faults of sockets: %s", status_text(status));
        return status;
    }
    return STATUS_OK;
}

enum status wiring_create(const struct wiring_request *request, struct wiring *wiring, char *reason,
                          size_t size)
{
    const struct target *target = request->target;
    *wiring = (struct wiring){0};
    enum status status = create_channels(target, request->coordinator, wiring, reason, size);
    if (status == STATUS_OK)
        status = create_page_of_calls(request->scenario, reason, size);
    if (status == STATUS_OK) {
        interposed_find(request->scenario, target, &wiring->interposed);
        status = interposed_create(&wiring->interposed, target, request->coordinator, reason, size);
    }
    if (status == STATUS_OK)
        status = create_interfaces(target, request->can, wiring, reason, size);
    if (status == STATUS_OK)
        status = create_buses(request, wiring, reason, size);
    if (status != STATUS_OK)
        wiring_close(wiring);
    return status;
}

uint64_t wiring_strangers_dropped(const struct target *target)
{
    uint64_t dropped = 0;
    for (unsigned i = 0; i < target->bus_count; i++) {
        struct can_page *page;
        struct can_bus_report report;
        if (can_meddle_open(CELL_FOLDER, target->bus[i].name, &page) != STATUS_OK)
            continue; // not made, after an error of the lab
        can_meddle_report(page, &report);
        const int outside = can_meddle_node(page, CAN_BUS_OUTSIDE);
        if (outside >= 0)
            dropped += report.node[outside].lost;
        can_meddle_close(page);
    }
    return dropped;
}

void wiring_close(struct wiring *wiring)
{
    for (unsigned i = 0; i < wiring->count; i++)
        channel_close(wiring->channel[i]);
    wiring->count = 0;
    interposed_close(&wiring->interposed);
}

void wiring_kick(void *context)
{
    struct wiring *wiring = context;
    for (unsigned i = 0; i < wiring->count; i++)
        channel_kick(wiring->channel[i]);
}
