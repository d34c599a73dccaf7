#include "harness/judge/pack.h"

#include <stdlib.h>

#include "harness/packs/can/oracles.h"
#include "harness/packs/robot/messages.h"

extern const struct pack pack_robot;

static const struct oracle oracles[] = {
    {"position-limit",
     oracle_position_limit,
     "references on the bus stay within the range",
     {"bus-log"}},
    {"velocity-limit",
     oracle_velocity_limit,
     "references on the bus keep the maximum velocity",
     {"bus-log"}},
    {"acceleration-limit",
     oracle_acceleration_limit,
     "references on the bus keep the maximum acceleration",
     {"bus-log"}},
    {"readings-heard",
     oracle_readings_heard,
     "valid readings of a published state are what boards replied in its cycle",
     {"state", "bus-log"}},
    {"readings-complete",
     oracle_readings_complete,
     "without a fault published states lack no readings",
     {"state"}},
    {0},
};

static const struct pack_channel channels[] = {{TOPIC_BUS_LOG, &robot_bus_log, false},
                                               {.name = NULL}};

const struct pack pack_can = {
    .name = "can",
    .summary = "references and readings on the buses of a robot",
    .needs = &pack_robot,
    .oracle = oracles,
    .channel = channels,
    .study = references_study,
    .forget = free,
};
