// What carries what the programs of a target say, as its file says: channels, buses, networks,
// cables; and taps of what they say by other ways.
//
// What a field is that comes from a file says the help of its row (file_table.h): `ukemi help
// files`.
#pragma once

#include <stdbool.h>

#include "channel/channel.h"
#include "ethernet/network.h"
#include "harness/files/lengths.h"
#include "harness/files/target/bus_kinds.h"

#define CHANNEL_ALSO_MAX 4
#define BUS_SERVOS_MAX 30
#define BUS_BITRATE_MIN_BIT_S 10e3

struct channel_config {
    char name[CHANNEL_NAME_MAX];
    char message[MESSAGE_NAME_LENGTH]; // its type; "": not recorded
    unsigned frame_size_max_B, slots;
    char writer[NAME_MAX_LENGTH]; // "" if floor_hz is 0
    unsigned also_count;
    char also[CHANNEL_ALSO_MAX][NAME_MAX_LENGTH]; // others that write to it
    double floor_hz;
    char needs[NAME_MAX_LENGTH]; // "": none
    bool lab_only;               // nobody but the lab reads it
    unsigned line;               // in the target's file
};

struct bus_config {
    char name[NAME_MAX_LENGTH];
    char host[NAME_MAX_LENGTH]; // whose frames are the controller's; "": all that a node sends
    bool host_outside;          // it is no native program: `clock` shim or none
    enum bus_kind_number kind;
    unsigned bitrate_bit_s;
    char writer[NAME_MAX_LENGTH]; // "" if floor_hz is 0
    double floor_hz;
    unsigned servo_count; // numbers of those that answer on a servo line
    unsigned servo[BUS_SERVOS_MAX];
};

struct network_ring_config {
    char name[NAME_MAX_LENGTH];
    unsigned node_count;
    char node[ETH_HOSTS_MAX][NAME_MAX_LENGTH]; // in order; both ends are on the hub
};

struct network_config { // of Ethernet: hosts and rings on a switching hub
    char name[NAME_MAX_LENGTH];
    unsigned bitrate_bit_s, exchange_B;
    double hub_latency_us, relay_latency_us, relay_jitter_us, stamp_noise_us, cycle_us;
    enum eth_redundancy redundancy;
    unsigned host_count, ring_count;
    char host[ETH_HOSTS_MAX][NAME_MAX_LENGTH]; // on the hub
    struct network_ring_config ring[ETH_RINGS_MAX];
};

struct cable_config { // of the kernel's: a pair of interfaces, for programs that want some
    unsigned end_count;
    char end[2][NAME_MAX_LENGTH];
};

enum tap_kind { TAP_UNIX, TAP_UDP, TAP_STDOUT };

struct tap_config { // what a program says that does not use our channels
    char channel[CHANNEL_NAME_MAX];
    char from[NAME_MAX_LENGTH];        // "unix:tap", "udp:14550", "stdout:controller"
    enum tap_kind kind;                // of `from`, and
    char name[NAME_MAX_LENGTH];        // what stands behind its colon
    char message[MESSAGE_NAME_LENGTH]; // its type; of lines, made up of their fields
    char fields[PATH_MAX_LENGTH];      // of lines (line_pattern.h)
    char writer[NAME_MAX_LENGTH];      // "" if floor_hz is 0 and it is none of lines
    double floor_hz;
    unsigned line; // in the target's file
};
