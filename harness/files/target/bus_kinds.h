// The kinds of buses that a target may have, under `buses` or, of Ethernet, under `networks`:
// X(name, the word for `kind`, what people call buses of it). To add one: a line before the last,
// and a struct bus_kind of its functions in harness/trial/wire/bus_NAME.c (bus_kind.h).
#pragma once

#define BUS_KINDS(X)                                                                               \
    X(can, "can", "CAN")                                                                           \
    X(dynamixel, "dynamixel", "servo lines")                                                       \
    X(ethernet, NULL, "networks")

#define BUS_KIND_ENTRY(name, word, called) BUS_KIND_##name,
enum bus_kind_number { BUS_KINDS(BUS_KIND_ENTRY) BUS_KIND_COUNT };
#undef BUS_KIND_ENTRY
