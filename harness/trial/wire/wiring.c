#include "harness/trial/wire/wiring.h"

#include <stdio.h>
#include <string.h>

#include "base/invariant.h"
#include "harness/cell/cell_inside.h"
#include "harness/cell/cell_rights.h"
#include "harness/files/scenario.h"
#include "harness/trial/wire/bus_kind.h"
#include "harness/trial/wire/network.h"
#include "harness/files/fault/catalogue.h"

#define BUS_KIND_DECLARE(name, word, called) extern const struct bus_kind bus_##name;
BUS_KINDS(BUS_KIND_DECLARE)
#undef BUS_KIND_DECLARE

const struct bus_kind *const bus_kinds[] = {
#define BUS_KIND_POINTER(name, word, called) &bus_##name,
    BUS_KINDS(BUS_KIND_POINTER)
#undef BUS_KIND_POINTER
};

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
        channel_create(cell_folder(), config->name, config->frame_size_max_B, config->slots);
    if (status == STATUS_OK)
        status = channel_open_in(cell_folder(), config->name, CHANNEL_WRITE, channel);
    if (status != STATUS_OK)
        return status;
    snprintf(path, sizeof path, "%s/channels/%s", cell_folder(), config->name);
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

// A bus whose host knows SocketCAN only: in virtual time the preloaded library gives it that on the
// embedded bus, in real time the kernel.
static enum status choose_for_host(const struct wiring_request *request, enum link_choice *can,
                                   char *reason, size_t size)
{
    const struct bus_config *bus = NULL;
    for (unsigned i = 0; i < request->target->bus_count && bus == NULL; i++)
        bus = request->target->bus[i].host_outside ? &request->target->bus[i] : NULL;
    if (bus == NULL)
        return STATUS_OK;
    const bool real = *can == LINK_SOCKETCAN;
    *can = request->mode == CLK_VIRTUAL ? LINK_EMBEDDED : LINK_SOCKETCAN;
    if (!real || request->mode == CLK_WALL)
        return STATUS_OK;
    snprintf(reason, size,
             "bus %s: its host %s would meet the kernel's interface, which knows no virtual time; "
             "leave out --can, or run it in real time",
             bus->name, bus->host);
    return STATUS_UNSUPPORTED;
}

// The kernel's interfaces, one per bus; where they are not insisted on, the embedded buses serve as
// well.
static enum status create_interfaces(const struct target *target, enum link_choice can,
                                     struct wiring *wiring, char *reason, size_t size)
{
    char why[128];
    if (cell_is_bare() && can == LINK_SOCKETCAN && target->bus_count > 0) {
        snprintf(reason, size, "bus %s: a bare cell has no network of its own for an interface; %s",
                 target->bus[0].name,
                 target->bus[0].host_outside ? "run it in virtual time"
                                             : "--can embedded needs none");
        return STATUS_UNSUPPORTED;
    }
    wiring->through_kernel = can != LINK_EMBEDDED && !cell_is_bare();
    for (unsigned i = 0; i < target->bus_count && wiring->through_kernel; i++) {
        const struct bus_config *bus = &target->bus[i];
        if (bus_kinds[bus->kind]->create_interface == NULL)
            continue;
        const enum status status =
            bus_kinds[bus->kind]->create_interface(bus->name, why, sizeof why);
        if (status == STATUS_OK)
            continue;
        wiring->through_kernel = false;
        if (can == LINK_AUTO)
            break;
        snprintf(reason, size, "bus %s: %s; %s", bus->name, why,
                 bus->host_outside ? "run it in virtual time" : "--can embedded needs none");
        return status;
    }
    return STATUS_OK;
}

static enum status create_buses(const struct wiring_request *request, const struct wiring *wiring,
                                char *reason, size_t size)
{
    const struct bus_making making = {.through_kernel = wiring->through_kernel,
                                      .patient = request->mode == CLK_VIRTUAL,
                                      .bitrate_bit_s = request->bitrate_bit_s};
    for (unsigned i = 0; i < request->target->bus_count; i++) {
        const struct bus_config *bus = &request->target->bus[i];
        invariant((size_t)bus->kind < sizeof bus_kinds / sizeof bus_kinds[0]);
        const enum status status = bus_kinds[bus->kind]->create(bus, &making);
        if (status != STATUS_OK) {
            snprintf(reason, size, "bus %s: %s", bus->name, status_text(status));
            return status;
        }
    }
    return STATUS_OK;
}

static enum status create_network(const struct wiring_request *request, unsigned number,
                                  bool by_veth, char *why, size_t size)
{
    expects(!by_veth || request->mode == CLK_WALL);
    static struct network_config network; // large: the cell's init is one thread
    const struct network_making making = {.coordinator = request->coordinator,
                                          .wakes = request->mode == CLK_WALL,
                                          .through_kernel = by_veth};
    network = request->target->network[number];
    if (request->scenario->redundancy != 0)
        network.redundancy = (enum eth_redundancy)(request->scenario->redundancy - 1);
    return network_create(&network, &making, why, size);
}

// By the kernel's interfaces in real time; where they are not insisted on, embedded ones serve as
// well.
static enum status create_networks(const struct wiring_request *request, struct wiring *wiring,
                                   char *reason, size_t size)
{
    char why[160];
    const unsigned count = request->target->network_count;
    if (cell_is_bare() && count > 0 && request->ethernet == LINK_VETH) {
        snprintf(reason, size,
                 "network %s: a bare cell has no network of its own for interfaces; --ethernet "
                 "embedded needs none",
                 request->target->network[0].name);
        return STATUS_UNSUPPORTED;
    }
    wiring->by_veth = count > 0 && request->mode == CLK_WALL &&
                      request->ethernet != LINK_EMBEDDED && !cell_is_bare();
    if (wiring->by_veth)
        cell_rights_open_interfaces();
    for (unsigned i = 0; i < count; i++) {
        enum status status = create_network(request, i, wiring->by_veth, why, sizeof why);
        if (status == STATUS_UNSUPPORTED && request->ethernet == LINK_AUTO && i == 0) {
            wiring->by_veth = false;
            status = create_network(request, i, false, why, sizeof why);
        }
        if (status != STATUS_OK) {
            snprintf(reason, size, "network %s: %s%s", request->target->network[i].name, why,
                     wiring->by_veth ? "; --ethernet embedded needs no interfaces" : "");
            return status;
        }
    }
    // The kernel knows no virtual time.
    ensures(!wiring->by_veth || request->mode == CLK_WALL);
    return STATUS_OK;
}

static enum status lay_cables(const struct wiring_request *request, char *reason, size_t size)
{
    const struct target *target = request->target;
    if (target->cable_count > 0 && request->mode == CLK_VIRTUAL) {
        snprintf(reason, size,
                 "cable from %s to %s: is the kernel's, which knows no virtual time; run it in "
                 "real time",
                 target->cable[0].end[0], target->cable[0].end[1]);
        return STATUS_UNSUPPORTED;
    }
    enum status status = STATUS_OK;
    for (unsigned i = 0; i < target->cable_count && status == STATUS_OK; i++)
        status =
            link_create_cable(i, target->cable[i].end[0], target->cable[i].end[1], reason, size);
    if (target->cable_count > 0)
        cell_rights_open_interfaces();
    return status;
}

// By which faults ask the library in shimmed programs.
static enum status create_page_of_calls(const struct scenario *scenario, char *reason, size_t size)
{
    for (unsigned i = 0; i < scenario->fault_count; i++) {
        const struct fault_kind *kind =
            catalogue_find(scenario->catalogue, scenario->fault[i].kind);
        if (kind == NULL || (kind->look != LOOK_calls && kind->look != LOOK_clock))
            continue;
        const enum status status = tamper_create(cell_folder(), TAMPER_SOCKETS);
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
    enum link_choice can = request->can;
    if (status == STATUS_OK)
        status = choose_for_host(request, &can, reason, size);
    if (status == STATUS_OK)
        status = create_interfaces(target, can, wiring, reason, size);
    if (status == STATUS_OK)
        status = create_buses(request, wiring, reason, size);
    if (status == STATUS_OK)
        status = create_networks(request, wiring, reason, size);
    if (status == STATUS_OK)
        status = lay_cables(request, reason, size);
    if (status != STATUS_OK)
        wiring_close(wiring);
    return status;
}

uint64_t wiring_strangers_dropped(const struct target *target)
{
    uint64_t dropped = 0;
    for (unsigned i = 0; i < target->bus_count; i++)
        dropped += bus_kinds[target->bus[i].kind]->strangers_dropped(target->bus[i].name);
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
