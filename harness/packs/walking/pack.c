#include "harness/judge/pack.h"

#include "harness/packs/robot/messages.h"
#include "harness/packs/walking/oracles.h"
#include "harness/packs/walking/tracks.h"
#include "harness/packs/walking/watch.h"

extern const struct pack pack_robot;

static const struct oracle oracles[] = {
    {"segments-end-stable",
     oracle_segments_end_stable,
     "every segment ends standing on both feet",
     {"segment"}},
    {"upright-without-fault",
     oracle_upright_without_fault,
     "the robot does not fall before a fault",
     {"truth"}},
    {"completes-without-fault",
     oracle_completes_without_fault,
     "without a fault the motion is completed",
     {"truth"}},
    {"stays-upright",
     oracle_stays_upright,
     "the robot does not fall where the scenario promises that",
     {"truth"}},
    {"completes-after-fault",
     oracle_completes_after_fault,
     "after a fault that has ended a robot that stands completes the motion",
     {"truth"}},
    {"restart-and-resume",
     oracle_restart_and_resume,
     "a killed component comes back and the motion is completed",
     {"truth"}},
    {0},
};

static const struct pack_channel channels[] = {{"planner-command", &robot_planner_command, true},
                                               {"footsteps", &robot_footsteps, true},
                                               {"planner-status", &robot_planner_status, true},
                                               {"balance-command", &robot_balance_command, true},
                                               {.name = NULL}};

const struct pack pack_walking = {.name = "walking",
                                  .summary = "a biped stands, walks and completes its motion",
                                  .needs = &pack_robot,
                                  .oracle = oracles,
                                  .channel = channels,
                                  .watcher = &walking_watcher,
                                  .observe = observe,
                                  .tracks = walking_tracks};
