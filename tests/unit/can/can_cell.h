// A bus in a folder of its own for tests of the buses, and a listener that notes what it hears.
#pragma once

#include <check.h>
#include <sched.h>
#include <stdbool.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

#include "tests/unit/common/folder.h"

#include "can/bus.h"
#include "can/can.h"
#include "can/controller.h"
#include "can/disturbance.h"
#include "harness/trial/wire/link.h"

static char cell[64];
static enum can_medium medium; // of the buses that tests make

// A test on the kernel's interfaces has them in a network namespace of its own.
static inline void use_interfaces(void)
{
    char reason[160] = "no namespace";
    ck_assert(unshare(CLONE_NEWNET) == 0 || unshare(CLONE_NEWUSER | CLONE_NEWNET) == 0);
    ck_assert_msg(link_create_vcan("can0", reason, sizeof reason) == STATUS_OK, "%s", reason);
    ck_assert_msg(link_create_vcan("can1", reason, sizeof reason) == STATUS_OK, "%s", reason);
    medium = CAN_SOCKET;
}

static inline void add_tests(Suite *suite, const char *name, SFun set_up, const TTest *const *tests,
                             size_t count)
{
    TCase *group = tcase_create(name);
    tcase_set_timeout(group, 120);
    tcase_add_checked_fixture(group, set_up, NULL);
    for (size_t i = 0; i < count; i++)
        tcase_add_test(group, tests[i]);
    suite_add_tcase(suite, group);
}

// Whether tests can have CAN interfaces here; says so if they cannot.
static inline bool interfaces_possible(void)
{
    char why[160];
    if (link_possible(LINK_SOCKETCAN, why, sizeof why))
        return true;
    printf("not on the kernel's interfaces: %s\n", why);
    return false;
}

// As UNIT_MAIN; where the kernel has CAN, all tests also run on its interfaces.
#define CAN_UNIT_MAIN(name, ...)                                                                   \
    int main(void)                                                                                 \
    {                                                                                              \
        const TTest *const tests[] = {__VA_ARGS__};                                                \
        Suite *suite = suite_create(name);                                                         \
        add_tests(suite, name " embedded", NULL, tests, sizeof tests / sizeof tests[0]);           \
        if (interfaces_possible())                                                                 \
            add_tests(suite, name " on interfaces", use_interfaces, tests,                         \
                      sizeof tests / sizeof tests[0]);                                             \
        return run_suite(suite);                                                                   \
    }

// With its host; its medium is that of the test.
static inline struct can_bus *new_bus_with(struct can_bus_config config)
{
    struct can_bus *bus;
    config.medium = medium;
    config.patient = true;
    make_folder(cell, sizeof cell);
    setenv("UKEMI_CELL", cell, 1);
    ck_assert_int_eq(can_bus_create(cell, "can0", &config), STATUS_OK);
    ck_assert_int_eq(can_bus_open("can0", &bus), STATUS_OK);
    return bus;
}

static inline struct can_bus *new_bus_at(struct can_bitrates bitrates)
{
    return new_bus_with((struct can_bus_config){.bitrates = bitrates});
}

static inline struct can_bus *new_bus(void)
{
    return new_bus_at((struct can_bitrates){1000000, 0});
}

static inline void end_bus(struct can_bus *bus)
{
    can_bus_close(bus);
    remove_folder(cell);
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
