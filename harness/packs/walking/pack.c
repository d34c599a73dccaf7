#include "harness/judge/pack.h"

#include "harness/packs/robot/messages.h"
#include "harness/packs/walking/oracles.h"
#include "harness/packs/walking/tracks.h"
#include "harness/packs/walking/watch.h"

extern const struct pack pack_robot;

static const struct oracle oracles[] = {WALKING_ORACLES(ORACLE_ENTRY){0}};

static const struct pack_channel channels[] = {{"planner-command", &robot_planner_command, true},
                                               {"footsteps", &robot_footsteps, true},
                                               {"planner-status", &robot_planner_status, true},
                                               {"balance-command", &robot_balance_command, true},
                                               {.name = NULL}};

static const struct claim_carrier carriers[] = {
    {"completes-without-fault", CLAIM_COMPLETION, false},
    {"completes-after-fault", CLAIM_COMPLETION, true},
    {"restart-and-resume", CLAIM_COMPLETION, false},
    {"stays-upright", CLAIM_STANDING, false},
    {.oracle = NULL}};

const struct pack pack_walking = {.name = "walking",
                                  .summary = "a biped stands, walks and completes its motion",
                                  .needs = &pack_robot,
                                  .oracle = oracles,
                                  .channel = channels,
                                  .carrier = carriers,
                                  .watcher = &walking_watcher,
                                  .observe = observe,
                                  .tracks = walking_tracks};
