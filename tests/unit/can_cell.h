// A bus in a folder of its own for tests of the buses, and a listener that notes what it hears.
#pragma once

#include <check.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "can/bus.h"
#include "can/can.h"
#include "can/controller.h"
#include "can/disturbance.h"

static char cell[] = "/tmp/ukemi-can-XXXXXX";

static inline struct can_bus *new_bus_at(struct can_bitrates bitrates)
{
    struct can_bus *bus;
    strcpy(cell + sizeof cell - 7, "XXXXXX");
    ck_assert_ptr_nonnull(mkdtemp(cell));
    setenv("UKEMI_CELL", cell, 1);
    ck_assert_int_eq(can_bus_create(cell, "can0", &(struct can_bus_config){.bitrates = bitrates}),
                     STATUS_OK);
    ck_assert_int_eq(can_bus_open("can0", &bus), STATUS_OK);
    return bus;
}

static inline struct can_bus *new_bus(void)
{
    return new_bus_at((struct can_bitrates){1000000, 0});
}

static inline void end_bus(struct can_bus *bus)
{
    char path[64];
    can_bus_close(bus);
    snprintf(path, sizeof path, "%s/buses/can0", cell);
    unlink(path);
    snprintf(path, sizeof path, "%s/buses", cell);
    rmdir(path);
    rmdir(cell);
}

static inline struct can_port *open_host(void)
{
    struct can_port *port;
    ck_assert_int_eq(can_open("can0", "host", &port), STATUS_OK);
    return port;
}

static inline struct can_frame data_frame(uint32_t id, unsigned length, uint8_t fill)
{
    struct can_frame frame = {.can_id = id, .can_dlc = (uint8_t)length};
    memset(frame.data, fill, length);
    return frame;
}

static inline unsigned add_node(struct can_bus *bus)
{
    unsigned node;
    ck_assert_int_eq(can_bus_add_node(bus, "board", &node), STATUS_OK);
    return node;
}

struct log {
    unsigned count;
    struct can_stamped frame[2048];
    int sender[2048];
    bool failed[2048];
    uint64_t heard[2048];
};

static inline void record(void *context, const struct can_stamped *frame,
                          const struct can_delivery *delivery)
{
    struct log *log = context;
    ck_assert_uint_lt(log->count, 2048);
    log->sender[log->count] = delivery->sender;
    log->failed[log->count] = delivery->failed;
    log->heard[log->count] = delivery->heard;
    log->frame[log->count++] = *frame;
}

// ---- looking at the bus, and disturbing it ------------------------------------------------------

static inline struct can_node_report node_report(const char *name)
{
    struct can_page *page;
    struct can_bus_report report;
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    can_meddle_report(page, &report);
    const int node = can_meddle_node(page, name);
    ck_assert_int_ge(node, 0);
    can_meddle_close(page);
    return report.node[node];
}

// Puts a disturbance into bus can0; all frames unless it says otherwise.
static inline unsigned disturb(struct can_disturbance what)
{
    struct can_page *page;
    unsigned slot;
    what.share_ppm = what.share_ppm ? what.share_ppm : 1000000;
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    ck_assert_int_eq(can_meddle_put(page, &what, &slot), STATUS_OK);
    can_meddle_close(page);
    return slot;
}

static inline void calm(unsigned slot)
{
    struct can_page *page;
    ck_assert_int_eq(can_meddle_open(cell, "can0", &page), STATUS_OK);
    ck_assert_int_eq(can_meddle_take(page, slot), STATUS_OK);
    can_meddle_close(page);
}
