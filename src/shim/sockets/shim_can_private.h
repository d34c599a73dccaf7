// A socket of CAN as the three files about it see it; private to them.
#pragma once

#include <linux/can.h>
#include <net/if.h>
#include <sys/types.h>

#include "can/can.h"
#include "shim/shim.h"

#define BUSES_MAX SHIM_BUSES_MAX
#define FIRST_INDEX 100 // of an interface; the cell's own are below
#define LINES_MAX (2 * BUSES_MAX)
#define BESIDE_MAX 1024 // more than an inner end holds
#define OWN_MAX 64      // frames that were sent and not heard yet

// One node on one bus.
struct can_line {
    struct can_port *port;
    unsigned bus, number; // of its buses and of its nodes there
    bool hears_own;       // it only hears, also what the socket sends
    bool has_held;        // `held` has come, and was not given yet
    struct can_stamped held;
};

// What the program's end cannot carry beside the bytes of a frame.
struct can_beside {
    int64_t time_ns;
    unsigned bus;
    bool own;
};

struct can_socket {
    bool used, bound;
    int descriptor; // the program's end; -1: it has closed it, but perhaps not all copies
    int inner;
    ino_t end, inner_end; // of both: a program that closes all may open others in their place
    int index;            // of the interface that it is bound to; 0: all
    unsigned lines;
    struct can_line line[LINES_MAX];
    bool fd_frames, wants_own;
    bool filters_set;
    unsigned filter_count;
    uint32_t error_mask;
    struct can_filter filter[CAN_FILTERS_MAX];
    int stamps; // option by which stamps were asked for; 0: none
    int stamp_flags;
    uint32_t given, taken; // frames put into the inner end, and read from the other
    struct can_beside beside[BESIDE_MAX], last;
    uint32_t sent, heard; // of its own frames, if it wants them
    struct canfd_frame own[OWN_MAX];
};

// Of a descriptor that is such a socket's; NULL: it is not (shim_can.c).
struct can_socket *shim_can_of(int descriptor);

// The index of the interface that a bus of the cell seems to be; 0: none is called so. All buses
// are known then (shim_can_interface.c).
unsigned shim_can_index(const char *name);
// And its name; NULL: no bus has this index, or none is known yet.
const char *shim_can_name(int index);
