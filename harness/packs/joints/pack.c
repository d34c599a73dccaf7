#include "harness/judge/pack.h"

#include "harness/packs/joints/oracles.h"
#include "harness/packs/robot/messages.h"

extern const struct pack pack_robot;

static const struct oracle oracles[] = {JOINTS_ORACLES(ORACLE_ENTRY){0}};

static const struct pack_channel channels[] = {
    {"state", &robot_state, false}, {"reference", &robot_reference, false}, {.name = NULL}};

const struct pack pack_joints = {
    .name = "joints",
    .summary = "readings of joints, and commands to them",
    .needs = &pack_robot,
    .oracle = oracles,
    .channel = channels,
};
