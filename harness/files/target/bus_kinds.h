// The kinds of buses that a target may have, under `buses` or, of Ethernet, under `networks`:
// X(name). To add one: a line here, and a struct bus_kind of its functions in
// harness/trial/bus_NAME.c (bus_kind.h).
#pragma once

#define BUS_KINDS(X) X(can) X(dynamixel) X(ethernet)

#define BUS_KIND_ENTRY(name) BUS_KIND_##name,
enum bus_kind_number { BUS_KINDS(BUS_KIND_ENTRY) BUS_KIND_COUNT };
#undef BUS_KIND_ENTRY
