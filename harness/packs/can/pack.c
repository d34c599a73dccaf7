#include "harness/judge/pack.h"

#include <stdlib.h>

#include "harness/packs/can/oracles.h"
#include "harness/packs/robot/messages.h"

extern const struct pack pack_robot;

static const struct oracle oracles[] = {CAN_ORACLES(ORACLE_ENTRY){0}};

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
