#include "harness/judge/pack.h"

#include "harness/packs/joints/oracles.h"
#include "harness/packs/robot/messages.h"

extern const struct pack pack_robot;

static const struct oracle oracles[] = {
    {"state-truth",
     oracle_state_truth,
     "valid readings of a published state are true",
     {"state", "truth"}},
    {"nominal-velocity",
     oracle_nominal_velocity,
     "commands are carried out within their nominal velocity",
     {"reference"}},
    {"nominal-acceleration",
     oracle_nominal_acceleration,
     "commands are carried out within their nominal acceleration",
     {"reference"}},
    {"velocity-wind-down",
     oracle_velocity_wind_down,
     "velocity mode comes to rest after its time-out",
     {"reference"}},
    {0},
};

static const struct pack_channel channels[] = {
    {"state", &robot_state, false}, {"reference", &robot_reference, false}, {.name = NULL}};

const struct pack pack_joints = {
    .name = "joints",
    .summary = "readings of joints, and commands to them",
    .needs = &pack_robot,
    .oracle = oracles,
    .channel = channels,
};
